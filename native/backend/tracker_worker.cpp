#include "backend/tracker_worker.h"

#include <cstdio>
#include <mutex>
#include <system_error>
#include <utility>

#include "backend/capture_guard.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

TrackerWorker::TrackerWorker(const Context& context, int device, Retire retire)
    : context_(context), device_(device), retire_(std::move(retire)) {}

TrackerWorker::~TrackerWorker() {
  {
    const std::lock_guard lock(inbox_->mutex);
    inbox_->stopping = true;
    inbox_->arrived.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  take(std::exchange(inbox_->tickets, {}), std::exchange(inbox_->reclaimed, {}));
  if (notices_.empty()) return;
  static auto* const mutex = new sync::Mutex("lost notices");  // leaked, as what it guards
  static auto* const lost = new std::vector<std::unique_ptr<Notice>>;
  const std::lock_guard lock(*mutex);
  for (auto& [ticket, notice] : notices_) lost->push_back(std::move(notice));
}

void TrackerWorker::start() {
  if (thread_.joinable()) return;
  try {
    thread_ = sync::Thread("stream-tracker", [this] { run(); });
  } catch (const std::system_error& error) {
    std::fprintf(stderr,
                 "warning: the stream tracker of device %d got no thread: %s; the next abandoned "
                 "stream tries again, until then scratch stays pinned\n",
                 device_, error.what());
  }
}

void* TrackerWorker::notice(std::uint64_t ticket) {
  auto notice = std::make_unique<Notice>(inbox_, ticket);
  Notice* const raw = notice.get();
  const std::lock_guard lock(inbox_->mutex);
  start();
  notices_.emplace(ticket, std::move(notice));
  inbox_->tickets.reserve(inbox_->tickets.size() + notices_.size());  // a callback may not throw
  return raw;
}

void TrackerWorker::withdraw(std::uint64_t ticket) {
  const std::lock_guard lock(inbox_->mutex);
  notices_.erase(ticket);
}

void TrackerWorker::callback(void* user) {
  // Copied: once the ticket is handed over, the worker may delete the notice.
  const Notice notice = *static_cast<const Notice*>(user);
  HIPLAB_POINT("tracker.callback");
  Inbox& inbox = *notice.inbox;
  const std::lock_guard lock(inbox.mutex);
  HIPLAB_WRITE(&inbox.tickets, "tracker.inbox");
  inbox.tickets.push_back(notice.ticket);
  inbox.arrived.notify_one();
}

void TrackerWorker::free_later(Reclaimed reclaimed) {
  const std::lock_guard lock(inbox_->mutex);
  start();
  HIPLAB_WRITE(&inbox_->reclaimed, "tracker.inbox");
  inbox_->reclaimed.push_back(std::move(reclaimed));
  inbox_->arrived.notify_one();
}

void TrackerWorker::free_now(Reclaimed reclaimed) {
  const RelaxedCapture relaxed(context_.api());
  HIPLAB_POINT("tracker.free.begin");
  const auto bytes = static_cast<std::int64_t>(reclaimed.scratch.bytes);
  reclaimed = {};
  pinned_ -= bytes;
  HIPLAB_POINT("tracker.free.end");
}

void TrackerWorker::take(std::vector<std::uint64_t> tickets, std::vector<Reclaimed> reclaimed) {
  for (const std::uint64_t ticket : tickets) {
    HIPLAB_POINT("tracker.worker.ticket");
    if (auto retired = retire_(ticket)) reclaimed.push_back(std::move(*retired));
    HIPLAB_POINT("tracker.worker.looked");
  }
  {
    const std::lock_guard lock(inbox_->mutex);
    for (const std::uint64_t ticket : tickets) notices_.erase(ticket);
  }
  // Last: a deallocator may wait for the whole device, and slots should not wait with it.
  for (Reclaimed& one : reclaimed) free_now(std::move(one));
}

void TrackerWorker::run() {
  // For deallocators; one that cannot be set is lost, and they will say so.
  (void)context_.api().hipSetDevice(device_);
  std::unique_lock lock(inbox_->mutex);
  for (;;) {
    inbox_->arrived.wait(lock, [this] {
      return inbox_->stopping || !inbox_->tickets.empty() || !inbox_->reclaimed.empty();
    });
    HIPLAB_READ(&inbox_->tickets, "tracker.inbox");
    if (inbox_->tickets.empty() && inbox_->reclaimed.empty()) return;
    auto tickets = std::exchange(inbox_->tickets, {});
    auto reclaimed = std::exchange(inbox_->reclaimed, {});
    inbox_->tickets.reserve(notices_.size());  // what the exchange took away
    lock.unlock();
    take(std::move(tickets), std::move(reclaimed));
    lock.lock();
  }
}

}  // namespace hiplab::backend
