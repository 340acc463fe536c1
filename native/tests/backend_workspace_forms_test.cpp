// Every form of the workspace (mlxcel 2200): who shares scratch memory with whom, and what orders
// them.
#include <array>

#include "forms_lab.h"

namespace hiplab::lab {
namespace {

using backend::kMaxWorkspaceBytes;

constexpr GemmShape kSmall{ElementType::bf16, false, true, 64, 64, 64, 1};     // 64 KiB of scratch
constexpr GemmShape kLarge{ElementType::bf16, false, true, 256, 256, 256, 1};  // 1 MiB or more

constexpr Form kRight[] = {Form::fixed, Form::lease_sync, Form::event_handoff, Form::per_call};
constexpr Form kWrong[] = {Form::filed, Form::lease_call, Form::thread_owned};

bool waits_for_the_first(Form form) {
  return form == Form::lease_sync || form == Form::event_handoff;
}

class AnyWorkspace : public ::testing::TestWithParam<Form> {
 protected:
  std::unique_ptr<Backend> open_form() {
    return open_with(noted_.provider(), "workspace", GetParam());
  }

  Noted noted_{host("splitk")};
};

// A's stream stands still with a GEMM queued on it when the same thread, as the host-callback
// thread does, enqueues B's on another stream. Whoever gives both the same scratch must keep B's
// kernel from running.
class PendingWorkspace : public AnyWorkspace {
 protected:
  // Whether B's GEMM ran to its end in the scratch that A's, still pending, was given.
  bool two_users_of_one_scratch() {
    const auto backend = open_form();
    const auto stream_a = backend->stream(0);
    const auto stream_b = backend->stream(0);
    IntegerGemm a(*backend, *stream_a, kSmall, 1, 1);
    IntegerGemm b(*backend, *stream_b, kSmall, 1, 2);
    a.enqueue();  // handles, pipes and buffers are made
    EXPECT_EQ(a.wrong(), 0);
    a.poison();
    stream_a->synchronize();
    const std::size_t before = noted_.matmuls().size();

    Gate gate;
    gate.hold(stream_a->get());
    // The same thread for both, but where the call itself waits.
    const bool call_waits = GetParam() == Form::lease_sync;
    auto first =
        std::async(call_waits ? std::launch::async : std::launch::deferred, [&] { a.enqueue(); });
    if (!call_waits) first.get();
    while (noted_.matmuls().size() == before) std::this_thread::yield();  // it has its scratch
    auto second =
        std::async(call_waits ? std::launch::async : std::launch::deferred, [&] { b.enqueue(); });
    bool b_ran = false;
    if (call_waits) {
      b_ran = second.wait_for(std::chrono::milliseconds(150)) == std::future_status::ready;
    } else {
      second.get();
      if (waits_for_the_first(GetParam())) {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        b_ran = stream_b->idle();
      } else {
        stream_b->synchronize();  // returns although A's stream stands still
        b_ran = true;
      }
    }
    gate.open();
    if (call_waits) {
      first.get();
      second.get();
    }
    EXPECT_EQ(a.wrong(), 0);  // one after the other, so the output is right in every form
    EXPECT_EQ(b.wrong(), 0);
    const auto calls = noted_.matmuls();
    EXPECT_EQ(calls.size(), before + 2);
    return b_ran && calls[before].workspace == calls[before + 1].workspace;
  }
};

TEST_P(PendingWorkspace, SecondStreamWhileTheFirstStandsStill) {
  const bool right =
      std::find(std::begin(kRight), std::end(kRight), GetParam()) != std::end(kRight);
  EXPECT_EQ(two_users_of_one_scratch(), !right);
}

INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, PendingWorkspace, ::testing::ValuesIn(kRight),
                         form_name);
INSTANTIATE_TEST_SUITE_P(FiledAndOtherWrong, PendingWorkspace, ::testing::ValuesIn(kWrong),
                         form_name);

// Eight GEMMs on each of four streams, enqueued by one thread and let go at once.
class QueuedWorkspace : public AnyWorkspace {
 protected:
  int wrong_in_rounds(int rounds) {
    const auto backend = open_form();
    std::vector<std::unique_ptr<CommandStream>> streams;
    std::vector<std::vector<std::unique_ptr<IntegerGemm>>> gemms(4);
    for (unsigned s = 0; s < 4; ++s) {
      streams.push_back(backend->stream(0));
      for (unsigned i = 0; i < 8; ++i) {
        gemms[s].push_back(
            std::make_unique<IntegerGemm>(*backend, *streams[s], kSmall, 1, 100 * s + i));
      }
    }
    int wrong = 0;
    for (int round = 0; round < rounds && wrong == 0; ++round) {
      Gate gate;
      for (const auto& stream : streams) {
        if (GetParam() != Form::lease_sync) gate.hold(stream->get());  // its calls would wait
      }
      for (std::size_t i = 0; i < 8; ++i) {
        for (auto& own : gemms) {
          own[i]->poison();
          own[i]->enqueue();
        }
      }
      gate.open();
      for (auto& own : gemms) {
        for (auto& gemm : own) wrong += gemm->wrong() != 0;
      }
    }
    EXPECT_EQ(backend->counters().at("route.fallback"), 0);
    return wrong;
  }
};

class QueuedWorkspaceRight : public QueuedWorkspace {};
TEST_P(QueuedWorkspaceRight, Exact) { EXPECT_EQ(wrong_in_rounds(5), 0); }
INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, QueuedWorkspaceRight, ::testing::ValuesIn(kRight),
                         form_name);

