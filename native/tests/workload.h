// The acceptance workloads of mlxcel 2198 and 2200, natively: 8 threads with a stream each, no GEMM
// before the barrier, 33 rounds, integer inputs from a seed per thread.
#pragma once

#include <cstdlib>

#include "lab.h"

namespace hiplab::lab {

inline constexpr int kThreads = 8;
inline constexpr int kRounds = 33;

// Counts of GEMMs whose output was wrong, by kind.
struct Wrong {
  std::atomic<int> f32{0};
  std::atomic<int> bf16{0};
  int all() const { return f32 + bf16; }
};

// rocblas.first-gemm: f32 [64, 128] x [128, 64], inputs -4..4.
inline void first_gemm(Backend& backend, Wrong& wrong) {
  on_threads(kThreads, [&](int t) {
    const auto stream = backend.stream(0);
    for (int round = 0; round < kRounds; ++round) {
      IntegerGemm gemm(backend, *stream, {ElementType::f32, false, false, 64, 64, 128, 1}, 4,
                       1000u * t + round);
      gemm.enqueue();
      wrong.f32 += gemm.wrong() != 0;
    }
  });
}

// blaslt.gemms-from-many-threads: bf16 [64, 64] x transpose([64, 64]), bf16 batched
// [4, 64, 64] x [4, 64, 64], f32 [64, 128] x [128, 64]. bf16 inputs are -1..1, as the fix ships
// them (mlxcel 2208). All threads use the same shapes.
inline void gemms_from_many_threads(Backend& backend, Wrong& wrong) {
  on_threads(kThreads, [&](int t) {
    const auto stream = backend.stream(0);
    const unsigned seed = 1000u * t;
    IntegerGemm tn(backend, *stream, {ElementType::bf16, false, true, 64, 64, 64, 1}, 1, seed);
    IntegerGemm batched(backend, *stream, {ElementType::bf16, false, false, 64, 64, 64, 4}, 1,
                        seed + 1);
    IntegerGemm single(backend, *stream, {ElementType::f32, false, false, 64, 64, 128, 1}, 4,
                       seed + 2);
    for (int round = 0; round < kRounds; ++round) {
      tn.poison();
      batched.poison();
      single.poison();
      tn.enqueue();
      batched.enqueue();
      single.enqueue();
      wrong.bf16 += tn.wrong() != 0;
      wrong.bf16 += batched.wrong() != 0;
      wrong.f32 += single.wrong() != 0;
    }
  });
}

// blaslt.shared-workspace: bf16 GEMMs whose algorithm asks for scratch, queued back to back.
inline void gemms_that_need_workspace(Backend& backend, Wrong& wrong) {
  on_threads(kThreads, [&](int t) {
    const auto stream = backend.stream(0);
    std::vector<std::unique_ptr<IntegerGemm>> gemms;
    for (int round = 0; round < kRounds; ++round) {
      gemms.push_back(std::make_unique<IntegerGemm>(
          backend, *stream, GemmShape{ElementType::bf16, false, true, 64, 64, 64, 1}, 1,
          1000u * t + round));
    }
    for (auto& gemm : gemms) gemm->enqueue();
    for (auto& gemm : gemms) wrong.bf16 += gemm->wrong() != 0;
  });
}

// How a run ended, as an exit code.
enum Exit : int { kExact = 0, kWrong = 1, kThrew = 2 };

template <typename Workload>
int exit_of(Backend& backend, Workload workload) {
  Wrong wrong;
  try {
    workload(backend, wrong);
  } catch (const std::exception&) {
    return kThrew;
  }
  return wrong.all() == 0 ? kExact : kWrong;
}

// A filed form that failed as its source says: a wrong result, or a crash.
inline bool wrong_or_crashed(int status) {
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == kWrong);
}

}  // namespace hiplab::lab
