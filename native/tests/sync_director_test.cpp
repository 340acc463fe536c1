// What a director sees.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "sync/access.h"
#include "sync/director.h"
#include "sync/point.h"
#include "sync/thread.h"
#include "sync/time.h"

namespace hiplab::sync {
namespace {

using std::chrono::milliseconds;

// Writes down what it sees, with the thread's name.
class Notes : public Director {
 public:
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  // Waits until the line has come; the test's own timeout ends it otherwise.
  void await(const std::string& line) const {
    for (;;) {
      for (const std::string& seen : lines()) {
        if (seen == line) return;
      }
      std::this_thread::yield();
    }
  }

  void point(const char* name) override { note("point", name); }
  void access(const void* address, const char* name, bool write) override {
    note(write ? "write" : "read", name);
    const std::lock_guard lock(mutex_);
    address_ = address;
  }
  void lock_wanted(Lock& lock, bool shared) override { note("wants", kind(lock, shared)); }
  void lock_blocked(Lock& lock, bool shared) override { note("blocked", kind(lock, shared)); }
  void lock_taken(Lock& lock, bool shared) override { note("takes", kind(lock, shared)); }
  void lock_released(Lock& lock, bool shared) override { note("releases", kind(lock, shared)); }
  void wait_begins(ConditionVariable&, Lock& lock) override { note("waits", lock.name()); }
  void wait_ends(ConditionVariable&, Lock& lock) override { note("waited", lock.name()); }
  void thread_starting(const ThreadInfo& child) override { note("starting", child.name); }
  void thread_started(const ThreadInfo& child) override { note("started", child.name); }
  void thread_begins() override { note("begins", ""); }
  void thread_ends() override { note("ends", ""); }
  void thread_detached(const ThreadInfo& child) override { note("detached", child.name); }
  void join_begins(const ThreadInfo& child) override { note("joins", child.name); }
  void join_ends(const ThreadInfo& child) override { note("joined", child.name); }
  bool sleep(std::chrono::nanoseconds duration, bool busy) override {
    note(busy ? "busy" : "sleeps", std::to_string(duration.count()));
    return skip_sleeps;
  }

  const void* address() const {
    const std::lock_guard lock(mutex_);
    return address_;
  }
  bool skip_sleeps = false;

 private:
  static std::string kind(const Lock& lock, bool shared) {
    return std::string(lock.name()) + (shared ? " shared" : "");
  }
  void note(const std::string& what, const std::string& where) {
    const std::string line = thread_name() + " " + what + (where.empty() ? "" : " " + where);
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
  }

  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  const void* address_ = nullptr;
};

using Lines = std::vector<std::string>;

class DirectorFixed : public ::testing::Test {
 protected:
  const ThreadName name_{"T"};
  const std::shared_ptr<Notes> notes_ = std::make_shared<Notes>();
};

TEST_F(DirectorFixed, SeesPointsAndAccesses) {
  int shared = 0;
  HIPLAB_POINT("before");
  {
    const Directing directing(notes_);
    HIPLAB_POINT("window");
    HIPLAB_READ(&shared, "part.field");
    HIPLAB_WRITE(&shared, "part.field");
  }
  HIPLAB_WRITE(&shared, "after");
  EXPECT_EQ(notes_->lines(), (Lines{"T point window", "T read part.field", "T write part.field"}));
  EXPECT_EQ(notes_->address(), &shared);
}

TEST_F(DirectorFixed, SeesLocks) {
  Mutex mutex("m");
  SharedMutex map("map");
  {
    const Directing directing(notes_);
    { const std::lock_guard lock(mutex); }
    { const std::shared_lock lock(map); }
    { const std::unique_lock lock(map); }
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
  }
  EXPECT_EQ(notes_->lines(), (Lines{"T wants m", "T takes m", "T releases m", "T wants map shared",
                                    "T takes map shared", "T releases map shared", "T wants map",
                                    "T takes map", "T releases map", "T takes m", "T releases m"}));
}

TEST_F(DirectorFixed, SeesAThreadBlock) {
  Mutex mutex("m");
  const Directing directing(notes_);
  mutex.lock();
  Thread other("O", [&] { const std::lock_guard lock(mutex); });
  notes_->await("O blocked m");
  for (const std::string& line : notes_->lines()) EXPECT_NE(line, "O takes m");
  mutex.unlock();
  other.join();
  notes_->await("O takes m");
}

TEST_F(DirectorFixed, SeesConditionWaits) {
  Mutex mutex("m");
  ConditionVariable changed;
  bool ready = false;
  const Directing directing(notes_);
  Thread other("O", [&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
    changed.wait(lock, [&] { return ready; });  // holds already: no wait to be seen
    EXPECT_FALSE(changed.wait_for(lock, milliseconds(1), [] { return false; }));
  });
  notes_->await("O waits m");
  {
    const std::lock_guard lock(mutex);
    ready = true;
  }
  changed.notify_one();
  other.join();
  Lines of_other;
  for (const std::string& line : notes_->lines()) {
    if (line.starts_with("O ")) of_other.push_back(line);
  }
  EXPECT_EQ(of_other, (Lines{"O begins", "O wants m", "O takes m", "O waits m", "O waited m",
                             "O waits m", "O waited m", "O releases m", "O ends"}));
}

TEST_F(DirectorFixed, SeesThreads) {
  const Directing directing(notes_);
  Thread child("C", [] {});
  child.join();
  std::promise<void> done;
  Thread("D", [&] { done.set_value(); }).detach();
  done.get_future().wait();
  notes_->await("D ends");
  Lines own;
  for (const std::string& line : notes_->lines()) {
    if (line.starts_with("T ")) own.push_back(line);
  }
  EXPECT_EQ(own, (Lines{"T starting C", "T started C", "T joins C", "T joined C", "T starting D",
                        "T started D", "T detached D"}));
  notes_->await("C begins");
  notes_->await("C ends");
}

// What a thread's thread_local objects do when they die belongs to the thread.
TEST_F(DirectorFixed, ThreadEndsAfterItsLocals) {
  static Mutex mutex("m");
  struct Local {
    ~Local() { const std::lock_guard lock(mutex); }
    int used = 0;
  };
  const Directing directing(notes_);
  Thread child("C", [] {
    thread_local Local local;
    ++local.used;
  });
  child.join();
  const Lines lines = notes_->lines();
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "C takes m"), 1);
  EXPECT_LT(std::find(lines.begin(), lines.end(), "C takes m"),
            std::find(lines.begin(), lines.end(), "C ends"));
}

