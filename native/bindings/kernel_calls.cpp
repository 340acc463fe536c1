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
  list.values.emplace_back(static_cast<const void*>(b.memory->get()));
  list.buffers.push_back(&b);
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
  for (const BufferRef* buffer : list.buffers) require_same_device(s, *buffer, "an argument");
  const backend::LaunchShape shape{
      {extent("gridX", gridX), extent("gridY", gridY), extent("gridZ", gridZ)},
      {extent("blockX", blockX), extent("blockY", blockY), extent("blockZ", blockZ)}};
  s.owner->backend->launch(*s.stream, k.kernel, shape, list.values);
}

}  // namespace hiplab::bindings
