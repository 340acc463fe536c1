// What mlxcel 2206 measured through the libraries, through the software device's own tables.
#include <cmath>

#include "host_blaslt_tools.h"

namespace hiplab::test {
namespace {

constexpr int kSide = 64;
constexpr std::size_t kOutputs = std::size_t{kSide} * kSide;
constexpr float kOne = 1.0f;
constexpr float kZero = 0.0f;

// A row as the source writes it: its terms and zeros, or its terms over and over.
struct Row {
  std::vector<float> terms;
  bool repeated = false;

  float at(std::size_t k) const {
    return repeated ? terms[k % terms.size()] : k < terms.size() ? terms[k] : 0.0f;
  }
};

// The profile is opened by the test.
class HostResidue : public HostTest {
 protected:
  void SetUp() override {}

  // Every row of A is that row, B is ones: 64 x 64 x 64, TN as BLAS counts it.
  std::vector<float> outputs(bool blaslt, ElementType type, const Row& row) {
    std::vector<std::uint16_t> a(kOutputs);
    for (std::size_t i = 0; i < kOutputs; ++i) a[i] = half(type, row.at(i % kSide));
    auto* da = upload(a);
    auto* db = upload(std::vector<std::uint16_t>(kOutputs, half(type, 1.0f)));
    auto* dd = upload(std::vector<std::uint16_t>(kOutputs, 0xffff));
    if (blaslt) {
      multiply_blaslt(type, da, db, dd);
    } else {
      multiply_rocblas(type, da, db, dd);
    }
    std::vector<float> out;
    for (const auto bits : download(dd, kOutputs)) out.push_back(decode(type, bits));
    return out;
  }

  void expect_all(ElementType type, const Row& row, float value) {
    for (const bool blaslt : {true, false}) {
      EXPECT_EQ(outputs(blaslt, type, row), std::vector<float>(kOutputs, value))
          << (blaslt ? "hipBLASLt" : "rocBLAS") << ", " << ::testing::PrintToString(row.terms);
    }
  }