TEST_F(DirectorFixed, MayLetTimePass) {
  const Directing directing(notes_);
  notes_->skip_sleeps = true;
  sleep_for(std::chrono::hours(1));
  busy_for(std::chrono::hours(1));
  EXPECT_EQ(notes_->lines(), (Lines{"T sleeps 3600000000000", "T busy 3600000000000"}));
}

TEST_F(DirectorFixed, OneAtATime) {
  const Directing directing(notes_);
  EXPECT_THROW(Directing(std::make_shared<Notes>()), Error);
  EXPECT_THROW(ListenToPoints([](const char*, std::thread::id) {}), Error);
}

TEST_F(DirectorFixed, ForeignThreadsHaveNames) {
  std::string auto_named;
  std::string named;
  std::thread([&] {
    auto_named = thread_name();
    const ThreadName name("jvm-worker");
    named = thread_name();
  }).join();
  EXPECT_EQ(auto_named.substr(0, 7), "thread-");
  EXPECT_EQ(named, "jvm-worker");
}

// Directors come and go while threads lock, wait, start and end; none is inside one that is gone.
TEST_F(DirectorFixed, DirectorsComeAndGo) {
  class Counting : public Director {
   public:
    ~Counting() override { alive = false; }
    void lock_taken(Lock&, bool) override {
      EXPECT_TRUE(alive);
      ++seen;
    }
    void point(const char*) override { EXPECT_TRUE(alive); }
    std::atomic<bool> alive{true};
    std::atomic<long> seen{0};
  };
  std::atomic<bool> stop{false};
  Mutex mutex("m");
  ConditionVariable changed;
  long count = 0;
  std::vector<Thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back("W", [&] {
      while (!stop) {
        HIPLAB_POINT("window");
        std::unique_lock lock(mutex);
        const long mine = ++count;
        changed.notify_all();
        changed.wait_for(lock, std::chrono::microseconds(50), [&] { return count > mine; });
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    auto counting = std::make_shared<Counting>();
    {
      const Directing directing(counting);
      while (counting->seen == 0) std::this_thread::yield();
    }
    const long after = counting->seen;
    EXPECT_EQ(counting->seen, after);
    EXPECT_EQ(counting.use_count(), 1);
  }
  stop = true;
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace hiplab::sync
