#include "sync/thread.h"

#include <utility>

#include "sync/director.h"

namespace hiplab::sync {
namespace {

template <typename Tell>
void tell(Tell told) {
  if (!detail::is_watched()) return;
  if (const detail::Use director; director) told(*director.operator->());
}

void run(std::shared_ptr<ThreadInfo> info, std::function<void()> body) {
  detail::become(std::move(info));
  tell([](Director& d) { d.thread_begins(); });
  try {
    body();
  } catch (const Deadlock&) {
    // The director has the report.
  }
  // What the body owns dies here, where it is seen; the thread_local objects come next, the end of
  // the thread is told after them.
  body = nullptr;
}

}  // namespace

Thread::Thread(std::string name, std::function<void()> body)
    : name_(std::move(name)), info_(detail::new_thread_info(name_, true)) {
  tell([&](Director& d) { d.thread_starting(*info_); });
  try {
    thread_ = std::thread(run, info_, std::move(body));
  } catch (...) {
    tell([&](Director& d) { d.thread_not_started(*info_); });
    detail::forget_thread(*info_);
    throw;
  }
  tell([&](Director& d) { d.thread_started(*info_); });
}

void Thread::join() {
  tell([&](Director& d) { d.join_begins(*info_); });
  thread_.join();
  tell([&](Director& d) { d.join_ends(*info_); });
}

void Thread::detach() {
  tell([&](Director& d) { d.thread_detached(*info_); });
  thread_.detach();
}

ForeignThread::ForeignThread(std::string name)
    : info_(detail::new_thread_info(std::move(name), false)) {
  tell([&](Director& d) { d.thread_starting(*info_); });
}

void ForeignThread::started() {
  tell([&](Director& d) { d.thread_started(*info_); });
}

void ForeignThread::not_started() {
  tell([&](Director& d) { d.thread_not_started(*info_); });
  detail::forget_thread(*info_);
}

void ForeignThread::begin() {
  detail::become(info_);
  tell([](Director& d) { d.thread_begins(); });
}

void ForeignThread::end() {
  tell([](Director& d) { d.thread_ends(); });
  detail::unbecome();
}

void ForeignThread::join() {
  tell([&](Director& d) { d.join_begins(*info_); });
}

}  // namespace hiplab::sync
