#include "backend/open_captures.h"

#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::backend {
namespace {

struct Captures {
  sync::Mutex mutex{"open captures"};
  int open = 0;                              // mutex
  int calls = 0;                             // mutex; being made now
  std::vector<std::function<void()>> later;  // mutex
  sync::ConditionVariable made;              // calls has become 0
};

Captures& captures() {
  static auto* const all = new Captures;  // leaked: backends may die late
  return *all;
}

// Counted in `calls` before, and until this dies.
class Making {
 public:
  Making() = default;
  ~Making() {
    const std::lock_guard lock(captures().mutex);
    if (--captures().calls == 0) captures().made.notify_all();
  }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
};

}  // namespace

OpenCapture::OpenCapture() {
  Captures& all = captures();
  std::unique_lock lock(all.mutex);
  all.made.wait(lock, [&] { return all.calls == 0; });
  ++all.open;
}

OpenCapture::~OpenCapture() {
  Captures& all = captures();
  std::vector<std::function<void()>> later;
  {
    const std::lock_guard lock(all.mutex);
    if (--all.open > 0) return;
    later = std::exchange(all.later, {});
    ++all.calls;
  }
  const Making making;
  for (const auto& call : later) call();
}

bool outside_captures(const std::function<void()>& call) {
  {
    const std::lock_guard lock(captures().mutex);
    if (captures().open > 0) return false;
    ++captures().calls;
  }
  const Making making;
  call();
  return true;
}

void outside_captures_or_later(std::function<void()> call) noexcept {
  Captures& all = captures();
  {
    const std::lock_guard lock(all.mutex);
    try {
      if (all.open > 0) {
        all.later.push_back(std::move(call));
        return;
      }
    } catch (const std::bad_alloc&) {
      // No memory to put it off: it is made now, whatever that does to the captures.
    }
    ++all.calls;
  }
  const Making making;
  call();
}

}  // namespace hiplab::backend
