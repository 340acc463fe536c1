// Pipes and the algorithms in them: per thread against shared (mlxcel 2200, 2208).
#include <barrier>
#include <cstring>
#include <set>

#include "backend/thread_pipe_cache.h"
#include "forms/process_pipe_cache.h"
#include "lab.h"

namespace hiplab::lab {
namespace {

using backend::Algorithm;
using Descriptors = backend::MatmulDescriptors;
using backend::Pipe;
using backend::PipeKey;

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};

const driver::Table* g_real = nullptr;
std::mutex g_mutex;
std::set<hipblasLtMatmulDesc_t> g_destroyed;  // g_mutex
std::atomic<int> g_refusals{0};
std::vector<std::uint8_t> g_refused_algorithm;  // set while one thread runs

hipblasStatus_t noting_destroy(const hipblasLtMatmulDesc_t desc) {
  {
    const std::lock_guard lock(g_mutex);
    g_destroyed.insert(desc);
  }
  return g_real->hipblasLtMatmulDescDestroy(desc);
}

hipblasStatus_t choosy_matmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc,
                              const void* alpha, const void* a, hipblasLtMatrixLayout_t a_layout,
                              const void* b, hipblasLtMatrixLayout_t b_layout, const void* beta,
                              const void* c, hipblasLtMatrixLayout_t c_layout, void* d,
                              hipblasLtMatrixLayout_t d_layout, const hipblasLtMatmulAlgo_t* algo,
                              void* workspace, size_t bytes, hipStream_t stream) {
  if (!g_refused_algorithm.empty() &&
      std::memcmp(algo->data, g_refused_algorithm.data(), sizeof algo->data) == 0) {
    ++g_refusals;
    return HIPBLAS_STATUS_INVALID_VALUE;
  }
  return g_real->hipblasLtMatmul(handle, desc, alpha, a, a_layout, b, b_layout, beta, c, c_layout,
                                 d, d_layout, algo, workspace, bytes, stream);
}

bool destroyed(hipblasLtMatmulDesc_t desc) {
  const std::lock_guard lock(g_mutex);
  return g_destroyed.contains(desc);
}

class PipeForms : public ::testing::TestWithParam<Form> {
 protected:
  PipeForms() {
    g_real = host("splitk").table;
    g_refusals = 0;
    g_refused_algorithm.clear();
    {
      const std::lock_guard lock(g_mutex);
      g_destroyed.clear();
    }
    patched_.table.hipblasLtMatmulDescDestroy = noting_destroy;
    patched_.table.hipblasLtMatmul = choosy_matmul;
  }

  std::unique_ptr<backend::PipeCache> make_cache() {
    if (GetParam() == Form::fixed) return std::make_unique<backend::ThreadPipeCache>();
    return std::make_unique<forms::ProcessPipeCache>();
  }

  std::unique_ptr<Pipe> make_pipe() {
    auto pipe = std::make_unique<Pipe>();
    pipe->descriptors = backend::make_descriptors(patched_.table, 0, kShape);
    return pipe;
  }

  Patched patched_{host("splitk")};
};

// matmul writes into the descriptor, so two threads inside it must not have the same one.
TEST_P(PipeForms, TwoThreadsInsideOneKey) {
  const auto cache = make_cache();
  std::barrier<> both_inside(2);
  std::set<hipblasLtMatmulDesc_t> pipes;
  std::mutex mutex;
  on_threads(2, [&](int) {
    cache->run(
        {0, kShape}, [&] { return make_pipe(); },
        [&](const Descriptors& descriptors, Algorithm&, bool) {
          {
            const std::lock_guard lock(mutex);
            pipes.insert(descriptors.desc.get());
          }
          both_inside.arrive_and_wait();
          return HIPBLAS_STATUS_SUCCESS;
        });
  });
  EXPECT_EQ(pipes.size(), GetParam() == Form::fixed ? 2u : 1u);
}

// B's matmul with the cached pipe fails while A is inside its own. As filed, B destroys the
// descriptor that A is using.
TEST_P(PipeForms, FailureWhileAnotherThreadIsInside) {
  const auto cache = make_cache();
  const PipeKey key{0, kShape};
  std::promise<void> a_inside;
  std::promise<void> b_done;
  auto a = std::async(std::launch::async, [&] {
    const auto ok = [](const Descriptors&, Algorithm&, bool) { return HIPBLAS_STATUS_SUCCESS; };
    cache->run(key, [&] { return make_pipe(); }, ok);  // so that there is a pipe to find
    bool lost = false;
    cache->run(
        key, [&] { return make_pipe(); },
        [&](const Descriptors& descriptors, Algorithm&, bool) {
          const hipblasLtMatmulDesc_t mine = descriptors.desc.get();
          a_inside.set_value();
          b_done.get_future().wait();
          lost = destroyed(mine);
          return HIPBLAS_STATUS_SUCCESS;
        });
    return lost;
  });
  a_inside.get_future().wait();
  const auto fail_unless_fresh = [](const Descriptors&, Algorithm&, bool fresh) {
    return fresh ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INVALID_VALUE;
  };
  cache->run(key, [&] { return make_pipe(); }, fail_unless_fresh);
  cache->run(key, [&] { return make_pipe(); }, fail_unless_fresh);
  b_done.set_value();
  EXPECT_EQ(a.get(), GetParam() == Form::filed);
}

