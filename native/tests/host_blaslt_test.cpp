// hipBLASLt on the software device: heuristics per profile, algorithms, split-K, the descriptor.
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "host_blaslt_tools.h"

namespace hiplab::test {
namespace {

class HostBlaslt : public HostTest {
 protected:
  void SetUp() override { use("splitk"); }
  void use(const std::string& profile) {
    TearDown();
    open(profile, 1);
    ASSERT_EQ(t->hipblasLtCreate(&handle), HIPBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    if (handle != nullptr) t->hipblasLtDestroy(handle);
    handle = nullptr;
  }

  hipblasLtHandle_t handle = nullptr;
};

TEST_F(HostBlaslt, Gfx1151AsksForNoWorkspace) {
  use("gfx1151");
  for (const auto type : {HIP_R_16BF, HIP_R_16F, HIP_R_32F}) {
    const Pipe pipe(t, type, true, false, 4096, 1, 4096);
    const auto results = pipe.heuristic(handle, 8);
    ASSERT_EQ(results.size(), 8u);
    for (const auto& r : results) {
      EXPECT_EQ(r.workspaceSize, 0u);
      EXPECT_EQ(r.state, HIPBLAS_STATUS_SUCCESS);
      EXPECT_GT(r.wavesCount, 0.0f);
    }
  }
}

TEST_F(HostBlaslt, SplitkAsksForPartialSumsFirst) {
  const Pipe pipe(t, HIP_R_16BF, true, false, 64, 48, 64, 3);
  const auto results = pipe.heuristic(handle, 8);
  ASSERT_EQ(results.size(), 8u);
  EXPECT_EQ(results[0].workspaceSize, 4u * 64 * 48 * 3 * 4);
  EXPECT_EQ(results[1].workspaceSize, 8u * 64 * 48 * 3 * 4);
  for (std::size_t i = 2; i < results.size(); ++i) EXPECT_EQ(results[i].workspaceSize, 0u);
  const Pipe single(t, HIP_R_32F, false, false, 64, 64, 64);
  EXPECT_EQ(single.heuristic(handle)[0].workspaceSize, 0u);
}

TEST_F(HostBlaslt, ASplitThatKDoesNotAllowIsNotOffered) {
  const Pipe pipe(t, HIP_R_16BF, false, false, 64, 64, 32);  // 4 parts of 8, never 8 of 4
  const auto results = pipe.heuristic(handle);
  EXPECT_EQ(results[0].workspaceSize, 4u * 64 * 64 * 4);
  EXPECT_EQ(results[1].workspaceSize, 0u);
  const Pipe flat(t, HIP_R_16BF, false, false, 64, 64, 31);
  EXPECT_EQ(flat.heuristic(handle)[0].workspaceSize, 0u);
}

TEST_F(HostBlaslt, TheCapIsHonoured) {
  const std::uint64_t four = 4u * 64 * 64 * 4;
  const Pipe exact(t, HIP_R_16BF, false, false, 64, 64, 64, 1, four);
  std::set<std::size_t> sizes;
  for (const auto& r : exact.heuristic(handle)) sizes.insert(r.workspaceSize);
  EXPECT_EQ(sizes, (std::set<std::size_t>{0, four}));
  const Pipe below(t, HIP_R_16BF, false, false, 64, 64, 64, 1, four - 1);
  for (const auto& r : below.heuristic(handle)) EXPECT_EQ(r.workspaceSize, 0u);
}

TEST_F(HostBlaslt, AtMostTheRequestedCandidatesAreWritten) {
  const Pipe pipe(t, HIP_R_16BF, false, false, 64, 64, 64);
  EXPECT_EQ(pipe.heuristic(handle, 1).size(), 1u);
  EXPECT_EQ(pipe.heuristic(handle, 3).size(), 3u);
  int returned = -1;
  hipblasLtMatmulHeuristicResult_t result{};
  EXPECT_EQ(t->hipblasLtMatmulAlgoGetHeuristic(handle, pipe.desc, pipe.a, pipe.b, pipe.d, pipe.d,
                                               pipe.pref, 0, &result, &returned),
            HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(t->hipblasLtMatmulAlgoGetHeuristic(nullptr, pipe.desc, pipe.a, pipe.b, pipe.d, pipe.d,
                                               pipe.pref, 1, &result, &returned),
            HIPBLAS_STATUS_HANDLE_IS_NULLPTR);
}

TEST_F(HostBlaslt, EveryCandidateOfEveryTypeIsExact) {
  const int m = 40, n = 24, k = 67, batch = 2;
  const auto a = integers(m * k * batch, -1, 1, 11);
  const auto b = integers(k * n * batch, -1, 1, 12);
  const auto s = stream();
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const auto expected = product(a, b, ta, tb, m, n, k, batch);
      for (const auto& [type, hip] :
           {std::pair{ElementType::f16, HIP_R_16F}, std::pair{ElementType::bf16, HIP_R_16BF}}) {
        const Pipe pipe(t, hip, ta, tb, m, n, k, batch);
        auto* da = upload(converted<std::uint16_t>(a, type));
        auto* db = upload(converted<std::uint16_t>(b, type));
        for (const auto& r : pipe.heuristic(handle)) {
          auto* dd = upload(std::vector<std::uint16_t>(m * n * batch, 0xffff));
          void* ws = r.workspaceSize > 0 ? allocate(r.workspaceSize) : nullptr;
          ASSERT_EQ(pipe.matmul(handle, da, db, dd, &r.algo, ws, r.workspaceSize, s),
                    HIPBLAS_STATUS_SUCCESS);
          EXPECT_EQ(download(dd, m * n * batch, s), converted<std::uint16_t>(expected, type))
              << "workspace " << r.workspaceSize;
        }
      }
      const Pipe pipe(t, HIP_R_32F, ta, tb, m, n, k, batch);
      auto* da = upload(converted<float>(a, ElementType::f32));
      auto* db = upload(converted<float>(b, ElementType::f32));
      auto* dd = upload(std::vector<float>(m * n * batch, NAN));
      ASSERT_EQ(pipe.matmul(handle, da, db, dd, nullptr, nullptr, 0, s), HIPBLAS_STATUS_SUCCESS);
      EXPECT_EQ(download(dd, m * n * batch, s), converted<float>(expected, ElementType::f32));
    }
  }
}

TEST_F(HostBlaslt, PartialSumsLieInTheCallersWorkspace) {
  const int m = 8, n = 8, k = 64;
  const auto a = integers(m * k, -1, 1, 13);
  const auto b = integers(k * n, -1, 1, 14);
  const Pipe pipe(t, HIP_R_16BF, false, false, m, n, k);
  const auto algo = pipe.heuristic(handle)[0];
  auto* da = upload(converted<std::uint16_t>(a, ElementType::bf16));
  auto* db = upload(converted<std::uint16_t>(b, ElementType::bf16));
  auto* dd = upload(std::vector<std::uint16_t>(m * n, 0));
  auto* ws = upload(std::vector<float>(4 * m * n, NAN));
  ASSERT_EQ(pipe.matmul(handle, da, db, dd, &algo.algo, ws, algo.workspaceSize, nullptr),
            HIPBLAS_STATUS_SUCCESS);
  const auto partials = download(ws, 4 * m * n);
  const auto expected = product(a, b, false, false, m, n, k);
  for (int i = 0; i < m * n; ++i) {
    float sum = 0.0f;
    for (int part = 0; part < 4; ++part)
      sum += partials[static_cast<std::size_t>(part * m * n + i)];
    ASSERT_EQ(sum, static_cast<float>(expected[static_cast<std::size_t>(i)]));
  }
}

TEST_F(HostBlaslt, AlgorithmsAndWorkspacesAreValidated) {
  const int m = 64, n = 64, k = 64;
  const Pipe pipe(t, HIP_R_16BF, false, false, m, n, k);
  const Pipe short_k(t, HIP_R_16BF, false, false, m, n, 16);
  const Pipe single(t, HIP_R_32F, false, false, m, n, k);
  const auto split = pipe.heuristic(handle)[0];
  auto* x = allocate(m * k * 4);
  auto* d = upload(std::vector<std::uint8_t>(m * n * 4, 77));
  void* ws = allocate(split.workspaceSize);
  float local = 0.0f;
  const auto run = [&](const Pipe& p, const hipblasLtMatmulAlgo_t& algo, void* w,
                       std::size_t size) {
    return p.matmul(handle, x, x, d, &algo, w, size, nullptr);
  };
  EXPECT_EQ(run(pipe, split.algo, ws, split.workspaceSize - 1), HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(run(pipe, split.algo, nullptr, split.workspaceSize), HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(run(pipe, split.algo, &local, split.workspaceSize), HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(run(short_k, split.algo, ws, split.workspaceSize), HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(run(single, split.algo, ws, split.workspaceSize), HIPBLAS_STATUS_INVALID_VALUE);
  hipblasLtMatmulAlgo_t garbage{};
  std::memset(garbage.data, 0x5a, sizeof garbage.data);
  EXPECT_EQ(run(pipe, garbage, ws, split.workspaceSize), HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(pipe.matmul(handle, &local, x, d, nullptr, nullptr, 0, nullptr),
            HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(pipe.matmul(nullptr, x, x, d, nullptr, nullptr, 0, nullptr),
            HIPBLAS_STATUS_HANDLE_IS_NULLPTR);
  EXPECT_EQ(download(d, 1)[0], 77) << "a refused call wrote";
  EXPECT_EQ(run(pipe, split.algo, ws, split.workspaceSize), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(t->hipDeviceSynchronize(), hipSuccess);
}

TEST_F(HostBlaslt, MatmulWritesItsDescriptor) {
  const Pipe pipe(t, HIP_R_16BF, false, false, 64, 64, 64);
  auto* x = upload(std::vector<std::uint16_t>(64 * 64, 0));
  auto* d = allocate(64 * 64 * 2);
  EXPECT_TRUE(pipe.desc->problem.empty());
  std::set<std::size_t> sizes;
  for (int call = 0; call < 4; ++call) {
    ASSERT_EQ(pipe.matmul(handle, x, x, d, nullptr, nullptr, 0, nullptr), HIPBLAS_STATUS_SUCCESS);
    sizes.insert(pipe.desc->problem.size());
  }
  EXPECT_EQ(sizes.size(), 4u) << "each call writes a new buffer of another length";
  ASSERT_EQ(t->hipDeviceSynchronize(), hipSuccess);
}

TEST_F(HostBlaslt, WrongAttributesAndTypesAreStatuses) {
  const Pipe pipe(t, HIP_R_16BF, false, false, 64, 64, 64);
  const Pipe other(t, HIP_R_16BF, false, false, 64, 64, 32);
  const std::int32_t bad_op = 5;
  EXPECT_EQ(t->hipblasLtMatmulDescSetAttribute(pipe.desc, HIPBLASLT_MATMUL_DESC_TRANSA, &bad_op, 4),
            HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(t->hipblasLtMatmulDescSetAttribute(pipe.desc, HIPBLASLT_MATMUL_DESC_TRANSA, nullptr, 4),
            HIPBLAS_STATUS_INVALID_VALUE);
  const std::int32_t relu = 2;
  EXPECT_EQ(t->hipblasLtMatmulDescSetAttribute(pipe.desc, HIPBLASLT_MATMUL_DESC_EPILOGUE, &relu, 4),
            HIPBLAS_STATUS_NOT_SUPPORTED);
  const std::int32_t none = 0;
  EXPECT_EQ(
      t->hipblasLtMatrixLayoutSetAttribute(pipe.a, HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &none, 4),
      HIPBLAS_STATUS_INVALID_VALUE);
  hipblasLtMatmulDesc_t desc = nullptr;
  EXPECT_EQ(t->hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32I, HIP_R_32I),
            HIPBLAS_STATUS_NOT_SUPPORTED);
  hipblasLtMatmulHeuristicResult_t result{};
  int returned = 0;
  EXPECT_EQ(t->hipblasLtMatmulAlgoGetHeuristic(handle, pipe.desc, other.a, pipe.b, pipe.d, pipe.d,
                                               pipe.pref, 1, &result, &returned),
            HIPBLAS_STATUS_INVALID_VALUE)
      << "shapes that do not fit";
  const Pipe bytes(t, HIP_R_8I, false, false, 64, 64, 64);
  EXPECT_EQ(t->hipblasLtMatmulAlgoGetHeuristic(handle, bytes.desc, bytes.a, bytes.b, bytes.d,
                                               bytes.d, bytes.pref, 1, &result, &returned),
            HIPBLAS_STATUS_NOT_SUPPORTED);
}

TEST_F(HostBlaslt, SizesBeyondAllMemoryAreNotMiscounted) {
  const std::int64_t huge = std::numeric_limits<int>::max();
  const Pipe pipe(t, HIP_R_16BF, false, false, huge, huge, huge, 1 << 30,
                  std::numeric_limits<std::uint64_t>::max() - 1);
  for (const auto& r : pipe.heuristic(handle)) EXPECT_EQ(r.workspaceSize, 0u);
  auto* x = allocate(256);
  EXPECT_EQ(pipe.matmul(handle, x, x, x, nullptr, nullptr, 0, nullptr),
            HIPBLAS_STATUS_INVALID_VALUE);
}

TEST_F(HostBlaslt, ObjectsAreCountedBackToZero) {
  {
    const Pipe pipe(t, HIP_R_16BF, false, false, 64, 64, 64);
    const auto live = live_objects();
    EXPECT_EQ(live.at("hipblaslt_handles"), 1);
    EXPECT_EQ(live.at("descriptors"), 1);
    EXPECT_EQ(live.at("layouts"), 3);
    EXPECT_EQ(live.at("preferences"), 1);
  }
  const auto live = live_objects();
  EXPECT_EQ(live.at("descriptors"), 0);
  EXPECT_EQ(live.at("layouts"), 0);
  EXPECT_EQ(live.at("preferences"), 0);
}

}  // namespace
}  // namespace hiplab::test
