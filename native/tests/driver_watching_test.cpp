// The wrapper table that looks at streams and devices, over a provider that notes no submissions.
#include <cstdint>
#include <map>
#include <string>

#include "driver/error.h"
#include "driver/gemm_stream.h"
#include "driver/watching.h"
#include "gtest/gtest.h"

namespace hiplab::driver {
namespace {

hipStream_t stream_of(int number) { return reinterpret_cast<hipStream_t>(std::intptr_t{number}); }

hipStream_t g_bound = nullptr;
hipStream_t g_bound_in_the_call = nullptr;  // by another thread; null: nobody
rocblas_status g_status = rocblas_status_success;
bool g_submits = false;
int g_device = 0;

// A library whose GEMMs succeed, and whose handle has one stream.
Table& library() {
  static Table table;
  table.hipGetDevice = [](int* device) {
    *device = g_device;
    return hipSuccess;
  };
  table.rocblas_get_stream = [](rocblas_handle, hipStream_t* stream) {
    *stream = g_bound;
    return rocblas_status_success;
  };
  table.rocblas_sgemm = [](rocblas_handle, rocblas_operation, rocblas_operation, rocblas_int,
                           rocblas_int, rocblas_int, const float*, const float*, rocblas_int,
                           const float*, rocblas_int, const float*, float*, rocblas_int) {
    if (g_bound_in_the_call != nullptr) g_bound = g_bound_in_the_call;
    if (g_submits) Submissions::note(g_bound);
    return g_status;
  };
  table.hipblasLtMatmul = [](hipblasLtHandle_t, hipblasLtMatmulDesc_t, const void*, const void*,
                             hipblasLtMatrixLayout_t, const void*, hipblasLtMatrixLayout_t,
                             const void*, const void*, hipblasLtMatrixLayout_t, void*,
                             hipblasLtMatrixLayout_t, const hipblasLtMatmulAlgo_t*, void*, size_t,
                             hipStream_t) { return HIPBLAS_STATUS_SUCCESS; };
  table.rocblas_create_handle = [](rocblas_handle*) { return g_status; };
  table.hipblasLtCreate = [](hipblasLtHandle_t*) { return HIPBLAS_STATUS_SUCCESS; };
  return table;
}

void sgemm(const Table& table) {
  table.rocblas_sgemm(nullptr, rocblas_operation_none, rocblas_operation_none, 1, 1, 1, nullptr,
                      nullptr, 1, nullptr, 1, nullptr, nullptr, 1);
}

void matmul(const Table& table, hipStream_t stream) {
  table.hipblasLtMatmul(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                        nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, stream);
}

class DriverWatching : public ::testing::Test {
 protected:
  DriverWatching() : table_(watch_calls(library())) {
    g_bound = stream_of(1);
    g_bound_in_the_call = nullptr;
    g_status = rocblas_status_success;
    g_submits = false;
    g_device = 0;
    before_ = watched_calls();
  }

  std::int64_t counted(const std::string& name) {
    const auto now = watched_calls();
    const auto value = [&name](const std::map<std::string, std::int64_t>& counts) {
      const auto found = counts.find(name);
      return found == counts.end() ? 0 : found->second;
    };
    return value(now) - value(before_);
  }
  std::int64_t own() { return counted("gemm.own-stream"); }
  std::int64_t other() { return counted("gemm.other-stream"); }

  const Table& table_;
  std::map<std::string, std::int64_t> before_;
};

TEST_F(DriverWatching, TheBoundStreamIsReadBeforeAndAfterTheCall) {
  const WantedStream wanted(stream_of(1));
  sgemm(table_);
  EXPECT_EQ(own(), 1);
  g_bound = stream_of(2);
  sgemm(table_);
  EXPECT_EQ(other(), 1) << "bound to another one before";
  g_bound = stream_of(1);
  g_bound_in_the_call = stream_of(2);
  sgemm(table_);
  EXPECT_EQ(other(), 2) << "bound to another one meanwhile";
  EXPECT_EQ(own(), 1);
}

TEST_F(DriverWatching, WhatTheProviderNotesIsTheTruth) {
  const WantedStream wanted(stream_of(1));
  g_submits = true;
  g_bound = stream_of(2);
  g_bound_in_the_call = stream_of(1);  // in time: the call reads it late
  sgemm(table_);
  EXPECT_EQ(own(), 1);
  EXPECT_EQ(other(), 0);
}

TEST_F(DriverWatching, TheStreamOfAMatmulIsItsArgument) {
  const WantedStream wanted(stream_of(1));
  matmul(table_, stream_of(1));
  EXPECT_EQ(own(), 1);
  matmul(table_, stream_of(2));
  EXPECT_EQ(other(), 1);
}

TEST_F(DriverWatching, TheInnermostWantedStreamCounts) {
  const WantedStream outer(stream_of(2));
  {
    const WantedStream inner(stream_of(1));
    sgemm(table_);
  }
  EXPECT_EQ(own(), 1);
  sgemm(table_);
  EXPECT_EQ(other(), 1);
}

TEST_F(DriverWatching, WhatFailsOrIsMeantForNoStreamIsNotCounted) {
  sgemm(table_);
  matmul(table_, stream_of(1));
  {
    const WantedStream wanted(stream_of(2));
    g_status = rocblas_status_internal_error;
    sgemm(table_);
  }
  EXPECT_EQ(own() + other(), 0);
}

TEST_F(DriverWatching, HandlesCountForTheCurrentDevice) {
  rocblas_handle rocblas = nullptr;
  hipblasLtHandle_t hipblaslt = nullptr;
  g_device = 3;
  table_.rocblas_create_handle(&rocblas);
  table_.hipblasLtCreate(&hipblaslt);
  g_device = 1;
  table_.hipblasLtCreate(&hipblaslt);
  g_status = rocblas_status_memory_error;
  table_.rocblas_create_handle(&rocblas);
  EXPECT_EQ(counted("created.rocblas.device-3"), 1);
  EXPECT_EQ(counted("created.rocblas.device-1"), 0) << "it failed";
  EXPECT_EQ(counted("created.hipblaslt.device-3"), 1);
  EXPECT_EQ(counted("created.hipblaslt.device-1"), 1);
}

TEST_F(DriverWatching, OneWrapperPerTableAndWhatIsMissingStaysMissing) {
  EXPECT_EQ(&watch_calls(library()), &table_);
  EXPECT_EQ(table_.hipMalloc, nullptr);
  EXPECT_EQ(table_.rocblas_gemm_strided_batched_ex, nullptr);
  static Table others[4];
  EXPECT_THROW(
      {
        for (Table& other : others) watch_calls(other);
      },
      Error);
}

}  // namespace
}  // namespace hiplab::driver
