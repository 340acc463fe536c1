#include "forms/form_choice.h"

#include <algorithm>
#include <span>

#include "backend/checked_router.h"
#include "driver/listed.h"
#include "forms/call_pipes.h"
#include "forms/call_workspaces.h"
#include "forms/discarding_router.h"
#include "forms/eager_device_map.h"
#include "forms/flag_first_blaslt_handle.h"
#include "forms/flag_first_probe.h"
#include "forms/flag_first_rocblas.h"
#include "forms/flag_first_traits.h"
#include "forms/held_clear_encoders.h"
#include "forms/leased_workspace.h"
#include "forms/locked_pipe_cache.h"
#include "forms/once_module_cache.h"
#include "forms/owned_pipe_cache.h"
#include "forms/polling_tracker.h"
#include "forms/process_pipe_cache.h"
#include "forms/relaxed_poll_tracker.h"
#include "forms/shared_workspace.h"
#include "forms/skip_capturing_tracker.h"
#include "forms/stale_pipe_algorithm_cache.h"
#include "forms/thread_blaslt_handle.h"
#include "forms/thread_rocblas.h"
#include "forms/thread_workspaces.h"
#include "forms/unlocked_clear_encoders.h"
#include "forms/unlocked_device_map.h"
#include "forms/unlocked_event_pool.h"
#include "forms/unlocked_module_cache.h"
#include "forms/unticketed_tracker.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file puts backends together

namespace {

// Each part in its chosen form; the fixed ones as FixedParts makes them.
class ChosenParts final : public Parts {
 public:
  explicit ChosenParts(const FormChoice& choice) : choice_(choice) {}

