#include "sync/director.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "sync/access.h"
#include "sync/point.h"
#include "sync/recorder.h"
#include "sync/time.h"
#include "sync/trace.h"

namespace hiplab::sync {
namespace detail {

constinit std::atomic<unsigned> watched{0};

}  // namespace detail

namespace {

constinit std::atomic<Director*> installed{nullptr};
constinit std::mutex install_mutex;

// Directors that were removed while threads were inside. Leaked, and swept at the next occasion.
std::vector<std::shared_ptr<Director>>& retired() {
  static auto* const leaked = new std::vector<std::shared_ptr<Director>>;
  return *leaked;
}

bool anybody_inside(const Director* director) {
  for (const auto& info : detail::living_threads()) {
    if (info->inside.load() == director) return true;
  }
  return false;
}

// Asks for install_mutex.
void sweep() {
  std::erase_if(retired(), [](const auto& director) { return !anybody_inside(director.get()); });
}

}  // namespace

namespace detail {

// A hazard pointer: the store is seen before the second load, so whoever removes the director
// either sees it or has been seen.
Use::Use() : info_(this_thread_info()) {
  if (info_ == nullptr || info_->unseen > 0) return;
  before_ = info_->inside.load(std::memory_order_relaxed);
  Director* director = installed.load();
  while (director != nullptr) {
    if (before_ == director) break;
    if (before_ != nullptr) return;  // inside one that has been removed
    info_->inside.store(director);
    Director* const again = installed.load();
    if (again == director) break;
    info_->inside.store(nullptr);
    director = again;
  }
  director_ = director;
}

Use::~Use() {
  if (director_ != nullptr) info_->inside.store(before_, std::memory_order_release);
}

void reached(const char* name) {
  const unsigned watch = watched.load(std::memory_order_relaxed);
  // Before a director holds the thread: where it is held is what a reader wants to know.
  if ((watch & recorded) != 0) record(name);
  const TracedPoint trace(name);  // from here to where it is let go
  if ((watch & directed) == 0) return;
  if (const Use director; director) director->point(name);
}

void accessed(const void* address, const char* name, bool write) {
  if (const Use director; director) director->access(address, name, write);
}

bool slept(std::chrono::nanoseconds duration, bool busy) {
  const Use director;
  return director && director->sleep(duration, busy);
}

}  // namespace detail

Directing::Directing(std::shared_ptr<Director> director) : director_(std::move(director)) {
  const std::lock_guard lock(install_mutex);
  sweep();
  if (installed.load() != nullptr) {
    throw Error(
        "a schedule, or another director or listener of points, is in force already: one at a time "
        "is allowed in a process, end that one first");
  }
  installed.store(director_.get());
  detail::watched.fetch_or(detail::directed, std::memory_order_relaxed);
}

Directing::~Directing() {
  if (director_ == nullptr) return;
  {
    const std::lock_guard lock(install_mutex);
    detail::watched.fetch_and(~detail::directed, std::memory_order_relaxed);
    installed.store(nullptr);
  }
  while (anybody_inside(director_.get())) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void Directing::end_without_waiting() {
  if (director_ == nullptr) return;
  const std::lock_guard lock(install_mutex);
  detail::watched.fetch_and(~detail::directed, std::memory_order_relaxed);
  installed.store(nullptr);
  retired().push_back(std::move(director_));
  director_ = nullptr;
  sweep();
}

}  // namespace hiplab::sync
