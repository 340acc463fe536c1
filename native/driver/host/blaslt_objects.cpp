// hipBLASLt's handle, descriptors, layouts and preferences.
#include <cstring>
#include <memory>

#include "driver/host/blaslt.h"
#include "driver/host/callbacks.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/tables.h"
#include "sync/time.h"

namespace hiplab::driver::host {
namespace {

template <typename T>
bool read_attribute(const void* buf, size_t bytes, T& out) {
  if (buf == nullptr || bytes != sizeof(T)) return false;
  std::memcpy(&out, buf, sizeof(T));
  return true;
}

hipblasStatus_t create(hipblasLtHandle_t* handle) {
  if (handle == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  // The real one ends the process while any stream captures (rocm-libraries 11838). A lab needs the
  // process: it fails, whatever the modes, and the captures are lost (assumed).
  if (refused(Call::synchronize_device)) return HIPBLAS_STATUS_INTERNAL_ERROR;
  const Profile& profile = machine().profile();
  sync::sleep_for(profile.create_blocking.value);
  sync::busy_for(profile.create_busy.value);
  auto made = std::make_unique<BlasltHandle>();
  made->device = Machine::current_device();
  machine().blas().hipblaslt_handles.fetch_add(1, std::memory_order_relaxed);
  *handle = made.release();  // the caller's, until destroy
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t destroy(const hipblasLtHandle_t handle) {
  if (handle == nullptr) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  // In a callback the real one would never return: the handle stays.
  if (refused_in_callback("hipblasLtDestroy", nullptr)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  std::unique_ptr<BlasltHandle> owned(static_cast<BlasltHandle*>(handle));
  // The real one synchronizes the device. What it does where that is refused is assumed.
  const hipError_t synchronized = refused(Call::synchronize_device);
  if (synchronized == hipSuccess) machine().synchronize(owned->device);
  machine().blas().hipblaslt_handles.fetch_sub(1, std::memory_order_relaxed);
  return synchronized == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INTERNAL_ERROR;
}

// hipBLASLt 1.1.0, whose declarations this project follows.
hipblasStatus_t get_version(hipblasLtHandle_t handle, int* version) {
  if (handle == nullptr) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  if (version == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  *version = 100100;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t desc_create(hipblasLtMatmulDesc_t* desc, hipblasComputeType_t compute,
                            hipDataType scale) {
  if (desc == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  if (compute != HIPBLAS_COMPUTE_32F || scale != HIP_R_32F) return HIPBLAS_STATUS_NOT_SUPPORTED;
  auto made = std::make_unique<hipblasLtMatmulDescOpaque_t>();
  machine().blas().descriptors.fetch_add(1, std::memory_order_relaxed);
  *desc = made.release();
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t desc_destroy(const hipblasLtMatmulDesc_t desc) {
  if (desc == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  std::unique_ptr<hipblasLtMatmulDescOpaque_t> owned(desc);
  machine().blas().descriptors.fetch_sub(1, std::memory_order_relaxed);
  return HIPBLAS_STATUS_SUCCESS;
}

bool read_operation(const void* buf, size_t bytes, hipblasOperation_t& out) {
  std::int32_t value = 0;
  if (!read_attribute(buf, bytes, value)) return false;
  if (value != HIPBLAS_OP_N && value != HIPBLAS_OP_T && value != HIPBLAS_OP_C) return false;
  out = static_cast<hipblasOperation_t>(value);
  return true;
}

hipblasStatus_t desc_set(hipblasLtMatmulDesc_t desc, hipblasLtMatmulDescAttributes_t attr,
                         const void* buf, size_t bytes) {
  if (desc == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  bool done = false;
  switch (attr) {
    case HIPBLASLT_MATMUL_DESC_TRANSA:
      done = read_operation(buf, bytes, desc->trans_a);
      break;
    case HIPBLASLT_MATMUL_DESC_TRANSB:
      done = read_operation(buf, bytes, desc->trans_b);
      break;
    case HIPBLASLT_MATMUL_DESC_EPILOGUE: {
      constexpr std::int32_t kDefault = 1;
      std::int32_t value = 0;
      if (!read_attribute(buf, bytes, value)) return HIPBLAS_STATUS_INVALID_VALUE;
      // Bias and activations are not computed here.
      return value == kDefault ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_NOT_SUPPORTED;
    }
    default:
      return HIPBLAS_STATUS_NOT_SUPPORTED;
  }
  return done ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INVALID_VALUE;
}

hipblasStatus_t layout_create(hipblasLtMatrixLayout_t* layout, hipDataType type, std::uint64_t rows,
                              std::uint64_t cols, std::int64_t ld) {
  if (layout == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  auto made = std::make_unique<hipblasLtMatrixLayoutOpaque_t>();
  made->type = type;
  made->rows = static_cast<std::int64_t>(rows);
  made->cols = static_cast<std::int64_t>(cols);
  made->ld = ld;
  machine().blas().layouts.fetch_add(1, std::memory_order_relaxed);
  *layout = made.release();
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t layout_destroy(const hipblasLtMatrixLayout_t layout) {
  if (layout == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  std::unique_ptr<hipblasLtMatrixLayoutOpaque_t> owned(layout);
  machine().blas().layouts.fetch_sub(1, std::memory_order_relaxed);
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t layout_set(hipblasLtMatrixLayout_t layout, hipblasLtMatrixLayoutAttribute_t attr,
                           const void* buf, size_t bytes) {
  if (layout == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  switch (attr) {
    case HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT: {
      std::int32_t count = 0;
      if (!read_attribute(buf, bytes, count) || count < 1) return HIPBLAS_STATUS_INVALID_VALUE;
      layout->batch = count;
      return HIPBLAS_STATUS_SUCCESS;
    }
    case HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return read_attribute(buf, bytes, layout->stride) ? HIPBLAS_STATUS_SUCCESS
                                                        : HIPBLAS_STATUS_INVALID_VALUE;
    default:
      return HIPBLAS_STATUS_NOT_SUPPORTED;
  }
}

hipblasStatus_t pref_create(hipblasLtMatmulPreference_t* pref) {
  if (pref == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  auto made = std::make_unique<hipblasLtMatmulPreferenceOpaque_t>();
  machine().blas().preferences.fetch_add(1, std::memory_order_relaxed);
  *pref = made.release();
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t pref_destroy(const hipblasLtMatmulPreference_t pref) {
  if (pref == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  std::unique_ptr<hipblasLtMatmulPreferenceOpaque_t> owned(pref);
  machine().blas().preferences.fetch_sub(1, std::memory_order_relaxed);
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t pref_set(hipblasLtMatmulPreference_t pref,
                         hipblasLtMatmulPreferenceAttributes_t attr, const void* buf,
                         size_t bytes) {
  if (pref == nullptr) return HIPBLAS_STATUS_INVALID_VALUE;
  if (attr != HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES) return HIPBLAS_STATUS_NOT_SUPPORTED;
  return read_attribute(buf, bytes, pref->max_workspace_bytes) ? HIPBLAS_STATUS_SUCCESS
                                                               : HIPBLAS_STATUS_INVALID_VALUE;
}

}  // namespace

void fill_blaslt_objects(Table& t) {
  t.hipblasLtCreate = create;
  t.hipblasLtDestroy = destroy;
  t.hipblasLtGetVersion = get_version;
  t.hipblasLtMatmulDescCreate = desc_create;
  t.hipblasLtMatmulDescDestroy = desc_destroy;
  t.hipblasLtMatmulDescSetAttribute = desc_set;
  t.hipblasLtMatrixLayoutCreate = layout_create;
  t.hipblasLtMatrixLayoutDestroy = layout_destroy;
  t.hipblasLtMatrixLayoutSetAttribute = layout_set;
  t.hipblasLtMatmulPreferenceCreate = pref_create;
  t.hipblasLtMatmulPreferenceDestroy = pref_destroy;
  t.hipblasLtMatmulPreferenceSetAttribute = pref_set;
}

}  // namespace hiplab::driver::host
