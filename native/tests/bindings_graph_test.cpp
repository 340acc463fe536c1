// hiplab.h: captures and graphs.
#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "bindings_kernels.h"

namespace hiplab::bindings {
namespace {

constexpr int kGlobal = 0;
constexpr int kThreadLocal = 1;
constexpr int kRelaxed = 2;
constexpr int kF32 = 0;
constexpr int kBf16 = 2;
constexpr int kSide = 64;
constexpr int kCount = kSide * kSide;

class BindingsGraphFixed : public WithKernels {
 protected:
  void SetUp() override {
    WithKernels::SetUp();
    a_ = filled(kCount, 1, kF32, 4);
    b_ = filled(kCount, 1, kF32, 4);
    c_ = filled(kCount, 0, kF32, 4);
    d_ = filled(kCount, 0, kF32, 4);
  }
  void TearDown() override {
    for (BufferRef* buffer : {a_, b_, c_, d_}) freeBuffer(buffer);
    WithKernels::TearDown();
  }

  void set(BufferRef* buffer, float value, int type) {
    const std::vector<float> values(kCount, value);
    copyIn(stream_, buffer, values.data(), kCount, type);
  }

  // C = A B; in bf16 its algorithm asks for workspace.
  void multiply(StreamRef* stream, int type) {
    gemm(stream, type, false, true, kSide, kSide, kSide, 1, 1, a_, b_, 0, c_);
  }

  // The GEMM has run once, as its handle and its workspace cannot be made in a capture.
  void warm_up(int type) {
    set(a_, 1, type);
    set(b_, 1, type);
    multiply(stream_, type);
    EXPECT_EQ(read_back(c_, kCount, type), products(1));
  }

  // A graph that multiplies and sets D to zeros.
  GraphRef* captured(int type, int mode = kThreadLocal) {
    warm_up(type);
    beginCapture(stream_, mode);
    multiply(stream_, type);
    fillBytes(stream_, d_, 0);
    return endCapture(stream_);
  }

  static std::vector<float> products(float a) { return std::vector<float>(kCount, a * kSide); }

  bool unwritten(BufferRef* buffer) {
    for (const float value : read_back(buffer, kCount)) {
      if (value == value) return false;
    }
    return true;
  }

  // Each launch finds other inputs.
  void expect_right_launches(GraphRef* graph, int type) {
    for (const float value : {2.0f, 3.0f, 4.0f}) {
      set(a_, value, type);
      fillBytes(stream_, c_, 0xFF);
      fillBytes(stream_, d_, 0xFF);
      launchGraph(graph, stream_);
      EXPECT_EQ(read_back(c_, kCount, type), products(value));
      EXPECT_EQ(read_back(d_, kCount), std::vector<float>(kCount, 0));
    }
  }

