// What a fault sweep runs on: the software device under a table whose calls can be made to fail,
// and a watchdog for what never ends.
#pragma once

#include <iostream>

#include "driver/faults.h"
#include "driver/host/host_provider.h"
#include "driver/host/machine.h"
#include "lab.h"

namespace hiplab::sweep {

// The software device with two devices, under a table whose calls can be failed. Handles take no
// time to create here: a sweep makes some thousand of them.
struct Device {
  Device() {
    driver::host::OpenBlas::get();
    base = &driver::host::open_host("splitk", 2);
    slow = &driver::host::machine();
    auto* profile = new driver::host::Profile(*driver::host::find_profile("splitk"));
    profile->create_blocking.value = profile->create_busy.value = {};
    profile->rocblas_create_blocking.value = profile->rocblas_create_busy.value = {};
    profile->heuristic.value = {};
    driver::host::open_machine(*profile, 2);
    auto* copy = new driver::Provider(*base);
    copy->table = &driver::inject_faults(*base->table);
    provider = copy;
  }

  const driver::Provider* base = nullptr;
  const driver::host::Machine* slow = nullptr;  // unused; kept so that it is no leak
  const driver::Provider* provider = nullptr;
};

inline const Device& device() {
  static const auto* const opened = new Device;  // leaked, as providers are
  return *opened;
}

// Workloads use device 1 while device 0 is current, so that devices are switched and put back. (A
// filed form that makes its handle on the device that happens to be current never gets further.)
inline constexpr int kDevice = 1;
inline void make_current(int index) { device().base->table->hipSetDevice(index); }

// Ends the process when nothing has moved for two minutes: that is a hang.
class Watchdog {
 public:
  explicit Watchdog(std::string name) : name_(std::move(name)) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_all();
    }
    thread_.join();
  }
  void now(const std::string& what) {
    const std::lock_guard lock(mutex_);
    what_ = what;
    ++beats_;
    changed_.notify_all();
  }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    while (!done_) {
      const int seen = beats_;
      const bool moved =
          changed_.wait_for(lock, std::chrono::minutes(2), [&] { return done_ || beats_ != seen; });
      if (!moved) {
        std::cout << "HANG in the fault sweep of " << name_ << ": " << what_ << std::endl;
        _exit(3);
      }
    }
  }

  const std::string name_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  int beats_ = 0;
  bool done_ = false;
  std::thread thread_{[this] { watch(); }};
};

}  // namespace hiplab::sweep
