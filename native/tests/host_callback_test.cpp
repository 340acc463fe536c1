// Host callbacks on the software device.
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <set>
#include <thread>

#include "host_blaslt_tools.h"

namespace hiplab::test {
namespace {

using namespace std::chrono_literals;

// A callback that says when it began and returns when it is let go.
struct Gate {
  std::promise<void> began;
  std::promise<void> opened;
  std::shared_future<void> open = opened.get_future().share();
  static void call(void* self) {
    auto* gate = static_cast<Gate*>(self);
    gate->began.set_value();
    gate->open.wait();
  }
};

class HostCallbackFixed : public HostTest {
 protected:
  // Runs `work` in a callback. The function must live until the stream has been synchronized.
  void call(hipStream_t s, std::function<void()>& work) {
    EXPECT_EQ(t->hipLaunchHostFunc(
                  s, [](void* f) { (*static_cast<std::function<void()>*>(f))(); }, &work),
              hipSuccess);
  }
};

TEST_F(HostCallbackFixed, RunsInStreamOrderAndHoldsItsStream) {
  const auto s = stream();
  auto* p = upload(std::vector<std::uint8_t>(64, 1));
  auto* q = upload(std::vector<std::uint8_t>(64, 0));
  Gate gate;
  Hold hold(s);
  ASSERT_EQ(t->hipLaunchHostFunc(s, Gate::call, &gate), hipSuccess);
  ASSERT_EQ(t->hipMemcpyAsync(q, p, 64, hipMemcpyDeviceToDevice, s), hipSuccess);
  auto began = gate.began.get_future();
  EXPECT_EQ(began.wait_for(20ms), std::future_status::timeout) << "before its turn";
  hold.open();
  began.wait();
  EXPECT_EQ(t->hipStreamQuery(s), hipErrorNotReady);
  EXPECT_EQ(download(q, 64)[0], 0) << "the stream went on before the callback returned";
  gate.opened.set_value();
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  EXPECT_EQ(download(q, 64)[0], 1);
}

TEST_F(HostCallbackFixed, ABlockedOneDelaysEveryOtherButNoOtherWork) {
  const auto first = stream();
  const auto second = stream();
  const auto third = stream();
  auto* p = upload(std::vector<std::uint8_t>(64, 0));
  Gate gate;
  std::atomic<bool> other{false};
  std::function<void()> note = [&] { other = true; };
  ASSERT_EQ(t->hipLaunchHostFunc(first, Gate::call, &gate), hipSuccess);
  gate.began.get_future().wait();
  call(second, note);
  ASSERT_EQ(t->hipMemsetAsync(p, 4, 64, third), hipSuccess);
  EXPECT_EQ(t->hipStreamSynchronize(third), hipSuccess);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(other) << "two callbacks ran at once";
  EXPECT_EQ(t->hipStreamQuery(second), hipErrorNotReady);
  gate.opened.set_value();
  ASSERT_EQ(t->hipStreamSynchronize(second), hipSuccess);
  EXPECT_TRUE(other);
  EXPECT_EQ(download(p, 64)[0], 4);
}

TEST_F(HostCallbackFixed, OneAtATimeOnOneThreadThatIsNobodyElses) {
  open("splitk", 2);
  std::vector<hipStream_t> streams;
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(t->hipSetDevice(i % 2), hipSuccess);
    streams.push_back(stream());
  }
  std::set<std::thread::id> threads;  // without a lock: they run one at a time
  int running = 0;
  bool overlap = false;
  std::function<void()> note = [&] {
    overlap |= ++running != 1;
    threads.insert(std::this_thread::get_id());
    --running;
  };
  for (int round = 0; round < 20; ++round) {
    for (auto s : streams) call(s, note);
  }
  for (auto s : streams) ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  EXPECT_FALSE(overlap);
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_EQ(threads.count(std::this_thread::get_id()), 0u);
}

TEST_F(HostCallbackFixed, MayEnqueueAGemmOnItsOwnAndOnAnotherStream) {
  const auto s = stream();
  const auto other = stream();
  hipblasLtHandle_t handle = nullptr;
  ASSERT_EQ(t->hipblasLtCreate(&handle), HIPBLAS_STATUS_SUCCESS);
  Pipe pipe(t, HIP_R_32F, false, false, 8, 8, 8);
  auto* a = upload(std::vector<float>(64, 1.0f));
  auto* d = upload(std::vector<float>(64, 0.0f));
  auto* e = upload(std::vector<float>(64, 0.0f));
  std::function<void()> work = [&] {
    EXPECT_EQ(pipe.matmul(handle, a, a, d, nullptr, nullptr, 0, s), HIPBLAS_STATUS_SUCCESS);
    EXPECT_EQ(pipe.matmul(handle, a, a, e, nullptr, nullptr, 0, other), HIPBLAS_STATUS_SUCCESS);
    EXPECT_EQ(t->hipStreamSynchronize(other), hipSuccess) << "another stream may be waited for";
  };
  call(s, work);
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);  // the callback, not what it enqueued
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  EXPECT_EQ(download(d, 64)[63], 8.0f);
  EXPECT_EQ(download(e, 64)[63], 8.0f);
  t->hipblasLtDestroy(handle);
}

