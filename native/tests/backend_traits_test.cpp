// The traits of a device (mlxcel 2198: a flag set before its work), on a device that has native
// WMMA.
#include "backend/rocblas.h"
#include "backend/traits.h"
#include "lab.h"

namespace hiplab::lab {
namespace {

const driver::Provider& gfx11() { return host("gfx1151"); }

class TraitsForms : public ::testing::TestWithParam<Form> {};

// B asks while A is in the probe window. As filed B reads the flag, and false: once.
TEST_P(TraitsForms, SecondCallerDuringTheProbe) {
  const Form form = GetParam();
  HoldAt hold("traits.create.begin");
  std::unique_ptr<Backend> backend;
  std::future<bool> first;
  if (form == Form::filed) {
    backend = open(gfx11(), form);
    backend::Device& device = backend->device(0);
    first = std::async(std::launch::async, [&] { return device.traits().has_native_wmma(); });
  } else {
    // The window is inside the constructor: nobody can ask a device that does not exist yet.
    backend = open(gfx11(), form);
    first = std::async(std::launch::async,
                       [&] { return backend->device(0).traits().has_native_wmma(); });
  }
  hold.wait_until_held();
  auto second =
      std::async(std::launch::async, [&] { return backend->device(0).traits().has_native_wmma(); });
  let_second_thread_go(second, form);
  hold.release();
  EXPECT_TRUE(first.get());
  EXPECT_EQ(second.get(), form == Form::fixed);
  EXPECT_TRUE(backend->device(0).traits().has_native_wmma()) << "false once only";
}

HIPLAB_BOTH_FORMS(TraitsForms);

std::atomic<int> g_reads{0};
const driver::Table* g_real = nullptr;

hipError_t counted_properties(hipDeviceProp_tR0600* properties, int device) {
  ++g_reads;
  return g_real->hipGetDevicePropertiesR0600(properties, device);
}

TEST(TraitsFixed, AreReadWithTheDevicesOwnProperties) {
  g_real = gfx11().table;
  Patched patched(gfx11());
  patched.table.hipGetDevicePropertiesR0600 = counted_properties;
  const auto backend = open(patched.provider, Form::fixed);
  g_reads = 0;
  on_threads(8, [&](int) {
    backend::Traits& traits = backend->device(0).traits();
    EXPECT_TRUE(traits.has_native_wmma());
    EXPECT_FALSE(traits.supports_cdna_mfma_gemm());
    EXPECT_TRUE(traits.rocblas_arch_supported());
  });
  EXPECT_EQ(g_reads, 1);
}

TEST(TraitsFixed, ByArchitecture) {
  struct Row {
    const char* arch;
    bool wmma, mfma, rocblas;
  };
  for (const Row& row :
       {Row{"gfx1151", true, false, true}, Row{"gfx1201", true, false, true},
        Row{"gfx1030", false, false, true}, Row{"gfx942", false, true, true},
        Row{"gfx90a:sramecc+:xnack-", false, true, true}, Row{"gfx906", false, false, true},
        Row{"gfx803", false, false, false}, Row{"splitk", false, false, true}}) {
    EXPECT_EQ(backend::arch_has_native_wmma(row.arch), row.wmma) << row.arch;
    EXPECT_EQ(backend::arch_has_cdna_mfma(row.arch), row.mfma) << row.arch;
    EXPECT_EQ(backend::rocblas_supports(row.arch), row.rocblas) << row.arch;
  }
}

// The profile has bf16 and no fp8: the capability line says so and an f8 GEMM is refused.
TEST(TraitsFixed, NoFp8OnGfx11) {
  ::testing::internal::CaptureStderr();
  const auto backend = open(gfx11(), Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::f8, false, true, 8, 8, 8, 1}, 1, 1);
  try {
    gemm.enqueue();
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "hipBLASLt has no GEMM for f8 on device 0");
  }
  EXPECT_TRUE(gemm.untouched());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "[hipBLASLt caps] device 0: bf16 1 f16 1 fp8 0\n");
}

}  // namespace
}  // namespace hiplab::lab
