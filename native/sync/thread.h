// Threads that a schedule can be in charge of: those that backend, device and tests start, and
// foreign ones that are announced.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "sync/thread_info.h"

namespace hiplab::sync {

// As std::thread, with a name. Join or detach it before it dies.
class Thread {
 public:
  Thread() = default;
  // Throws std::system_error when the system gives no thread.
  Thread(std::string name, std::function<void()> body);

  const std::string& name() const { return name_; }
  bool joinable() const { return thread_.joinable(); }
  void join();
  void detach();

 private:
  std::string name_;
  std::shared_ptr<ThreadInfo> info_;
  std::thread thread_;
};

// A thread that something else starts (a JVM). A director in charge runs one thread at a time, and
// a thread that came unannounced would come at any time; so its parent constructs this before it
// asks for the thread and calls join() before it waits for its end; the thread itself calls begin()
// first and end() last.
class ForeignThread {
 public:
  explicit ForeignThread(std::string name);
  // Once it may be that the thread runs: for the parent. A director may let it begin here.
  void started();
  void not_started();
  void begin();
  void end();
  void join();

 private:
  std::shared_ptr<ThreadInfo> info_;
};

}  // namespace hiplab::sync
