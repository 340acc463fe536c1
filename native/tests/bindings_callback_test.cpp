// hiplab.h: host callbacks that block, host callbacks that enqueue GEMMs.
#include <chrono>
#include <thread>

#include "bindings_tools.h"

namespace hiplab::bindings {
namespace {

constexpr int kF32 = 0;
constexpr int kBf16 = 2;
constexpr int kSide = 64;
constexpr int kCount = kSide * kSide;

class BindingsCallbackFixed : public OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    other_ = createStream(backend_, 0);
    gate_ = createGate();
  }
  void TearDown() override {
    destroyGate(gate_);  // lets what a failed test holds go
    for (StreamRef* stream : {stream_, other_}) synchronizeStream(stream);
    for (BufferRef* buffer : buffers_) freeBuffer(buffer);
    destroyStream(other_);
    OneStream::TearDown();
  }

  // One value everywhere.
  BufferRef* buffer(float value, int type) {
    buffers_.push_back(filled(kCount, value, type, type == kF32 ? 4 : 2));
    return buffers_.back();
  }
  std::vector<float> all(float value) { return std::vector<float>(kCount, value); }
  std::vector<float> read_on(StreamRef* stream, BufferRef* from, int type) {
    std::vector<float> values(kCount);
    copyOut(stream, from, values.data(), kCount, type);
    return values;
  }
  void gemm_in_callback(StreamRef* after, StreamRef* on, int type, BufferRef* a, BufferRef* b,
                        BufferRef* c) {
    gemmInCallback(after, on, type, false, true, kSide, kSide, kSide, 1, 1, a, b, 0, c);
  }
  std::string errors() { return read(counters(backend_)).at("callback.errors"); }
  void wait_until_reached() {
    for (int i = 0; i < 6000 && !gateReached(gate_); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_TRUE(gateReached(gate_));
  }

  StreamRef* other_ = nullptr;
  GateRef* gate_ = nullptr;
  std::vector<BufferRef*> buffers_;
};

TEST_F(BindingsCallbackFixed, AGateHoldsItsStreamAlone) {
  EXPECT_FALSE(gateReached(gate_));
  BufferRef* held = buffer(1, kF32);
  BufferRef* free = buffer(1, kF32);
  synchronizeStream(stream_);
  waitAtGate(stream_, gate_);
  fillBytes(stream_, held, 0);
  wait_until_reached();
  fillBytes(other_, free, 0);
  synchronizeStream(other_);
  EXPECT_FALSE(streamIdle(stream_));
  EXPECT_EQ(read_on(other_, held, kF32), all(1)) << "behind the gate";
  EXPECT_EQ(read_on(other_, free, kF32), all(0));
  openGate(gate_);
  EXPECT_EQ(read_on(stream_, held, kF32), all(0));
  waitAtGate(stream_, gate_);  // it stays open
  synchronizeStream(stream_);
}

TEST_F(BindingsCallbackFixed, AGateMayBeDestroyedBeforeItsCallbacks) {
  GateRef* gates[] = {createGate(), createGate()};
  waitAtGate(stream_, gate_);
  wait_until_reached();
  waitAtGate(stream_, gates[0]);
  waitAtGate(other_, gates[1]);  // callbacks run one at a time: behind the first
  EXPECT_FALSE(gateReached(gates[0]));
  EXPECT_FALSE(gateReached(gates[1]));
  for (GateRef* gate : gates) destroyGate(gate);
  openGate(gate_);
  synchronizeStream(stream_);
  synchronizeStream(other_);
  EXPECT_TRUE(streamIdle(stream_));
}

// The stream's workspace, its pipe and the handle are asked for on the callbacks' thread, the first
// of all and while the stream is held.
TEST_F(BindingsCallbackFixed, AGemmOnTheCallbacksOwnStream) {
  for (const int type : {kBf16, kF32}) {
    BufferRef* a = buffer(1, type);
    BufferRef* b = buffer(2, type);
    BufferRef* c = buffer(-1, type);
    gemm_in_callback(stream_, stream_, type, a, b, c);
    synchronizeStream(stream_);  // the callback, and what it had enqueued by then
    EXPECT_EQ(read_on(stream_, c, type), all(2 * kSide)) << type;
  }
  EXPECT_EQ(callbackErrors(backend_), "");
  EXPECT_EQ(errors(), "0");
  const auto counted = read(counters(backend_));
  EXPECT_EQ(counted.at("route.hipblaslt"), "1");
  EXPECT_EQ(counted.at("route.rocblas"), "1");
}

// The encoding thread goes on with the stream that callbacks serve (blaslt.callback-thread).
TEST_F(BindingsCallbackFixed, AGemmOnAnotherStreamBesideTheEncodingThread) {
  BufferRef* a = buffer(1, kBf16);
  BufferRef* b = buffer(2, kBf16);
  synchronizeStream(stream_);
  constexpr int kRounds = 8;
  std::vector<BufferRef*> encoded;
  std::vector<BufferRef*> in_callback;
  for (int i = 0; i < kRounds; ++i) {
    encoded.push_back(buffer(-1, kBf16));
    in_callback.push_back(buffer(-1, kBf16));
  }
  synchronizeStream(stream_);
  for (int i = 0; i < kRounds; ++i) {
    gemm_in_callback(stream_, other_, kBf16, a, b, in_callback[i]);
    gemm(other_, kBf16, false, true, kSide, kSide, kSide, 1, 1, b, b, 0, encoded[i]);
  }
  synchronizeStream(stream_);  // every callback has enqueued
  for (int i = 0; i < kRounds; ++i) {
    EXPECT_EQ(read_on(other_, in_callback[i], kBf16), all(2 * kSide)) << i;
    EXPECT_EQ(read_on(other_, encoded[i], kBf16), all(4 * kSide)) << i;
  }
  EXPECT_EQ(callbackErrors(backend_), "");
}

TEST_F(BindingsCallbackFixed, WrongArgumentsAreToldAtOnce) {
  BufferRef* a = buffer(1, kF32);
  BufferRef* b = buffer(1, kF32);
  EXPECT_NE(message_of([&] {
              gemm_in_callback(stream_, other_, kF32, a, b, a);
            }).find("C is the same buffer as A"),
            std::string::npos);
  EXPECT_EQ(message_of([&] { gemm_in_callback(nullptr, other_, kF32, a, b, b); }),
            "stream of the callback is null: pass one that is open");
  EXPECT_EQ(message_of([&] { gemm_in_callback(stream_, nullptr, kF32, a, b, b); }),
            "stream of the GEMM is null: pass one that is open");
  EXPECT_EQ(message_of([&] { waitAtGate(stream_, nullptr); }),
            "gate is null: pass one that is open");
  EXPECT_EQ(message_of([] { openGate(nullptr); }), "gate is null: pass one that is open");
  BackendRef* second = open_host(1);
  StreamRef* foreign = createStream(second, 0);
  EXPECT_EQ(message_of([&] { gemm_in_callback(foreign, stream_, kF32, a, b, b); }),
            "stream of the GEMM belongs to another backend than the stream");
  destroyStream(foreign);
  closeBackend(second);
}

// A graph would run the callback again at each launch.
TEST_F(BindingsCallbackFixed, ACapturingStreamTakesNone) {
  BufferRef* a = buffer(1, kF32);
  BufferRef* b = buffer(1, kF32);
  BufferRef* c = buffer(-1, kF32);
  synchronizeStream(stream_);
  beginCapture(stream_, 2);
  EXPECT_NE(message_of([&] {
              waitAtGate(stream_, gate_);
            }).find("cannot be held at a gate while it captures"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              gemm_in_callback(stream_, other_, kF32, a, b, c);
            }).find("cannot be given a callback while it captures"),
            std::string::npos);
  fillBytes(stream_, c, 0);
  GraphRef* graph = endCapture(stream_);
  launchGraph(graph, stream_);
  EXPECT_EQ(read_on(stream_, c, kF32), all(0)) << "the capture went on";
  destroyGraph(graph);
}

