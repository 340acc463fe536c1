// Tuning in bounded time (MIOpen 12265): candidates that run away, captures beside it, threads.
#include <cstring>
#include <set>

#include "backend/bounded_tune.h"
#include "tracker_tools.h"

namespace hiplab::lab {
namespace {

using backend::BoundedTune;
using backend::Tuned;
using backend::TuneLimits;
using Algo = hipblasLtMatmulAlgo_t;

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 256, 1};
constexpr std::chrono::milliseconds kBound{300};

// What the patched calls do; reset by each test.
struct Patches {
  std::mutex mutex;
  std::vector<Algo> runaway;  // candidates whose first GEMM waits behind a kernel that does not end
  int at = 0;                 // the GEMM of each of them that does, if not the first
  std::vector<std::unique_ptr<Runaway>> kernels;
  std::vector<hipEvent_t> recorded;
  int gates = 0;
  std::set<std::thread::id> freeing;
  std::function<void()> before_matmul;
  Algo last{};
};
Patches* g_patches = nullptr;

bool same(const Algo& a, const Algo& b) { return std::memcmp(a.data, b.data, sizeof a.data) == 0; }

hipblasStatus_t matmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc, const void* alpha,
                       const void* a, hipblasLtMatrixLayout_t a_layout, const void* b,
                       hipblasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                       hipblasLtMatrixLayout_t c_layout, void* d, hipblasLtMatrixLayout_t d_layout,
                       const Algo* algo, void* workspace, size_t bytes, hipStream_t stream) {
  {
    const std::lock_guard lock(g_patches->mutex);
    g_patches->last = *algo;
    if (g_patches->before_matmul) g_patches->before_matmul();
    for (auto one = g_patches->runaway.begin(); one != g_patches->runaway.end(); ++one) {
      if (!same(*one, *algo)) continue;
      if (g_patches->at-- > 0) break;
      g_patches->runaway.erase(one);
      g_patches->kernels.push_back(std::make_unique<Runaway>(stream));
      break;
    }
  }
  return tracked_host().table->hipblasLtMatmul(handle, desc, alpha, a, a_layout, b, b_layout, beta,
                                               c, c_layout, d, d_layout, algo, workspace, bytes,
                                               stream);
}

hipError_t free_block(void* pointer) {
  {
    const std::lock_guard lock(g_patches->mutex);
    g_patches->freeing.insert(std::this_thread::get_id());
  }
  return tracked_host().table->hipFree(pointer);
}

hipError_t record(hipEvent_t event, hipStream_t stream) {
  {
    const std::lock_guard lock(g_patches->mutex);
    g_patches->recorded.push_back(event);
  }
  return tracked_host().table->hipEventRecord(event, stream);
}

// As if the guard were not there: the mode is not exchanged.
hipError_t no_exchange(hipStreamCaptureMode*) { return hipSuccess; }

// With a backlog cap of its own.
class CappedParts final : public backend::FixedParts {
 public:
  explicit CappedParts(int cap) : cap_(cap) {}
  std::unique_ptr<StreamTracker> stream_tracker(const backend::Context& context,
                                                backend::Device& device) override {
    return std::make_unique<backend::CallbackTracker>(context, device, cap_);
  }

 private:
  const int cap_;
};

TuneLimits limits(int requested, std::chrono::nanoseconds bound = std::chrono::seconds(60)) {
  TuneLimits all;
  all.requested = requested;
  all.repetitions = 2;
  all.bound = bound;
  return all;
}

