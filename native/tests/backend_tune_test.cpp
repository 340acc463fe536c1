// The tune loop (mlxcel 2200: the loops at which a failed workspace skips an algorithm).
#include <algorithm>
#include <cstring>
#include <functional>

#include "lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 256, 1};

const driver::Table* g_real = nullptr;
std::atomic<bool> g_no_memory{false};
std::atomic<int> g_null_workspaces{0};
std::atomic<int> g_capture_status{0};
thread_local hipblasLtMatmulAlgo_t t_last_algo{};
std::function<void()> g_before_matmul;  // as if another thread were quick

hipError_t failing_malloc(void** pointer, std::size_t bytes) {
  if (g_no_memory && bytes >= 64 * 1024) return hipErrorOutOfMemory;
  return g_real->hipMalloc(pointer, bytes);
}

hipError_t capture_info(hipStream_t, hipStreamCaptureStatus* status, unsigned long long*) {
  *status = static_cast<hipStreamCaptureStatus>(g_capture_status.load());
  return hipSuccess;
}

hipblasStatus_t noted_matmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc,
                             const void* alpha, const void* a, hipblasLtMatrixLayout_t a_layout,
                             const void* b, hipblasLtMatrixLayout_t b_layout, const void* beta,
                             const void* c, hipblasLtMatrixLayout_t c_layout, void* d,
                             hipblasLtMatrixLayout_t d_layout, const hipblasLtMatmulAlgo_t* algo,
                             void* workspace, size_t bytes, hipStream_t stream) {
  if (g_before_matmul) g_before_matmul();
  const hipblasStatus_t status =
      g_real->hipblasLtMatmul(handle, desc, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d,
                              d_layout, algo, workspace, bytes, stream);
  if (!backend::succeeded(status) && workspace == nullptr) ++g_null_workspaces;
  t_last_algo = *algo;
  return status;
}

bool same(const hipblasLtMatmulAlgo_t& a, const hipblasLtMatmulAlgo_t& b) {
  return std::memcmp(a.data, b.data, sizeof a.data) == 0;
}

class TuneForms : public ::testing::TestWithParam<Form> {
 protected:
  TuneForms() : patched_(host("splitk")) {
    g_real = host("splitk").table;
    g_no_memory = false;
    g_null_workspaces = 0;
    g_capture_status = 0;
    g_before_matmul = nullptr;
    patched_.table.hipMalloc = failing_malloc;
    patched_.table.hipStreamGetCaptureInfo = capture_info;
    patched_.table.hipblasLtMatmul = noted_matmul;
  }

  std::unique_ptr<Backend> open_with(const char* part) {
    forms::FormChoice choice;
    choice.set(part, GetParam());
    return std::make_unique<Backend>(patched_.provider, forms::make_parts(choice));
  }

  // A call on blocks that the fixture owns.
  backend::GemmCall call(Backend& backend) {
    const auto bytes = [](std::int64_t rows, std::int64_t cols) {
      return static_cast<std::size_t>(rows * cols) * 2;
    };
    a_ = backend.memory(0, bytes(kShape.m, kShape.k));
    b_ = backend.memory(0, bytes(kShape.k, kShape.n));
    c_ = backend.memory(0, bytes(kShape.m, kShape.n));
    return {kShape, 1.0f, a_->get(), b_->get(), 0.0f, c_->get()};
  }

  Patched patched_;
  std::unique_ptr<backend::DeviceMemory> a_, b_, c_;
};

// A pipe that exists when the loop ends: the next GEMM takes what was tuned. As filed the table is
// mended and the pipe keeps what it had.
TEST_P(TuneForms, PipesTakeTheTunedAlgorithm) {
  const auto backend = open_with("algorithm-cache");
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 1, 1);
  gemm.enqueue();
  const hipblasLtMatmulAlgo_t first = t_last_algo;
  // Whatever is fastest here: another algorithm than the pipe's is stored as a tune loop does.
  const auto offered = backend->heuristics(0, kShape, 8, backend::kMaxWorkspaceBytes);
  const auto other = std::find_if(offered.begin(), offered.end(), [&](const auto& candidate) {
    return !same(candidate.algo, first);
  });
  ASSERT_NE(other, offered.end());
  backend->device(0).algorithms().store_tuned(kShape, {other->algo, other->workspaceSize});
  gemm.poison();
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(same(t_last_algo, other->algo), GetParam() == Form::fixed);
  EXPECT_EQ(same(t_last_algo, first), GetParam() == Form::filed);
}

// No workspace can be had: what needs one is skipped, the rest is measured, and no null buffer
// reaches hipblasLtMatmul. So it is on both forms of the workspace: the filed loops skip as well.
TEST_P(TuneForms, AnAlgorithmWithoutWorkspaceIsSkipped) {
  const auto backend = open_with("workspace");
  const auto stream = backend->stream(0);
  const backend::GemmCall gemm = call(*backend);
  g_no_memory = true;
  const auto table = backend->tune(*stream, gemm, 8, 1);
  ASSERT_EQ(table.size(), 8u);
  for (const backend::Tuned& row : table) {
    EXPECT_EQ(row.median_ms.has_value(), row.workspace_bytes == 0) << row.index;
    EXPECT_EQ(row.skipped, row.workspace_bytes == 0
                               ? ""
                               : "no workspace of " + std::to_string(row.workspace_bytes) +
                                     " bytes could be had");
  }
  EXPECT_GT(table[0].workspace_bytes, 0u) << "the splitk profile asks for workspace first";
  EXPECT_EQ(g_null_workspaces, 0);
  g_no_memory = false;
  const auto later = backend->tune(*stream, gemm, 2, 1);
  EXPECT_TRUE(later[0].median_ms.has_value()) << "the next loop tries again";
}

