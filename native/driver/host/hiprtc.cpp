// hiprtc on the software device: HIP programs compiled by the machine's C++ compiler.
#include "driver/host/hiprtc.h"

#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/hiprtc_arch.h"
#include "driver/host/compiler.h"
#include "driver/host/hiprtc_options.h"
#include "driver/host/machine.h"
#include "driver/host/module_code.h"
#include "driver/host/tables.h"
#include "sync/mutex.h"

namespace hiplab::rocm {

struct _hiprtcProgram {
  std::string source;
  std::string name;
  std::vector<std::pair<std::string, std::string>> headers;
  bool compiled = false;  // with success
  std::string code;
  std::string log;
};

}  // namespace hiplab::rocm

namespace hiplab::driver::host {
namespace {

// Programs that are alive. A program serves one thread at a time, as HIP documents nothing else;
// the list is for all. Leaked: programs may be used while the process exits.
struct Programs {
  sync::Mutex mutex{"hiprtc programs"};
  std::unordered_map<hiprtcProgram, std::shared_ptr<_hiprtcProgram>> alive;
};

Programs& programs() {
  static auto* leaked = new Programs;
  return *leaked;
}

std::shared_ptr<_hiprtcProgram> find(hiprtcProgram program) {
  const std::lock_guard lock(programs().mutex);
  const auto found = programs().alive.find(program);
  return found == programs().alive.end() ? nullptr : found->second;
}

// C functions throw nothing.
template <typename Body>
hiprtcResult guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

// As HIP's own library tells it (its source; not measured).
hiprtcResult version(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  *major = 9;
  *minor = 0;
  return HIPRTC_SUCCESS;
}

hiprtcResult create_program(hiprtcProgram* out, const char* source, const char* name,
                            int header_count, const char** headers, const char** include_names) {
  if (out == nullptr || source == nullptr || header_count < 0) return HIPRTC_ERROR_INVALID_INPUT;
  if (header_count > 0 && (headers == nullptr || include_names == nullptr)) {
    return HIPRTC_ERROR_INVALID_INPUT;
  }
  return guarded([&] {
    auto program = std::make_shared<_hiprtcProgram>();
    program->source = source;
    // HIP documents no name for a program that has none.
    program->name = name == nullptr || *name == '\0' ? "program" : name;
    for (int i = 0; i < header_count; ++i) {
      if (headers[i] == nullptr || include_names[i] == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
      program->headers.emplace_back(include_names[i], headers[i]);
    }
    const std::lock_guard lock(programs().mutex);
    *out = program.get();
    programs().alive.emplace(program.get(), std::move(program));
    return HIPRTC_SUCCESS;
  });
}

// The target of the code. The real library ends the process on one that it does not know; here it
// is an error that the log explains.
bool resolve_arch(std::string& arch, std::string& log) {
  const std::string& own = machine().profile().arch;
  if (arch.empty()) arch = own;
  if (arch == own || is_amd_target(arch)) return true;
  log = "error: option '--offload-arch=" + arch + "': no target of that name; this device is " +
        own + "\n";
  return false;
}

hiprtcResult compile_program(hiprtcProgram handle, int option_count, const char** options) {
  if (option_count < 0 || (option_count > 0 && options == nullptr)) {
    return HIPRTC_ERROR_INVALID_INPUT;
  }
  const auto program = find(handle);
  if (program == nullptr) return HIPRTC_ERROR_INVALID_PROGRAM;
  return guarded([&] {
    std::vector<std::string> given;
    for (int i = 0; i < option_count; ++i) {
      if (options[i] == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
      given.emplace_back(options[i]);
    }
    program->compiled = false;
    program->code.clear();
    HiprtcOptions parsed = parse_hiprtc_options(given);
    program->log = parsed.log;
    // A wrong option is an error of the compilation, with a log (measured on HIP 6.4: status 6).
    if (!parsed.log.empty() || !resolve_arch(parsed.arch, program->log)) {
      return HIPRTC_ERROR_COMPILATION;
    }
    CompileJob job;
    job.source = program->source;
    job.name = program->name;
    job.headers = program->headers;
    job.macros = parsed.macros;
    job.flags = parsed.flags;
    job.warp_size = machine().profile().warp_size.value;
    Compiled compiled = compile_kernels(job, code_cache_of_environment());
    program->log = std::move(compiled.log);
    if (compiled.result == Compiled::Result::refused) return HIPRTC_ERROR_COMPILATION;
    if (compiled.result == Compiled::Result::failed) return HIPRTC_ERROR_INTERNAL_ERROR;
    program->code = pack_code({parsed.arch, compiled.code});
    program->compiled = true;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult log_size(hiprtcProgram handle, size_t* bytes) {
  const auto program = find(handle);
  if (program == nullptr) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  *bytes = program->log.size() + 1;  // with the 0 at its end
  return HIPRTC_SUCCESS;
}

hiprtcResult log_text(hiprtcProgram handle, char* log) {
  const auto program = find(handle);
  if (program == nullptr) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (log == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return HIPRTC_SUCCESS;
}

// There is code after a compilation that succeeded, and only then.
hiprtcResult code_size(hiprtcProgram handle, size_t* bytes) {
  const auto program = find(handle);
  if (program == nullptr || !program->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (bytes == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  *bytes = program->code.size();
  return HIPRTC_SUCCESS;
}

hiprtcResult code(hiprtcProgram handle, char* out) {
  const auto program = find(handle);
  if (program == nullptr || !program->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (out == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  std::memcpy(out, program->code.data(), program->code.size());
  return HIPRTC_SUCCESS;
}

hiprtcResult destroy_program(hiprtcProgram* handle) {
  if (handle == nullptr) return HIPRTC_ERROR_INVALID_INPUT;
  std::shared_ptr<_hiprtcProgram> program;
  {
    const std::lock_guard lock(programs().mutex);
    const auto found = programs().alive.find(*handle);
    if (found == programs().alive.end()) return HIPRTC_ERROR_INVALID_PROGRAM;
    program = std::move(found->second);
    programs().alive.erase(found);
  }
  *handle = nullptr;
  return HIPRTC_SUCCESS;
}

const char* error_string(hiprtcResult result) {
  switch (result) {
#define HIPLAB_NAME(code) \
  case code:              \
    return #code;
    HIPLAB_NAME(HIPRTC_SUCCESS)
    HIPLAB_NAME(HIPRTC_ERROR_OUT_OF_MEMORY)
    HIPLAB_NAME(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE)
    HIPLAB_NAME(HIPRTC_ERROR_INVALID_INPUT)
    HIPLAB_NAME(HIPRTC_ERROR_INVALID_PROGRAM)
    HIPLAB_NAME(HIPRTC_ERROR_INVALID_OPTION)
    HIPLAB_NAME(HIPRTC_ERROR_COMPILATION)
    HIPLAB_NAME(HIPRTC_ERROR_INTERNAL_ERROR)
#undef HIPLAB_NAME
    default:
      return "an unnamed hiprtcResult";
  }
}

}  // namespace

std::int64_t live_programs() {
  const std::lock_guard lock(programs().mutex);
  return static_cast<std::int64_t>(programs().alive.size());
}

void fill_hiprtc(Table& t) {
  t.hiprtcVersion = version;
  t.hiprtcCreateProgram = create_program;
  t.hiprtcCompileProgram = compile_program;
  t.hiprtcGetProgramLogSize = log_size;
  t.hiprtcGetProgramLog = log_text;
  t.hiprtcGetCodeSize = code_size;
  t.hiprtcGetCode = code;
  t.hiprtcDestroyProgram = destroy_program;
  t.hiprtcGetErrorString = error_string;
}

}  // namespace hiplab::driver::host
