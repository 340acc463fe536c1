// What Mutex and SharedMutex have in common, as a director sees it.
#pragma once

namespace hiplab::sync {

class Lock {
 public:
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  const char* name() const { return name_; }

  // The std lock itself, unseen: for directors and condition variables.
  virtual void native_lock(bool shared) = 0;
  virtual bool native_try_lock(bool shared) = 0;
  virtual void native_unlock(bool shared) = 0;

 protected:
  explicit Lock(const char* name) : name_(name) {}
  ~Lock() = default;

  // With a director watching.
  void watched_lock(bool shared);
  bool watched_try_lock(bool shared);
  void watched_unlock(bool shared);

 private:
  const char* const name_;
};

}  // namespace hiplab::sync