 private:
  static std::uint16_t half(ElementType type, float value) {
    return type == ElementType::f16 ? host::to_f16(value) : host::to_bf16(value);
  }
  void multiply_blaslt(ElementType type, void* a, void* b, void* d) {
    hipblasLtHandle_t handle = nullptr;
    ASSERT_EQ(t->hipblasLtCreate(&handle), HIPBLAS_STATUS_SUCCESS);
    const Pipe pipe(t, type == ElementType::f16 ? HIP_R_16F : HIP_R_16BF, true, false, kSide, kSide,
                    kSide);
    void* workspace = allocate(kCap);
    EXPECT_EQ(pipe.matmul(handle, a, b, d, nullptr, workspace, kCap, nullptr),
              HIPBLAS_STATUS_SUCCESS);
    EXPECT_EQ(t->hipStreamSynchronize(nullptr), hipSuccess);
    EXPECT_EQ(t->hipblasLtDestroy(handle), HIPBLAS_STATUS_SUCCESS);
  }
  void multiply_rocblas(ElementType type, void* a, void* b, void* d) {
    rocblas_handle handle = nullptr;
    ASSERT_EQ(t->rocblas_create_handle(&handle), rocblas_status_success);
    const auto data = type == ElementType::f16 ? rocblas_datatype_f16_r : rocblas_datatype_bf16_r;
    EXPECT_EQ(t->rocblas_gemm_ex(handle, rocblas_operation_transpose, rocblas_operation_none, kSide,
                                 kSide, kSide, &kOne, a, data, kSide, b, data, kSide, &kZero, d,
                                 data, kSide, d, data, kSide, rocblas_datatype_f32_r,
                                 rocblas_gemm_algo_standard, 0, 0),
              rocblas_status_success);
    EXPECT_EQ(t->hipStreamSynchronize(nullptr), hipSuccess);
    EXPECT_EQ(t->rocblas_destroy_handle(handle), rocblas_status_success);
  }
};

TEST_F(HostResidue, LibrariesGiveTheRowsOfTheSourceOnGfx1151) {
  open("gfx1151", 1);
  for (const ElementType type : {ElementType::bf16, ElementType::f16}) {
    expect_all(type, {{1, -1}}, -0x1p-24f);
    expect_all(type, {{2, -2}}, -0x1p-23f);
    expect_all(type, {{2}}, 2);
    expect_all(type, {{-2, -1, 1, 2}, true}, 0);
    expect_all(type, {{-1, 0, 1}, true}, -1);
  }
}

// f16's smallest step is 2^-24, so that half a unit of it is lost where the output is rounded.
TEST_F(HostResidue, LibrariesGiveTheRowsOfTheInstructionOnGfx1151) {
  open("gfx1151", 1);
  for (const ElementType type : {ElementType::bf16, ElementType::f16}) {
    expect_all(type, {{-1, 1}}, -0x1p-24f);
    expect_all(type, {{8, -8}}, -0x1p-21f);
    expect_all(type, {{0.5f, -0.5f}}, type == ElementType::bf16 ? -0x1p-25f : -0.0f);
    expect_all(type, {{2, -1, -1}}, -3 * 0x1p-24f);
    expect_all(type, {{1, 2, -3}}, -0x1p-23f);
    expect_all(type, {{1, -1, 1, -1}}, 0);
    expect_all(type, {{-1}}, -1);
  }
}

TEST_F(HostResidue, AlphaAndBetaComeAfterTheSums) {
  open("gfx1151", 1);
  const float alpha = 4.0f;
  const float beta = 0.5f;
  std::vector<std::uint16_t> a(kOutputs, 0);
  for (std::size_t i = 0; i < kOutputs; i += kSide) {
    a[i] = host::to_bf16(1.0f);
    a[i + 1] = host::to_bf16(-1.0f);
  }
  auto* da = upload(a);
  auto* db = upload(std::vector<std::uint16_t>(kOutputs, host::to_bf16(1.0f)));
  auto* dc = upload(std::vector<std::uint16_t>(kOutputs, host::to_bf16(0x1p-20f)));
  rocblas_handle handle = nullptr;
  ASSERT_EQ(t->rocblas_create_handle(&handle), rocblas_status_success);
  const auto data = rocblas_datatype_bf16_r;
  EXPECT_EQ(
      t->rocblas_gemm_ex(handle, rocblas_operation_transpose, rocblas_operation_none, kSide, kSide,
                         kSide, &alpha, da, data, kSide, db, data, kSide, &beta, dc, data, kSide,
                         dc, data, kSide, rocblas_datatype_f32_r, rocblas_gemm_algo_standard, 0, 0),
      rocblas_status_success);
  EXPECT_EQ(download(dc, kOutputs),
            std::vector<std::uint16_t>(kOutputs, host::to_bf16(-4 * 0x1p-24f + 0x1p-21f)));
  t->rocblas_destroy_handle(handle);
}

// K in parts, as a profile with split-K would add: each part a chain of its own.
TEST_F(HostResidue, PartsOfKAreChainsOfTheirOwn) {
  std::vector<std::uint16_t> a(32, 0);
  for (const std::size_t k : {0, 16}) {
    a[k] = host::to_bf16(1.0f);
    a[k + 1] = host::to_bf16(-1.0f);
  }
  const std::vector<std::uint16_t> b(32, host::to_bf16(1.0f));
  host::Gemm g;
  g.a = a.data(), g.b = b.data();
  g.type = ElementType::bf16;
  g.trans_a = true;
  g.m = g.n = 1, g.k = 32;
  g.lda = g.ldb = 32, g.ldc = g.ldd = 1;
  float whole = 1;
  host::compute_partial(g, 1, 0, &whole);
  EXPECT_EQ(whole, 0) << "the IEEE way";
  g.adds_ieee = false;
  host::compute_partial(g, 1, 0, &whole);
  EXPECT_EQ(whole, 0) << "the second pair cancels the residue of the first";
  float parts[2] = {};
  host::compute_partial(g, 2, 0, parts);
  host::compute_partial(g, 2, 1, parts);
  EXPECT_EQ(parts[0], -0x1p-24f);
  EXPECT_EQ(parts[1], -0x1p-24f);
}

TEST_F(HostResidue, SplitkAddsTheIeeeWay) {
  open("splitk", 1);
  for (const ElementType type : {ElementType::bf16, ElementType::f16}) {
    for (const auto& terms : std::vector<std::vector<float>>{
             {1, -1}, {2, -2}, {8, -8}, {0.5f, -0.5f}, {2, -1, -1}, {1, 2, -3}}) {
      expect_all(type, {terms}, 0);
    }
  }
}

TEST_F(HostResidue, SingleIsExactOnGfx1151) {
  open("gfx1151", 1);
  std::vector<float> a(kOutputs, 0.0f);
  for (std::size_t i = 0; i < kOutputs; i += kSide) {
    a[i] = 1.0f;
    a[i + 1] = -1.0f;
  }
  auto* da = upload(a);
  auto* db = upload(std::vector<float>(kOutputs, 1.0f));
  auto* dc = upload(std::vector<float>(kOutputs, NAN));
  rocblas_handle handle = nullptr;
  ASSERT_EQ(t->rocblas_create_handle(&handle), rocblas_status_success);
  EXPECT_EQ(t->rocblas_sgemm(handle, rocblas_operation_transpose, rocblas_operation_none, kSide,
                             kSide, kSide, &kOne, da, kSide, db, kSide, &kZero, dc, kSide),
            rocblas_status_success);
  EXPECT_EQ(download(dc, kOutputs), std::vector<float>(kOutputs, 0.0f));
  t->rocblas_destroy_handle(handle);

  hipblasLtHandle_t lt = nullptr;
  ASSERT_EQ(t->hipblasLtCreate(&lt), HIPBLAS_STATUS_SUCCESS);
  const Pipe pipe(t, HIP_R_32F, true, false, kSide, kSide, kSide);
  auto* dd = upload(std::vector<float>(kOutputs, NAN));
  EXPECT_EQ(pipe.matmul(lt, da, db, dd, nullptr, nullptr, 0, nullptr), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(download(dd, kOutputs), std::vector<float>(kOutputs, 0.0f));
  EXPECT_EQ(t->hipblasLtDestroy(lt), HIPBLAS_STATUS_SUCCESS);
}

}  // namespace
}  // namespace hiplab::test
