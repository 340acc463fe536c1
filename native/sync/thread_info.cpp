#include "sync/thread_info.h"

#include <map>
#include <utility>

#include "sync/director.h"
#include "sync/recorder.h"
#include "sync/trace.h"

namespace hiplab::sync {
namespace {

// Leaked: threads may outlive the process's static objects.
struct Registry {
  std::mutex mutex;
  std::uint64_t last_id = 0;
  std::map<std::uint64_t, std::shared_ptr<ThreadInfo>> living;
};

Registry& registry() {
  static Registry* const leaked = new Registry;
  return *leaked;
}

// Trivial, so that it can be read while the thread's other locals die.
thread_local ThreadInfo* current = nullptr;
thread_local bool gone = false;

struct Owner {
  std::shared_ptr<ThreadInfo> info;
  ~Owner() {
    if (info == nullptr) return;
    if (detail::is_watched()) {
      if (const detail::Use director; director) director->thread_ends();
    }
    gone = true;
    current = nullptr;
    detail::forget_thread(*info);
  }
};
thread_local Owner owner;

// The calling thread's name has changed: those who keep it look again.
void renamed() {
  detail::record_name();
  detail::trace_name();
}

}  // namespace

namespace detail {

std::shared_ptr<ThreadInfo> new_thread_info(std::string name, bool started_here) {
  const std::lock_guard lock(registry().mutex);
  const std::uint64_t id = ++registry().last_id;
  const bool named = !name.empty();
  if (!named) name = "thread-" + std::to_string(id);
  auto info = std::make_shared<ThreadInfo>(id, std::move(name), started_here, named);
  registry().living.emplace(id, info);
  return info;
}

void forget_thread(const ThreadInfo& info) {
  const std::lock_guard lock(registry().mutex);
  registry().living.erase(info.id);
}

void become(std::shared_ptr<ThreadInfo> info) {
  owner.info = std::move(info);
  current = owner.info.get();
  renamed();
}

void unbecome() {
  if (owner.info == nullptr) return;
  current = nullptr;
  forget_thread(*owner.info);
  owner.info = nullptr;
}

std::vector<std::shared_ptr<ThreadInfo>> living_threads() {
  const std::lock_guard lock(registry().mutex);
  std::vector<std::shared_ptr<ThreadInfo>> all;
  for (const auto& [id, info] : registry().living) all.push_back(info);
  return all;
}

}  // namespace detail

ThreadInfo* this_thread_info() {
  if (current == nullptr && !gone) [[unlikely]] {
    detail::become(detail::new_thread_info({}, false));
  }
  return current;
}

ThreadInfo* known_thread_info() { return current; }

std::string thread_name() {
  const ThreadInfo* info = this_thread_info();
  return info == nullptr ? "a thread that ends" : info->name;
}

void name_thread(std::string name) {
  ThreadInfo* info = this_thread_info();
  if (info == nullptr) return;
  info->name = std::move(name);
  info->named = true;
  renamed();
}

ThreadName::ThreadName(std::string name) {
  ThreadInfo* info = this_thread_info();
  if (info == nullptr) return;
  before_ = info->name;
  named_before_ = info->named;
  name_thread(std::move(name));
}

ThreadName::~ThreadName() {
  ThreadInfo* info = this_thread_info();
  if (info == nullptr) return;
  info->name = before_;
  info->named = named_before_;
  renamed();
}

}  // namespace hiplab::sync
