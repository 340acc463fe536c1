// Workspaces: one per stream against one per device (mlxcel 2200).
#include <barrier>
#include <map>
#include <optional>
#include <set>

#include "backend/stream_workspaces.h"
#include "forms/shared_workspace.h"
#include "lab.h"

namespace hiplab::lab {
namespace {

using backend::kMaxWorkspaceBytes;
using backend::WorkspaceLease;

// What the device was asked for, noted by the patched calls below.
struct Notes {
  std::mutex mutex;
  std::map<void*, std::size_t> allocated;  // every block's real size
  std::set<void*> freed;
  std::vector<std::string> calls;
  bool fail_workspace_mallocs = false;
  hipStreamCaptureStatus capture = hipStreamCaptureStatusNone;
};
Notes* g_notes = nullptr;
const driver::Table* g_real = nullptr;

hipError_t noting_malloc(void** pointer, size_t bytes) {
  const std::lock_guard lock(g_notes->mutex);
  g_notes->calls.push_back("hipMalloc");
  if (g_notes->fail_workspace_mallocs && bytes == kMaxWorkspaceBytes) return hipErrorOutOfMemory;
  const hipError_t status = g_real->hipMalloc(pointer, bytes);
  if (status == hipSuccess) {
    g_notes->allocated[*pointer] = bytes;
    g_notes->freed.erase(*pointer);
  }
  return status;
}

hipError_t noting_free(void* pointer) {
  {
    const std::lock_guard lock(g_notes->mutex);
    g_notes->calls.push_back("hipFree");
    g_notes->freed.insert(pointer);
  }
  return g_real->hipFree(pointer);
}

hipError_t noting_synchronize(hipStream_t stream) {
  {
    const std::lock_guard lock(g_notes->mutex);
    g_notes->calls.push_back("hipStreamSynchronize");
  }
  return g_real->hipStreamSynchronize(stream);
}

hipError_t told_capture_info(hipStream_t, hipStreamCaptureStatus* status, unsigned long long*) {
  *status = g_notes->capture;
  return hipSuccess;
}

class Watched {
 public:
  Watched() : patched(host("splitk")) {
    g_notes = &notes;
    g_real = host("splitk").table;
    patched.table.hipMalloc = noting_malloc;
    patched.table.hipFree = noting_free;
    patched.table.hipStreamSynchronize = noting_synchronize;
    patched.table.hipStreamGetCaptureInfo = told_capture_info;
  }
  backend::Context context() { return {patched.provider, counters}; }
  std::size_t real_bytes(void* pointer) {
    const std::lock_guard lock(notes.mutex);
    return notes.allocated.at(pointer);
  }
  bool freed(void* pointer) {
    const std::lock_guard lock(notes.mutex);
    return notes.freed.contains(pointer);
  }

  Notes notes;
  Patched patched;
  backend::Counters counters;
};

class WorkspaceForms : public ::testing::TestWithParam<Form> {
 protected:
  std::unique_ptr<backend::Workspaces> make() {
    if (GetParam() == Form::fixed) {
      return std::make_unique<backend::StreamWorkspaces>(watched_.context(), 0);
    }
    return std::make_unique<forms::SharedWorkspace>(watched_.context(), 0);
  }