// Two NN shapes share a bucket, and the algorithm of the first does not run for the second. Both
// forms retry; as filed, the pipe keeps the bad one and fails again on the next call.
TEST_P(PipeForms, AlgorithmThatDoesNotFitItsBucket) {
  const auto backend = open(patched_.provider, GetParam());
  const auto stream = backend->stream(0);
  IntegerGemm first(*backend, *stream, {ElementType::bf16, false, false, 40, 64, 64, 1}, 2, 1);
  IntegerGemm second(*backend, *stream, {ElementType::bf16, false, false, 50, 64, 64, 1}, 2, 2);
  first.enqueue();
  EXPECT_EQ(first.wrong(), 0);
  const auto best = backend->heuristics(0, first.shape(), 1, backend::kMaxWorkspaceBytes);
  ASSERT_FALSE(best.empty());
  g_refused_algorithm.assign(best[0].algo.data, best[0].algo.data + sizeof best[0].algo.data);
  second.enqueue();
  EXPECT_EQ(second.wrong(), 0);
  const int until_first_success = g_refusals;
  second.poison();
  second.enqueue();
  EXPECT_EQ(second.wrong(), 0);
  EXPECT_EQ(g_refusals - until_first_success, GetParam() == Form::fixed ? 0 : 1);
  EXPECT_EQ(backend->counters().at("handles.pipes"), GetParam() == Form::fixed ? 2 : 3);
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 3);
}

HIPLAB_BOTH_FORMS(PipeForms);

TEST(PipeFixed, OnlyShapesWithoutATransposeShareABucket) {
  const GemmShape nn{ElementType::bf16, false, false, 40, 64, 64, 1};
  GemmShape other = nn;
  other.m = 50;
  EXPECT_EQ(backend::algorithm_key(nn), backend::algorithm_key(other));
  other.m = 70;
  EXPECT_NE(backend::algorithm_key(nn), backend::algorithm_key(other));
  other = nn;
  other.n = 63;
  EXPECT_NE(backend::algorithm_key(nn), backend::algorithm_key(other));
  GemmShape tn = nn;
  tn.trans_b = true;
  EXPECT_EQ(backend::algorithm_key(tn), tn);
}

TEST(PipeFixed, PipesEndWithTheirThreadOrWithTheCache) {
  const driver::Table& api = *host("splitk").table;
  const auto live = [] { return driver::live_objects().at("descriptors"); };
  const auto before = live();
  const auto touch = [&](backend::PipeCache& cache) {
    cache.run(
        {0, kShape},
        [&] {
          auto pipe = std::make_unique<Pipe>();
          pipe->descriptors = backend::make_descriptors(api, 0, kShape);
          return pipe;
        },
        [](const Descriptors&, Algorithm&, bool) { return HIPBLAS_STATUS_SUCCESS; });
  };
  auto cache = std::make_unique<backend::ThreadPipeCache>();
  std::thread([&] { touch(*cache); }).join();
  EXPECT_EQ(live(), before);
  touch(*cache);
  EXPECT_EQ(live(), before + 1);
  cache.reset();
  EXPECT_EQ(live(), before);
}

// The same keys on all threads, and a failure now and then.
TEST(PipeFixed, EightThreadsOnTheSameKeys) {
  const driver::Provider& provider = host("splitk");
  const auto backend = open(provider, Form::fixed);
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    IntegerGemm tn(*backend, *stream, kShape, 2, t);
    IntegerGemm nn(*backend, *stream, {ElementType::f16, false, false, 33 + t, 32, 64, 1}, 2, t);
    for (int round = 0; round < 20; ++round) {
      tn.poison();
      nn.poison();
      tn.enqueue();
      nn.enqueue();
      EXPECT_EQ(tn.wrong(), 0);
      EXPECT_EQ(nn.wrong(), 0);
    }
  });
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 320);
  EXPECT_EQ(backend->counters().at("handles.pipes"), 16);
}

}  // namespace
}  // namespace hiplab::lab