std::string told(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class BoundedTuneFixed : public ::testing::Test {
 protected:
  BoundedTuneFixed() : patched_(tracked_host()) {
    g_patches = &patches_;
    patched_.table.hipblasLtMatmul = matmul;
    patched_.table.hipFree = free_block;
  }
  ~BoundedTuneFixed() override {
    let_go();
    backend_ = nullptr;
    g_patches = nullptr;
  }

  void open(int cap = 8) {
    backend_ = std::make_unique<Backend>(patched_.provider, std::make_unique<CappedParts>(cap));
  }
  // The heuristic's place of the candidates that run away, in order.
  void run_away(std::initializer_list<int> places, int requested) {
    const auto offered = backend_->heuristics(0, kShape, requested, backend::kMaxWorkspaceBytes);
    const std::lock_guard lock(patches_.mutex);
    for (const int place : places) {
      patches_.runaway.push_back(offered.at(static_cast<std::size_t>(place)).algo);
    }
  }
  std::vector<Tuned> tune(const TuneLimits& with) {
    const auto tune = backend_->bounded_tune(0, kShape, with);
    while (tune->next() != nullptr) {
    }
    tune->keep_fastest();
    return tune->rows();
  }
  void let_go() {
    const std::lock_guard lock(patches_.mutex);
    for (auto& kernel : patches_.kernels) kernel->let_go();
  }
  // Whether this thread called hipFree. What drains is freed on a thread of its own.
  bool freed_here() {
    const std::lock_guard lock(patches_.mutex);
    return patches_.freeing.count(std::this_thread::get_id()) != 0;
  }
  backend::TrackerState tracker() { return backend_->tracker(0).state(); }

  // Nothing is pinned, and nothing is left of the backend once it is closed.
  void expect_all_comes_back(const std::map<std::string, std::int64_t>& before) {
    EXPECT_TRUE(eventually([&] {
      return tracker().draining == 0 && tracker().acquired == 0 && tracker().pinned_bytes == 0;
    }));
    backend_ = nullptr;
    for (const auto& [kind, count] : driver::live_objects())
      EXPECT_EQ(count, before.at(kind)) << kind;
  }

  static void expect_one_is_chosen(const std::vector<Tuned>& rows) {
    const Tuned* chosen = nullptr;
    for (const Tuned& row : rows) {
      if (!row.chosen) continue;
      EXPECT_EQ(chosen, nullptr) << "one only";
      chosen = &row;
    }
    ASSERT_NE(chosen, nullptr);
    ASSERT_TRUE(chosen->median_ms);
    for (const Tuned& row : rows) {
      if (!row.median_ms) continue;
      EXPECT_LE(*chosen->median_ms, *row.median_ms);
    }
  }

  Patches patches_;
  Patched patched_;
  std::unique_ptr<Backend> backend_;
};

TEST_F(BoundedTuneFixed, EveryCandidateIsMeasuredAndTheFastestIsTaken) {
  const auto before = driver::live_objects();
  open();
  const auto offered = backend_->heuristics(0, kShape, 5, backend::kMaxWorkspaceBytes);
  const auto rows = tune(limits(5));
  ASSERT_EQ(rows.size(), 5u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].index, static_cast<int>(i));
    EXPECT_EQ(rows[i].workspace_bytes, offered[i].workspaceSize);
    EXPECT_EQ(rows[i].waves, offered[i].wavesCount);
    EXPECT_EQ(rows[i].solution, patched_.provider.solutions.index(offered[i].algo));
    EXPECT_NE(rows[i].name, "");
    ASSERT_TRUE(rows[i].median_ms) << rows[i].skipped;
  }
  EXPECT_GT(rows[0].workspace_bytes, 0u) << "the splitk profile asks for workspace first";
  expect_one_is_chosen(rows);
  {
    const auto stream = backend_->stream(0);
    IntegerGemm gemm(*backend_, *stream, kShape, 1, 1);
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
    for (const Tuned& row : rows) {
      if (row.chosen) {
        EXPECT_TRUE(same(patches_.last, offered[static_cast<std::size_t>(row.index)].algo));
      }
    }
  }
  expect_all_comes_back(before);
}