// What a callback finds has no caller: it is kept, the rest goes on.
TEST(BindingsCallbackErrorsFixed, AFailureIsKept) {
  BackendRef* backend = open_host(1, "fail_call=rocblas_sgemm#1:6");
  StreamRef* stream = createStream(backend, 0);
  BufferRef* a = allocate(backend, 0, kCount * 4);
  BufferRef* b = allocate(backend, 0, kCount * 4);
  BufferRef* c = allocate(backend, 0, kCount * 4);
  for (BufferRef* buffer : {a, b, c}) fillBytes(stream, buffer, 0);
  for (int i = 0; i < 2; ++i) {
    gemmInCallback(stream, stream, kF32, false, false, kSide, kSide, kSide, 1, 1, a, b, 0, c);
  }
  synchronizeStream(stream);
  const std::string errors = callbackErrors(backend);
  EXPECT_EQ(read(counters(backend)).at("callback.errors"), "1");
  EXPECT_EQ(errors.find("rocblas_sgemm failed"), 0u) << errors;
  EXPECT_EQ(errors.find('\n'), errors.size() - 1) << "one line";
  EXPECT_EQ(read(counters(backend)).at("route.rocblas"), "1") << "the second one";
  for (BufferRef* buffer : {a, b, c}) freeBuffer(buffer);
  destroyStream(stream);
  closeBackend(backend);
}

}  // namespace
}  // namespace hiplab::bindings