  std::unique_ptr<DeviceMap> device_map(const Context& context) override {
    switch (choice_.of("device-map")) {
      case Form::filed:
        return std::make_unique<UnlockedDeviceMap>(context, *this);
      case Form::eager:
        return std::make_unique<EagerDeviceMap>(context, *this);
      default:
        return FixedParts::device_map_of(context, *this);
    }
  }
  std::unique_ptr<EventPool> event_pool(const Context& context) override {
    if (filed("event-pool")) return std::make_unique<UnlockedEventPool>(context);
    return fixed_.event_pool(context);
  }
  std::unique_ptr<PipeCache> pipe_cache(const Context& context) override {
    switch (choice_.of("pipe-cache")) {
      case Form::filed:
        return std::make_unique<ProcessPipeCache>();
      case Form::shared_ptr:
        return std::make_unique<OwnedPipeCache>();
      case Form::algorithm_copy:
        return std::make_unique<AlgorithmCopyPipeCache>();
      case Form::mutex_held:
        return std::make_unique<LockedPipeCache>();
      case Form::per_call:
        return std::make_unique<CallPipes>();
      default:
        return fixed_.pipe_cache(context);
    }
  }
  std::unique_ptr<ModuleCache> module_cache(const Context& context) override {
    switch (choice_.of("module-cache")) {
      case Form::filed:
        return std::make_unique<UnlockedModuleCache>(context);
      case Form::once_per_key:
        return std::make_unique<OnceModuleCache>(context);
      default:
        return fixed_.module_cache(context);
    }
  }
  std::unique_ptr<GemmRouter> router(const Context& context, PipeCache& pipes,
                                     ModuleCache& modules) override {
    if (filed("router")) return std::make_unique<DiscardingRouter>(context, pipes);
    return fixed_.router(context, pipes, modules);
  }
  std::unique_ptr<Encoders> encoders(const Context& context, int device,
                                     Workspaces& workspaces) override {
    switch (choice_.of("encoders")) {
      case Form::filed:
        return std::make_unique<UnlockedClearEncoders>(context, device, workspaces);
      case Form::mutex_held:
        return std::make_unique<HeldClearEncoders>(context, device, workspaces);
      default:
        return fixed_.encoders(context, device, workspaces);
    }
  }
  std::unique_ptr<Traits> traits(const Context& context, int device,
                                 const std::string& arch) override {
    if (filed("device-traits")) return std::make_unique<FlagFirstTraits>(context, device);
    return fixed_.traits(context, device, arch);
  }
  std::unique_ptr<Rocblas> rocblas(const Context& context, int device,
                                   const std::string& arch) override {
    switch (choice_.of("rocblas-handle")) {
      case Form::filed:
        return std::make_unique<FlagFirstRocblas>(context, device, arch);
      case Form::per_thread:
        return std::make_unique<ThreadRocblas>(context, device, arch);
      default:
        return fixed_.rocblas(context, device, arch);
    }
  }
  std::unique_ptr<Workspaces> workspaces(const Context& context, int device) override {
    switch (choice_.of("workspace")) {
      case Form::filed:
        return std::make_unique<SharedWorkspace>(context, device);
      case Form::lease_call:
        return std::make_unique<CallLeasedWorkspace>(context, device);
      case Form::lease_sync:
        return std::make_unique<SyncLeasedWorkspace>(context, device);
      case Form::event_handoff:
        return std::make_unique<HandedOffWorkspace>(context, device);
      case Form::thread_owned:
        return std::make_unique<ThreadWorkspaces>(context, device);
      case Form::per_call:
        return std::make_unique<CallWorkspaces>(context, device);
      default:
        return fixed_.workspaces(context, device);
    }
  }
  std::unique_ptr<BlasLtHandle> blaslt(const Context& context, int device,
                                       Workspaces& workspaces) override {
    if (choice_.of("blaslt-handle") == Form::per_thread) {
      return std::make_unique<ThreadBlasLtHandle>(context, device);
    }
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
  std::unique_ptr<StreamTracker> stream_tracker(const Context& context, Device& device) override {
    switch (choice_.of("stream-tracker")) {
      case Form::filed:
        return std::make_unique<PollingTracker>(context, device);
      case Form::skip_capturing:
        return std::make_unique<SkipCapturingTracker>(context, device);
      case Form::relaxed_poll:
        return std::make_unique<RelaxedPollTracker>(context, device);
      case Form::no_tickets:
        return std::make_unique<UnticketedTracker>(context, device);
      default:
        return fixed_.stream_tracker(context, device);
    }
  }

 private:
  bool filed(const char* part) const { return choice_.of(part) == Form::filed; }

  const FormChoice choice_;
  FixedParts fixed_;
};

}  // namespace

namespace {

struct PartForms {
  std::string part;
  std::vector<Form> forms;
};

// Every part that has more than one form.
const std::vector<PartForms>& all_parts() {
  static const auto* const parts = new std::vector<PartForms>{
      {"device-map", {Form::fixed, Form::filed, Form::eager}},
      {"rocblas-handle", {Form::fixed, Form::filed, Form::per_thread}},
      {"blaslt-handle", {Form::fixed, Form::filed, Form::per_thread}},
      {"workspace",
       {Form::fixed, Form::filed, Form::lease_call, Form::lease_sync, Form::event_handoff,
        Form::thread_owned, Form::per_call}},
      {"pipe-cache",
       {Form::fixed, Form::filed, Form::shared_ptr, Form::algorithm_copy, Form::mutex_held,
        Form::per_call}},
      {"algorithm-cache", {Form::fixed, Form::filed}},
      {"capability-probe", {Form::fixed, Form::filed}},
      {"router", {Form::fixed, Form::filed}},
      {"event-pool", {Form::fixed, Form::filed}},
      {"module-cache", {Form::fixed, Form::filed, Form::once_per_key}},
      {"stream-tracker",
       {Form::fixed, Form::filed, Form::skip_capturing, Form::relaxed_poll, Form::no_tickets}},
      {"device-traits", {Form::fixed, Form::filed}},
      {"encoders", {Form::fixed, Form::filed, Form::mutex_held}},
  };  // leaked: used at exit too
  return *parts;
}

struct FormLabel {
  Form form;
  const char* name;
};

constexpr FormLabel kLabels[] = {
    {Form::fixed, "FIXED"},
    {Form::filed, "FILED"},
    {Form::per_thread, "PER_THREAD"},
    {Form::eager, "EAGER"},
    {Form::once_per_key, "ONCE_PER_KEY"},
    {Form::lease_call, "LEASE_CALL"},
    {Form::lease_sync, "LEASE_SYNC"},
    {Form::event_handoff, "EVENT_HANDOFF"},
    {Form::thread_owned, "THREAD_OWNED"},
    {Form::per_call, "PER_CALL"},
    {Form::shared_ptr, "SHARED_PTR"},
    {Form::algorithm_copy, "ALGORITHM_COPY"},
    {Form::mutex_held, "MUTEX_HELD"},
    {Form::skip_capturing, "SKIP_CAPTURING"},
    {Form::relaxed_poll, "RELAXED_POLL"},
    {Form::no_tickets, "NO_TICKETS"},
};

bool has(std::span<const Form> forms, Form form) {
  return std::find(forms.begin(), forms.end(), form) != forms.end();
}

// What parts have in common.
constexpr Form kOfEveryPart[] = {Form::fixed, Form::filed};

[[noreturn]] void fail_form(const std::string& what, const std::string& name,
                            std::span<const Form> allowed) {
  std::vector<std::string> names;
  for (const Form form : allowed) names.emplace_back(form_name(form));
  throw Error(what + " is '" + name + "', allowed are " + listed(names));
}

Form parse_form(const std::string& what, const std::string& name, std::span<const Form> allowed) {
  for (const Form form : allowed) {
    if (name == form_name(form)) return form;
  }
  fail_form(what, name, allowed);
}

}  // namespace

const std::vector<std::string>& part_names() {
  static const std::vector<std::string>* const names = [] {
    auto* list = new std::vector<std::string>;  // leaked: used at exit too
    for (const PartForms& entry : all_parts()) list->push_back(entry.part);
    return list;
  }();
  return *names;
}

const std::vector<Form>& forms_of(const std::string& part) {
  for (const PartForms& entry : all_parts()) {
    if (entry.part == part) return entry.forms;
  }
  throw Error("there is no part '" + part + "', allowed are " + listed(part_names()));
}

const char* form_name(Form form) {
  for (const FormLabel& label : kLabels) {
    if (label.form == form) return label.name;
  }
  return "UNKNOWN";
}

void FormChoice::set_all(Form form) {
  if (!has(kOfEveryPart, form)) fail_form("form", form_name(form), kOfEveryPart);
  for (const PartForms& entry : all_parts()) {
    forms_[entry.part] = has(entry.forms, form) ? form : Form::fixed;
  }
}

void FormChoice::set_all(const std::string& name) {
  set_all(parse_form("form", name, kOfEveryPart));
}

void FormChoice::set(const std::string& part, Form form) {
  const std::vector<Form>& allowed = forms_of(part);
  if (!has(allowed, form)) fail_form("form of part " + part, form_name(form), allowed);
  forms_[part] = form;
}

void FormChoice::set(const std::string& part, const std::string& name) {
  forms_[part] = parse_form("form of part " + part, name, forms_of(part));
}

Form FormChoice::of(const std::string& part) const {
  const auto found = forms_.find(part);
  return found == forms_.end() ? Form::fixed : found->second;
}

std::unique_ptr<Parts> make_parts(const FormChoice& choice) {
  return std::make_unique<ChosenParts>(choice);
}

}  // namespace hiplab::forms