// The issue: one candidate runs away. It still runs when all is told; the others are measured on
// memory that it does not use, no stream waits for it, and once it has ended all comes back.
TEST_F(BoundedTuneFixed, ARunawayIsAbandonedAndTheOthersAreMeasured) {
  const auto before = driver::live_objects();
  open();
  {
    const auto stream = backend_->stream(0);
    IntegerGemm callers(*backend_, *stream, kShape, 1, 3);
    callers.enqueue();
    ASSERT_EQ(callers.wrong(), 0);
    run_away({2}, 5);
    const auto rows = tune(limits(5, kBound));
    ASSERT_EQ(patches_.kernels.size(), 1u);
    EXPECT_TRUE(patches_.kernels[0]->running());
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(rows[2].skipped, "over its bound of 300 ms: abandoned in its warm-up");
    EXPECT_FALSE(rows[2].chosen);
    for (const int other : {0, 1, 3, 4}) {
      EXPECT_TRUE(rows[static_cast<std::size_t>(other)].median_ms)
          << rows[static_cast<std::size_t>(other)].skipped;
    }
    expect_one_is_chosen(rows);
    EXPECT_EQ(tracker().draining, 1);
    EXPECT_GT(tracker().pinned_bytes, 3 * 64 * 64 * 2);
    EXPECT_FALSE(freed_here()) << "hipFree waits for the runaway";
    EXPECT_EQ(callers.wrong(), 0) << "the caller's C";
    let_go();
    EXPECT_TRUE(eventually([&] { return tracker().draining == 0 && tracker().pinned_bytes == 0; }));
    EXPECT_EQ(callers.wrong(), 0) << "the abandoned candidate wrote the caller's C";
  }
  expect_all_comes_back(before);
}

// More runaways than may drain: the next candidates get no stream, which they say, and wait for it
// no longer than their bound.
TEST_F(BoundedTuneFixed, MoreRunawaysThanMayDrain) {
  const auto before = driver::live_objects();
  open(2);
  run_away({1, 3}, 6);
  const auto rows = tune(limits(6, kBound));
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_TRUE(rows[0].median_ms);
  EXPECT_TRUE(rows[2].median_ms);
  for (const int abandoned : {1, 3}) {
    EXPECT_EQ(rows[static_cast<std::size_t>(abandoned)].skipped,
              "over its bound of 300 ms: abandoned in its warm-up");
  }
  for (const int without : {4, 5}) {
    EXPECT_EQ(rows[static_cast<std::size_t>(without)].skipped,
              "no disposable stream within its bound of 300 ms: 2 abandoned streams of the device "
              "still run, which is as many as may");
  }
  expect_one_is_chosen(rows);
  const auto full = driver::live_objects();
  EXPECT_EQ(told([&] { backend_->bounded_tune(0, kShape, limits(1, kBound)); }),
            "tune: no disposable stream for the operands within the bound of 300 ms: 2 abandoned "
            "streams of the device still run, which is as many as may: tune again when one has "
            "ended");
  EXPECT_EQ(driver::live_objects(), full) << "it would be freed behind the runaways only";
  let_go();
  EXPECT_TRUE(eventually([&] { return tracker().draining == 0; }));
  EXPECT_TRUE(tune(limits(1)).at(0).median_ms) << "the backlog has gone";
  expect_all_comes_back(before);
}

TEST_F(BoundedTuneFixed, NoCandidateInTime) {
  open();
  run_away({0, 1}, 2);
  const std::string message = told([&] { tune(limits(2, kBound)); });
  EXPECT_EQ(message,
            "tune: none of 2 candidates could be measured within the bound of 300 ms each; the "
            "first: over its bound of 300 ms: abandoned in its warm-up: raise the bound, or ask "
            "for fewer repetitions than 2");
  EXPECT_FALSE(backend_->device(0).algorithms().find(kShape)) << "nothing was stored";
}

