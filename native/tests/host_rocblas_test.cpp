// rocBLAS on the software device: results, arguments, and the handle's stream.
#include <cmath>
#include <limits>

#include "host_test_tools.h"

namespace hiplab::test {
namespace {

constexpr float kOne = 1.0f;
constexpr float kZero = 0.0f;

class HostRocblas : public HostTest {
 protected:
  void SetUp() override {
    HostTest::SetUp();
    ASSERT_EQ(t->rocblas_create_handle(&handle), rocblas_status_success);
  }
  void TearDown() override { t->rocblas_destroy_handle(handle); }

  rocblas_handle handle = nullptr;
};

rocblas_operation op(bool trans) {
  return trans ? rocblas_operation_transpose : rocblas_operation_none;
}

TEST_F(HostRocblas, SgemmIsExactOnIntegersInAllFourTransposes) {
  // Larger than one OpenBLAS thread takes and not a multiple of anything: the column cut is used.
  const int m = 67, n = 131, k = 45;
  const auto a = integers(m * k, -4, 4, 1);
  const auto b = integers(k * n, -4, 4, 2);
  auto* da = upload(converted<float>(a, ElementType::f32));
  auto* db = upload(converted<float>(b, ElementType::f32));
  auto* dc = upload(std::vector<float>(m * n, NAN));
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      ASSERT_EQ(t->rocblas_sgemm(handle, op(ta), op(tb), m, n, k, &kOne, da, ta ? k : m, db,
                                 tb ? n : k, &kZero, dc, m),
                rocblas_status_success);
      EXPECT_EQ(download(dc, m * n),
                converted<float>(product(a, b, ta, tb, m, n, k), ElementType::f32))
          << ta << tb;
    }
  }
}

TEST_F(HostRocblas, AlphaAndBetaScale) {
  const int m = 8, n = 4, k = 16;
  const auto a = integers(m * k, -4, 4, 3);
  const auto b = integers(k * n, -4, 4, 4);
  const auto c = integers(m * n, -9, 9, 5);
  auto* da = upload(converted<float>(a, ElementType::f32));
  auto* db = upload(converted<float>(b, ElementType::f32));
  auto* dc = upload(converted<float>(c, ElementType::f32));
  const float alpha = 2.0f;
  const float beta = -3.0f;
  ASSERT_EQ(
      t->rocblas_sgemm(handle, op(false), op(false), m, n, k, &alpha, da, m, db, k, &beta, dc, m),
      rocblas_status_success);
  auto expected = product(a, b, false, false, m, n, k);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * expected[i] - 3 * c[i];
  EXPECT_EQ(download(dc, m * n), converted<float>(expected, ElementType::f32));
}

TEST_F(HostRocblas, HalfTypesAreExactInBatches) {
  const int m = 33, n = 20, k = 64, batch = 3;
  const auto a = integers(m * k * batch, -1, 1, 6);
  const auto b = integers(k * n * batch, -1, 1, 7);
  const auto expected = product(a, b, true, false, m, n, k, batch);
  for (const auto& [type, rocblas_type] : {std::pair{ElementType::f16, rocblas_datatype_f16_r},
                                           std::pair{ElementType::bf16, rocblas_datatype_bf16_r}}) {
    auto* da = upload(converted<std::uint16_t>(a, type));
    auto* db = upload(converted<std::uint16_t>(b, type));
    auto* dd = upload(std::vector<std::uint16_t>(m * n * batch, 0xffff));
    ASSERT_EQ(t->rocblas_gemm_strided_batched_ex(
                  handle, op(true), op(false), m, n, k, &kOne, da, rocblas_type, k, m * k, db,
                  rocblas_type, k, k * n, &kZero, dd, rocblas_type, m, m * n, dd, rocblas_type, m,
                  m * n, batch, rocblas_datatype_f32_r, rocblas_gemm_algo_standard, 0, 0),
              rocblas_status_success);
    EXPECT_EQ(download(dd, m * n * batch), converted<std::uint16_t>(expected, type));
  }
}

