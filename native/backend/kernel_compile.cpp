#include "backend/kernel_compile.h"

#include "driver/hiprtc_arch.h"

namespace hiplab::backend {
namespace {

// hiprtc's destroy takes the handle's address, unlike the others.
class OwnedProgram {
 public:
  OwnedProgram(const Table& api, hiprtcProgram program) : api_(api), program_(program) {}
  ~OwnedProgram() { (void)api_.hiprtcDestroyProgram(&program_); }
  OwnedProgram(const OwnedProgram&) = delete;
  OwnedProgram& operator=(const OwnedProgram&) = delete;
  hiprtcProgram get() const { return program_; }

 private:
  const Table& api_;
  hiprtcProgram program_;
};

std::string log_of(const Table& api, hiprtcProgram program) {
  size_t bytes = 0;
  if (!succeeded(api.hiprtcGetProgramLogSize(program, &bytes)) || bytes < 2) return "";
  std::string log(bytes, '\0');
  if (!succeeded(api.hiprtcGetProgramLog(program, log.data()))) return "";
  log.resize(bytes - 1);
  return log;
}

}  // namespace

void check_target(const CompileTarget& target) {
  if (target.provider.table->hiprtcCreateProgram == nullptr) {
    throw Error("kernels cannot be compiled: provider " + target.provider.name +
                " has no hiprtc; install libhiprtc, or name the folder that has it in "
                "HIPLAB_ROCM_PATH, and start the process again");
  }
  // A name that is no AMD target is a software device's own.
  const bool own = !target.arch.starts_with("gfx") && target.provider.name != "rocm";
  if (!own && !driver::is_amd_target(target.arch)) {
    const std::string of_device =
        target.device < 0 ? "" : " for device " + std::to_string(target.device);
    throw Error("kernels cannot be compiled" + of_device +
                ": hiprtc does not know the architecture '" + target.arch +
                "'; allowed are the targets of ROCm 6.4, as gfx942, gfx1100 or gfx1151");
  }
}

std::vector<char> compile_program(const CompileTarget& target, const KernelProgram& source) {
  check_target(target);
  const Table& api = *target.provider.table;
  const Where where{target.device};
  hiprtcProgram raw = nullptr;
  const std::string name = source.kernels().front() + ".hip";
  HIPLAB_CHECK(api, where, hiprtcCreateProgram, &raw, source.source().c_str(), name.c_str(), 0,
               nullptr, nullptr);
  const OwnedProgram program(api, raw);
  // Always with the architecture: without, hiprtc asks for the current device by itself.
  const std::string arch = "--offload-arch=" + target.arch;
  std::vector<const char*> options = {arch.c_str()};
  for (const std::string& option : source.options()) options.push_back(option.c_str());
  const hiprtcResult compiled =
      api.hiprtcCompileProgram(program.get(), static_cast<int>(options.size()), options.data());
  if (!succeeded(compiled)) {
    const Status named = status_of(api, compiled);
    const std::string on =
        target.device < 0 ? "for " + target.arch : "on device " + std::to_string(target.device);
    throw Error("hiprtcCompileProgram failed " + on + ": " + named.text() + ", kernel '" +
                    source.kernels().front() + "': " + log_of(api, program.get()),
                FailedCall{"hiprtcCompileProgram", named.number, named.name});
  }
  size_t bytes = 0;
  HIPLAB_CHECK(api, where, hiprtcGetCodeSize, program.get(), &bytes);
  std::vector<char> code(bytes);
  HIPLAB_CHECK(api, where, hiprtcGetCode, program.get(), code.data());
  return code;
}

}  // namespace hiplab::backend