  BufferRef* a_ = nullptr;
  BufferRef* b_ = nullptr;
  BufferRef* c_ = nullptr;
  BufferRef* d_ = nullptr;
};

TEST_F(BindingsGraphFixed, EveryModeCapturesAndIsLaunchedAgainAndAgain) {
  for (const int type : {kF32, kBf16}) {
    for (const int mode : {kGlobal, kThreadLocal, kRelaxed}) {
      SCOPED_TRACE("type " + std::to_string(type) + ", mode " + std::to_string(mode));
      warm_up(type);
      fillBytes(stream_, c_, 0xFF);
      fillBytes(stream_, d_, 0xFF);
      synchronizeStream(stream_);
      EXPECT_EQ(captureStatus(stream_), 0);
      beginCapture(stream_, mode);
      EXPECT_EQ(captureStatus(stream_), 1);
      multiply(stream_, type);
      fillBytes(stream_, d_, 0);
      GraphRef* graph = endCapture(stream_);
      EXPECT_EQ(captureStatus(stream_), 0);
      EXPECT_TRUE(unwritten(c_) && unwritten(d_)) << "what was captured ran";
      expect_right_launches(graph, type);
      destroyGraph(graph);
    }
  }
}

TEST_F(BindingsGraphFixed, KernelsAreCapturedWithTheirArguments) {
  KernelRef* kernel = createKernel(
      "extern \"C\" __global__ void add(float* out, float step) {\n"
      "  out[blockIdx.x * blockDim.x + threadIdx.x] += step;\n"
      "}\n",
      "add", "");
  ArgumentsRef* arguments = createArguments();
  addBuffer(arguments, d_);
  addFloat(arguments, 2);
  launchKernel(stream_, kernel, kSide, 1, 1, kSide, 1, 1, arguments);
  beginCapture(stream_, kThreadLocal);
  for (int i = 0; i < 2; ++i) {
    launchKernel(stream_, kernel, kSide, 1, 1, kSide, 1, 1, arguments);
  }
  GraphRef* graph = endCapture(stream_);
  destroyArguments(arguments);
  destroyKernel(kernel);
  for (int launch = 1; launch <= 3; ++launch) {
    launchGraph(graph, stream_);
    EXPECT_EQ(read_back(d_, kCount), std::vector<float>(kCount, 2 + 4.0f * launch));
  }
  destroyGraph(graph);
}

TEST_F(BindingsGraphFixed, LaunchesOnAnotherStreamOfItsBackend) {
  GraphRef* graph = captured(kBf16);
  StreamRef* second = createStream(backend_, 0);
  set(a_, 3, kBf16);
  fillBytes(stream_, c_, 0xFF);
  synchronizeStream(stream_);
  launchGraph(graph, second);
  synchronizeStream(second);
  EXPECT_EQ(read_back(c_, kCount, kBf16), products(3));
  destroyStream(second);
  destroyGraph(graph);
}

TEST_F(BindingsGraphFixed, DestroyedWhileItRunsItStillEndsRight) {
  for (const int type : {kF32, kBf16}) {
    GraphRef* graph = captured(type);
    set(a_, 2, type);
    fillBytes(stream_, c_, 0xFF);
    Gate gate(stream_);
    launchGraph(graph, stream_);
    EXPECT_FALSE(streamIdle(stream_));
    // It may wait for the launch, as its workspace is in use until then.
    auto destroyed = std::async(std::launch::async, [&] { destroyGraph(graph); });
    gate.let_go();
    destroyed.get();
    EXPECT_EQ(read_back(c_, kCount, type), products(2));
  }
}

TEST_F(BindingsGraphFixed, ASpoiltCaptureTellsSoAndTheNextOneWorks) {
  for (const int mode : {kGlobal, kThreadLocal, kRelaxed}) {
    SCOPED_TRACE("mode " + std::to_string(mode));
    warm_up(kF32);
    beginCapture(stream_, mode);
    multiply(stream_, kF32);
    // To wait for the stream itself is refused in every mode.
    const FailedCall wait = failed([&] { synchronizeStream(stream_); });
    EXPECT_EQ(wait.function, "hipStreamSynchronize");
    EXPECT_EQ(wait.name, "hipErrorStreamCaptureUnsupported");
    EXPECT_EQ(captureStatus(stream_), 2);
    const FailedCall end = failed([&] { endCapture(stream_); });
    EXPECT_EQ(end.function, "hipStreamEndCapture");
    EXPECT_EQ(end.status, 901);
    EXPECT_EQ(end.name, "hipErrorStreamCaptureInvalidated");
    EXPECT_EQ(captureStatus(stream_), 0);
    EXPECT_EQ(message_of([&] { endCapture(stream_); }),
              "the stream is not capturing: begin a capture first");
    GraphRef* graph = captured(kF32, mode);
    expect_right_launches(graph, kF32);
    destroyGraph(graph);
  }
}

TEST_F(BindingsGraphFixed, OnlyAGlobalCaptureIsSpoiltByAnotherThread) {
  for (const int mode : {kGlobal, kThreadLocal, kRelaxed}) {
    beginCapture(stream_, mode);
    std::string told;
    std::thread other([&] { told = message_of([&] { freeBuffer(allocate(backend_, 0, 64)); }); });
    other.join();
    EXPECT_EQ(told == "no error", mode != kGlobal) << told;
    EXPECT_EQ(captureStatus(stream_), mode == kGlobal ? 2 : 1);
    if (mode == kGlobal) {
      EXPECT_EQ(failed([&] { endCapture(stream_); }).status, 901);
    } else {
      destroyGraph(endCapture(stream_));
    }
  }
}

TEST_F(BindingsGraphFixed, TheWrongThreadDoesNotEndIt) {
  warm_up(kF32);
  beginCapture(stream_, kThreadLocal);
  multiply(stream_, kF32);
  FailedCall refused;
  std::thread other([&] { refused = failed([&] { endCapture(stream_); }); });
  other.join();
  EXPECT_EQ(refused.name, "hipErrorStreamCaptureWrongThread");
  EXPECT_EQ(captureStatus(stream_), 1);
  fillBytes(stream_, d_, 0);
  GraphRef* graph = endCapture(stream_);
  expect_right_launches(graph, kF32);
  destroyGraph(graph);
}

TEST_F(BindingsGraphFixed, StatusOfAStreamThatHasJoined) {
  StreamRef* second = createStream(backend_, 0);
  EventRef* forked = createEvent(backend_, 0, false);
  EventRef* joined = createEvent(backend_, 0, false);
  const auto fork = [&] {
    beginCapture(stream_, kThreadLocal);
    recordEvent(forked, stream_);
    EXPECT_EQ(captureStatus(second), 0);
    waitEvent(second, forked);
    EXPECT_EQ(captureStatus(second), 1);
    EXPECT_NE(message_of([&] { beginCapture(second, kThreadLocal); }).find("capturing already"),
              std::string::npos);
    EXPECT_EQ(message_of([&] { endCapture(second); }),
              "the stream has joined a capture that began on another stream, by waiting for an "
              "event recorded in it: end the capture on that stream");
    fillBytes(second, d_, 0);
    recordEvent(joined, second);
    waitEvent(stream_, joined);
  };
  fork();
  GraphRef* graph = endCapture(stream_);
  EXPECT_EQ(captureStatus(second), 0);
  fillBytes(stream_, d_, 0xFF);
  launchGraph(graph, stream_);
  EXPECT_EQ(read_back(d_, kCount), std::vector<float>(kCount, 0));
  destroyGraph(graph);

  fork();
  EXPECT_NE(message_of([&] { synchronizeStream(second); }), "no error");
  EXPECT_EQ(captureStatus(second), 2);
  EXPECT_EQ(captureStatus(stream_), 2) << "the stream on which it began";
  EXPECT_EQ(failed([&] { endCapture(stream_); }).status, 901);
  EXPECT_EQ(captureStatus(second), 0);
  for (EventRef* event : {forked, joined}) destroyEvent(event);
  destroyStream(second);
}

TEST_F(BindingsGraphFixed, WrongUseIsOneSentence) {
  EXPECT_EQ(message_of([&] { endCapture(stream_); }),
            "the stream is not capturing: begin a capture first");
  EXPECT_EQ(message_of([&] { beginCapture(stream_, 3); }),
            "capture mode is 3, allowed are 0 (global), 1 (thread-local) and 2 (relaxed)");
  beginCapture(stream_, kThreadLocal);
  EXPECT_EQ(message_of([&] { beginCapture(stream_, kThreadLocal); }),
            "the stream is capturing already: end that capture first");
  EXPECT_EQ(captureStatus(stream_), 1) << "the refusal spoilt it";
  GraphRef* graph = endCapture(stream_);
  EXPECT_EQ(message_of([&] { launchGraph(graph, nullptr); }),
            "stream is null: pass one that is open");
  EXPECT_EQ(message_of([&] { launchGraph(nullptr, stream_); }),
            "graph is null: pass one that is open");
  EXPECT_EQ(message_of([] { destroyGraph(nullptr); }), "graph is null: pass one that is open");

  BackendRef* other = open_host(1);
  StreamRef* foreign = createStream(other, 0);
  EXPECT_EQ(message_of([&] { launchGraph(graph, foreign); }),
            "graph belongs to another backend than the stream");
  destroyStream(foreign);
  closeBackend(other);

  EXPECT_NE(message_of([&] { closeBackend(backend_); })
                .find("still open are 1 stream, 0 events, 4 buffers, 1 graph and 0 candidate "
                      "lists: close them first"),
            std::string::npos);
  destroyGraph(graph);
}

// HIP refuses the thread that did not begin, whenever it comes.
TEST_F(BindingsGraphFixed, AnotherThreadMayTryToEndAtAnyTime) {
  std::atomic<bool> over{false};
  std::atomic<int> tried{0};
  std::atomic<int> ended{0};
  std::thread other([&] {
    for (; !over; ++tried) {
      const std::string told = message_of([&] { destroyGraph(endCapture(stream_)); });
      ended += told.find("is not capturing") == std::string::npos &&
               told.find("hipErrorStreamCaptureWrongThread") == std::string::npos;
    }
  });
  int failures = 0;
  for (int i = 0; i < 20000 || tried < 20000; ++i) {
    failures += message_of([&] {
                  beginCapture(stream_, kThreadLocal);
                  destroyGraph(endCapture(stream_));
                }) != "no error";
  }
  over = true;
  other.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(ended, 0) << "calls of the other thread that were not refused as they should be";
}

TEST_F(BindingsGraphFixed, TwoThreadsBeginAndEndOnOneStream) {
  for (const int mode : {kGlobal, kThreadLocal, kRelaxed}) {
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    std::atomic<int> started{0};
    const auto captures = [&] {
      for (++started; started < 2;) std::this_thread::yield();
      for (int i = 0; i < 20000; ++i) {
        begun += message_of([&] { beginCapture(stream_, mode); }) == "no error";
        ended += message_of([&] { destroyGraph(endCapture(stream_)); }) == "no error";
      }
    };
    std::thread one(captures);
    std::thread two(captures);
    one.join();
    two.join();
    EXPECT_GT(begun, 0);
    EXPECT_EQ(ended, begun) << "mode " << mode;
    EXPECT_EQ(captureStatus(stream_), 0);
  }
  GraphRef* graph = captured(kF32);
  expect_right_launches(graph, kF32);
  destroyGraph(graph);
}

TEST_F(BindingsGraphFixed, AClosedStreamTakesItsOpenCaptureWithIt) {
  StreamRef* second = createStream(backend_, 0);
  beginCapture(second, kThreadLocal);
  fillBytes(second, d_, 0);
  ::testing::internal::CaptureStderr();
  destroyStream(second);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("was discarded"), std::string::npos);
  EXPECT_EQ(read_back(d_, 1), std::vector<float>(1, 0)) << "the device is free to wait";
}

// The workspace has gone and a capture may not allocate another: the GEMM takes another route.
TEST_F(BindingsGraphFixed, AfterAClearACaptureNeedsAGemmFirst) {
  const auto counter = [&](const char* name) {
    return std::stoll(read(counters(backend_)).at(name));
  };
  GraphRef* before = captured(kBf16);
  EXPECT_EQ(counter("route.fallback"), 0);
  const std::int64_t ended = counter("ended.encoders");
  clearStreams(backend_);
  EXPECT_GT(counter("ended.encoders"), ended);
  beginCapture(stream_, kThreadLocal);
  multiply(stream_, kBf16);
  fillBytes(stream_, d_, 0);
  GraphRef* without = endCapture(stream_);
  EXPECT_EQ(counter("route.fallback"), 1);
  GraphRef* after = captured(kBf16);
  EXPECT_EQ(counter("route.fallback"), 1);
  for (GraphRef* graph : {before, without, after}) {  // a graph's workspace is its own
    expect_right_launches(graph, kBf16);
    destroyGraph(graph);
  }
  EXPECT_EQ(message_of([] { clearStreams(nullptr); }), "backend is null: pass one that is open");
}

}  // namespace
}  // namespace hiplab::bindings
