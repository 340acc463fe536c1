#include "driver/watching.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

#include "driver/descriptor_watch.h"
#include "driver/error.h"
#include "driver/gemm_stream.h"
#include "driver/watching_parts.h"
#include "driver/workspace_watch.h"
#include "sync/point.h"

namespace hiplab::driver {
namespace {

constexpr std::size_t kSlots = kWatchedTables;

struct Slot {
  const Table* inner = nullptr;  // written once, before the wrapper is handed out
  Table wrapper;
};
constinit std::array<Slot, kSlots> slots;
constinit std::mutex slots_mutex;

// Relaxed: a count orders nothing, so that it neither hides nor makes a race.
constinit std::atomic<std::int64_t> on_own_stream{0};
constinit std::atomic<std::int64_t> on_other_stream{0};

void tally_gemm(bool own) {
  (own ? on_own_stream : on_other_stream).fetch_add(1, std::memory_order_relaxed);
}

// Handles by "<library>.device-<n>". Making one takes milliseconds, so a lock costs nothing.
struct Created {
  std::mutex mutex;
  std::map<std::string, std::int64_t> counts;
};
Created& created() {
  static auto* const leaked = new Created;  // handles may be made at exit
  return *leaked;
}

std::optional<int> current_device(const Table& inner) {
  int device = 0;
  if (inner.hipGetDevice == nullptr || inner.hipGetDevice(&device) != hipSuccess) return {};
  return device;
}

void tally_handle(const char* library, std::optional<int> device) {
  if (!device) return;  // the driver does not say
  const std::lock_guard lock(created().mutex);
  ++created().counts[std::string(library) + ".device-" + std::to_string(*device)];
}

template <std::size_t S, auto Function, typename... Rest>
rocblas_status rocblas_gemm(rocblas_handle handle, Rest... rest) {
  const Table& inner = *slots[S].inner;
  const std::optional<hipStream_t> wanted = WantedStream::current();
  if (!wanted) return (inner.*Function)(handle, rest...);
  const std::optional<hipStream_t> before = bound_stream(inner, handle);
  const Submissions submitted(*wanted);
  const rocblas_status status = (inner.*Function)(handle, rest...);
  if (status != rocblas_status_success) return status;
  if (submitted.any()) {
    tally_gemm(!submitted.elsewhere());
  } else if (before) {
    tally_gemm(before == wanted && bound_stream(inner, handle) == wanted);
  }
  return status;
}

template <std::size_t S>
hipblasStatus_t matmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc, const void* alpha,
                       const void* a, hipblasLtMatrixLayout_t a_layout, const void* b,
                       hipblasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                       hipblasLtMatrixLayout_t c_layout, void* d, hipblasLtMatrixLayout_t d_layout,
                       const hipblasLtMatmulAlgo_t* algo, void* workspace, size_t workspace_bytes,
                       hipStream_t stream) {
  const auto call = [&] {
    const DescriptorWatch::Call inside({desc, a_layout, b_layout, c_layout, d_layout});
    WorkspaceWatch::get().matmul(workspace, workspace_bytes, stream);
    HIPLAB_POINT("blaslt.matmul.begin");
    return slots[S].inner->hipblasLtMatmul(handle, desc, alpha, a, a_layout, b, b_layout, beta, c,
                                           c_layout, d, d_layout, algo, workspace, workspace_bytes,
                                           stream);
  };
  const std::optional<hipStream_t> wanted = WantedStream::current();
  if (!wanted) return call();
  const Submissions submitted(*wanted);
  const hipblasStatus_t status = call();
  if (status == HIPBLAS_STATUS_SUCCESS) {
    tally_gemm(submitted.any() ? !submitted.elsewhere() : stream == *wanted);
  }
  return status;
}

template <std::size_t S>
rocblas_status create_rocblas(rocblas_handle* handle) {
  const Table& inner = *slots[S].inner;
  const std::optional<int> device = current_device(inner);
  const rocblas_status status = inner.rocblas_create_handle(handle);
  if (status == rocblas_status_success) tally_handle("rocblas", device);
  return status;
}

template <std::size_t S>
hipblasStatus_t create_hipblaslt(hipblasLtHandle_t* handle) {
  const Table& inner = *slots[S].inner;
  const std::optional<int> device = current_device(inner);
  const hipblasStatus_t status = inner.hipblasLtCreate(handle);
  if (status == HIPBLAS_STATUS_SUCCESS) tally_handle("hipblaslt", device);
  return status;
}

template <std::size_t S>
void wrap(const Table& inner) {
  slots[S].inner = &inner;
  Table& t = slots[S].wrapper;
  t = inner;
  replace_if_there(t.rocblas_sgemm, &rocblas_gemm<S, &Table::rocblas_sgemm>);
  replace_if_there(t.rocblas_gemm_ex, &rocblas_gemm<S, &Table::rocblas_gemm_ex>);
  replace_if_there(t.rocblas_gemm_strided_batched_ex,
                   &rocblas_gemm<S, &Table::rocblas_gemm_strided_batched_ex>);
  replace_if_there(t.hipblasLtMatmul, &matmul<S>);
  replace_if_there(t.rocblas_create_handle, &create_rocblas<S>);
  replace_if_there(t.hipblasLtCreate, &create_hipblaslt<S>);
  watch_memory(S, inner, t);
  watch_descriptors(S, inner, t);
}

constexpr std::array<void (*)(const Table&), kSlots> kWrap = {wrap<0>, wrap<1>, wrap<2>, wrap<3>};

}  // namespace

const Table& watch_calls(const Table& inner) {
  const std::lock_guard lock(slots_mutex);
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (slots[i].inner == &inner) return slots[i].wrapper;
    if (slots[i].inner == nullptr) {
      kWrap[i](inner);
      return slots[i].wrapper;
    }
  }
  throw Error("cannot watch the calls of a fifth driver table: at most 4 in one process");
}

std::map<std::string, std::int64_t> watched_calls() {
  {
    const std::lock_guard lock(slots_mutex);
    if (slots.front().inner == nullptr) return {};
  }
  std::map<std::string, std::int64_t> counts = {
      {"gemm.own-stream", on_own_stream.load(std::memory_order_relaxed)},
      {"gemm.other-stream", on_other_stream.load(std::memory_order_relaxed)}};
  WorkspaceWatch::get().add_counts(counts);
  DescriptorWatch::get().add_counts(counts);
  const std::lock_guard lock(created().mutex);
  for (const auto& [handle, count] : created().counts) counts["created." + handle] = count;
  return counts;
}

}  // namespace hiplab::driver
