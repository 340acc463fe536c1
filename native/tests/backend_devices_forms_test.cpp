// What needs two devices: on which one a handle is created (mlxcel 2200, blaslt.create-device).
#include "forms_lab.h"

namespace hiplab::lab {
namespace {

const driver::Table* g_real = nullptr;
std::atomic<int> g_created_on{-1};

hipblasStatus_t noting_create(hipblasLtHandle_t* handle) {
  int device = -1;
  g_real->hipGetDevice(&device);
  g_created_on = device;
  return g_real->hipblasLtCreate(handle);
}

class HandleDevice : public ::testing::TestWithParam<Form> {};

// Device 0 is current when the handle of device 1 is made. As filed, it is made on device 0, and
// every GEMM of device 1 is refused with it.
TEST_P(HandleDevice, OfTheHandleOfDeviceOne) {
  const driver::Provider& provider = host("splitk", 2);
  g_real = provider.table;
  g_created_on = -1;
  Patched patched(provider);
  patched.table.hipblasLtCreate = noting_create;
  const bool right = GetParam() != Form::filed;
  const auto backend = open_with(patched.provider, "blaslt-handle", GetParam());
  const auto stream = backend->stream(1);
  IntegerGemm gemm(*backend, *stream, {ElementType::bf16, false, true, 64, 64, 64, 1}, 1, 1);
  ASSERT_EQ(provider.table->hipSetDevice(0), hipSuccess);
  ::testing::internal::CaptureStderr();
  gemm.enqueue();
  ::testing::internal::GetCapturedStderr();
  int current = -1;
  provider.table->hipGetDevice(&current);
  EXPECT_EQ(current, 0) << "restored";
  EXPECT_EQ(g_created_on, right ? 1 : 0);
  EXPECT_EQ(gemm.wrong(), 0);  // rocBLAS takes what hipBLASLt refuses
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), right ? 1 : 0);
  EXPECT_EQ(backend->counters().at("route.fallback"), right ? 0 : 1);
}

INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, HandleDevice,
                         ::testing::Values(Form::fixed, Form::per_thread), form_name);
INSTANTIATE_TEST_SUITE_P(Filed, HandleDevice, ::testing::Values(Form::filed), form_name);

}  // namespace
}  // namespace hiplab::lab
