// rocBLAS on the software device.
//
// As in the real library, a handle carries its stream and is not thread-safe: the stream is a plain
// field, set by one call and read by another. No lock here, on purpose.
#include <algorithm>
#include <cstring>
#include <memory>

#include "driver/error_names.h"
#include "driver/host/gemm.h"
#include "driver/host/machine.h"
#include "driver/host/openblas.h"
#include "driver/host/refusal.h"
#include "driver/host/submit.h"
#include "driver/host/tables.h"
#include "sync/time.h"

namespace hiplab::rocm {

struct _rocblas_handle {
  int device = 0;
  hipStream_t stream = nullptr;
};

}  // namespace hiplab::rocm

namespace hiplab::driver::host {
namespace {

constexpr char kVersion[] = "4.4.4.hiplab-host";

rocblas_status create_handle(rocblas_handle* handle) {
  if (handle == nullptr) return rocblas_status_invalid_handle;
  // The real one allocates device memory. That it ends so in a capture is assumed: mlxcel 2198 says
  // that nobody has checked.
  if (refused(Call::allocate)) return rocblas_status_internal_error;
  const Profile& profile = machine().profile();
  sync::sleep_for(profile.rocblas_create_blocking.value);
  sync::busy_for(profile.rocblas_create_busy.value);
  auto made = std::make_unique<_rocblas_handle>();
  made->device = Machine::current_device();
  machine().blas().rocblas_handles.fetch_add(1, std::memory_order_relaxed);
  *handle = made.release();  // the caller's, until destroy_handle
  return rocblas_status_success;
}

rocblas_status destroy_handle(rocblas_handle handle) {
  if (handle == nullptr) return rocblas_status_invalid_handle;
  std::unique_ptr<_rocblas_handle> owned(handle);
  const hipError_t freed = refused(Call::free);  // its device memory; assumed
  machine().blas().rocblas_handles.fetch_sub(1, std::memory_order_relaxed);
  return freed == hipSuccess ? rocblas_status_success : rocblas_status_internal_error;
}

rocblas_status set_stream(rocblas_handle handle, hipStream_t stream) {
  if (handle == nullptr) return rocblas_status_invalid_handle;
  const auto queue = machine().queue(stream, handle->device);
  if (queue == nullptr || queue->device() != handle->device) return rocblas_status_invalid_value;
  handle->stream = stream;
  return rocblas_status_success;
}

rocblas_status get_stream(rocblas_handle handle, hipStream_t* stream) {
  if (handle == nullptr) return rocblas_status_invalid_handle;
  if (stream == nullptr) return rocblas_status_invalid_pointer;
  *stream = handle->stream;
  return rocblas_status_success;
}

bool valid(rocblas_operation op) {
  return op == rocblas_operation_none || op == rocblas_operation_transpose ||
         op == rocblas_operation_conjugate_transpose;
}

bool on_device(const void* ptr, std::size_t bytes, int device) {
  return machine().memory().device_of(ptr, bytes) == device;
}

rocblas_status check(const Gemm& g, int device) {
  if (g.m < 0 || g.n < 0 || g.k < 0 || g.batch < 0 ||
      g.lda < std::max<std::int64_t>(1, g.rows_a()) ||
      g.ldb < std::max<std::int64_t>(1, g.rows_b()) || g.ldd < std::max<std::int64_t>(1, g.m) ||
      g.ldc < std::max<std::int64_t>(1, g.m)) {
    return rocblas_status_invalid_size;
  }
  if (g.m == 0 || g.n == 0 || g.batch == 0) return rocblas_status_success;
  // The real library trusts its pointers and the GPU faults; here the registry knows better.
  const bool product = g.k > 0 && g.alpha != 0.0f;
  if (product &&
      (!on_device(g.a, extent_bytes(g.type, g.rows_a(), g.cols_a(), g.lda, g.batch, g.stride_a),
                  device) ||
       !on_device(g.b, extent_bytes(g.type, g.rows_b(), g.cols_b(), g.ldb, g.batch, g.stride_b),
                  device))) {
    return rocblas_status_invalid_pointer;
  }
  if (g.beta != 0.0f &&
      !on_device(g.c, extent_bytes(g.type, g.m, g.n, g.ldc, g.batch, g.stride_c), device)) {
    return rocblas_status_invalid_pointer;
  }
  if (!on_device(g.d, extent_bytes(g.type, g.m, g.n, g.ldd, g.batch, g.stride_d), device)) {
    return rocblas_status_invalid_pointer;
  }
  return rocblas_status_success;
}

rocblas_status enqueue(rocblas_handle handle, Gemm gemm) {
  gemm.adds_ieee = machine().profile().adds_ieee.value;
  const rocblas_status checked = check(gemm, handle->device);
  if (checked != rocblas_status_success) return checked;
  if (gemm.m == 0 || gemm.n == 0 || gemm.batch == 0) return rocblas_status_success;
  if (!OpenBlas::ready()) return rocblas_status_internal_error;
  // Choosing a kernel and packing its arguments come before the launch, which alone needs the
  // stream: what another thread binds meanwhile is what this GEMM runs on.
  sync::busy_for(machine().profile().gemm_enqueue.value);
  switch (submit(handle->stream, handle->device, [gemm] { compute(gemm); })) {
    case hipSuccess:
      return rocblas_status_success;
    case hipErrorOutOfMemory:
      return rocblas_status_memory_error;
    default:
      return rocblas_status_internal_error;  // the bound stream was destroyed
  }
}

rocblas_status sgemm(rocblas_handle handle, rocblas_operation trans_a, rocblas_operation trans_b,
                     rocblas_int m, rocblas_int n, rocblas_int k, const float* alpha,
                     const float* a, rocblas_int lda, const float* b, rocblas_int ldb,
                     const float* beta, float* c, rocblas_int ldc) {
  if (handle == nullptr) return rocblas_status_invalid_handle;
  if (!valid(trans_a) || !valid(trans_b)) return rocblas_status_invalid_value;
  if (alpha == nullptr || beta == nullptr) return rocblas_status_invalid_pointer;
  Gemm g;
  g.trans_a = trans_a != rocblas_operation_none;
  g.trans_b = trans_b != rocblas_operation_none;
  g.m = m, g.n = n, g.k = k;
  g.alpha = *alpha, g.beta = *beta;
  g.a = a, g.lda = lda;
  g.b = b, g.ldb = ldb;
  g.c = c, g.ldc = ldc;
  g.d = c, g.ldd = ldc;
  return enqueue(handle, g);
}

bool element_type(rocblas_datatype type, ElementType& out) {
  switch (type) {
    case rocblas_datatype_f32_r:
      out = ElementType::f32;
      return true;
    case rocblas_datatype_f16_r:
      out = ElementType::f16;
      return true;
    case rocblas_datatype_bf16_r:
      out = ElementType::bf16;
      return true;
    default:
      return false;
  }
}

rocblas_status gemm_strided_batched_ex(
    rocblas_handle handle, rocblas_operation trans_a, rocblas_operation trans_b, rocblas_int m,
    rocblas_int n, rocblas_int k, const void* alpha, const void* a, rocblas_datatype a_type,
    rocblas_int lda, rocblas_stride stride_a, const void* b, rocblas_datatype b_type,
    rocblas_int ldb, rocblas_stride stride_b, const void* beta, const void* c,
    rocblas_datatype c_type, rocblas_int ldc, rocblas_stride stride_c, void* d,
    rocblas_datatype d_type, rocblas_int ldd, rocblas_stride stride_d, rocblas_int batch_count,
    rocblas_datatype compute_type, rocblas_gemm_algo algo, std::int32_t, std::uint32_t) {
  if (handle == nullptr) return rocblas_status_invalid_handle;
  if (!valid(trans_a) || !valid(trans_b) || algo != rocblas_gemm_algo_standard) {
    return rocblas_status_invalid_value;
  }
  if (alpha == nullptr || beta == nullptr) return rocblas_status_invalid_pointer;
  Gemm g;
  if (!element_type(a_type, g.type) || b_type != a_type || c_type != a_type || d_type != a_type ||
      compute_type != rocblas_datatype_f32_r) {
    return rocblas_status_not_implemented;
  }
  g.trans_a = trans_a != rocblas_operation_none;
  g.trans_b = trans_b != rocblas_operation_none;
  g.m = m, g.n = n, g.k = k, g.batch = batch_count;
  g.alpha = *static_cast<const float*>(alpha), g.beta = *static_cast<const float*>(beta);
  g.a = a, g.lda = lda, g.stride_a = stride_a;
  g.b = b, g.ldb = ldb, g.stride_b = stride_b;
  g.c = c, g.ldc = ldc, g.stride_c = stride_c;
  g.d = d, g.ldd = ldd, g.stride_d = stride_d;
  return enqueue(handle, g);
}

rocblas_status gemm_ex(rocblas_handle handle, rocblas_operation trans_a, rocblas_operation trans_b,
                       rocblas_int m, rocblas_int n, rocblas_int k, const void* alpha,
                       const void* a, rocblas_datatype a_type, rocblas_int lda, const void* b,
                       rocblas_datatype b_type, rocblas_int ldb, const void* beta, const void* c,
                       rocblas_datatype c_type, rocblas_int ldc, void* d, rocblas_datatype d_type,
                       rocblas_int ldd, rocblas_datatype compute_type, rocblas_gemm_algo algo,
                       std::int32_t solution_index, std::uint32_t flags) {
  return gemm_strided_batched_ex(handle, trans_a, trans_b, m, n, k, alpha, a, a_type, lda, 0, b,
                                 b_type, ldb, 0, beta, c, c_type, ldc, 0, d, d_type, ldd, 0, 1,
                                 compute_type, algo, solution_index, flags);
}

rocblas_status version_size(size_t* len) {
  if (len == nullptr) return rocblas_status_invalid_pointer;
  *len = sizeof kVersion;
  return rocblas_status_success;
}

rocblas_status version_string(char* buf, size_t len) {
  if (buf == nullptr) return rocblas_status_invalid_pointer;
  if (len < sizeof kVersion) return rocblas_status_invalid_size;
  std::memcpy(buf, kVersion, sizeof kVersion);
  return rocblas_status_success;
}

}  // namespace

void fill_rocblas(Table& t) {
  t.rocblas_create_handle = create_handle;
  t.rocblas_destroy_handle = destroy_handle;
  t.rocblas_set_stream = set_stream;
  t.rocblas_get_stream = get_stream;
  t.rocblas_sgemm = sgemm;
  t.rocblas_gemm_ex = gemm_ex;
  t.rocblas_gemm_strided_batched_ex = gemm_strided_batched_ex;
  t.rocblas_get_version_string_size = version_size;
  t.rocblas_get_version_string = version_string;
  t.rocblas_status_to_string = status_name;
}

}  // namespace hiplab::driver::host
