// Threads that a schedule can be in charge of: those that backend, device and tests start.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace hiplab::sync {

// As std::thread, with a name. Join or detach it before it dies.
class Thread {
 public:
  Thread() = default;
  // Throws std::system_error when the system gives no thread.
  Thread(std::string name, std::function<void()> body)
      : name_(std::move(name)), thread_(std::move(body)) {}

  const std::string& name() const { return name_; }
  bool joinable() const { return thread_.joinable(); }
  void join() { thread_.join(); }
  void detach() { thread_.detach(); }

 private:
  std::string name_;
  std::thread thread_;
};

}  // namespace hiplab::sync
