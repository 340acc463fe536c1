// hiplab.h: kernels from source.
#include <sstream>

#include "bindings/checks.h"
#include "bindings/hiplab.h"

namespace hiplab::bindings {
namespace {

unsigned extent(const char* name, int value) {
  if (value < 1) {
    throw Error(std::string(name) + " is " + std::to_string(value) + ", at least 1 is allowed");
  }
  return static_cast<unsigned>(value);
}

// The list's buffers, alive for as long as the answer.
std::vector<std::shared_ptr<const backend::DeviceMemory>> held(const StreamRef& stream,
                                                               const ArgumentsRef& list) {
  std::vector<std::shared_ptr<const backend::DeviceMemory>> all;
  for (const BufferArgument& buffer : list.buffers) {
    const std::string what = "argument " + std::to_string(buffer.index + 1);
    all.push_back(buffer.memory.lock());
    if (all.back() == nullptr) {
      throw Error(what + " is a buffer that has been freed: make a list with one that is open");
    }
    require_same_backend(stream.owner, buffer.owner, what.c_str());
    require_same_device(stream, *all.back(), what.c_str());
  }
  return all;
}

}  // namespace

KernelRef* createKernel(const std::string& source, const std::string& name,
                        const std::string& options) {
  std::vector<std::string> list;
  std::istringstream words(options);
  for (std::string option; words >> option;) list.push_back(option);
  return new KernelRef{backend::Kernel(source, name, std::move(list))};
}

void destroyKernel(KernelRef* kernel) {
  required(kernel, "kernel");
  delete kernel;
}

ArgumentsRef* createArguments() { return new ArgumentsRef; }

void addBuffer(ArgumentsRef* arguments, BufferRef* buffer) {
  ArgumentsRef& list = required(arguments, "arguments");
  const BufferRef& b = required(buffer, "buffer");
  list.buffers.push_back({list.values.size(), b.owner, b.memory});
  list.values.emplace_back(static_cast<const void*>(b.memory->get()));
}

void addInt(ArgumentsRef* arguments, int value) {
  required(arguments, "arguments").values.emplace_back(static_cast<std::int32_t>(value));
}
void addLong(ArgumentsRef* arguments, int64_t value) {
  required(arguments, "arguments").values.emplace_back(static_cast<std::int64_t>(value));
}
void addFloat(ArgumentsRef* arguments, float value) {
  required(arguments, "arguments").values.emplace_back(value);
}
void addDouble(ArgumentsRef* arguments, double value) {
  required(arguments, "arguments").values.emplace_back(value);
}

void destroyArguments(ArgumentsRef* arguments) {
  required(arguments, "arguments");
  delete arguments;
}

void launchKernel(StreamRef* stream, KernelRef* kernel, int gridX, int gridY, int gridZ, int blockX,
                  int blockY, int blockZ, ArgumentsRef* arguments) {
  const StreamRef& s = required(stream, "stream");
  const KernelRef& k = required(kernel, "kernel");
  const ArgumentsRef& list = required(arguments, "arguments");
  const auto buffers = held(s, list);
  const backend::LaunchShape shape{
      {extent("gridX", gridX), extent("gridY", gridY), extent("gridZ", gridZ)},
      {extent("blockX", blockX), extent("blockY", blockY), extent("blockZ", blockZ)}};
  s.owner->backend->launch(*s.stream, k.kernel, shape, list.values);
}

}  // namespace hiplab::bindings
