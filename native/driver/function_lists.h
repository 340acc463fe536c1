// Every ROCm C function that hiplab calls, once, library by library.
//
// Each list entry is X(return type, name, (parameters), (argument names)). Macros alone: table.h
// makes the driver table of them, raw/*.h the functions that Java calls.
#pragma once

#define HIPLAB_HIP_FUNCTIONS(X)                                                                    \
  X(hipError_t, hipGetDeviceCount, (int* count), (count))                                          \
  X(hipError_t, hipSetDevice, (int device), (device))                                              \
  X(hipError_t, hipGetDevice, (int* device), (device))                                             \
  X(hipError_t, hipGetDevicePropertiesR0600, (hipDeviceProp_tR0600 * prop, int device),            \
    (prop, device))                                                                                \
  X(hipError_t, hipRuntimeGetVersion, (int* version), (version))                                   \
  X(hipError_t, hipDriverGetVersion, (int* version), (version))                                    \
  X(hipError_t, hipDeviceSynchronize, (), ())                                                      \
  X(hipError_t, hipMemGetInfo, (size_t * free, size_t * total), (free, total))                     \
  X(hipError_t, hipMalloc, (void** ptr, size_t bytes), (ptr, bytes))                               \
  X(hipError_t, hipFree, (void* ptr), (ptr))                                                       \
  X(hipError_t, hipMallocAsync, (void** ptr, size_t bytes, hipStream_t stream),                    \
    (ptr, bytes, stream))                                                                          \
  X(hipError_t, hipFreeAsync, (void* ptr, hipStream_t stream), (ptr, stream))                      \
  X(hipError_t, hipHostMalloc, (void** ptr, size_t bytes, unsigned flags), (ptr, bytes, flags))    \
  X(hipError_t, hipHostFree, (void* ptr), (ptr))                                                   \
  X(hipError_t, hipMemcpy, (void* dst, const void* src, size_t bytes, hipMemcpyKind kind),         \
    (dst, src, bytes, kind))                                                                       \
  X(hipError_t, hipMemset, (void* dst, int value, size_t bytes), (dst, value, bytes))              \
  X(hipError_t, hipMemcpyAsync,                                                                    \
    (void* dst, const void* src, size_t bytes, hipMemcpyKind kind, hipStream_t stream),            \
    (dst, src, bytes, kind, stream))                                                               \
  X(hipError_t, hipMemsetAsync, (void* dst, int value, size_t bytes, hipStream_t stream),          \
    (dst, value, bytes, stream))                                                                   \
  X(hipError_t, hipStreamCreateWithFlags, (hipStream_t * stream, unsigned flags), (stream, flags)) \
  X(hipError_t, hipStreamDestroy, (hipStream_t stream), (stream))                                  \
  X(hipError_t, hipStreamSynchronize, (hipStream_t stream), (stream))                              \
  X(hipError_t, hipStreamQuery, (hipStream_t stream), (stream))                                    \
  X(hipError_t, hipStreamWaitEvent, (hipStream_t stream, hipEvent_t event, unsigned flags),        \
    (stream, event, flags))                                                                        \
  X(hipError_t, hipStreamGetCaptureInfo,                                                           \
    (hipStream_t stream, hipStreamCaptureStatus * status, unsigned long long* id),                 \
    (stream, status, id))                                                                          \
  X(hipError_t, hipEventCreateWithFlags, (hipEvent_t * event, unsigned flags), (event, flags))     \
  X(hipError_t, hipEventDestroy, (hipEvent_t event), (event))                                      \
  X(hipError_t, hipEventRecord, (hipEvent_t event, hipStream_t stream), (event, stream))           \
  X(hipError_t, hipEventQuery, (hipEvent_t event), (event))                                        \
  X(hipError_t, hipEventSynchronize, (hipEvent_t event), (event))                                  \
  X(hipError_t, hipEventElapsedTime, (float* ms, hipEvent_t start, hipEvent_t stop),               \
    (ms, start, stop))                                                                             \
  X(hipError_t, hipStreamBeginCapture, (hipStream_t stream, hipStreamCaptureMode mode),            \
    (stream, mode))                                                                                \
  X(hipError_t, hipStreamEndCapture, (hipStream_t stream, hipGraph_t * graph), (stream, graph))    \
  X(hipError_t, hipThreadExchangeStreamCaptureMode, (hipStreamCaptureMode * mode), (mode))         \
  X(hipError_t, hipGraphInstantiate,                                                               \
    (hipGraphExec_t * exec, hipGraph_t graph, hipGraphNode_t * error_node, char* log,              \
     size_t log_bytes),                                                                            \
    (exec, graph, error_node, log, log_bytes))                                                     \
  X(hipError_t, hipGraphLaunch, (hipGraphExec_t exec, hipStream_t stream), (exec, stream))         \
  X(hipError_t, hipGraphDestroy, (hipGraph_t graph), (graph))                                      \
  X(hipError_t, hipGraphExecDestroy, (hipGraphExec_t exec), (exec))                                \
  X(hipError_t, hipLaunchHostFunc, (hipStream_t stream, hipHostFn_t function, void* user),         \
    (stream, function, user))                                                                      \
  X(hipError_t, hipModuleLoadData, (hipModule_t * module, const void* image), (module, image))     \
  X(hipError_t, hipModuleGetFunction,                                                              \
    (hipFunction_t * function, hipModule_t module, const char* name), (function, module, name))    \
  X(hipError_t, hipModuleLaunchKernel,                                                             \
    (hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,  \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, hipStream_t stream, void** params, \
     void** extra),                                                                                \
    (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, params,    \
     extra))                                                                                       \
  X(hipError_t, hipModuleUnload, (hipModule_t module), (module))                                   \
  X(hipError_t, hipGetLastError, (), ())                                                           \
  X(hipError_t, hipDeviceReset, (), ())                                                            \
  X(const char*, hipGetErrorName, (hipError_t error), (error))                                     \
  X(const char*, hipGetErrorString, (hipError_t error), (error))