// Scratch memory is overwritten between the steps of a GEMM, so the product is wrong.
class QueuedWorkspaceWrong : public QueuedWorkspace {};
TEST_P(QueuedWorkspaceWrong, Corrupt) { EXPECT_GT(wrong_in_rounds(50), 0); }
INSTANTIATE_TEST_SUITE_P(FiledAndOtherWrong, QueuedWorkspaceWrong, ::testing::ValuesIn(kWrong),
                         form_name);

// Eight threads with a stream each, one part in a form that is right.
TEST_P(QueuedWorkspaceRight, EightThreads) {
  const auto backend = open_form();
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    std::vector<std::unique_ptr<IntegerGemm>> gemms;
    for (unsigned i = 0; i < 8; ++i) {
      gemms.push_back(std::make_unique<IntegerGemm>(*backend, *stream, kSmall, 1, 100u * t + i));
    }
    for (auto& gemm : gemms) gemm->enqueue();
    for (auto& gemm : gemms) EXPECT_EQ(gemm->wrong(), 0);
  });
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 64);
}

// The host-callback thread makes GEMMs for every stream. Per stream: the encoding thread and the
// callback thread use one stream's buffer, in stream order. Per thread: one stream has two buffers,
// and two streams share the callback thread's.
class CallbackWorkspace : public AnyWorkspace {};

TEST_P(CallbackWorkspace, CallbackThreadServesEveryStream) {
  const auto backend = open_form();
  const auto caller = backend->stream(0);
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  IntegerGemm encoded(*backend, *stream_a, kSmall, 1, 1);
  std::array<std::unique_ptr<IntegerGemm>, 2> in_callback{
      std::make_unique<IntegerGemm>(*backend, *stream_a, kSmall, 1, 2),
      std::make_unique<IntegerGemm>(*backend, *stream_b, kSmall, 1, 3)};
  encoded.enqueue();
  const auto enqueue_both = [](void* user) {
    for (auto& gemm : *static_cast<std::array<std::unique_ptr<IntegerGemm>, 2>*>(user)) {
      gemm->enqueue();
    }
  };
  ASSERT_EQ(backend->api().hipLaunchHostFunc(caller->get(), enqueue_both, &in_callback),
            hipSuccess);
  caller->synchronize();
  EXPECT_EQ(encoded.wrong(), 0);
  const auto calls = noted_.matmuls();
  ASSERT_EQ(calls.size(), 3u);
  ASSERT_NE(calls[0].thread, calls[1].thread);
  ASSERT_EQ(calls[1].thread, calls[2].thread);
  const bool fixed = GetParam() == Form::fixed;
  EXPECT_EQ(calls[0].workspace == calls[1].workspace, fixed);
  EXPECT_EQ(calls[1].workspace == calls[2].workspace, !fixed);
  if (!fixed) return;  // right or wrong, as the two kernels happen to overlap
  EXPECT_EQ(in_callback[0]->wrong(), 0);
  EXPECT_EQ(in_callback[1]->wrong(), 0);
}

INSTANTIATE_TEST_SUITE_P(Fixed, CallbackWorkspace, ::testing::Values(Form::fixed), form_name);
INSTANTIATE_TEST_SUITE_P(OtherWrong, CallbackWorkspace, ::testing::Values(Form::thread_owned),
                         form_name);

class WorkspaceLifeForms : public ::testing::TestWithParam<Form> {
 protected:
  bool filed() const { return GetParam() == Form::filed; }

  Noted noted_{host("splitk")};
};

