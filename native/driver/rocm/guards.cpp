#include "driver/rocm/guards.h"

namespace hiplab::driver::rocm_provider {
namespace {

// C functions carry no state: what the guards call. Written once, before the table is handed out.
decltype(Table::hipGetDeviceCount) device_count = nullptr;
decltype(Table::hipblasLtCreate) blaslt_create = nullptr;

hipblasStatus_t guarded_blaslt_create(hipblasLtHandle_t* handle) {
  int devices = 0;
  if (device_count(&devices) != hipSuccess || devices < 1) return HIPBLAS_STATUS_NOT_INITIALIZED;
  return blaslt_create(handle);
}

}  // namespace

void guard(Table& table) {
  if (table.hipblasLtCreate == nullptr || table.hipblasLtCreate == guarded_blaslt_create) return;
  device_count = table.hipGetDeviceCount;
  blaslt_create = table.hipblasLtCreate;
  table.hipblasLtCreate = guarded_blaslt_create;
}

}  // namespace hiplab::driver::rocm_provider
