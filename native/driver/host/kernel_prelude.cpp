#include "driver/host/kernel_prelude.h"

namespace hiplab::driver::host {

// Names of our own begin with hiplab_. No header is included: hiprtc has none either (measured on
// HIP 6.4: <stdint.h> and <math.h> are not found), and a kernel compiles the faster for it.
// HIPLAB_SCAN keeps __global__ visible for the scanner.
const char* const kKernelPrelude = R"prelude(
#ifndef HIPLAB_SCAN
#define __global__
#endif
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __HIP__ 1
#define __HIPCC_RTC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define HIPLAB_SOFTWARE_DEVICE 1

typedef decltype(sizeof(0)) size_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

#define HIPLAB_VECTOR(type, name)                                                    \
  struct alignas(2 * sizeof(type)) name##2 { type x, y; };                           \
  struct name##3 { type x, y, z; };                                                  \
  struct alignas(sizeof(type) * 4 > 16 ? 16 : sizeof(type) * 4) name##4 { type x, y, z, w; }; \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
HIPLAB_VECTOR(int, int)
HIPLAB_VECTOR(unsigned, uint)
HIPLAB_VECTOR(float, float)
HIPLAB_VECTOR(double, double)
#undef HIPLAB_VECTOR

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// A thread of the machine runs one thread of the grid at a time.
static __thread uint3 threadIdx, blockIdx, blockDim, gridDim;

extern "C" {
int printf(const char*, ...);
#define HIPLAB_MATH1(name) float name##f(float); double name(double);
#define HIPLAB_MATH2(name) float name##f(float, float); double name(double, double);
HIPLAB_MATH1(acos) HIPLAB_MATH1(acosh) HIPLAB_MATH1(asin) HIPLAB_MATH1(asinh) HIPLAB_MATH1(atan)
HIPLAB_MATH1(atanh) HIPLAB_MATH1(cbrt) HIPLAB_MATH1(ceil) HIPLAB_MATH1(cos) HIPLAB_MATH1(cosh)
HIPLAB_MATH1(erf) HIPLAB_MATH1(erfc) HIPLAB_MATH1(exp) HIPLAB_MATH1(exp2) HIPLAB_MATH1(expm1)
HIPLAB_MATH1(fabs) HIPLAB_MATH1(floor) HIPLAB_MATH1(lgamma) HIPLAB_MATH1(log) HIPLAB_MATH1(log10)
HIPLAB_MATH1(log1p) HIPLAB_MATH1(log2) HIPLAB_MATH1(nearbyint) HIPLAB_MATH1(rint)
HIPLAB_MATH1(round) HIPLAB_MATH1(sin) HIPLAB_MATH1(sinh) HIPLAB_MATH1(sqrt) HIPLAB_MATH1(tan)
HIPLAB_MATH1(tanh) HIPLAB_MATH1(tgamma) HIPLAB_MATH1(trunc)
HIPLAB_MATH2(atan2) HIPLAB_MATH2(copysign) HIPLAB_MATH2(fdim) HIPLAB_MATH2(fmax)
HIPLAB_MATH2(fmin) HIPLAB_MATH2(fmod) HIPLAB_MATH2(hypot) HIPLAB_MATH2(nextafter)
HIPLAB_MATH2(pow) HIPLAB_MATH2(remainder)
float fmaf(float, float, float);
double fma(double, double, double);
int abs(int);
#undef HIPLAB_MATH1
#undef HIPLAB_MATH2
}

// The overloads for float that C++ adds to C's names.
#define HIPLAB_FLOAT1(name) static inline float name(float x) { return name##f(x); }
HIPLAB_FLOAT1(ceil) HIPLAB_FLOAT1(cos) HIPLAB_FLOAT1(exp) HIPLAB_FLOAT1(exp2) HIPLAB_FLOAT1(fabs)
HIPLAB_FLOAT1(floor) HIPLAB_FLOAT1(log) HIPLAB_FLOAT1(log2) HIPLAB_FLOAT1(round)
HIPLAB_FLOAT1(sin) HIPLAB_FLOAT1(sqrt) HIPLAB_FLOAT1(tan) HIPLAB_FLOAT1(tanh)
HIPLAB_FLOAT1(trunc)
#undef HIPLAB_FLOAT1
static inline float abs(float x) { return __builtin_fabsf(x); }
static inline double abs(double x) { return __builtin_fabs(x); }
static inline float pow(float x, float y) { return powf(x, y); }
static inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
static inline float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static inline bool isnan(float x) { return __builtin_isnan(x); }
static inline bool isnan(double x) { return __builtin_isnan(x); }
static inline bool isinf(float x) { return __builtin_isinf(x); }
static inline bool isinf(double x) { return __builtin_isinf(x); }
#define HIPLAB_MIN_MAX(type)                                               \
  static inline type min(type a, type b) { return b < a ? b : a; }         \
  static inline type max(type a, type b) { return a < b ? b : a; }
HIPLAB_MIN_MAX(int) HIPLAB_MIN_MAX(unsigned) HIPLAB_MIN_MAX(long) HIPLAB_MIN_MAX(unsigned long)
HIPLAB_MIN_MAX(long long) HIPLAB_MIN_MAX(unsigned long long)
#undef HIPLAB_MIN_MAX
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

static inline float __expf(float x) { return expf(x); }
static inline float __logf(float x) { return logf(x); }
static inline float __sinf(float x) { return sinf(x); }
static inline float __cosf(float x) { return cosf(x); }
static inline float __powf(float x, float y) { return powf(x, y); }
static inline float __fdividef(float x, float y) { return x / y; }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
#define HIPLAB_BITS(name, from, to)             \
  static inline to name(from value) {           \
    to bits;                                    \
    __builtin_memcpy(&bits, &value, sizeof bits); \
    return bits;                                \
  }
HIPLAB_BITS(__float_as_int, float, int)
HIPLAB_BITS(__float_as_uint, float, unsigned)
HIPLAB_BITS(__int_as_float, int, float)
HIPLAB_BITS(__uint_as_float, unsigned, float)
HIPLAB_BITS(__double_as_longlong, double, long long)
HIPLAB_BITS(__longlong_as_double, long long, double)
#undef HIPLAB_BITS

// Kernels of several streams run side by side, so atomics are real ones.
#define HIPLAB_ATOMIC(type)                                                                  \
  static inline type atomicAdd(type* p, type v) { return __atomic_fetch_add(p, v, 0); }      \
  static inline type atomicSub(type* p, type v) { return __atomic_fetch_sub(p, v, 0); }      \
  static inline type atomicAnd(type* p, type v) { return __atomic_fetch_and(p, v, 0); }      \
  static inline type atomicOr(type* p, type v) { return __atomic_fetch_or(p, v, 0); }        \
  static inline type atomicXor(type* p, type v) { return __atomic_fetch_xor(p, v, 0); }      \
  static inline type atomicExch(type* p, type v) { return __atomic_exchange_n(p, v, 0); }    \
  static inline type atomicCAS(type* p, type expected, type v) {                             \
    __atomic_compare_exchange_n(p, &expected, v, false, 0, 0);                               \
    return expected;                                                                         \
  }                                                                                          \
  static inline type atomicMin(type* p, type v) {                                            \
    type old = __atomic_load_n(p, 0);                                                        \
    while (v < old && !__atomic_compare_exchange_n(p, &old, v, false, 0, 0)) {}              \
    return old;                                                                              \
  }                                                                                          \
  static inline type atomicMax(type* p, type v) {                                            \
    type old = __atomic_load_n(p, 0);                                                        \
    while (old < v && !__atomic_compare_exchange_n(p, &old, v, false, 0, 0)) {}              \
    return old;                                                                              \
  }
HIPLAB_ATOMIC(int)
HIPLAB_ATOMIC(unsigned)
HIPLAB_ATOMIC(unsigned long long)
#undef HIPLAB_ATOMIC
#define HIPLAB_ATOMIC(type)                                           \
  static inline type atomicAdd(type* p, type v) {                     \
    type old, sum;                                                    \
    __atomic_load(p, &old, 0);                                        \
    do {                                                              \
      sum = old + v;                                                  \
    } while (!__atomic_compare_exchange(p, &old, &sum, false, 0, 0)); \
    return old;                                                       \
  }
HIPLAB_ATOMIC(float)
HIPLAB_ATOMIC(double)
#undef HIPLAB_ATOMIC
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// How the device starts a kernel.
struct hiplab_kernel {
  const char* name;
  unsigned parameters;
  const unsigned* bytes;
  void (*run)(const unsigned* extent, void* const* params);
};
template <unsigned... I> struct hiplab_indices {};
template <unsigned N, unsigned... I> struct hiplab_count : hiplab_count<N - 1, N - 1, I...> {};
template <unsigned... I> struct hiplab_count<0, I...> { typedef hiplab_indices<I...> type; };
template <class T> struct hiplab_parameter {
  static_assert(__is_trivially_copyable(T),
                "a kernel's parameter is copied byte by byte: it must be trivially copyable");
  static_assert(alignof(T) <= 16, "a kernel's parameter may be aligned to at most 16 bytes");
  static constexpr unsigned bytes = sizeof(T);
};
template <class T> struct hiplab_parameter<T&> {
  static_assert(sizeof(T) == 0, "a kernel's parameter may not be a reference: pass a pointer");
  static constexpr unsigned bytes = 0;
};
template <class... A> struct hiplab_parameters {};
template <class... A> hiplab_parameters<A...> hiplab_parameters_of(void (*)(A...));
template <class... A> struct hiplab_launch;
template <class... A> struct hiplab_launch<hiplab_parameters<A...>> {
  template <void (*Kernel)(A...)> struct of {
    static const unsigned bytes[sizeof...(A) + 1];
    template <unsigned... I>
    static inline void call(void* const* p, hiplab_indices<I...>) {
      Kernel(*static_cast<A*>(p[I])...);
    }
    static void run(const unsigned* extent, void* const* params) {
      gridDim = {extent[0], extent[1], extent[2]};
      blockDim = {extent[3], extent[4], extent[5]};
      uint3 b, t;
      for (b.z = 0; b.z < extent[2]; ++b.z)
        for (b.y = 0; b.y < extent[1]; ++b.y)
          for (b.x = 0; b.x < extent[0]; ++b.x) {
            blockIdx = b;
            for (t.z = 0; t.z < extent[5]; ++t.z)
              for (t.y = 0; t.y < extent[4]; ++t.y)
                for (t.x = 0; t.x < extent[3]; ++t.x) {
                  threadIdx = t;
                  call(params, typename hiplab_count<sizeof...(A)>::type());
                }
          }
    }
  };
};
template <class... A>
template <void (*Kernel)(A...)>
const unsigned hiplab_launch<hiplab_parameters<A...>>::of<Kernel>::bytes[sizeof...(A) + 1] = {
    hiplab_parameter<A>::bytes..., 0};
#define HIPLAB_KERNEL(name, function)                                                           \
  {name, sizeof(hiplab_launch<decltype(hiplab_parameters_of(&function))>::of<&function>::bytes) / \
             sizeof(unsigned) - 1,                                                              \
   hiplab_launch<decltype(hiplab_parameters_of(&function))>::of<&function>::bytes,              \
   hiplab_launch<decltype(hiplab_parameters_of(&function))>::of<&function>::run},
)prelude";

}  // namespace hiplab::driver::host
