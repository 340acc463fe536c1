// What count_calls sees of each form's pipes (mlxcel 2200, 2208): threads inside matmul with one
// descriptor, and descriptors that are destroyed under them.
#include <barrier>

#include "backend/gemm_call.h"
#include "driver/watching.h"
#include "forms_lab.h"

namespace hiplab::lab {
namespace {

using backend::Algorithm;
using Descriptors = backend::MatmulDescriptors;
using backend::Pipe;

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};
constexpr backend::PipeKey kKey{0, kShape};

constexpr Form kRight[] = {Form::fixed, Form::mutex_held, Form::per_call};
constexpr Form kWrong[] = {Form::filed, Form::shared_ptr, Form::algorithm_copy};

// While it is set, matmul calls it and touches no descriptor: two threads inside may crash.
std::function<void()> g_in_matmul;

// The software device, whose matmul can be held, under the watch.
const driver::Provider& watched() {
  static const driver::Provider provider = [] {
    static driver::Table inner = *host("splitk").table;
    inner.hipblasLtMatmul = [](hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc,
                               const void* alpha, const void* a, hipblasLtMatrixLayout_t a_layout,
                               const void* b, hipblasLtMatrixLayout_t b_layout, const void* beta,
                               const void* c, hipblasLtMatrixLayout_t c_layout, void* d,
                               hipblasLtMatrixLayout_t d_layout, const hipblasLtMatmulAlgo_t* algo,
                               void* workspace, size_t bytes, hipStream_t stream) {
      if (g_in_matmul) {
        g_in_matmul();
        return HIPBLAS_STATUS_SUCCESS;
      }
      return host("splitk").table->hipblasLtMatmul(handle, desc, alpha, a, a_layout, b, b_layout,
                                                   beta, c, c_layout, d, d_layout, algo, workspace,
                                                   bytes, stream);
    };
    driver::Provider made = host("splitk");
    made.table = &driver::watch_calls(inner);
    return made;
  }();
  return provider;
}

class WatchedPipe : public ::testing::TestWithParam<Form> {
 protected:
  ~WatchedPipe() override { g_in_matmul = nullptr; }

  bool right() const {
    return std::find(std::begin(kRight), std::end(kRight), GetParam()) != std::end(kRight);
  }
  std::unique_ptr<Backend> open_form() { return open_with(watched(), "pipe-cache", GetParam()); }
  std::int64_t counted(const std::string& name) {
    return driver::watched_counts().at("descriptor." + name) - before_["descriptor." + name];
  }

  std::unique_ptr<backend::PipeCache> cache() {
    forms::FormChoice choice;
    choice.set("pipe-cache", GetParam());
    return forms::make_parts(choice)->pipe_cache({watched(), counters_});
  }
  static std::unique_ptr<Pipe> pipe() {
    auto made = std::make_unique<Pipe>();
    made->descriptors = backend::make_descriptors(*watched().table, 0, kShape);
    return made;
  }
  static hipblasStatus_t matmul(const Descriptors& d) {
    return watched().table->hipblasLtMatmul(nullptr, d.desc.get(), nullptr, nullptr, d.first.get(),
                                            nullptr, d.second.get(), nullptr, nullptr, d.c.get(),
                                            nullptr, d.d.get(), nullptr, nullptr, 0, nullptr);
  }
  static hipblasStatus_t uses(const Descriptors& d, Algorithm&, bool) { return matmul(d); }
  static hipblasStatus_t fails_cached(const Descriptors&, Algorithm&, bool fresh) {
    return fresh ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INVALID_VALUE;
  }