#define HIPLAB_HIPRTC_FUNCTIONS(X)                                                              \
  X(hiprtcResult, hiprtcVersion, (int* major, int* minor), (major, minor))                      \
  X(hiprtcResult, hiprtcCreateProgram,                                                          \
    (hiprtcProgram * program, const char* source, const char* name, int header_count,           \
     const char** headers, const char** include_names),                                         \
    (program, source, name, header_count, headers, include_names))                              \
  X(hiprtcResult, hiprtcCompileProgram,                                                         \
    (hiprtcProgram program, int option_count, const char** options),                            \
    (program, option_count, options))                                                           \
  X(hiprtcResult, hiprtcGetProgramLogSize, (hiprtcProgram program, size_t * bytes),             \
    (program, bytes))                                                                           \
  X(hiprtcResult, hiprtcGetProgramLog, (hiprtcProgram program, char* log), (program, log))      \
  X(hiprtcResult, hiprtcGetCodeSize, (hiprtcProgram program, size_t * bytes), (program, bytes)) \
  X(hiprtcResult, hiprtcGetCode, (hiprtcProgram program, char* code), (program, code))          \
  X(hiprtcResult, hiprtcDestroyProgram, (hiprtcProgram * program), (program))                   \
  X(const char*, hiprtcGetErrorString, (hiprtcResult result), (result))

#define HIPLAB_ROCBLAS_FUNCTIONS(X)                                                                \
  X(rocblas_status, rocblas_create_handle, (rocblas_handle * handle), (handle))                    \
  X(rocblas_status, rocblas_destroy_handle, (rocblas_handle handle), (handle))                     \
  X(rocblas_status, rocblas_set_stream, (rocblas_handle handle, hipStream_t stream),               \
    (handle, stream))                                                                              \
  X(rocblas_status, rocblas_get_stream, (rocblas_handle handle, hipStream_t * stream),             \
    (handle, stream))                                                                              \
  X(rocblas_status, rocblas_sgemm,                                                                 \
    (rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,     \
     rocblas_int n, rocblas_int k, const float* alpha, const float* A, rocblas_int lda,            \
     const float* B, rocblas_int ldb, const float* beta, float* C, rocblas_int ldc),               \
    (handle, transA, transB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc))                        \
  X(rocblas_status, rocblas_gemm_ex,                                                               \
    (rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,     \
     rocblas_int n, rocblas_int k, const void* alpha, const void* a, rocblas_datatype a_type,      \
     rocblas_int lda, const void* b, rocblas_datatype b_type, rocblas_int ldb, const void* beta,   \
     const void* c, rocblas_datatype c_type, rocblas_int ldc, void* d, rocblas_datatype d_type,    \
     rocblas_int ldd, rocblas_datatype compute_type, rocblas_gemm_algo algo,                       \
     std::int32_t solution_index, std::uint32_t flags),                                            \
    (handle, transA, transB, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc, \
     d, d_type, ldd, compute_type, algo, solution_index, flags))                                   \
  X(rocblas_status, rocblas_gemm_strided_batched_ex,                                               \
    (rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,     \
     rocblas_int n, rocblas_int k, const void* alpha, const void* a, rocblas_datatype a_type,      \
     rocblas_int lda, rocblas_stride stride_a, const void* b, rocblas_datatype b_type,             \
     rocblas_int ldb, rocblas_stride stride_b, const void* beta, const void* c,                    \
     rocblas_datatype c_type, rocblas_int ldc, rocblas_stride stride_c, void* d,                   \
     rocblas_datatype d_type, rocblas_int ldd, rocblas_stride stride_d, rocblas_int batch_count,   \
     rocblas_datatype compute_type, rocblas_gemm_algo algo, std::int32_t solution_index,           \
     std::uint32_t flags),                                                                         \
    (handle, transA, transB, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type, ldb, stride_b,   \
     beta, c, c_type, ldc, stride_c, d, d_type, ldd, stride_d, batch_count, compute_type, algo,    \
     solution_index, flags))                                                                       \
  X(rocblas_status, rocblas_get_version_string_size, (size_t * len), (len))                        \
  X(rocblas_status, rocblas_get_version_string, (char* buf, size_t len), (buf, len))               \
  X(const char*, rocblas_status_to_string, (rocblas_status status), (status))