// Under HIP each of these would never return.
TEST_F(HostCallbackFixed, AWaitForItsOwnStreamIsRefused) {
  const auto s = stream();
  void* p = allocate(64);
  void* pinned = nullptr;
  ASSERT_EQ(t->hipHostMalloc(&pinned, 64, 0), hipSuccess);
  const auto before = event();
  const auto behind = event();
  std::vector<hipError_t> got;
  std::function<void()> work = [&] {
    got.push_back(t->hipStreamSynchronize(s));
    got.push_back(t->hipDeviceSynchronize());
    got.push_back(t->hipFree(p));
    got.push_back(t->hipHostFree(pinned));
    got.push_back(t->hipEventSynchronize(behind));
    EXPECT_EQ(t->hipEventSynchronize(before), hipSuccess);
  };
  Hold hold(s);
  ASSERT_EQ(t->hipEventRecord(before, s), hipSuccess);
  call(s, work);
  ASSERT_EQ(t->hipEventRecord(behind, s), hipSuccess);
  hold.open();
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  EXPECT_EQ(got, std::vector<hipError_t>(5, hipErrorNotSupported));
  EXPECT_EQ(t->hipHostFree(pinned), hipSuccess);
  EXPECT_EQ(t->hipFree(p), hipSuccess) << "a refused hipFree frees nothing";
}

TEST_F(HostCallbackFixed, AWaitForAnotherStreamsCallbackIsRefused) {
  const auto first = stream();
  const auto second = stream();
  std::atomic<bool> ran{false};
  hipError_t got = hipSuccess;
  std::function<void()> note = [&] { ran = true; };
  std::function<void()> wait = [&] {
    call(second, note);  // cannot run before this one returns
    got = t->hipStreamSynchronize(second);
  };
  call(first, wait);
  ASSERT_EQ(t->hipStreamSynchronize(first), hipSuccess);
  EXPECT_EQ(got, hipErrorNotSupported);
  ASSERT_EQ(t->hipStreamSynchronize(second), hipSuccess);
  EXPECT_TRUE(ran);
}

// The event is behind a callback that cannot run before this one returns.
TEST_F(HostCallbackFixed, AWaitForAnEventBehindAnotherStreamsCallbackIsRefused) {
  const auto first = stream();
  const auto second = stream();
  const auto ahead = event();
  const auto behind = event();
  std::vector<hipError_t> got;
  std::function<void()> nothing = [] {};
  std::function<void()> wait = [&] {
    t->hipEventRecord(ahead, second);
    call(second, nothing);
    t->hipEventRecord(behind, second);
    got.push_back(t->hipEventSynchronize(behind));
    got.push_back(t->hipEventSynchronize(ahead));
  };
  call(first, wait);
  ASSERT_EQ(t->hipStreamSynchronize(first), hipSuccess);
  EXPECT_EQ(got, (std::vector<hipError_t>{hipErrorNotSupported, hipSuccess}));
  EXPECT_EQ(t->hipEventSynchronize(behind), hipSuccess);
}

