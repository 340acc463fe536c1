// What points, access notes and sync's wrapped types cost: idle against the std types, and under a
// director that looks at nothing.
#include <benchmark/benchmark.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "sync/access.h"
#include "sync/condition_variable.h"
#include "sync/director.h"
#include "sync/mutex.h"
#include "sync/point.h"
#include "sync/recorder.h"
#include "sync/thread.h"

namespace {

using namespace hiplab::sync;  // NOLINT: a benchmark's main file

int field = 0;

void nothing(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(nothing);

void idle_point(benchmark::State& state) {
  for (auto _ : state) {
    HIPLAB_POINT("bench");
    benchmark::ClobberMemory();
  }
}
BENCHMARK(idle_point);

void idle_access(benchmark::State& state) {
  for (auto _ : state) {
    HIPLAB_READ(&field, "bench");
    benchmark::ClobberMemory();
  }
}
BENCHMARK(idle_access);

template <typename M>
void lock_unlock(benchmark::State& state, M& mutex) {
  for (auto _ : state) {
    const std::lock_guard lock(mutex);
    benchmark::ClobberMemory();
  }
}

// Leaked: threads of a benchmark share them.
void std_mutex(benchmark::State& state) {
  static auto* mutex = new std::mutex;
  lock_unlock(state, *mutex);
}
void sync_mutex(benchmark::State& state) {
  static auto* mutex = new Mutex("bench");
  lock_unlock(state, *mutex);
}
BENCHMARK(std_mutex);
BENCHMARK(sync_mutex);
BENCHMARK(std_mutex)->Threads(2)->UseRealTime();
BENCHMARK(sync_mutex)->Threads(2)->UseRealTime();

template <typename M>
void lock_shared(benchmark::State& state, M& mutex) {
  for (auto _ : state) {
    const std::shared_lock lock(mutex);
    benchmark::ClobberMemory();
  }
}
void std_shared_mutex(benchmark::State& state) {
  std::shared_mutex mutex;
  lock_shared(state, mutex);
}
void sync_shared_mutex(benchmark::State& state) {
  SharedMutex mutex("bench");
  lock_shared(state, mutex);
}
BENCHMARK(std_shared_mutex);
BENCHMARK(sync_shared_mutex);

// Two threads hand a turn to each other: both block in each round.
template <typename M, typename C, typename T>
void ping_pong(benchmark::State& state, M& mutex, C& changed, T make_thread) {
  int turn = 0;
  auto other = make_thread([&] {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return turn != 0; });
      if (turn < 0) return;
      turn = 0;
      changed.notify_one();
    }
  });
  for (auto _ : state) {
    std::unique_lock lock(mutex);
    turn = 1;
    changed.notify_one();
    changed.wait(lock, [&] { return turn == 0; });
  }
  {
    const std::lock_guard lock(mutex);
    turn = -1;
  }
  changed.notify_one();
  other.join();
}
void std_condition_variable(benchmark::State& state) {
  std::mutex mutex;
  std::condition_variable changed;
  ping_pong(state, mutex, changed, [](auto body) { return std::thread(body); });
}
void sync_condition_variable(benchmark::State& state) {
  Mutex mutex("bench");
  ConditionVariable changed;
  ping_pong(state, mutex, changed, [](auto body) { return Thread("bench", body); });
}
BENCHMARK(std_condition_variable)->UseRealTime();
BENCHMARK(sync_condition_variable)->UseRealTime();

void std_thread(benchmark::State& state) {
  for (auto _ : state) std::thread([] {}).join();
}
void sync_thread(benchmark::State& state) {
  for (auto _ : state) Thread("bench", [] {}).join();
}
BENCHMARK(std_thread)->UseRealTime();
BENCHMARK(sync_thread)->UseRealTime();

void watched_point(benchmark::State& state) {
  const Directing directing(std::make_shared<Director>());
  idle_point(state);
}
void watched_mutex(benchmark::State& state) {
  const Directing directing(std::make_shared<Director>());
  sync_mutex(state);
}
// By the flight recorder alone.
void recorded_point(benchmark::State& state) {
  record_points(true);
  idle_point(state);
  record_points(false);
}
BENCHMARK(watched_point);
BENCHMARK(recorded_point);
BENCHMARK(watched_mutex);

}  // namespace

BENCHMARK_MAIN();
