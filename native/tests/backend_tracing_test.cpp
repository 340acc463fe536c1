// What a trace shows of a backend's work on the software device: calls and runs, the streams that
// they were on, and in what order.
#include <set>

#include "driver/event_runs.h"
#include "driver/stream_numbers.h"
#include "driver/tracing.h"
#include "forms_lab.h"
#include "sync/trace.h"

namespace hiplab::lab {
namespace {

using sync::Traced;
using sync::TraceEntry;

constexpr GemmShape kSingle{ElementType::f32, false, false, 64, 64, 128, 1};
constexpr GemmShape kHalf{ElementType::bf16, false, true, 64, 64, 64, 1};

std::vector<TraceEntry> of(const sync::TraceEntries& all, Traced kind, const std::string& label) {
  std::vector<TraceEntry> found;
  for (const TraceEntry& entry : all.entries) {
    if (entry.kind == kind && entry.label == label) found.push_back(entry);
  }
  return found;
}

// Steps of one stream run one after another, in the order in which they were enqueued.
void expect_streams_in_order(const sync::TraceEntries& all) {
  std::map<std::uint64_t, const TraceEntry*> calls;
  std::map<std::int32_t, const TraceEntry*> last;
  for (const TraceEntry& entry : all.entries) {
    if (entry.kind == Traced::call) calls[entry.call] = &entry;
  }
  for (const TraceEntry& entry : all.entries) {
    if (entry.kind != Traced::run) continue;
    if (const auto call = calls.find(entry.call); call != calls.end()) {
      EXPECT_GE(entry.begin, call->second->begin) << entry.label;
      EXPECT_EQ(entry.stream, call->second->stream) << entry.label;
    }
    const TraceEntry*& before = last[entry.stream];
    if (before != nullptr) {
      EXPECT_LE(before->end, entry.begin) << before->label << ", " << entry.label;
    }
    before = &entry;
  }
}

class TracingFixed : public ::testing::Test {
 protected:
  const driver::Provider& provider_ = host("splitk");
  const std::unique_ptr<Backend> backend_ = open(provider_, Form::fixed);
};

TEST_F(TracingFixed, EightThreadsEachOnAStreamOfTheirOwn) {
  sync::Trace trace;
  on_threads(8, [&](int t) {
    const auto stream = backend_->stream(0);
    for (int round = 0; round < 4; ++round) {
      IntegerGemm single(*backend_, *stream, kSingle, 4, 100 * t + round);
      IntegerGemm half(*backend_, *stream, kHalf, 1, 100 * t + round);
      for (IntegerGemm* gemm : {&single, &half}) gemm->enqueue();
      EXPECT_EQ(single.wrong() + half.wrong(), 0);
    }
  });
  const auto all = trace.end();
  EXPECT_EQ(all.dropped, 0u);
  const auto calls = of(all, Traced::call, "rocblas_sgemm");
  EXPECT_EQ(calls.size(), 32u);
  EXPECT_EQ(of(all, Traced::run, "rocblas_sgemm").size(), 32u);
  const auto matmuls = of(all, Traced::call, "hipblasLtMatmul");
  EXPECT_EQ(matmuls.size(), 32u);
  std::set<std::int32_t> streams;
  for (const TraceEntry& call : calls) {
    EXPECT_EQ(call.stream, call.asked);
    streams.insert(call.stream);
  }
  EXPECT_EQ(streams.size(), 8u);
  expect_streams_in_order(all);
}

TEST_F(TracingFixed, TheNodesOfAGraphAreNamedAsTheCallsThatWereCaptured) {
  const auto stream = backend_->stream(0);
  IntegerGemm gemm(*backend_, *stream, kSingle, 4, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  sync::Trace trace;
  const auto capture = backend_->capture(*stream, hipStreamCaptureModeRelaxed);
  gemm.enqueue();
  const auto graph = capture->end();
  graph->launch(*stream);
  graph->launch(*stream);
  stream->synchronize();
  const auto all = trace.end();
  EXPECT_EQ(of(all, Traced::call, "rocblas_sgemm").size(), 1u);
  const auto launches = of(all, Traced::call, "hipGraphLaunch");
  ASSERT_EQ(launches.size(), 2u);
  const auto runs = of(all, Traced::run, "rocblas_sgemm");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].call, launches[0].call);
  EXPECT_EQ(runs[1].call, launches[1].call);
  expect_streams_in_order(all);
}

TEST_F(TracingFixed, AStreamThatReusesAHandleHasAnotherNumber) {
  std::set<std::int32_t> numbers;
  std::set<hipStream_t> handles;
  for (int i = 0; i < 4; ++i) {
    const auto stream = backend_->stream(0);
    handles.insert(stream->get());
    numbers.insert(driver::stream_number(stream->get(), 0));
  }
  EXPECT_LT(handles.size(), 4u);
  EXPECT_EQ(numbers.size(), 4u);
  EXPECT_EQ(driver::stream_name(*numbers.begin()), "stream " + std::to_string(*numbers.begin()));
  EXPECT_EQ(driver::stream_name(driver::stream_number(nullptr, 0)), "null stream");
  EXPECT_EQ(driver::stream_name(driver::stream_number(nullptr, 1)), "null stream (device 1)");
}

// What events tell is what the device's own steps tell: the same work of the same calls on the same
// streams, in the same order on each.
TEST_F(TracingFixed, TimingEventsTellWhatTheDeviceTells) {
  sync::TraceEntries all;
  {
    const driver::BracketAllWork brackets;
    sync::Trace trace;
    on_threads(4, [&](int t) {
      const auto stream = backend_->stream(0);
      for (int round = 0; round < 3; ++round) {
        IntegerGemm single(*backend_, *stream, kSingle, 4, 10 * t + round);
        single.enqueue();
        single.enqueue();
        EXPECT_EQ(single.wrong(), 0);
      }
      IntegerGemm captured(*backend_, *stream, kSingle, 4, 1);
      const auto capture = backend_->capture(*stream, hipStreamCaptureModeRelaxed);
      captured.enqueue();
      const auto graph = capture->end();
      graph->launch(*stream);
      EXPECT_EQ(captured.wrong(), 0);
    });
    all = trace.end();
  }
  const std::int64_t events = driver::live_objects()["events"];
  std::map<std::uint64_t, TraceEntry> steps;
  for (const TraceEntry& run : of(all, Traced::run, "rocblas_sgemm")) steps[run.call] = run;
  sync::TraceEntries told{{}, all.dropped, all.began};
  std::int64_t brackets = 0;
  for (const TraceEntry& entry : all.entries) {
    if (entry.kind == Traced::events) ++brackets;
    if (entry.kind != Traced::run) told.entries.push_back(entry);
  }
  driver::resolve_events(told);
  EXPECT_EQ(told.dropped, 0u);
  EXPECT_EQ(driver::live_objects()["events"], events - 2 * brackets);
  const auto gemms = of(told, Traced::run, "rocblas_sgemm");
  EXPECT_EQ(gemms.size(), 4u * 3u * 2u);  // those of a capture ran when their graph was launched
  for (const TraceEntry& gemm : gemms) {
    ASSERT_TRUE(steps.contains(gemm.call));
    EXPECT_EQ(gemm.stream, steps[gemm.call].stream);
  }
  EXPECT_EQ(of(told, Traced::run, "hipGraphLaunch").size(), 4u);
  for (const TraceEntry& first : gemms) {
    for (const TraceEntry& second : gemms) {
      if (first.stream == second.stream && steps[first.call].end <= steps[second.call].begin) {
        EXPECT_LE(first.begin, second.begin);
      }
    }
  }
}

TEST_F(TracingFixed, TheSameTableGivesTheSameWrapperAndANinthIsRefused) {
  static driver::Table tables[8];
  const auto wrapper = [](driver::Table& table) { return &driver::trace_calls(table, table); };
  EXPECT_EQ(wrapper(tables[0]), wrapper(tables[0]));
  EXPECT_EQ(wrapper(tables[0])->rocblas_sgemm, nullptr);
  EXPECT_THROW(
      {
        for (driver::Table& table : tables) wrapper(table);
      },
      Error);
}

// mlxcel 2198: B binds its stream between A's bind and A's GEMM.
TEST(TracingFiled, AGemmThatRanOnAnothersStreamSaysWhichOneItWasMeantFor) {
  const auto backend = open(host("splitk"), Form::filed);
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  IntegerGemm a(*backend, *stream_a, kSingle, 4, 1);
  IntegerGemm b(*backend, *stream_b, kSingle, 4, 2);
  ASSERT_TRUE(backend->device(0).rocblas().available());
  sync::Trace trace;
  {
    HoldAt hold("rocblas.rebind.done");
    auto first = std::async(std::launch::async, [&] { a.enqueue(); });
    hold.wait_until_held();
    auto second = std::async(std::launch::async, [&] { b.enqueue(); });
    second.get();
    hold.release();
    first.get();
  }
  stream_a->synchronize();
  stream_b->synchronize();
  const auto all = trace.end();
  const auto calls = of(all, Traced::call, "rocblas_sgemm");
  ASSERT_EQ(calls.size(), 2u);
  const std::int32_t on_b = driver::stream_number(stream_b->get(), 0);
  const std::int32_t on_a = driver::stream_number(stream_a->get(), 0);
  EXPECT_EQ(calls[0].stream, on_b);
  EXPECT_EQ(calls[0].asked, on_b);
  EXPECT_EQ(calls[1].stream, on_b);
  EXPECT_EQ(calls[1].asked, on_a);
  expect_streams_in_order(all);
  const auto points = of(all, Traced::point, "rocblas.rebind.done");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_GE(points[0].end, calls[0].end);  // A was held until B had enqueued
}

}  // namespace
}  // namespace hiplab::lab