// All repetitions are on the stream before the first begins: the device then waits for none.
TEST_F(BoundedTuneFixed, RepetitionsAreEnqueuedBeforeTheFirstBegins) {
  open();
  TuneLimits with = limits(1);
  with.repetitions = 5;
  const auto tune = backend_->bounded_tune(0, kShape, with);
  patched_.table.hipEventRecord = record;
  int gemms = 0;
  std::vector<hipError_t> first;
  patches_.before_matmul = [&] {
    if (gemms++ == 0) return;  // the warm-up, whose start and stop and end come first
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // else it had begun
    first.push_back(tracked_host().table->hipEventQuery(patches_.recorded.at(3)));
  };
  const Tuned* row = tune->next();
  ASSERT_NE(row, nullptr);
  ASSERT_TRUE(row->median_ms) << row->skipped;
  EXPECT_LE(row->lower_ms, *row->median_ms);
  EXPECT_LE(*row->median_ms, row->upper_ms);
  EXPECT_EQ(first, std::vector<hipError_t>(5, hipErrorNotReady));
}

TEST_F(BoundedTuneFixed, ARunawayRepetitionIsNamed) {
  const auto before = driver::live_objects();
  open();
  run_away({0}, 2);
  patches_.at = 3;  // behind the warm-up and two repetitions
  int gemms = 0;
  patches_.before_matmul = [&] { ++gemms; };
  {
    TuneLimits with = limits(2, kBound * 5);
    with.repetitions = 5;
    const auto rows = tune(with);
    EXPECT_EQ(rows[0].skipped, "over its bound of 1500 ms: abandoned in repetition 3 of 5");
    EXPECT_EQ(gemms, 2 * 6) << "those behind it were enqueued ahead";
    expect_one_is_chosen(rows);
    EXPECT_EQ(tracker().draining, 1);
    EXPECT_FALSE(freed_here());
  }
  let_go();
  expect_all_comes_back(before);
}

// Slow ones are not enqueued so far ahead that they overrun and have to be abandoned.
TEST_F(BoundedTuneFixed, SlowRepetitionsAreEnqueuedOneByOne) {
  open();
  TuneLimits with = limits(1);
  with.repetitions = 5;
  const auto tune = backend_->bounded_tune(0, kShape, with);
  patched_.table.hipEventElapsedTime = [](float* millis, hipEvent_t, hipEvent_t) {
    *millis = 40e3f;  // more than half of the bound of a minute
    return hipSuccess;
  };
  patched_.table.hipLaunchHostFunc = [](hipStream_t stream, hipHostFn_t function, void* user) {
    ++g_patches->gates;
    return tracked_host().table->hipLaunchHostFunc(stream, function, user);
  };
  ASSERT_NE(tune->next(), nullptr);
  EXPECT_EQ(patches_.gates, 5);
}

// More than one gate holds back.
TEST_F(BoundedTuneFixed, ManyRepetitionsAreMeasured) {
  open();
  int gemms = 0;
  patches_.before_matmul = [&] { ++gemms; };
  TuneLimits with = limits(1);
  with.repetitions = 150;
  EXPECT_TRUE(tune(with).at(0).median_ms);
  EXPECT_EQ(gemms, 151);
}

// A foreign callback holds those of the process up: tuning goes on without gates.
TEST_F(BoundedTuneFixed, BlockedCallbacksHoldNoCandidateUp) {
  const auto before = driver::live_objects();
  open();
  {
    const auto stream = backend_->stream(0);
    BlockedCallbacks blocked(*stream);
    const auto rows = tune(limits(2, kBound));
    expect_one_is_chosen(rows);
    EXPECT_EQ(tracker().draining, 1) << "the callback that was asked for";
    blocked.unblock();
  }
  expect_all_comes_back(before);
}