  Watched watched_;
  std::unique_ptr<Backend> backend_ = open(watched_.patched.provider, Form::fixed);
  std::unique_ptr<CommandStream> one_ = backend_->stream(0);
  std::unique_ptr<CommandStream> two_ = backend_->stream(0);
};

TEST_P(WorkspaceForms, TwoStreams) {
  const auto workspaces = make();
  const WorkspaceLease first = workspaces->acquire(one_->get(), 1 << 20);
  const WorkspaceLease second = workspaces->acquire(two_->get(), 1 << 20);
  ASSERT_NE(first.pointer(), nullptr);
  EXPECT_EQ(first.pointer() != second.pointer(), GetParam() == Form::fixed);
}

// The stream of one caller serves another one too (the host-callback thread): same buffer.
TEST_P(WorkspaceForms, OneStreamFromTwoThreads) {
  const auto workspaces = make();
  const auto acquire = [&] { return workspaces->acquire(one_->get(), 4096).pointer(); };
  EXPECT_EQ(acquire(), std::async(std::launch::async, acquire).get());
}

// Both enqueue at once: the steps of two matmuls on one stream would mix in its buffer.
TEST_P(WorkspaceForms, OneLeaseOfAStreamAtATime) {
  const auto workspaces = make();
  const auto acquire = [&](CommandStream& stream) { workspaces->acquire(stream.get(), 4096); };
  std::optional<WorkspaceLease> lease = workspaces->acquire(one_->get(), 4096);
  auto same = std::async(std::launch::async, acquire, std::ref(*one_));
  if (GetParam() == Form::fixed) {
    EXPECT_EQ(same.wait_for(std::chrono::milliseconds(150)), std::future_status::timeout);
  } else {
    same.get();
  }
  std::async(std::launch::async, acquire, std::ref(*two_)).get();  // another stream is free
  lease.reset();
  if (same.valid()) same.get();
}

TEST_P(WorkspaceForms, NoneRequiredMeansNone) {
  const auto workspaces = make();
  EXPECT_EQ(workspaces->acquire(one_->get(), 0).pointer(), nullptr);
  EXPECT_TRUE(watched_.notes.allocated.empty());
}

// Another stream asks for more than the recorded size while this one is about to use its buffer.
// As filed, growth frees it.
TEST_P(WorkspaceForms, GrowthWhileAnotherStreamHoldsABuffer) {
  const auto workspaces = make();
  const WorkspaceLease held = workspaces->acquire(one_->get(), 4096);
  workspaces->acquire(two_->get(), 1 << 20);
  EXPECT_EQ(watched_.freed(held.pointer()), GetParam() == Form::filed);
}

// A stream that captures and has no buffer. Fixed: an error that names the bytes, and no call that
// would end the capture. As filed: hipMalloc.
TEST_P(WorkspaceForms, CaptureWithoutABuffer) {
  const auto workspaces = make();
  watched_.notes.capture = hipStreamCaptureStatusActive;
  std::string message;
  try {
    workspaces->acquire(one_->get(), 65536);
  } catch (const Error& error) {
    message = error.what();
  }
  watched_.notes.capture = hipStreamCaptureStatusNone;
  EXPECT_EQ(message, GetParam() == Form::fixed
                         ? "hipBLASLt: algorithm needs 65536 bytes of workspace on a capturing "
                           "stream with none allocated"
                         : "");
  EXPECT_EQ(watched_.notes.allocated.empty(), GetParam() == Form::fixed);
}

HIPLAB_BOTH_FORMS(WorkspaceForms);

class WorkspaceFixed : public ::testing::Test {
 protected:
  Watched watched_;
  std::unique_ptr<Backend> backend_ = open(watched_.patched.provider, Form::fixed);
  std::unique_ptr<CommandStream> stream_ = backend_->stream(0);
};

TEST_F(WorkspaceFixed, BufferKeepsItsSizeAndPlace) {
  backend::StreamWorkspaces workspaces(watched_.context(), 0);
  void* const small = workspaces.acquire(stream_->get(), 1).pointer();
  const WorkspaceLease large = workspaces.acquire(stream_->get(), kMaxWorkspaceBytes);
  EXPECT_EQ(small, large.pointer());
  EXPECT_EQ(large.bytes(), kMaxWorkspaceBytes);
  EXPECT_EQ(watched_.real_bytes(small), kMaxWorkspaceBytes);
  EXPECT_THROW(workspaces.acquire(stream_->get(), kMaxWorkspaceBytes + 1), Error);
}

TEST_F(WorkspaceFixed, CapturingStreamUsesTheBufferItHas) {
  backend::StreamWorkspaces workspaces(watched_.context(), 0);
  void* const before = workspaces.acquire(stream_->get(), 4096).pointer();
  watched_.notes.capture = hipStreamCaptureStatusActive;
  EXPECT_EQ(workspaces.acquire(stream_->get(), 4096).pointer(), before);
  watched_.notes.capture = hipStreamCaptureStatusNone;
}

TEST_F(WorkspaceFixed, ReleaseWaitsThenFrees) {
  backend::StreamWorkspaces workspaces(watched_.context(), 0);
  void* const buffer = workspaces.acquire(stream_->get(), 4096).pointer();
  watched_.notes.calls.clear();
  workspaces.release(stream_->get());
  EXPECT_EQ(watched_.notes.calls, (std::vector<std::string>{"hipStreamSynchronize", "hipFree"}));
  EXPECT_TRUE(watched_.freed(buffer));
  watched_.notes.calls.clear();
  workspaces.acquire(stream_->get(), 4096);  // a stream of the same handle value starts afresh
  EXPECT_EQ(watched_.notes.calls, std::vector<std::string>{"hipMalloc"});
}

// Two threads feed one stream: each matmul's steps, split-K and reduction, stay together.
TEST_F(WorkspaceFixed, TwoThreadsFeedOneStream) {
  std::atomic<int> wrong{0};
  on_threads(2, [&](int t) {
    IntegerGemm gemm(*backend_, *stream_, {ElementType::bf16, false, true, 48, 48, 256, 1}, 1,
                     static_cast<unsigned>(t));
    for (int round = 0; round < 200; ++round) {
      gemm.poison();
      gemm.enqueue();
      wrong += gemm.wrong() != 0;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(backend_->counters().at("route.hipblaslt"), 400);
}

// A stream that is destroyed while it captures: nothing of the capture is the next one's whose
// handle has the same value.
TEST_F(WorkspaceFixed, ReleaseEndsACaptureThatWasNot) {
  backend::StreamWorkspaces workspaces(watched_.context(), 0);
  void* const own = workspaces.acquire(stream_->get(), 4096).pointer();
  workspaces.capture_begins(stream_->get());
  void* const captured = workspaces.acquire(stream_->get(), 4096).pointer();
  EXPECT_NE(captured, own);
  workspaces.release(stream_->get());
  EXPECT_TRUE(watched_.freed(own));
  EXPECT_TRUE(watched_.freed(captured));
  EXPECT_EQ(workspaces.capture_ended(stream_->get(), true), nullptr);
  // As one that joins: refused, as no capture of its own lends it a buffer.
  const auto other = backend_->stream(0);
  workspaces.acquire(stream_->get(), 4096);
  workspaces.capture_begins(other->get());
  watched_.notes.capture = hipStreamCaptureStatusActive;
  EXPECT_THROW(workspaces.acquire(stream_->get(), 4096), Error);
  watched_.notes.capture = hipStreamCaptureStatusNone;
}

// An encoder of the stream that is ended now need not be the one that the lease's holder keeps.
TEST_F(WorkspaceFixed, ABufferOnLeaseIsNotTaken) {
  backend::StreamWorkspaces workspaces(watched_.context(), 0);
  std::optional<WorkspaceLease> lease = workspaces.acquire(stream_->get(), 4096);
  void* const pointer = lease->pointer();
  EXPECT_FALSE(workspaces.take(stream_->get()));
  lease.reset();
  EXPECT_EQ(workspaces.take(stream_->get()).get(), pointer);
}

TEST_F(WorkspaceFixed, TrimFreesWhatACaptureDidNotUse) {
  backend::StreamWorkspaces workspaces(watched_.context(), 0);
  void* const own = workspaces.acquire(stream_->get(), 4096).pointer();
  workspaces.capture_begins(stream_->get());
  EXPECT_EQ(workspaces.capture_ended(stream_->get(), true), nullptr);
  watched_.notes.calls.clear();
  workspaces.trim();
  EXPECT_EQ(watched_.notes.calls, std::vector<std::string>{"hipFree"});
  EXPECT_FALSE(watched_.freed(own));
}

// The algorithm's bytes are named; through the router rocBLAS takes the GEMM.
TEST_F(WorkspaceFixed, AllocationFailure) {
  watched_.notes.fail_workspace_mallocs = true;
  IntegerGemm gemm(*backend_, *stream_, {ElementType::bf16, false, true, 64, 64, 64, 1}, 2, 1);
  ::testing::internal::CaptureStderr();
  gemm.enqueue();
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("hipBLASLt: failed to allocate workspace of 65536 bytes"), std::string::npos)
      << told;
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend_->counters().at("route.fallback"), 1);
  watched_.notes.fail_workspace_mallocs = false;
  gemm.poison();
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend_->counters().at("route.hipblaslt"), 1);
}

TEST_F(WorkspaceFixed, EightStreamsHaveEightBuffers) {
  backend::StreamWorkspaces workspaces(watched_.context(), 0);
  std::mutex mutex;
  std::set<void*> buffers;
  on_threads(8, [&](int) {
    const auto stream = backend_->stream(0);
    for (int i = 0; i < 100; ++i) {
      const WorkspaceLease mine = workspaces.acquire(stream->get(), 4096);
      EXPECT_EQ(mine.bytes(), watched_.real_bytes(mine.pointer()));
      const std::lock_guard lock(mutex);
      buffers.insert(mine.pointer());
    }
    static std::barrier<> all_have_theirs(8);  // an early end would give its address away
    all_have_theirs.arrive_and_wait();
    workspaces.release(stream->get());
  });
  EXPECT_EQ(buffers.size(), 8u);
}

// Init allocates while a GEMM that found no buffer allocates as well: pointer A, pointer B, size B,
// size A. The record then says 32 MiB of a small block.
TEST(WorkspaceFiled, InitAndGrowthInterleaved) {
  Watched watched;
  const auto backend = open(watched.patched.provider, Form::fixed);
  const auto stream = backend->stream(0);
  forms::SharedWorkspace workspace(watched.context(), 0);
  std::mutex mutex;
  std::condition_variable changed;
  bool a_has_pointer = false;
  bool b_is_growing = false;
  bool b_is_done = false;
  const sync::ListenToPoints listener([&](const std::string& name, std::thread::id) {
    std::unique_lock lock(mutex);
    if (name == "workspace.grow.begin") {
      b_is_growing = true;
      changed.notify_all();
      changed.wait(lock, [&] { return a_has_pointer; });
    } else if (name == "workspace.init.pointer-set") {
      a_has_pointer = true;
      changed.notify_all();
      changed.wait(lock, [&] { return b_is_done; });
    }
  });
  auto b = std::async(std::launch::async, [&] { return workspace.acquire(stream->get(), 4096); });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return b_is_growing; });
  }
  auto a = std::async(std::launch::async, [&] { workspace.allocate_at_init(); });
  b.get();
  {
    const std::lock_guard lock(mutex);
    b_is_done = true;
    changed.notify_all();
  }
  a.get();
  const WorkspaceLease later = workspace.acquire(stream->get(), 1 << 20);
  EXPECT_EQ(later.bytes(), kMaxWorkspaceBytes);
  EXPECT_LT(watched.real_bytes(later.pointer()), later.bytes())
      << "a later GEMM writes past its end";
}

}  // namespace
}  // namespace hiplab::lab
