// The encoders of a device and clearing them (mlxcel 2197: gpu::clear_streams).
#include <unistd.h>

#include <csignal>

#include "lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};  // needs a workspace

const driver::Provider& provider() { return host("splitk"); }

std::unique_ptr<Backend> open_with(const driver::Provider& on, Form form) {
  forms::FormChoice choice;
  choice.set("encoders", form);
  return std::make_unique<Backend>(on, forms::make_parts(choice));
}

std::int64_t lost(Backend& backend) {
  const auto counters = backend.counters();
  return counters.at("handles.encoders") - counters.at("ended.encoders");
}

class EncoderForms : public ::testing::TestWithParam<Form> {};

// A is destroying the encoders when B, on another stream, makes one. As filed B's insert, under the
// lock, and A's clearing, without it, work on one map: B's encoder is lost, with the error that B
// has recorded, and nothing ever ends it.
TEST_P(EncoderForms, AnEncoderMadeWhileOthersAreClearedIsKept) {
  const bool fixed = GetParam() == Form::fixed;
  const auto backend = open_with(provider(), GetParam());
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  backend::Encoders& encoders = backend->device(0).encoders();
  encoders.get(stream_a->get());
  HoldAt hold("encoders.destroy.begin");
  auto clearing = std::async(std::launch::async, [&] { backend->clear_streams(); });
  hold.wait_until_held();
  auto making =
      std::async(std::launch::async, [&] { encoders.get(stream_b->get())->record_error("of B"); });
  making.get();
  hold.release();
  clearing.get();
  EXPECT_EQ(encoders.find(stream_b->get()) != nullptr, fixed);
  EXPECT_EQ(stream_b->last_error(), fixed ? "of B" : "");
  EXPECT_EQ(encoders.find(stream_a->get()), nullptr);
  backend->clear_streams();
  EXPECT_EQ(lost(*backend), fixed ? 0 : 1);
}

HIPLAB_BOTH_FORMS(EncoderForms);

// Eight threads evaluate, each on its own stream, while a ninth clears.
enum Exit : int { kRight = 0, kWrong = 1, kThrew = 2, kLost = 3 };

int clear_while_evaluating(Form form) {
  const auto backend = open_with(provider(), form);
  std::atomic<int> wrong{0};
  std::atomic<int> running{8};
  try {
    on_threads(9, [&](int t) {
      if (t == 8) {
        do backend->clear_streams();
        while (running > 0);
        return;
      }
      struct Done {
        std::atomic<int>& count;
        ~Done() { --count; }
      } done{running};
      const auto stream = backend->stream(0);
      IntegerGemm gemm(*backend, *stream, kShape, 1, static_cast<unsigned>(t));
      for (int round = 0; round < 16; ++round) {
        gemm.poison();
        gemm.enqueue();
        wrong += gemm.wrong() != 0;
      }
    });
  } catch (const std::exception&) {
    return kThrew;
  }
  if (wrong > 0) return kWrong;
  backend->clear_streams();
  // A GEMM whose workspace went away was refused, and rocBLAS took it.
  if (backend->counters().at("route.fallback") > 0) return kWrong;
  return lost(*backend) == 0 ? kRight : kLost;
}

TEST(EncodersFixed, ClearingWhileEightThreadsEvaluate) {
  EXPECT_EQ(clear_while_evaluating(Form::fixed), kRight);
}

hipError_t failing_synchronize(hipStream_t) { return hipErrorLaunchFailure; }

// The wait of an encoder's destructor fails: it records the error, and for that looks its device
// and the encoders up.
std::string clear_with_a_failing_wait(Form form) {
  Patched patched(provider());
  const auto real = patched.table.hipStreamSynchronize;
  const auto backend = open_with(patched.provider, form);
  const auto stream = backend->stream(0);
  backend->device(0).encoders().get(stream->get());
  patched.table.hipStreamSynchronize = failing_synchronize;
  backend->clear_streams();
  patched.table.hipStreamSynchronize = real;
  return stream->last_error();
}

TEST(EncodersFixed, ADestructorThatRecordsAnErrorFinishes) {
  EXPECT_EQ(clear_with_a_failing_wait(Form::fixed),
            "hipStreamSynchronize failed: hipErrorLaunchFailure (719)");
}

// In processes of their own: they crash, or never end.
class EncodersFiledDeathTest : public ::testing::Test {
 protected:
  EncodersFiledDeathTest() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    provider();
  }

  static constexpr unsigned kDeadlineSeconds = 30;
};