// What ends in time, but not all repetitions do.
TEST_F(BoundedTuneFixed, RepetitionsBeyondTheBound) {
  open();
  TuneLimits with = limits(1, std::chrono::milliseconds(300));
  with.repetitions = backend::kMostRepetitions;
  const auto tune = backend_->bounded_tune(0, kShape, with);
  patches_.before_matmul = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  const Tuned* row = tune->next();
  ASSERT_NE(row, nullptr);
  EXPECT_FALSE(row->median_ms);
  EXPECT_EQ(row->skipped.find("over its bound of 300 ms"), 0u) << row->skipped;
  EXPECT_NE(row->skipped.find(" of 10000"), std::string::npos) << row->skipped;
  EXPECT_EQ(tune->next(), nullptr);
}

TEST_F(BoundedTuneFixed, ATuneThatIsLeftEarlyGivesAllBack) {
  const auto before = driver::live_objects();
  open();
  run_away({0}, 3);
  {
    const auto tune = backend_->bounded_tune(0, kShape, limits(3, kBound));
    EXPECT_EQ(tune->offered(), 3u);
    ASSERT_NE(tune->next(), nullptr);
  }
  EXPECT_FALSE(backend_->device(0).algorithms().find(kShape));
  EXPECT_FALSE(freed_here());
  let_go();
  expect_all_comes_back(before);
}

TEST_F(BoundedTuneFixed, WrongLimitsAreRefused) {
  open();
  const auto with = [&](auto change) {
    TuneLimits wrong = limits(2);
    change(wrong);
    return told([&] { backend_->bounded_tune(0, kShape, wrong); });
  };
  EXPECT_EQ(with([](auto& l) { l.requested = 0; }), "tune: requested is 0, allowed are 1 to 1024");
  EXPECT_EQ(with([](auto& l) { l.repetitions = 0; }),
            "tune: repetitions is 0, allowed are 1 to 10000");
  EXPECT_EQ(with([](auto& l) { l.bound = std::chrono::nanoseconds(-1000000); }),
            "tune: the bound is -1 ms, allowed are 0.001 ms to 3.6e+06 ms");
  EXPECT_EQ(with([](auto& l) { l.cap_bytes = (32 << 20) + 1; }),
            "tune: the workspace cap is 33554433 bytes, allowed are 0 to 33554432");
  GemmShape shape = kShape;
  shape.type = ElementType::f32;
  EXPECT_EQ(told([&] { backend_->bounded_tune(0, shape, limits(1)); }),
            "tune: GEMMs of f32 take rocBLAS in this backend (mlxcel 2200), so that a tuned "
            "algorithm of hipBLASLt would never be used; allowed are bf16, f16 and, with "
            "transposes NT, f8");
}

TEST_F(BoundedTuneFixed, TheCapIsTheHeuristics) {
  open();
  TuneLimits with = limits(8);
  with.cap_bytes = 0;
  for (const Tuned& row : tune(with)) EXPECT_EQ(row.workspace_bytes, 0u) << row.index;
}

TEST_F(BoundedTuneFixed, EightThreadsTuneAtOnce) {
  const auto before = driver::live_objects();
  open();
  run_away({1}, 3);
  on_threads(8, [&](int t) {
    const auto stream = backend_->stream(0);
    const GemmShape own{ElementType::bf16, false, true, 32, 32, 64, 1};
    const auto tune = backend_->bounded_tune(0, t % 2 == 0 ? kShape : own, limits(3, kBound * 10));
    while (tune->next() != nullptr) {
    }
    tune->keep_fastest();
    expect_one_is_chosen(tune->rows());
    IntegerGemm gemm(*backend_, *stream, own, 1, static_cast<unsigned>(t));
    gemm.enqueue();
    // The runaway kernel still runs; this stream does not wait for it.
    EXPECT_EQ(gemm.wrong(), 0);
    let_go();  // else the blocks of this test's GEMMs would be waited for as they are freed
  });
  let_go();
  expect_all_comes_back(before);
}

