#include "driver/tracing.h"

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <type_traits>

#include "driver/error.h"
#include "driver/event_runs.h"
#include "driver/functions.h"
#include "driver/gemm_stream.h"
#include "driver/stream_numbers.h"
#include "driver/watching_parts.h"
#include "sync/trace.h"

namespace hiplab::driver {
namespace {

constexpr std::size_t kSlots = 8;

struct Slot {
  const Table* inner = nullptr;  // written once, before the wrapper is handed out
  const Table* provider = nullptr;
  Table wrapper;
};
constinit std::array<Slot, kSlots> slots;
constinit std::mutex slots_mutex;

constexpr bool is_traced(Function function) {
  switch (function) {
    // Work on a stream.
    case Function::hipMemcpy:
    case Function::hipMemset:
    case Function::hipMemcpyAsync:
    case Function::hipMemsetAsync:
    case Function::hipMallocAsync:
    case Function::hipFreeAsync:
    case Function::hipModuleLaunchKernel:
    case Function::hipGraphLaunch:
    case Function::hipLaunchHostFunc:
    case Function::hipEventRecord:
    case Function::hipStreamWaitEvent:
    case Function::rocblas_set_stream:
    case Function::rocblas_sgemm:
    case Function::rocblas_gemm_ex:
    case Function::rocblas_gemm_strided_batched_ex:
    case Function::hipblasLtMatmul:
    case Function::hipStreamBeginCapture:
    case Function::hipStreamEndCapture:
    // Waits; hipFree waits for the device.
    case Function::hipDeviceSynchronize:
    case Function::hipStreamSynchronize:
    case Function::hipEventSynchronize:
    case Function::hipFree:
    case Function::hipHostFree:
    // What a thread spends its time with otherwise.
    case Function::rocblas_create_handle:
    case Function::rocblas_destroy_handle:
    case Function::hipblasLtCreate:
    case Function::hipblasLtDestroy:
    case Function::hipStreamDestroy:
    case Function::hipGraphInstantiate:
    case Function::hiprtcCompileProgram:
    case Function::hipModuleLoadData:
      return true;
    default:
      return false;
  }
}

// What EventBracket brackets.
constexpr bool is_work(Function function) {
  switch (function) {
    case Function::hipMemcpyAsync:
    case Function::hipMemsetAsync:
    case Function::hipModuleLaunchKernel:
    case Function::hipGraphLaunch:
    case Function::hipblasLtMatmul:
      return true;
    default:
      return false;
  }
}

int current_device(const Table& inner) {
  int device = 0;
  if (inner.hipGetDevice == nullptr || inner.hipGetDevice(&device) != hipSuccess) return 0;
  return device;
}

std::int32_t number_of(const Table& inner, hipStream_t stream) {
  return stream_number(stream, stream == nullptr ? current_device(inner) : 0);
}

// The number of the stream among a call's arguments.
template <typename First, typename... Rest>
std::int32_t stream_in(const Table& inner, First first, Rest... rest) {
  if constexpr (std::is_same_v<First, hipStream_t>) {
    return number_of(inner, first);
  } else if constexpr (sizeof...(Rest) > 0) {
    return stream_in(inner, rest...);
  } else {
    return sync::no_stream;
  }
}

template <typename First, typename... Rest>
hipStream_t handle_in(First first, Rest... rest) {
  if constexpr (std::is_same_v<First, hipStream_t>) {
    return first;
  } else if constexpr (sizeof...(Rest) > 0) {
    return handle_in(rest...);
  } else {
    return nullptr;
  }
}

std::int32_t number_of(const Table& inner, std::optional<hipStream_t> stream) {
  return stream ? number_of(inner, *stream) : sync::no_stream;
}

std::int32_t asked_stream(const Table& inner) {
  const std::optional<hipStream_t> wanted = WantedStream::current();
  return wanted ? number_of(inner, *wanted) : sync::no_stream;
}

constexpr bool is_rocblas_gemm(Function function) {
  return function == Function::rocblas_sgemm || function == Function::rocblas_gemm_ex ||
         function == Function::rocblas_gemm_strided_batched_ex;
}

template <std::size_t S, Function F, auto Member, typename Ret, typename... Args>
Ret traced(Args... args) {
  const Table& inner = *slots[S].inner;
  if (!sync::tracing()) [[likely]] {
    return (inner.*Member)(args...);
  }
  if constexpr (is_rocblas_gemm(F)) {
    const auto gemm = [&inner](rocblas_handle handle, auto... rest) {
      const std::optional<hipStream_t> bound = bound_stream(inner, handle);
      const std::int32_t before = number_of(inner, bound);
      const std::int32_t asked = asked_stream(inner);
      sync::TracedCall call(function_name(F), before, asked);
      std::optional<EventBracket> bracket;
      if (bound && brackets_work()) bracket.emplace(*slots[S].provider, *bound, call);
      const Ret status = (inner.*Member)(handle, rest...);
      if (!call.told() && before == asked) {
        call.guess(number_of(inner, bound_stream(inner, handle)));
      }
      return status;
    };
    return gemm(args...);
  } else if constexpr (sizeof...(Args) == 0) {
    const sync::TracedCall call(function_name(F), sync::no_stream, sync::no_stream);
    return (inner.*Member)();
  } else {
    std::int32_t stream = stream_in(inner, args...);
    // The calls without a stream that copy use the null stream.
    if (F == Function::hipMemcpy || F == Function::hipMemset) stream = number_of(inner, nullptr);
    const std::int32_t asked =
        F == Function::hipblasLtMatmul ? asked_stream(inner) : sync::no_stream;
    const sync::TracedCall call(function_name(F), stream, asked);
    std::optional<EventBracket> bracket;
    if constexpr (is_work(F)) {
      if (brackets_work()) bracket.emplace(*slots[S].provider, handle_in(args...), call);
    }
    return (inner.*Member)(args...);
  }
}

// Numbers are given whether or not a trace is on: a stream may be older than the trace.
template <std::size_t S>
hipError_t create_stream(hipStream_t* stream, unsigned flags) {
  const Table& inner = *slots[S].inner;
  NewStreamNumber number;
  const sync::TracedCall call("hipStreamCreateWithFlags", sync::no_stream, sync::no_stream);
  const hipError_t status = inner.hipStreamCreateWithFlags(stream, flags);
  if (status == hipSuccess) number.give_to(*stream, current_device(inner));
  return status;
}

template <std::size_t S>
void wrap(const Table& inner, const Table& provider) {
  slots[S].inner = &inner;
  slots[S].provider = &provider;
  Table& t = slots[S].wrapper;
  t = inner;
#define HIPLAB_TRACED(ret, name, params, args)                          \
  if constexpr (is_traced(Function::name)) {                            \
    replace_if_there(t.name, &traced<S, Function::name, &Table::name>); \
  }
  HIPLAB_DRIVER_FUNCTIONS(HIPLAB_TRACED)
#undef HIPLAB_TRACED
  replace_if_there(t.hipStreamCreateWithFlags, &create_stream<S>);
}

constexpr std::array<void (*)(const Table&, const Table&), kSlots> kWrap = {
    wrap<0>, wrap<1>, wrap<2>, wrap<3>, wrap<4>, wrap<5>, wrap<6>, wrap<7>};

}  // namespace

const Table& trace_calls(const Table& inner, const Table& provider) {
  const std::lock_guard lock(slots_mutex);
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (slots[i].inner == &inner) return slots[i].wrapper;
    if (slots[i].inner == nullptr) {
      kWrap[i](inner, provider);
      return slots[i].wrapper;
    }
  }
  throw Error("cannot trace the calls of a ninth driver table: at most 8 in one process");
}

}  // namespace hiplab::driver