  std::map<std::string, std::int64_t> before_ = (watched(), driver::watched_counts());
  backend::Counters counters_;
};

// As long as one is inside, a second thread that nothing excludes comes in.
TEST_P(WatchedPipe, TwoThreadsInsideMatmul) {
  const auto backend = open_form();
  const auto warm = backend->stream(0);
  IntegerGemm(*backend, *warm, kShape, 1, 1).enqueue();  // where there is a shared pipe, it is made
  g_in_matmul = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  std::barrier both(2);
  on_threads(2, [&](int t) {
    const auto stream = backend->stream(0);
    IntegerGemm gemm(*backend, *stream, kShape, 1, 10u + t);
    both.arrive_and_wait();
    gemm.enqueue();
  });
  g_in_matmul = nullptr;
  EXPECT_EQ(counted("two-threads"), right() ? 0 : 1);
  EXPECT_EQ(counted("destroyed") + counted("destroyed-during"), 0);
}

// A is inside matmul when B's use of the pipe fails. Only where nobody owns the pipe does B destroy
// what A is using.
TEST_P(WatchedPipe, ErasedWhileAnotherIsInside) {
  const auto pipes = cache();
  std::promise<void> inside;
  std::promise<void> erased;
  g_in_matmul = [] {};
  pipes->run(kKey, pipe, uses);
  g_in_matmul = [&] {
    inside.set_value();
    erased.get_future().wait();
  };
  auto a = std::async(std::launch::async, [&] { pipes->run(kKey, pipe, uses); });
  inside.get_future().wait();
  auto b = std::async(std::launch::async, [&] { pipes->run(kKey, pipe, fails_cached); });
  let_second_thread_go(b, GetParam() == Form::mutex_held ? Form::fixed : Form::filed);
  erased.set_value();
  a.get();
  b.get();
  EXPECT_EQ(counted("destroyed-during"), GetParam() == Form::filed ? 1 : 0);
  EXPECT_EQ(counted("destroyed"), 0);
}

// A has found its pipe and not begun its matmul when B's use of it fails.
TEST_P(WatchedPipe, ErasedBeforeTheCall) {
  const auto pipes = cache();
  g_in_matmul = [] {};
  pipes->run(kKey, pipe, uses);
  std::promise<void> found;
  std::promise<void> erased;
  auto a = std::async(std::launch::async, [&] {
    pipes->run(kKey, pipe, [&](const Descriptors& d, Algorithm&, bool) {
      // A pipe that has been destroyed may not be read: only the handle's value is kept.
      const auto desc = d.desc.get();
      found.set_value();
      erased.get_future().wait();
      return watched().table->hipblasLtMatmul(nullptr, desc, nullptr, nullptr, nullptr, nullptr,
                                              nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                              nullptr, nullptr, 0, nullptr);
    });
  });
  found.get_future().wait();
  // B makes no other one, which might have the address of the one that it destroyed.
  auto b = std::async(std::launch::async, [&] {
    EXPECT_THROW(pipes->run(
                     kKey, []() -> std::unique_ptr<Pipe> { throw Error("no"); }, fails_cached),
                 Error);
  });
  let_second_thread_go(b, GetParam() == Form::mutex_held ? Form::fixed : Form::filed);
  erased.set_value();
  a.get();
  b.get();
  EXPECT_EQ(counted("destroyed"), GetParam() == Form::filed ? 1 : 0);
  EXPECT_EQ(counted("destroyed-during"), 0);
}

INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, WatchedPipe, ::testing::ValuesIn(kRight), form_name);
INSTANTIATE_TEST_SUITE_P(FiledAndOtherWrong, WatchedPipe, ::testing::ValuesIn(kWrong), form_name);

class WatchedPipeRight : public WatchedPipe {};

TEST_P(WatchedPipeRight, EightThreadsOnTheSameKeys) {
  const auto backend = open_form();
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    IntegerGemm tn(*backend, *stream, kShape, 1, static_cast<unsigned>(t));
    IntegerGemm batched(*backend, *stream, {ElementType::bf16, false, false, 64, 64, 64, 4}, 1,
                        static_cast<unsigned>(t));
    for (int round = 0; round < 5; ++round) {
      tn.enqueue();
      batched.enqueue();
    }
    EXPECT_EQ(tn.wrong() + batched.wrong(), 0);
  });
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 80);
  EXPECT_EQ(counted("two-threads") + counted("destroyed") + counted("destroyed-during"), 0);
}

INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, WatchedPipeRight, ::testing::ValuesIn(kRight),
                         form_name);

}  // namespace
}  // namespace hiplab::lab
