#include "forms/form_choice.h"

#include "backend/checked_router.h"
#include "backend/locked_device_map.h"
#include "forms/discarding_router.h"
#include "forms/flag_first_blaslt_handle.h"
#include "forms/flag_first_probe.h"
#include "forms/flag_first_rocblas.h"
#include "forms/process_pipe_cache.h"
#include "forms/shared_workspace.h"
#include "forms/stale_pipe_algorithm_cache.h"
#include "forms/unlocked_device_map.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file puts backends together

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// Each part in its chosen form; the fixed ones as FixedParts makes them.
class ChosenParts final : public Parts {
 public:
  explicit ChosenParts(const FormChoice& choice) : choice_(choice) {}

  std::unique_ptr<DeviceMap> device_map(const Context& context) override {
    if (filed("device-map")) return std::make_unique<UnlockedDeviceMap>(context, *this);
    return std::make_unique<LockedDeviceMap>(context, *this);
  }
  std::unique_ptr<PipeCache> pipe_cache(const Context& context) override {
    if (filed("pipe-cache")) return std::make_unique<ProcessPipeCache>();
    return fixed_.pipe_cache(context);
  }
  std::unique_ptr<GemmRouter> router(const Context& context, PipeCache& pipes) override {
    if (filed("router")) return std::make_unique<DiscardingRouter>(context, pipes);
    return fixed_.router(context, pipes);
  }
  std::unique_ptr<Rocblas> rocblas(const Context& context, int device,
                                   const std::string& arch) override {
    if (filed("rocblas-handle")) return std::make_unique<FlagFirstRocblas>(context, device, arch);
    return fixed_.rocblas(context, device, arch);
  }
  std::unique_ptr<Workspaces> workspaces(const Context& context, int device) override {
    if (filed("workspace")) return std::make_unique<SharedWorkspace>(context, device);
    return fixed_.workspaces(context, device);
  }
  std::unique_ptr<BlasLtHandle> blaslt(const Context& context, int device,
                                       Workspaces& workspaces) override {
    if (!filed("blaslt-handle")) return fixed_.blaslt(context, device, workspaces);
    // As filed, init also allocates the shared workspace; there is none to allocate when the
    // workspace is fixed.
    std::function<void()> after_available;
    if (auto* shared = dynamic_cast<SharedWorkspace*>(&workspaces)) {
      after_available = [shared] { shared->allocate_at_init(); };
    }
    return std::make_unique<FlagFirstBlasLtHandle>(context, device, std::move(after_available));
  }
  std::unique_ptr<CapabilityProbe> capabilities(const Context& context, int device,
                                                BlasLtHandle& handle) override {
    if (filed("capability-probe")) return std::make_unique<FlagFirstProbe>(context, device, handle);
    return fixed_.capabilities(context, device, handle);
  }
  std::unique_ptr<AlgorithmCache> algorithms() override {
    if (filed("algorithm-cache")) return std::make_unique<StalePipeAlgorithmCache>();
    return fixed_.algorithms();
  }

 private:
  bool filed(const char* part) const { return choice_.of(part) == Form::filed; }

  const FormChoice choice_;
  FixedParts fixed_;
};

}  // namespace

const std::vector<std::string>& part_names() {
  static const std::vector<std::string>* const names = new std::vector<std::string>{
      "device-map", "rocblas-handle",  "blaslt-handle",    "workspace",
      "pipe-cache", "algorithm-cache", "capability-probe", "router"};  // leaked: used at exit too
  return *names;
}

Form parse_form(const std::string& name) {
  if (name == "FIXED") return Form::fixed;
  if (name == "FILED") return Form::filed;
  throw Error("form is '" + name + "', allowed are FIXED and FILED");
}

void FormChoice::set_all(Form form) {
  for (const std::string& part : part_names()) forms_[part] = form;
}

void FormChoice::set(const std::string& part, Form form) {
  for (const std::string& known : part_names()) {
    if (known == part) {
      forms_[part] = form;
      return;
    }
  }
  throw Error("there is no part '" + part + "', allowed are " + joined(part_names()));
}

Form FormChoice::of(const std::string& part) const {
  const auto found = forms_.find(part);
  return found == forms_.end() ? Form::fixed : found->second;
}

std::unique_ptr<Parts> make_parts(const FormChoice& choice) {
  return std::make_unique<ChosenParts>(choice);
}

}  // namespace hiplab::forms
