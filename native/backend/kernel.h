// HIP kernels from source: what a module is made of, one kernel of it, and a launch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/check.h"

namespace hiplab::backend {

// One source and its kernels: compiled together, they are a module. Immutable.
class KernelProgram {
 public:
  // `kernels` are the names of extern "C" __global__ functions of `source`; `options` are for
  // hiprtc, without --offload-arch.
  KernelProgram(std::string source, std::vector<std::string> kernels,
                std::vector<std::string> options = {});

  const std::string& source() const { return source_; }
  const std::vector<std::string>& kernels() const { return kernels_; }
  const std::vector<std::string>& options() const { return options_; }
  // "name-hash": programs of another source or other options have another one.
  const std::string& key() const { return key_; }

 private:
  std::string source_;
  std::vector<std::string> kernels_;
  std::vector<std::string> options_;
  std::string key_;
};

// One kernel of a program. Copies share the program.
class Kernel {
 public:
  // Sets the function up for its launches, once for each module, before the first.
  using Configure = std::function<void(hipFunction_t)>;

  Kernel(std::shared_ptr<const KernelProgram> program, std::string name, Configure configure = {});
  // A program of one kernel.
  Kernel(std::string source, std::string name, std::vector<std::string> options = {});

  const KernelProgram& program() const { return *program_; }
  const std::string& name() const { return name_; }
  const Configure& configure() const { return configure_; }

 private:
  std::shared_ptr<const KernelProgram> program_;
  std::string name_;
  Configure configure_;
};

struct Extent {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

// Blocks of the grid, and threads of a block.
struct LaunchShape {
  Extent grid;
  Extent block;
};

// A kernel's argument by value: its type must be the parameter's, as HIP cannot check it.
class KernelArgument {
 public:
  KernelArgument(const void* device_pointer) { set(device_pointer); }  // NOLINT: meant to convert
  KernelArgument(std::int32_t value) { set(value); }                   // NOLINT
  KernelArgument(std::int64_t value) { set(value); }                   // NOLINT
  KernelArgument(float value) { set(value); }                          // NOLINT
  KernelArgument(double value) { set(value); }                         // NOLINT

  const void* data() const { return bytes_.data(); }

 private:
  template <typename T>
  void set(T value) {
    static_assert(sizeof value <= 8);
    std::memcpy(bytes_.data(), &value, sizeof value);
  }
  alignas(8) std::array<std::byte, 8> bytes_{};
};

// Enqueues. Throws when the launch is refused, naming kernel, grid and block.
void launch_function(const Table& api, const Where& where, hipFunction_t function,
                     const std::string& name, const LaunchShape& shape,
                     const std::vector<KernelArgument>& arguments);

}  // namespace hiplab::backend
