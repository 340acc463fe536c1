// Enqueuing waits for no work: an encoder that a clear has taken out, and that whoever enqueues is
// the last to use, is ended elsewhere. In a host callback the wait may be for what stands behind
// that callback (MIOpen 12265), and then for ever.
#include "driver/host/machine.h"
#include "driver/host/queue.h"
#include "lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};  // needs a workspace

class EnqueuingFixed : public ::testing::Test {
 protected:
  static std::int64_t blocks() { return driver::live_objects().at("memory_blocks"); }

  // A clear takes the encoder of the GEMM's stream out while `enqueue` runs a GEMM on it with that
  // encoder; the stream waits for an event that is recorded behind `enqueue`.
  template <typename Enqueue>
  void clear_meanwhile(Enqueue enqueue) {
    const auto before = blocks();
    auto kept = std::make_shared<int>(1);
    const std::weak_ptr<int> temporary = kept;
    {
      const auto stream = backend_->stream(0);
      IntegerGemm gemm(*backend_, *stream, kShape, 1, 1);
      gemm.enqueue();  // makes the workspace
      ASSERT_EQ(gemm.wrong(), 0);
      gemm.poison();
      stream->keep(std::move(kept));
      const auto with_workspace = blocks();

      const auto behind = std::make_shared<driver::host::Marker>();
      const auto queue = driver::host::machine().queue(stream->get());
      ASSERT_EQ(queue->enqueue([behind] { return behind; }), hipSuccess);
      HoldAt hold("workspace.acquired");
      std::future<void> enqueued = enqueue(gemm);
      hold.wait_until_held();
      backend_->clear_streams();
      EXPECT_EQ(backend_->device(0).encoders().find(stream->get()), nullptr) << "taken out";
      hold.release();
      const bool waits = enqueued.wait_for(std::chrono::seconds(10)) == std::future_status::timeout;
      behind->complete();  // at the latest now, so that a failing test ends
      enqueued.get();
      ASSERT_FALSE(waits) << "for work that cannot begin before it has returned";

      EXPECT_EQ(gemm.wrong(), 0);
      EXPECT_FALSE(temporary.expired()) << "freed by a thread that only enqueues";
      EXPECT_EQ(blocks(), with_workspace);
      backend_->clear_streams();
      EXPECT_TRUE(temporary.expired());
      EXPECT_EQ(blocks(), with_workspace - 1);
    }
    EXPECT_EQ(blocks(), before);
    const auto counters = backend_->counters();
    EXPECT_EQ(counters.at("handles.encoders"), counters.at("ended.encoders"));
    EXPECT_EQ(counters.at("route.fallback"), 0);
  }

  const std::unique_ptr<Backend> backend_ = open(host("splitk"), Form::fixed);
};

TEST_F(EnqueuingFixed, AHostCallbackIsTheLastUserOfAnEncoder) {
  const auto first = backend_->stream(0);
  struct Call {
    IntegerGemm* gemm;
    std::promise<void> returned;
  } call;
  clear_meanwhile([&](IntegerGemm& gemm) {
    call.gemm = &gemm;
    EXPECT_EQ(backend_->api().hipLaunchHostFunc(
                  first->get(),
                  [](void* user) {
                    auto& one = *static_cast<Call*>(user);
                    one.gemm->enqueue();
                    one.returned.set_value();
                  },
                  &call),
              hipSuccess);
    return call.returned.get_future();
  });
  first->synchronize();
}

// The thread may be the one that lets the stream's work go on once it has enqueued all of it.
TEST_F(EnqueuingFixed, AThreadIsTheLastUserOfAnEncoder) {
  clear_meanwhile([](IntegerGemm& gemm) {
    return std::async(std::launch::async, [&gemm] { gemm.enqueue(); });
  });
}

}  // namespace
}  // namespace hiplab::lab