HIPLAB_BOTH_FORMS(TuneForms);

class TuneFixed : public TuneForms {};

TEST_P(TuneFixed, EveryCandidateIsMeasuredAndTheBestIsTaken) {
  const auto backend = open_with("algorithm-cache");
  const auto stream = backend->stream(0);
  const auto offered = backend->heuristics(0, kShape, 5, backend::kMaxWorkspaceBytes);
  const auto table = backend->tune(*stream, call(*backend), 5, 3);
  ASSERT_EQ(table.size(), 5u);
  const backend::Tuned* chosen = nullptr;
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(table[i].index, static_cast<int>(i));
    EXPECT_EQ(table[i].workspace_bytes, offered[i].workspaceSize);
    EXPECT_EQ(table[i].waves, offered[i].wavesCount);
    ASSERT_TRUE(table[i].median_ms.has_value()) << table[i].skipped;
    EXPECT_GT(*table[i].median_ms, 0.0);
    if (table[i].chosen) {
      EXPECT_EQ(chosen, nullptr) << "one only";
      chosen = &table[i];
    }
  }
  ASSERT_NE(chosen, nullptr);
  for (const backend::Tuned& row : table) EXPECT_LE(*chosen->median_ms, *row.median_ms);
  IntegerGemm gemm(*backend, *stream, kShape, 1, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_TRUE(same(t_last_algo, offered[static_cast<std::size_t>(chosen->index)].algo));
}

// C keeps what it holds, also when beta reads it.
TEST_P(TuneFixed, TheResultIsNotWritten) {
  const auto backend = open_with("algorithm-cache");
  const auto stream = backend->stream(0);
  backend::GemmCall gemm = call(*backend);
  gemm.beta = 1.0f;
  std::vector<std::uint16_t> before(64 * 64, 0x3f80), after(64 * 64);
  HIPLAB_CHECK(backend->api(), backend::Where{}, hipMemcpyAsync, gemm.c, before.data(), 64 * 64 * 2,
               hipMemcpyHostToDevice, stream->get());
  backend->tune(*stream, gemm, 3, 2);
  HIPLAB_CHECK(backend->api(), backend::Where{}, hipMemcpyAsync, after.data(), gemm.c, 64 * 64 * 2,
               hipMemcpyDeviceToHost, stream->get());
  stream->synchronize();
  EXPECT_EQ(after, before);
}

TEST_P(TuneFixed, RefusedWhileTheStreamCaptures) {
  const auto backend = open_with("algorithm-cache");
  const auto stream = backend->stream(0);
  const backend::GemmCall gemm = call(*backend);
  g_capture_status = hipStreamCaptureStatusActive;
  try {
    backend->tune(*stream, gemm, 2, 1);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("capturing"), std::string::npos) << error.what();
  }
  g_capture_status = hipStreamCaptureStatusNone;
  EXPECT_EQ(backend->counters().at("handles.hipblaslt"), 0) << "nothing was begun";
  EXPECT_NO_THROW(backend->tune(*stream, gemm, 2, 1));
}

// Streams are cleared between a measurement's workspace and its GEMM: the buffer must outlive it.
TEST_P(TuneFixed, AClearFreesNoWorkspaceInUse) {
  const auto backend = open_with("algorithm-cache");
  const auto stream = backend->stream(0);
  const backend::GemmCall gemm = call(*backend);
  int clears = 0;
  g_before_matmul = [&] {
    ++clears;
    backend->device(0).encoders().get(stream->get());  // there is one to be ended
    backend->clear_streams();
  };
  const auto table = backend->tune(*stream, gemm, 4, 2);
  g_before_matmul = nullptr;
  EXPECT_GT(table[0].workspace_bytes, 0u) << "the splitk profile asks for workspace first";
  EXPECT_EQ(clears, 4 * 3);
  for (const backend::Tuned& row : table) EXPECT_EQ(row.skipped, "") << row.index;
}

TEST_P(TuneFixed, WrongCountsAreRefused) {
  const auto backend = open_with("algorithm-cache");
  const auto stream = backend->stream(0);
  const backend::GemmCall gemm = call(*backend);
  EXPECT_THROW(backend->tune(*stream, gemm, 0, 1), Error);
  EXPECT_THROW(backend->tune(*stream, gemm, 1, 0), Error);
  EXPECT_THROW(backend->tune(*stream, gemm, backend::kMostCandidates + 1, 1), Error);
  try {
    backend->tune(*stream, gemm, 1, backend::kMostRepetitions + 1);
    ADD_FAILURE() << "it has measured that often";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "tune: repetitions is 10001, allowed are 1 to 10000");
  }
}

TEST_P(TuneFixed, EightThreadsTuneAndCompute) {
  const auto backend = open_with("algorithm-cache");
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    IntegerGemm gemm(*backend, *stream, {ElementType::bf16, false, true, 32, 32, 64, 1}, 1, t);
    for (int round = 0; round < 3; ++round) {
      gemm.poison();
      gemm.enqueue();
      EXPECT_EQ(gemm.wrong(), 0);
      if (t % 4 == 0) {
        const auto block = backend->memory(0, 32 * 64 * 2);
        backend->tune(*stream, {gemm.shape(), 1.0f, block->get(), block->get(), 0.0f, block->get()},
                      3, 1);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, TuneFixed, ::testing::Values(Form::fixed), form_name);

}  // namespace
}  // namespace hiplab::lab
