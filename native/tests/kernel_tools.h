// What the tests of kernels share: compiling through the table, an environment of their own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/table.h"

namespace hiplab::test {

using namespace hiplab::driver;  // NOLINT: tests speak in the driver's names

// Sets (or, with null, removes) an environment variable for a scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* former = std::getenv(name)) former_ = former;
    set(value);
  }
  ~Variable() { set(former_ ? former_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> former_;
};

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "hiplab-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { remove(); }
  // For a process that exits without destructors.
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string at(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Where tests keep compiled code that they do not test: beside the executables.
inline std::string kernel_cache_of_tests() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kernel-cache-of-tests";
}

// out[i] = 2 * in[i] + 1, the kernel of mlxcel 2183, under a name of its own.
inline std::string probe_source(const std::string& name) {
  return "extern \"C\" __global__ void " + name +
         "(const float* in, float* out, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) out[i] = in[i] * 2.0f + 1.0f;\n"
         "}\n";
}

struct Program {
  hiprtcResult result = HIPRTC_ERROR_INTERNAL_ERROR;
  std::string log;
  std::string code;
};

// Create, compile, read log and code, destroy.
inline Program compile(const Table& t, const std::string& source,
                       const std::vector<const char*>& options = {}, const char* name = "test.hip",
                       std::vector<const char*> headers = {},
                       std::vector<const char*> include_names = {}) {
  Program out;
  hiprtcProgram program = nullptr;
  EXPECT_EQ(t.hiprtcCreateProgram(&program, source.c_str(), name, static_cast<int>(headers.size()),
                                  headers.data(), include_names.data()),
            HIPRTC_SUCCESS);
  std::vector<const char*> given = options;
  out.result = t.hiprtcCompileProgram(program, static_cast<int>(given.size()), given.data());
  size_t bytes = 0;
  EXPECT_EQ(t.hiprtcGetProgramLogSize(program, &bytes), HIPRTC_SUCCESS);
  out.log.resize(bytes);
  EXPECT_EQ(t.hiprtcGetProgramLog(program, out.log.data()), HIPRTC_SUCCESS);
  out.log.resize(bytes - 1);
  if (out.result == HIPRTC_SUCCESS) {
    EXPECT_EQ(t.hiprtcGetCodeSize(program, &bytes), HIPRTC_SUCCESS);
    out.code.resize(bytes);
    EXPECT_EQ(t.hiprtcGetCode(program, out.code.data()), HIPRTC_SUCCESS);
  }
  EXPECT_EQ(t.hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
  EXPECT_EQ(program, nullptr);
  return out;
}

}  // namespace hiplab::test