TEST_F(HostRocblas, SingleInBatchesReadsCAndWritesD) {
  const int m = 5, n = 6, k = 7, batch = 2;
  const auto a = integers(m * k * batch, -4, 4, 8);
  const auto b = integers(k * n * batch, -4, 4, 9);
  const auto c = integers(m * n * batch, -4, 4, 10);
  auto* da = upload(converted<float>(a, ElementType::f32));
  auto* db = upload(converted<float>(b, ElementType::f32));
  auto* dc = upload(converted<float>(c, ElementType::f32));
  auto* dd = upload(std::vector<float>(m * n * batch, NAN));
  const auto f32 = rocblas_datatype_f32_r;
  ASSERT_EQ(t->rocblas_gemm_strided_batched_ex(handle, op(false), op(true), m, n, k, &kOne, da, f32,
                                               m, m * k, db, f32, n, k * n, &kOne, dc, f32, m,
                                               m * n, dd, f32, m, m * n, batch, f32,
                                               rocblas_gemm_algo_standard, 0, 0),
            rocblas_status_success);
  auto expected = product(a, b, false, true, m, n, k, batch);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += c[i];
  EXPECT_EQ(download(dd, m * n * batch), converted<float>(expected, ElementType::f32));
  EXPECT_EQ(download(dc, m * n * batch), converted<float>(c, ElementType::f32));
}

TEST_F(HostRocblas, OneOfABatchIsTheSameAsGemmEx) {
  const int m = 5, n = 6, k = 7;
  const auto a = integers(m * k, -4, 4, 11);
  const auto b = integers(k * n, -4, 4, 12);
  auto* da = upload(converted<float>(a, ElementType::f32));
  auto* db = upload(converted<float>(b, ElementType::f32));
  auto* dd = upload(std::vector<float>(m * n, NAN));
  const auto f32 = rocblas_datatype_f32_r;
  const auto gemm = [&](int ldd) {
    return t->rocblas_gemm_ex(handle, op(false), op(true), m, n, k, &kOne, da, f32, m, db, f32, n,
                              &kZero, dd, f32, ldd, dd, f32, ldd, f32, rocblas_gemm_algo_standard,
                              0, 0);
  };
  EXPECT_EQ(gemm(m - 1), rocblas_status_invalid_size);
  ASSERT_EQ(gemm(m), rocblas_status_success);
  EXPECT_EQ(download(dd, m * n),
            converted<float>(product(a, b, false, true, m, n, k), ElementType::f32));
}

TEST_F(HostRocblas, AnEmptyProductWritesZeroes) {
  auto* dc = upload(std::vector<float>(6, NAN));
  ASSERT_EQ(t->rocblas_sgemm(handle, op(false), op(false), 2, 3, 0, &kOne, nullptr, 2, nullptr, 1,
                             &kZero, dc, 2),
            rocblas_status_success);
  EXPECT_EQ(download(dc, 6), std::vector<float>(6, 0.0f));
}

TEST_F(HostRocblas, WrongArgumentsAreStatusesAndWriteNothing) {
  auto* a = upload(std::vector<float>(16, 1.0f));
  auto* c = upload(std::vector<float>(16, 5.0f));
  float local[16] = {};
  const auto gemm = [&](rocblas_handle h, int m, int lda, const float* pa, float* pc) {
    return t->rocblas_sgemm(h, op(false), op(false), m, 4, 4, &kOne, pa, lda, a, 4, &kZero, pc, 4);
  };
  EXPECT_EQ(gemm(nullptr, 4, 4, a, c), rocblas_status_invalid_handle);
  EXPECT_EQ(gemm(handle, -1, 4, a, c), rocblas_status_invalid_size);
  EXPECT_EQ(gemm(handle, 4, 3, a, c), rocblas_status_invalid_size);
  EXPECT_EQ(gemm(handle, 4, 4, nullptr, c), rocblas_status_invalid_pointer);
  EXPECT_EQ(gemm(handle, 4, 4, local, c), rocblas_status_invalid_pointer) << "host memory";
  EXPECT_EQ(gemm(handle, 4, 4, a + 1, c), rocblas_status_invalid_pointer) << "past the end";
  EXPECT_EQ(gemm(handle, 4, 4, a, nullptr), rocblas_status_invalid_pointer);
  EXPECT_EQ(gemm(handle, 0, 4, nullptr, nullptr), rocblas_status_success);
  EXPECT_EQ(t->rocblas_sgemm(handle, static_cast<rocblas_operation>(7), op(false), 4, 4, 4, &kOne,
                             a, 4, a, 4, &kZero, c, 4),
            rocblas_status_invalid_value);
  EXPECT_EQ(
      t->rocblas_sgemm(handle, op(false), op(false), 4, 4, 4, nullptr, a, 4, a, 4, &kZero, c, 4),
      rocblas_status_invalid_pointer);
  EXPECT_EQ(t->rocblas_create_handle(nullptr), rocblas_status_invalid_handle);
  EXPECT_EQ(t->rocblas_set_stream(nullptr, nullptr), rocblas_status_invalid_handle);
  EXPECT_EQ(download(c, 16), std::vector<float>(16, 5.0f));
}