#define HIPLAB_HIPBLASLT_FUNCTIONS(X)                                                             \
  X(hipblasStatus_t, hipblasLtCreate, (hipblasLtHandle_t * handle), (handle))                     \
  X(hipblasStatus_t, hipblasLtDestroy, (const hipblasLtHandle_t handle), (handle))                \
  X(hipblasStatus_t, hipblasLtGetVersion, (hipblasLtHandle_t handle, int* version),               \
    (handle, version))                                                                            \
  X(hipblasStatus_t, hipblasLtMatmulDescCreate,                                                   \
    (hipblasLtMatmulDesc_t * desc, hipblasComputeType_t compute, hipDataType scale),              \
    (desc, compute, scale))                                                                       \
  X(hipblasStatus_t, hipblasLtMatmulDescDestroy, (const hipblasLtMatmulDesc_t desc), (desc))      \
  X(hipblasStatus_t, hipblasLtMatmulDescSetAttribute,                                             \
    (hipblasLtMatmulDesc_t desc, hipblasLtMatmulDescAttributes_t attr, const void* buf,           \
     size_t bytes),                                                                               \
    (desc, attr, buf, bytes))                                                                     \
  X(hipblasStatus_t, hipblasLtMatrixLayoutCreate,                                                 \
    (hipblasLtMatrixLayout_t * layout, hipDataType type, std::uint64_t rows, std::uint64_t cols,  \
     std::int64_t ld),                                                                            \
    (layout, type, rows, cols, ld))                                                               \
  X(hipblasStatus_t, hipblasLtMatrixLayoutDestroy, (const hipblasLtMatrixLayout_t layout),        \
    (layout))                                                                                     \
  X(hipblasStatus_t, hipblasLtMatrixLayoutSetAttribute,                                           \
    (hipblasLtMatrixLayout_t layout, hipblasLtMatrixLayoutAttribute_t attr, const void* buf,      \
     size_t bytes),                                                                               \
    (layout, attr, buf, bytes))                                                                   \
  X(hipblasStatus_t, hipblasLtMatmulPreferenceCreate, (hipblasLtMatmulPreference_t * pref),       \
    (pref))                                                                                       \
  X(hipblasStatus_t, hipblasLtMatmulPreferenceDestroy, (const hipblasLtMatmulPreference_t pref),  \
    (pref))                                                                                       \
  X(hipblasStatus_t, hipblasLtMatmulPreferenceSetAttribute,                                       \
    (hipblasLtMatmulPreference_t pref, hipblasLtMatmulPreferenceAttributes_t attr,                \
     const void* buf, size_t bytes),                                                              \
    (pref, attr, buf, bytes))                                                                     \
  X(hipblasStatus_t, hipblasLtMatmulAlgoGetHeuristic,                                             \
    (hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc, hipblasLtMatrixLayout_t Adesc,         \
     hipblasLtMatrixLayout_t Bdesc, hipblasLtMatrixLayout_t Cdesc, hipblasLtMatrixLayout_t Ddesc, \
     hipblasLtMatmulPreference_t pref, int requested, hipblasLtMatmulHeuristicResult_t results[], \
     int* returned),                                                                              \
    (handle, desc, Adesc, Bdesc, Cdesc, Ddesc, pref, requested, results, returned))               \
  X(hipblasStatus_t, hipblasLtMatmul,                                                             \
    (hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc, const void* alpha, const void* A,      \
     hipblasLtMatrixLayout_t Adesc, const void* B, hipblasLtMatrixLayout_t Bdesc,                 \
     const void* beta, const void* C, hipblasLtMatrixLayout_t Cdesc, void* D,                     \
     hipblasLtMatrixLayout_t Ddesc, const hipblasLtMatmulAlgo_t* algo, void* workspace,           \
     size_t workspaceSizeInBytes, hipStream_t stream),                                            \
    (handle, desc, alpha, A, Adesc, B, Bdesc, beta, C, Cdesc, D, Ddesc, algo, workspace,          \
     workspaceSizeInBytes, stream))

#define HIPLAB_DRIVER_FUNCTIONS(X) \
  HIPLAB_HIP_FUNCTIONS(X)          \
  HIPLAB_HIPRTC_FUNCTIONS(X)       \
  HIPLAB_ROCBLAS_FUNCTIONS(X)      \
  HIPLAB_HIPBLASLT_FUNCTIONS(X)
