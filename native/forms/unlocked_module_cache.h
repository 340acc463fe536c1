// FILED form of the module cache (mlxcel 2183): find and try_emplace on a map that nothing locks,
// and a table of kernels whose flags nothing locks.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "backend/module_cache.h"
#include "backend/module_cache_build.h"

namespace hiplab::forms {

class UnlockedModule {
 public:
  explicit UnlockedModule(const std::function<backend::BuiltModule()>& build) : built_(build()) {}
  backend::hipFunction_t get(const backend::Kernel& kernel);

 private:
  backend::BuiltModule built_;
};

// Not thread-safe while a program is new: that is the finding.
class UnlockedModuleCache final : public backend::ModuleCache {
 public:
  explicit UnlockedModuleCache(const backend::Context& context) : context_(context) {}

 private:
  backend::hipFunction_t find_or_build(const backend::Device& device,
                                       const backend::Kernel& kernel) override;
  UnlockedModule& module(const backend::Device& device, const backend::KernelProgram& program);

  const backend::Context context_;
  std::unordered_map<std::string, UnlockedModule> modules_;
};

}  // namespace hiplab::forms