TEST_F(EncodersFiledDeathTest, ClearingWhileEightThreadsEvaluate) {
  EXPECT_EXIT(
      {
        alarm(kDeadlineSeconds);
        int outcome = kRight;  // which on a busy machine it is now and then
        for (int round = 0; round < 5 && outcome == kRight; ++round) {
          outcome = clear_while_evaluating(Form::filed);
        }
        _exit(outcome);
      },
      [](int status) { return !(WIFEXITED(status) && WEXITSTATUS(status) == kRight); }, "");
}

// MUTEX_HELD: the destructor waits for the lock that clearing holds around it.
TEST_F(EncodersFiledDeathTest, ADestructorThatRecordsAnErrorWaitsForItself) {
  EXPECT_EXIT(
      {
        alarm(3);
        clear_with_a_failing_wait(Form::mutex_held);
        _exit(kRight);
      },
      ::testing::KilledBySignal(SIGALRM), "");
}

// MUTEX_HELD excludes the order in which the filed form loses an encoder.
TEST(EncodersHeld, ClearingExcludesMaking) {
  const auto backend = open_with(provider(), Form::mutex_held);
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  backend::Encoders& encoders = backend->device(0).encoders();
  encoders.get(stream_a->get());
  HoldAt hold("encoders.destroy.begin");
  auto clearing = std::async(std::launch::async, [&] { backend->clear_streams(); });
  hold.wait_until_held();
  auto making = std::async(std::launch::async, [&] { encoders.get(stream_b->get()); });
  EXPECT_EQ(making.wait_for(std::chrono::milliseconds(150)), std::future_status::timeout);
  hold.release();
  clearing.get();
  making.get();
  EXPECT_NE(encoders.find(stream_b->get()), nullptr);
}

TEST(EncodersFixed, StreamsStayUsableAndTheirWorkspaceIsFreed) {
  const auto backend = open_with(provider(), Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 1, 1);
  const auto blocks = [] { return driver::live_objects().at("memory_blocks"); };
  const auto before = blocks();
  for (int round = 1; round <= 3; ++round) {
    gemm.poison();
    gemm.enqueue();
    EXPECT_EQ(blocks(), before + 1);
    backend->clear_streams();
    EXPECT_EQ(blocks(), before);
    EXPECT_EQ(gemm.wrong(), 0);
    EXPECT_EQ(backend->counters().at("handles.workspaces"), round);
  }
}

// Whoever enqueues holds the encoder, and with it the buffer that the GEMM is about to use.
TEST(EncodersFixed, AWorkspaceInUseOutlivesTheClear) {
  const auto backend = open_with(provider(), Form::fixed);
  const auto stream = backend->stream(0);
  backend::Device& device = backend->device(0);
  auto encoder = device.encoders().get(stream->get());
  device.workspaces().acquire(stream->get(), 1024);
  const auto blocks = driver::live_objects().at("memory_blocks");
  backend->clear_streams();
  EXPECT_EQ(driver::live_objects().at("memory_blocks"), blocks);
  EXPECT_NE(device.encoders().get(stream->get()), encoder) << "the next operation gets its own";
  encoder.reset();
  EXPECT_EQ(driver::live_objects().at("memory_blocks"), blocks - 1);
}

hipStream_t g_capturing = nullptr;

hipError_t capture_info(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long*) {
  *status = stream == g_capturing ? hipStreamCaptureStatusActive : hipStreamCaptureStatusNone;
  return hipSuccess;
}

TEST(EncodersFixed, ACapturingStreamKeepsItsEncoder) {
  Patched patched(provider());
  patched.table.hipStreamGetCaptureInfo = capture_info;
  const auto backend = open_with(patched.provider, Form::fixed);
  const auto capturing = backend->stream(0);
  const auto other = backend->stream(0);
  backend::Encoders& encoders = backend->device(0).encoders();
  const auto kept = encoders.get(capturing->get());
  encoders.get(other->get());
  g_capturing = capturing->get();
  backend->clear_streams();
  g_capturing = nullptr;
  EXPECT_EQ(encoders.find(capturing->get()), kept);
  EXPECT_EQ(encoders.find(other->get()), nullptr);
}

// `body` runs while a clear has taken an encoder out and not ended it yet; it must wait for that.
template <typename Body>
auto behind_a_clear(Backend& backend, Body body) {
  HoldAt hold("encoders.destroy.begin");
  auto clearing = std::async(std::launch::async, [&] { backend.clear_streams(); });
  hold.wait_until_held();
  auto behind = std::async(std::launch::async, body);
  EXPECT_EQ(behind.wait_for(std::chrono::milliseconds(150)), std::future_status::timeout);
  hold.release();
  clearing.get();
  return behind.get();
}