// A winner of an earlier run: asked for anew, and taken by the GEMMs that follow.
TEST_F(BoundedTuneFixed, AWinnerIsApplied) {
  open();
  const auto offered = backend_->heuristics(0, kShape, 5, backend::kMaxWorkspaceBytes);
  const auto stream = backend_->stream(0);
  IntegerGemm gemm(*backend_, *stream, kShape, 1, 1);
  for (const std::size_t place : {3, 1}) {
    backend_->apply_winner(
        0, kShape, limits(5),
        {patched_.provider.solutions.index(offered[place].algo), offered[place].workspaceSize});
    gemm.poison();
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
    EXPECT_TRUE(same(patches_.last, offered[place].algo)) << place;
  }
}

TEST_F(BoundedTuneFixed, AWinnerThatIsNotOfferedIsRefused) {
  open();
  const auto offered = backend_->heuristics(0, kShape, 2, backend::kMaxWorkspaceBytes);
  const auto index = [&](std::size_t place) {
    return std::to_string(patched_.provider.solutions.index(offered[place].algo));
  };
  const std::string offers =
      " for this shape: of 2 candidates under a cap of 33554432 bytes it offers " + index(0) +
      " (" + std::to_string(offered[0].workspaceSize) + " bytes), " + index(1) + " (" +
      std::to_string(offered[1].workspaceSize) + " bytes); tune again on this device";
  EXPECT_EQ(told([&] { backend_->apply_winner(0, kShape, limits(2), {987654, 0}); }),
            "the heuristic does not offer solution 987654 with 0 bytes of workspace" + offers);
  EXPECT_EQ(
      told([&] {
        backend_->apply_winner(0, kShape, limits(2),
                               {patched_.provider.solutions.index(offered[0].algo), 7});
      }),
      "the heuristic does not offer solution " + index(0) + " with 7 bytes of workspace" + offers);
  patched_.provider.solutions = {};  // a library that tells none
  EXPECT_NE(told([&] { backend_->apply_winner(0, kShape, limits(2), {-1, 0}); }).find("not offer"),
            std::string::npos);
  EXPECT_FALSE(backend_->device(0).algorithms().find(kShape)) << "nothing was stored";
}

// The index and the name of two candidates: one of them is another algorithm.
TEST_F(BoundedTuneFixed, AWinnerOfAnotherNameIsRefused) {
  open();
  const auto offered = backend_->heuristics(0, kShape, 2, backend::kMaxWorkspaceBytes);
  const auto rows = tune(limits(2));
  ASSERT_NE(rows[0].name, rows[1].name);
  const auto winner = [&](std::string name) {
    return backend::Winner{rows[0].solution, rows[0].workspace_bytes, std::move(name)};
  };
  const auto check = [&](const backend::Winner& one) {
    return told([&] { backend_->check_winner(0, kShape, limits(2), one); });
  };
  EXPECT_EQ(check(winner(rows[1].name)),
            "the heuristic offers solution " + std::to_string(rows[0].solution) + " as '" +
                rows[0].name + "', and the winner is named '" + rows[1].name +
                "': an index is one algorithm only; tune again on this device");
  EXPECT_EQ(check(winner(rows[0].name)), "no error");
  EXPECT_EQ(check(winner("")), "no error") << "a library that told none";
}

// ---- Captures ----------------------------------------------------------------------------------

struct CaptureCase {
  hipStreamCaptureMode mode;
  bool own_thread;  // the tuning thread is the one that captures
};

std::string case_name(const ::testing::TestParamInfo<CaptureCase>& info) {
  static constexpr const char* kModes[] = {"Global", "ThreadLocal", "Relaxed"};
  return std::string(kModes[info.param.mode]) + (info.param.own_thread ? "_Own" : "_Another");
}