// Nothing of a refused call happens later.
TEST_F(HostCallbackFixed, ARefusedCopyOrFillHasNoEffect) {
  const auto s = stream();
  const auto other = stream();
  auto* p = upload(std::vector<std::uint8_t>(64, 1));
  auto* q = upload(std::vector<std::uint8_t>(64, 2));
  std::vector<std::uint8_t> own(64, 7);
  std::vector<std::uint8_t> others(64, 7);
  std::vector<std::uint8_t> whole(64, 7);
  hipblasLtHandle_t handle = nullptr;
  ASSERT_EQ(t->hipblasLtCreate(&handle), HIPBLAS_STATUS_SUCCESS);
  std::vector<hipError_t> got;
  hipblasStatus_t destroyed = HIPBLAS_STATUS_SUCCESS;
  std::function<void()> nothing = [] {};
  std::function<void()> work = [&] {
    got.push_back(t->hipMemcpyAsync(own.data(), p, 64, hipMemcpyDeviceToHost, s));
    call(other, nothing);  // cannot run before this one returns
    got.push_back(t->hipMemcpyAsync(others.data(), p, 64, hipMemcpyDeviceToHost, other));
    call(nullptr, nothing);
    got.push_back(t->hipMemcpy(whole.data(), p, 64, hipMemcpyDeviceToHost));
    got.push_back(t->hipMemcpy(q, own.data(), 64, hipMemcpyHostToDevice));
    got.push_back(t->hipMemset(q, 9, 64));
    destroyed = t->hipblasLtDestroy(handle);
  };
  call(s, work);
  for (hipStream_t each : {s, other, hipStream_t{nullptr}, s}) {
    ASSERT_EQ(t->hipStreamSynchronize(each), hipSuccess);
  }
  EXPECT_EQ(got, std::vector<hipError_t>(5, hipErrorNotSupported));
  for (const auto& host : {own, others, whole}) {
    EXPECT_EQ(host, std::vector<std::uint8_t>(64, 7)) << "a refused copy was made";
  }
  EXPECT_EQ(download(q, 64), std::vector<std::uint8_t>(64, 2)) << "a refused copy or fill was made";
  EXPECT_EQ(destroyed, HIPBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(t->hipblasLtDestroy(handle), HIPBLAS_STATUS_SUCCESS) << "the refused call destroyed it";
}

TEST_F(HostCallbackFixed, WrongArgumentsAreErrors) {
  int nothing = 0;
  EXPECT_EQ(t->hipLaunchHostFunc(stream(), nullptr, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(t->hipLaunchHostFunc(
                reinterpret_cast<hipStream_t>(&nothing), [](void*) {}, nullptr),
            hipErrorInvalidHandle);
}

TEST_F(HostCallbackFixed, EightThreadsQueueThemAtOnce) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      hipStream_t s = nullptr;
      t->hipStreamCreateWithFlags(&s, hipStreamNonBlocking);
      std::vector<int> seen;  // only the callbacks of this stream write it
      struct Note {
        std::vector<int>* seen;
        int round;
      };
      std::vector<Note> notes;
      for (int round = 0; round < 50; ++round) notes.push_back({&seen, round});
      for (Note& note : notes) {
        t->hipLaunchHostFunc(
            s,
            [](void* n) {
              auto* note = static_cast<Note*>(n);
              note->seen->push_back(note->round);
            },
            &note);
      }
      t->hipStreamSynchronize(s);
      for (int round = 0; round < 50; ++round) {
        wrong += seen.size() != 50 || seen[static_cast<std::size_t>(round)] != round;
      }
      t->hipStreamDestroy(s);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace hiplab::test