// An encoder that a clear has taken out waits for its stream: a capture that began meanwhile would
// be lost, so it begins after that.
TEST(EncodersFixed, ACaptureBeginsWhenAClearHasEndedItsEncoder) {
  const auto backend = open_with(provider(), Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::f32, false, false, 32, 32, 32, 1}, 4, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  const auto graph = behind_a_clear(*backend, [&] {
    const auto capture = backend->capture(*stream, hipStreamCaptureModeRelaxed);
    gemm.enqueue();
    return capture->end();
  });
  gemm.poison();
  graph->launch(*stream);
  EXPECT_EQ(gemm.wrong(), 0);
}

// The same of a stream that joins another one's capture.
TEST(EncodersFixed, AStreamJoinsACaptureWhenAClearHasEndedItsEncoder) {
  const auto backend = open_with(provider(), Form::fixed);
  const auto stream = backend->stream(0);
  const auto joining = backend->stream(0);
  const auto fork = backend->event(0, false);
  const auto join = backend->event(0, false);
  IntegerGemm gemm(*backend, *joining, {ElementType::f32, false, false, 32, 32, 32, 1}, 4, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  const auto graph = behind_a_clear(*backend, [&] {
    const auto capture = backend->capture(*stream, hipStreamCaptureModeRelaxed);
    fork->record(*stream);
    fork->make_wait(*joining);
    gemm.enqueue();
    join->record(*joining);
    join->make_wait(*stream);
    return capture->end();
  });
  gemm.poison();
  joining->synchronize();
  graph->launch(*stream);
  stream->synchronize();
  EXPECT_EQ(gemm.wrong(), 0);
}

// A stream that has joined is not waited for: that would end the capture.
TEST(EncodersFixed, AClearLeavesAStreamThatHasJoinedACapture) {
  const auto backend = open_with(provider(), Form::fixed);
  const auto stream = backend->stream(0);
  const auto joining = backend->stream(0);
  const auto fork = backend->event(0, false);
  const auto join = backend->event(0, false);
  backend::Encoders& encoders = backend->device(0).encoders();
  const auto kept = encoders.get(joining->get());
  const auto capture = backend->capture(*stream, hipStreamCaptureModeRelaxed);
  fork->record(*stream);
  fork->make_wait(*joining);
  backend->clear_streams();
  EXPECT_EQ(encoders.find(joining->get()), kept);
  join->record(*joining);
  join->make_wait(*stream);
  EXPECT_NO_THROW(capture->end());
  backend->clear_streams();
  EXPECT_EQ(encoders.find(joining->get()), nullptr) << "and cleared afterwards";
}

// The same of a stream that is closed: its handle value may be another stream's soon.
TEST(EncodersFixed, AStreamIsClosedWhenAClearHasEndedItsEncoder) {
  const auto backend = open_with(provider(), Form::fixed);
  auto stream = backend->stream(0);
  backend->device(0).encoders().get(stream->get());
  behind_a_clear(*backend, [&] { stream.reset(); });
  EXPECT_EQ(backend->stream(0)->last_error(), "");
}

// Runs `body` in a host callback of the stream, which waits and frees are refused in.
void in_callback(const CommandStream& stream, const std::function<void()>& body) {
  struct Call {
    const std::function<void()>& body;
    std::promise<void> done;
  } call{body, {}};
  ASSERT_EQ(provider().table->hipLaunchHostFunc(
                stream.get(),
                [](void* user) {
                  auto& one = *static_cast<Call*>(user);
                  one.body();
                  one.done.set_value();
                },
                &call),
            hipSuccess);
  call.done.get_future().get();
  ASSERT_EQ(provider().table->hipStreamSynchronize(stream.get()), hipSuccess);
}

class UnfreedFixed : public ::testing::Test {
 protected:
  static std::int64_t blocks() { return driver::live_objects().at("memory_blocks"); }

  // A stream whose encoder has a workspace and a temporary.
  std::unique_ptr<CommandStream> used_stream() {
    auto stream = backend_->stream(0);
    backend::Device& device = backend_->device(0);
    device.encoders().get(stream->get());
    device.workspaces().acquire(stream->get(), 1024);
    auto kept = std::make_shared<int>(1);
    temporary_ = kept;
    stream->keep(std::move(kept));
    return stream;
  }

  const driver::Provider& provider_ = provider();  // first: it counts the blocks
  const std::int64_t before_ = blocks();
  std::unique_ptr<Backend> backend_ = open_with(provider_, Form::fixed);
  std::weak_ptr<int> temporary_;
};

TEST_F(UnfreedFixed, ByAClearInACallbackIsFreedByTheNextClear) {
  const auto stream = used_stream();
  in_callback(*stream, [&] { backend_->clear_streams(); });
  EXPECT_EQ(backend_->device(0).encoders().find(stream->get()), nullptr);
  EXPECT_FALSE(temporary_.expired()) << "its stream has not been waited for";
  backend_->clear_streams();
  EXPECT_EQ(blocks(), before_);
  EXPECT_TRUE(temporary_.expired());
}

// The wait for another stream succeeds there; hipFree does not.
TEST_F(UnfreedFixed, OfAnotherStreamThanTheCallbacksIsFreedByTheNextClear) {
  const auto stream = used_stream();
  const auto other = backend_->stream(0);
  in_callback(*other, [&] { backend_->clear_streams(); });
  backend_->clear_streams();
  EXPECT_EQ(blocks(), before_);
  EXPECT_TRUE(temporary_.expired());
}

TEST_F(UnfreedFixed, ByAnEncoderThatEndsInACallbackIsFreedByTheNextClear) {
  const auto stream = used_stream();
  auto encoder = backend_->device(0).encoders().find(stream->get());
  backend_->clear_streams();
  in_callback(*stream, [&] { encoder.reset(); });
  backend_->clear_streams();
  EXPECT_EQ(blocks(), before_);
  EXPECT_TRUE(temporary_.expired());
}

TEST_F(UnfreedFixed, IsFreedWhenTheStreamIsClosed) {
  auto stream = used_stream();
  in_callback(*stream, [&] { backend_->clear_streams(); });
  stream.reset();
  EXPECT_EQ(blocks(), before_);
  EXPECT_TRUE(temporary_.expired());
}

// The stream is closed in a callback of another one: its handle is not touched any more.
TEST_F(UnfreedFixed, OfAStreamClosedInACallbackIsFreedByTheNextClear) {
  auto stream = used_stream();
  const auto other = backend_->stream(0);
  in_callback(*other, [&] { backend_->clear_streams(); });
  in_callback(*other, [&] { stream.reset(); });
  backend_->clear_streams();
  EXPECT_EQ(blocks(), before_);
  EXPECT_TRUE(temporary_.expired());
}

TEST_F(UnfreedFixed, IsFreedWithTheBackend) {
  const auto stays = open_with(provider(), Form::fixed);
  const auto elsewhere = stays->stream(0);
  auto stream = used_stream();
  in_callback(*elsewhere, [&] { stream.reset(); });
  EXPECT_GT(blocks(), before_);
  backend_.reset();
  EXPECT_EQ(blocks(), before_);
  EXPECT_TRUE(temporary_.expired());
}

// Waiting for the stream would end its capture.
TEST_F(UnfreedFixed, OfACapturingStreamIsLeftUntilTheCaptureHasEnded) {
  const auto stream = used_stream();
  in_callback(*stream, [&] { backend_->clear_streams(); });
  const auto capture = backend_->capture(*stream, hipStreamCaptureModeRelaxed);
  backend_->clear_streams();
  EXPECT_FALSE(temporary_.expired());
  EXPECT_NO_THROW(capture->end());
  backend_->clear_streams();
  EXPECT_EQ(blocks(), before_);
  EXPECT_TRUE(temporary_.expired());
}

TEST(EncodersFixed, TemporariesLiveUntilTheStreamHasBeenWaitedFor) {
  const auto backend = open_with(provider(), Form::fixed);
  const auto stream = backend->stream(0);
  auto first = std::make_shared<int>(1);
  auto second = std::make_shared<int>(2);
  const std::weak_ptr<int> waited = first;
  const std::weak_ptr<int> cleared = second;
  stream->keep(std::move(first));
  EXPECT_FALSE(waited.expired());
  stream->synchronize();
  EXPECT_TRUE(waited.expired());
  stream->keep(std::move(second));
  EXPECT_FALSE(cleared.expired());
  backend->clear_streams();
  EXPECT_TRUE(cleared.expired());
}

TEST(EncodersFixed, AStreamRemembersItsLastErrorAndAnotherDoesNot) {
  const auto backend = open_with(provider(), Form::fixed);
  const auto stream = backend->stream(0);
  const auto other = backend->stream(0);
  const auto block = backend->memory(0, 16);
  const backend::GemmCall too_large{{ElementType::f32, false, false, 64, 64, 64, 1},
                                    1.0f,
                                    block->get(),
                                    block->get(),
                                    0.0f,
                                    block->get()};
  EXPECT_EQ(stream->last_error(), "");
  EXPECT_THROW(backend->gemm(*stream, too_large), Error);
  EXPECT_NE(stream->last_error().find("rocblas_sgemm failed"), std::string::npos)
      << stream->last_error();
  EXPECT_EQ(other->last_error(), "");
}

}  // namespace
}  // namespace hiplab::lab
