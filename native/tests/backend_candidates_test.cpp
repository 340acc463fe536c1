// Candidates of a GEMM, told and run one by one.
#include <cstring>
#include <set>

#include "lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kShape{ElementType::bf16, false, true, 32, 48, 256, 1};

const driver::Table* g_real = nullptr;
std::atomic<bool> g_no_memory{false};
std::atomic<bool> g_refuses{false};
thread_local hipblasLtMatmulAlgo_t t_last_algo{};

hipError_t failing_malloc(void** pointer, std::size_t bytes) {
  if (g_no_memory && bytes >= 64 * 1024) return hipErrorOutOfMemory;
  return g_real->hipMalloc(pointer, bytes);
}

hipblasStatus_t noted_matmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc,
                             const void* alpha, const void* a, hipblasLtMatrixLayout_t a_layout,
                             const void* b, hipblasLtMatrixLayout_t b_layout, const void* beta,
                             const void* c, hipblasLtMatrixLayout_t c_layout, void* d,
                             hipblasLtMatrixLayout_t d_layout, const hipblasLtMatmulAlgo_t* algo,
                             void* workspace, size_t bytes, hipStream_t stream) {
  t_last_algo = *algo;
  if (g_refuses) return HIPBLAS_STATUS_NOT_SUPPORTED;
  return g_real->hipblasLtMatmul(handle, desc, alpha, a, a_layout, b, b_layout, beta, c, c_layout,
                                 d, d_layout, algo, workspace, bytes, stream);
}

class CandidatesFixed : public ::testing::Test {
 protected:
  CandidatesFixed() : patched_(host("splitk")) {
    g_real = host("splitk").table;
    g_no_memory = false;
    g_refuses = false;
    patched_.table.hipMalloc = failing_malloc;
    patched_.table.hipblasLtMatmul = noted_matmul;
    backend_ = open(patched_.provider, Form::fixed);
    stream_ = backend_->stream(0);
  }

  std::unique_ptr<backend::Candidates> candidates(int requested) {
    return backend_->candidates(0, kShape, requested, backend::kMaxWorkspaceBytes);
  }

  Patched patched_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<backend::CommandStream> stream_;
};

TEST_F(CandidatesFixed, TheLibrarysIndexAndNameAreTold) {
  const auto found = candidates(8);
  ASSERT_EQ(found->facts().size(), 8u);
  std::set<int> solutions;
  for (const backend::CandidateFacts& facts : found->facts()) solutions.insert(facts.solution);
  EXPECT_EQ(solutions.size(), 8u) << "an index names one solution";
  EXPECT_EQ(found->facts()[0].name, "bf16_MT64x64_SK4");
  EXPECT_EQ(found->facts()[0].workspace_bytes, std::size_t{4} * 32 * 48 * 4);
  EXPECT_EQ(found->facts()[2].name, "bf16_MT128x128_SK1");
}

TEST_F(CandidatesFixed, WhatTheLibraryDoesNotTellIsLeftOut) {
  patched_.provider.solutions = {};
  const auto found = candidates(2);
  EXPECT_EQ(found->facts()[1].solution, -1);
  EXPECT_EQ(found->facts()[1].name, "");
}

TEST_F(CandidatesFixed, EachOneRunsAsItself) {
  const auto offered = backend_->heuristics(0, kShape, 8, backend::kMaxWorkspaceBytes);
  const auto found = candidates(8);
  IntegerGemm gemm(*backend_, *stream_, kShape, 2, 7);
  for (int i = 0; i < 8; ++i) {
    gemm.poison();
    found->gemm(*stream_, gemm.call(), i);
    EXPECT_EQ(gemm.wrong(), 0) << "candidate " << i;
    EXPECT_EQ(std::memcmp(t_last_algo.data, offered[static_cast<std::size_t>(i)].algo.data,
                          sizeof t_last_algo.data),
              0)
        << "candidate " << i;
  }
}

// Nothing takes over for a candidate that cannot run: its time would be another's.
TEST_F(CandidatesFixed, AFailureIsToldAndNothingTakesOver) {
  const auto found = candidates(8);
  IntegerGemm gemm(*backend_, *stream_, kShape, 2, 7);
  const auto message = [&](int index) {
    try {
      found->gemm(*stream_, gemm.call(), index);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  g_no_memory = true;
  EXPECT_EQ(message(0), "candidate 0: no workspace of 24576 bytes could be had");
  g_no_memory = false;
  g_refuses = true;
  EXPECT_NE(message(2).find("hipblasLtMatmul"), std::string::npos) << message(2);
  g_refuses = false;
  EXPECT_EQ(message(8), "candidate 8 was asked for, allowed are 0 to 7");
  EXPECT_EQ(message(-1), "candidate -1 was asked for, allowed are 0 to 7");
  IntegerGemm other(*backend_, *stream_, {ElementType::bf16, false, true, 32, 32, 32, 1}, 1, 1);
  EXPECT_THROW(found->gemm(*stream_, other.call(), 0), Error);
  EXPECT_EQ(backend_->counters().at("route.rocblas"), 0);
}

TEST_F(CandidatesFixed, EightThreadsShareThem) {
  const auto found = candidates(8);
  on_threads(8, [&](int t) {
    const auto stream = backend_->stream(0);
    IntegerGemm gemm(*backend_, *stream, kShape, 2, t);
    for (int round = 0; round < 20; ++round) {
      gemm.poison();
      found->gemm(*stream, gemm.call(), (t + round) % 8);
      EXPECT_EQ(gemm.wrong(), 0);
    }
  });
}

}  // namespace
}  // namespace hiplab::lab