TEST_F(HostRocblas, AGemmRunsOnTheBoundStream) {
  const auto s = stream();
  auto* a = upload(std::vector<float>(16, 1.0f));
  auto* c = upload(std::vector<float>(16, NAN));
  ASSERT_EQ(t->rocblas_set_stream(handle, s), rocblas_status_success);
  hipStream_t bound = nullptr;
  ASSERT_EQ(t->rocblas_get_stream(handle, &bound), rocblas_status_success);
  EXPECT_EQ(bound, s);
  Hold hold(s);
  ASSERT_EQ(
      t->rocblas_sgemm(handle, op(false), op(false), 4, 4, 4, &kOne, a, 4, a, 4, &kZero, c, 4),
      rocblas_status_success);
  EXPECT_TRUE(std::isnan(download(c, 1)[0])) << "it did not wait for its stream";
  hold.open();
  EXPECT_EQ(download(c, 16, s), std::vector<float>(16, 4.0f));
}

TEST_F(HostRocblas, TheBoundStreamMustBeAliveAndOfTheHandlesDevice) {
  const auto s = stream();
  auto* a = upload(std::vector<float>(16, 1.0f));
  ASSERT_EQ(t->rocblas_set_stream(handle, s), rocblas_status_success);
  ASSERT_EQ(t->hipStreamDestroy(s), hipSuccess);
  EXPECT_EQ(
      t->rocblas_sgemm(handle, op(false), op(false), 4, 4, 4, &kOne, a, 4, a, 4, &kZero, a, 4),
      rocblas_status_internal_error);
  EXPECT_EQ(t->rocblas_set_stream(handle, s), rocblas_status_invalid_value);
  ASSERT_EQ(t->rocblas_set_stream(handle, nullptr), rocblas_status_success);

  open("splitk", 2);
  rocblas_handle other = nullptr;
  ASSERT_EQ(t->rocblas_create_handle(&other), rocblas_status_success);
  ASSERT_EQ(t->hipSetDevice(1), hipSuccess);
  const auto far = stream();
  EXPECT_EQ(t->rocblas_set_stream(other, far), rocblas_status_invalid_value);
  auto* far_memory = static_cast<float*>(allocate(64));
  EXPECT_EQ(t->rocblas_sgemm(other, op(false), op(false), 4, 4, 4, &kOne, far_memory, 4, far_memory,
                             4, &kZero, far_memory, 4),
            rocblas_status_invalid_pointer)
      << "memory of another device";
  ASSERT_EQ(t->rocblas_destroy_handle(other), rocblas_status_success);
}

TEST_F(HostRocblas, TellsItsVersion) {
  size_t length = 0;
  ASSERT_EQ(t->rocblas_get_version_string_size(&length), rocblas_status_success);
  std::string text(length, '\0');
  EXPECT_EQ(t->rocblas_get_version_string(text.data(), length - 1), rocblas_status_invalid_size);
  ASSERT_EQ(t->rocblas_get_version_string(text.data(), length), rocblas_status_success);
  EXPECT_NE(text.find("hiplab-host"), std::string::npos);
  EXPECT_STREQ(t->rocblas_status_to_string(rocblas_status_invalid_handle),
               "rocblas_status_invalid_handle");
}

TEST_F(HostRocblas, HandlesAreCounted) {
  EXPECT_EQ(live_objects().at("rocblas_handles"), 1);
  rocblas_handle other = nullptr;
  ASSERT_EQ(t->rocblas_create_handle(&other), rocblas_status_success);
  EXPECT_EQ(live_objects().at("rocblas_handles"), 2);
  ASSERT_EQ(t->rocblas_destroy_handle(other), rocblas_status_success);
  EXPECT_EQ(live_objects().at("rocblas_handles"), 1);
}

}  // namespace
}  // namespace hiplab::test