class BoundedTuneCapture : public BoundedTuneFixed,
                           public ::testing::WithParamInterface<CaptureCase> {
 protected:
  // Tunes while a stream captures, a candidate running away meanwhile. What ending the capture
  // returned.
  int status_of_capture() {
    open();
    const auto stream = backend_->stream(0);
    IntegerGemm gemm(*backend_, *stream, kShape, 1, 5);
    gemm.enqueue();  // the handle, the workspace
    EXPECT_EQ(gemm.wrong(), 0);
    run_away({1}, 3);
    const auto tune_now = [&] {
      told_ = told([&] {
        const auto rows = tune(limits(3, kBound));
        EXPECT_EQ(rows[1].skipped, "over its bound of 300 ms: abandoned in its warm-up");
        expect_one_is_chosen(rows);
      });
      EXPECT_LE(patches_.kernels.size(), 1u);
      for (const auto& kernel : patches_.kernels) EXPECT_TRUE(kernel->running());
    };
    int status = hipSuccess;
    const auto capture = backend_->capture(*stream, GetParam().mode);
    if (GetParam().own_thread) {
      tune_now();
    } else {
      std::async(std::launch::async, tune_now).get();
    }
    told([&] { gemm.enqueue(); });
    try {
      graph_ = capture->end();
    } catch (const Error& error) {
      status = error.call().status;
    }
    let_go();
    if (graph_) {
      gemm.poison();
      graph_->launch(*stream);
      EXPECT_EQ(gemm.wrong(), 0);
    }
    graph_ = nullptr;
    return status;
  }

  std::string told_;
  std::unique_ptr<backend::Graph> graph_;
};

class BoundedTuneCaptureFixed : public BoundedTuneCapture {};

TEST_P(BoundedTuneCaptureFixed, TheCaptureEndsWell) {
  EXPECT_EQ(status_of_capture(), hipSuccess);
  EXPECT_EQ(told_, "no error");
}

// The same where the relaxed guard does nothing: the first call that allocates or asks is refused,
// and spoils the captures that the mode exposes to it.
class BoundedTuneUnguardedFixed : public BoundedTuneCapture {};

TEST_P(BoundedTuneUnguardedFixed, TheCaptureIsSpoilt) {
  patched_.table.hipThreadExchangeStreamCaptureMode = no_exchange;
  const bool endangered =
      GetParam().mode == hipStreamCaptureModeGlobal ||
      (GetParam().mode == hipStreamCaptureModeThreadLocal && GetParam().own_thread);
  EXPECT_EQ(status_of_capture(), endangered ? hipErrorStreamCaptureInvalidated : hipSuccess);
  EXPECT_EQ(told_ == "no error", !endangered) << told_;
}

constexpr CaptureCase kCases[] = {
    {hipStreamCaptureModeGlobal, false},     {hipStreamCaptureModeThreadLocal, false},
    {hipStreamCaptureModeRelaxed, false},    {hipStreamCaptureModeGlobal, true},
    {hipStreamCaptureModeThreadLocal, true}, {hipStreamCaptureModeRelaxed, true}};
INSTANTIATE_TEST_SUITE_P(All, BoundedTuneCaptureFixed, ::testing::ValuesIn(kCases), case_name);
INSTANTIATE_TEST_SUITE_P(All, BoundedTuneUnguardedFixed, ::testing::ValuesIn(kCases), case_name);

// hipblasLtCreate is no call for a process in which anything captures.
TEST_F(BoundedTuneFixed, NoHandleIsMadeBesideACapture) {
  const auto capturing = lab::open(tracked_host(), Form::fixed);
  const auto stream = capturing->stream(0);
  open();
  {
    const auto capture = capturing->capture(*stream, hipStreamCaptureModeRelaxed);
    EXPECT_EQ(told([&] { tune(limits(1)); }),
              "tune: hipBLASLt is not available on device 0: it has no handle yet, and creating "
              "one would end the capture of another stream: tune when no capture is open, or run "
              "one GEMM of the type before the capture begins");
    EXPECT_EQ(backend_->counters().at("handles.hipblaslt"), 0);
    EXPECT_EQ(capture->status(), hipStreamCaptureStatusActive);
    capture->end();
  }
  EXPECT_TRUE(tune(limits(1)).at(0).median_ms);
}

}  // namespace
}  // namespace hiplab::lab