// A's GEMM has been given the buffer and is about to make its call when B's larger one grows it. As
// filed, A's call is made with freed memory.
TEST_P(WorkspaceLifeForms, GrowthBetweenAcquireAndCall) {
  const auto backend = open_with(noted_.provider(), "workspace", GetParam());
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  IntegerGemm a(*backend, *stream_a, kSmall, 1, 1);
  IntegerGemm b(*backend, *stream_b, kLarge, 1, 2);
  a.enqueue();
  EXPECT_EQ(a.wrong(), 0);
  HoldAt hold("workspace.acquired");
  auto first = std::async(std::launch::async, [&] { a.enqueue(); });
  hold.wait_until_held();
  b.enqueue();
  EXPECT_EQ(b.wrong(), 0);
  hold.release();
  first.get();
  stream_a->synchronize();
  EXPECT_EQ(noted_.uses_of_freed(), filed() ? 1 : 0);
}

// A's GEMM is queued already when B's grows the buffer: hipFree waits for the device, so A's
// scratch lives long enough. What it costs: B's enqueue waits for a stream that is none of its
// business.
TEST_P(WorkspaceLifeForms, GrowthWhileAGemmIsQueued) {
  const auto backend = open_with(noted_.provider(), "workspace", GetParam());
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  IntegerGemm a(*backend, *stream_a, kSmall, 1, 1);
  IntegerGemm b(*backend, *stream_b, kLarge, 1, 2);
  a.enqueue();
  EXPECT_EQ(a.wrong(), 0);
  a.poison();
  Gate gate;
  gate.hold(stream_a->get());
  a.enqueue();
  auto second = std::async(std::launch::async, [&] { b.enqueue(); });
  if (filed()) {
    EXPECT_EQ(second.wait_for(std::chrono::milliseconds(150)), std::future_status::timeout);
  } else {
    second.wait();
  }
  gate.open();
  second.get();
  EXPECT_EQ(a.wrong(), 0);
  EXPECT_EQ(b.wrong(), 0);
  EXPECT_EQ(noted_.uses_of_freed(), 0);
}

// A stream is destroyed while its GEMM is queued, and another one comes, perhaps with its handle
// value. It must not be given a buffer that is still in use.
TEST_P(WorkspaceLifeForms, StreamThatReplacesADestroyedOne) {
  const auto backend = open_with(noted_.provider(), "workspace", GetParam());
  const driver::Table& api = backend->api();
  backend::Workspaces& workspaces = backend->device(0).workspaces();
  hipStream_t old_stream = nullptr;
  ASSERT_EQ(api.hipStreamCreateWithFlags(&old_stream, hipStreamNonBlocking), hipSuccess);
  void* old_scratch = workspaces.acquire(old_stream, 4096).pointer();
  const auto marker = std::make_shared<driver::host::Marker>();
  const auto queue = driver::host::machine().queue(old_stream);
  ASSERT_EQ(queue->enqueue([marker] { return marker; }), hipSuccess);
  // The user of the scratch.
  ASSERT_EQ(api.hipMemsetAsync(old_scratch, 0, 4096, old_stream), hipSuccess);
  auto closing = std::async(std::launch::async, [&] {
    workspaces.release(old_stream);
    EXPECT_EQ(api.hipStreamDestroy(old_stream), hipSuccess);
  });
  if (filed()) {
    closing.wait();  // nothing waits for the stream
  } else {
    EXPECT_EQ(closing.wait_for(std::chrono::milliseconds(150)), std::future_status::timeout);
    marker->complete();
    closing.wait();
  }
  const auto stream = backend->stream(0);
  void* scratch = workspaces.acquire(stream->get(), 4096).pointer();
  const bool still_used = !queue->idle();
  EXPECT_EQ(still_used && scratch == old_scratch, filed());
  if (filed()) marker->complete();
  EXPECT_EQ(api.hipDeviceSynchronize(), hipSuccess);
}

