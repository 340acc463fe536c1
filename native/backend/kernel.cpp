#include "backend/kernel.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "driver/listed.h"

namespace hiplab::backend {
namespace {

// FNV-1a over parts and their lengths.
class Hash {
 public:
  void add(const std::string& part) {
    for (const char c : std::to_string(part.size()) + ":" + part) {
      value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
  }
  std::string text() const {
    std::ostringstream out;
    out << std::hex << value_;
    return out.str();
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

// A compiler reads C strings, and would take what comes before the NUL for all of it.
void require_no_nul(const std::string& text, const char* what) {
  if (const auto at = text.find('\0'); at != text.npos) {
    throw Error(std::string(what) + " has a NUL at byte " + std::to_string(at) + " of " +
                std::to_string(text.size()) + ", where a compiler would stop reading: take it out");
  }
}

std::string text_of(const Extent& e) {
  return std::to_string(e.x) + "x" + std::to_string(e.y) + "x" + std::to_string(e.z);
}

}  // namespace

KernelProgram::KernelProgram(std::string source, std::vector<std::string> kernels,
                             std::vector<std::string> options)
    : source_(std::move(source)), kernels_(std::move(kernels)), options_(std::move(options)) {
  if (kernels_.empty()) throw Error("a kernel program names no kernel, at least one is needed");
  for (const std::string& name : kernels_) {
    if (name.empty())
      throw Error("a kernel's name is empty: give that of a function of its source");
  }
  require_no_nul(source_, "a kernel's source");
  for (const std::string& name : kernels_) require_no_nul(name, "a kernel's name");
  for (const std::string& option : options_) require_no_nul(option, "a kernel's option");
  Hash hash;
  hash.add(source_);
  for (const std::string& option : options_) hash.add(option);
  for (const std::string& name : kernels_) hash.add(name);
  key_ = kernels_.front() + "-" + hash.text();
}

Kernel::Kernel(std::shared_ptr<const KernelProgram> program, std::string name, Configure configure)
    : program_(std::move(program)), name_(std::move(name)), configure_(std::move(configure)) {
  const auto& names = program_->kernels();
  if (std::find(names.begin(), names.end(), name_) == names.end()) {
    throw Error("the kernel program has no kernel '" + name_ + "', it names " + listed(names));
  }
}

Kernel::Kernel(std::string source, std::string name, std::vector<std::string> options)
    : program_(std::make_shared<KernelProgram>(std::move(source), std::vector<std::string>{name},
                                               std::move(options))),
      name_(std::move(name)) {}

void launch_function(const Table& api, const Where& where, hipFunction_t function,
                     const std::string& name, const LaunchShape& shape,
                     const std::vector<KernelArgument>& arguments) {
  std::vector<void*> params;
  params.reserve(arguments.size() + 1);
  for (const KernelArgument& argument : arguments) {
    params.push_back(const_cast<void*>(argument.data()));  // HIP's parameter list is not const
  }
  // HIP is told no count: a null behind the last lets a provider see that there are too few.
  params.push_back(nullptr);
  const auto& [grid, block] = shape;
  const hipError_t status =
      api.hipModuleLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0,
                                where.stream, params.data(), nullptr);
  if (succeeded(status)) return;
  const Status named = status_of(api, status);
  throw Error("hipModuleLaunchKernel failed on device " + std::to_string(where.device) + ": " +
                  named.text() + ", kernel '" + name + "', grid " + text_of(grid) + ", block " +
                  text_of(block) + ", " + std::to_string(arguments.size()) + " arguments",
              FailedCall{"hipModuleLaunchKernel", named.number, named.name});
}

}  // namespace hiplab::backend