// Init and a GEMM that found no buffer allocate at once: pointer A, pointer B, size B, size A. The
// record then says 32 MiB of a small block, and a later GEMM writes past its end. The fixed form
// does not allocate in init, so nobody stops at these points.
TEST_P(WorkspaceLifeForms, InitInterleavedWithAGemm) {
  noted_.give_tails();
  forms::FormChoice choice;
  choice.set("workspace", GetParam());
  choice.set("blaslt-handle", GetParam());
  Backend backend(noted_.provider(), forms::make_parts(choice));
  const auto stream_a = backend.stream(0);
  const auto stream_b = backend.stream(0);
  IntegerGemm a(backend, *stream_a, kSmall, 1, 1);
  IntegerGemm b(backend, *stream_b, kSmall, 1, 2);
  IntegerGemm later(backend, *stream_b, kLarge, 1, 3);
  const auto own = noted_.blocks();
  {
    std::mutex mutex;
    std::condition_variable changed;
    std::set<std::string> happened;
    const auto tell = [&](const char* what) {
      happened.insert(what);
      changed.notify_all();
    };
    const sync::ListenToPoints listener([&](const std::string& name, std::thread::id) {
      static thread_local bool growing = false;
      std::unique_lock lock(mutex);
      const auto wait_for = [&](const char* what) {
        changed.wait_for(lock, std::chrono::seconds(60), [&] { return happened.contains(what); });
      };
      if (name == "blaslt.init.available-set") {
        tell("A is available");
        wait_for("B found nothing");
      } else if (name == "workspace.grow.begin") {
        growing = true;
      } else if (name == "workspace.create.begin" && growing) {
        tell("B found nothing");  // and has freed nothing
        wait_for("pointer A");
      } else if (name == "workspace.init.pointer-set") {
        tell("pointer A");
        wait_for("size B");
      } else if (name == "workspace.grow.size-set") {
        growing = false;
        tell("size B");
      }
    });
    auto first = std::async(std::launch::async, [&] { a.enqueue(); });
    if (filed()) {
      std::unique_lock lock(mutex);
      ASSERT_TRUE(changed.wait_for(lock, std::chrono::seconds(60),
                                   [&] { return happened.contains("A is available"); }));
    }
    auto second = std::async(std::launch::async, [&] { b.enqueue(); });
    second.get();
    first.get();
  }
  stream_a->synchronize();  // its scratch is everybody's
  later.enqueue();
  EXPECT_EQ(later.wrong(), 0) << "right all the same: the tail takes what is written past the end";
  const auto calls = noted_.matmuls();
  ASSERT_EQ(calls.size(), 3u);
  void* scratch = calls.back().workspace;
  const std::size_t real_bytes = noted_.blocks().at(scratch);
  EXPECT_EQ(real_bytes < kMaxWorkspaceBytes, filed()) << "the record says " << kMaxWorkspaceBytes;
  EXPECT_EQ(noted_.tail_intact(scratch, real_bytes), !filed());
  // A's buffer is in no record any more: it leaks. Fixed: one for each stream.
  EXPECT_EQ(backend.counters().at("handles.workspaces"), 2);
  EXPECT_EQ(noted_.blocks().size() - own.size(), 2u);
}

// There is no memory for the workspace, once. Fixed: the GEMM is refused with the bytes named, and
// the next one has a buffer of full size. As filed: init keeps quiet, and the buffer is as small as
// the first GEMM that needs one, which is what makes it grow later.
TEST_P(WorkspaceLifeForms, AllocationFailure) {
  forms::FormChoice choice;
  choice.set("workspace", GetParam());
  choice.set("blaslt-handle", GetParam());
  Backend backend(noted_.provider(), forms::make_parts(choice));
  const auto stream = backend.stream(0);
  IntegerGemm gemm(backend, *stream, kSmall, 1, 1);
  noted_.fail_allocations(kMaxWorkspaceBytes, 1);
  ::testing::internal::CaptureStderr();
  gemm.enqueue();
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(told.find("failed to allocate workspace of 65536 bytes") != std::string::npos,
            !filed());
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  const auto calls = noted_.matmuls();
  for (const auto& call : calls) EXPECT_NE(call.workspace, nullptr);
  EXPECT_EQ(noted_.blocks().at(calls.back().workspace), filed() ? 65536u : kMaxWorkspaceBytes);
}

HIPLAB_BOTH_FORMS(WorkspaceLifeForms);

// Looking for an algorithm, one whose workspace cannot be had is skipped.
TEST(WorkspaceFixed, RetrySkipsAnAlgorithmWithoutMemory) {
  Noted noted(host("splitk"));
  Backend backend(noted.provider(), forms::make_parts({}));
  const auto stream = backend.stream(0);
  IntegerGemm gemm(backend, *stream, kSmall, 1, 1);
  const auto offers = backend.heuristics(0, kSmall, 8, kMaxWorkspaceBytes);
  ASSERT_GT(offers.at(0).workspaceSize, 0u);
  backend.device(0).algorithms().store(kSmall, {});  // fits nothing, so that there is a retry
  noted.fail_allocations(kMaxWorkspaceBytes, 100);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend.counters().at("route.hipblaslt"), 1);
  EXPECT_EQ(noted.matmuls().back().workspace, nullptr);
}

}  // namespace
}  // namespace hiplab::lab
