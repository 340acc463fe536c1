#include "backend/jit_gemm.h"

#include <algorithm>
#include <string>

#include "backend/device_guard.h"

namespace hiplab::backend {
namespace {

// Row-major, as GemmCall means it. Of HIP it uses what hiprtc has without an include; 16-bit types
// are their bits. Rows and batches beyond the grid's limits are taken in strides.
constexpr const char* kSource = R"hip(
typedef unsigned short half_bits;
typedef unsigned short brain_bits;

__device__ inline float load(const float* p) { return *p; }
__device__ inline void store(float* p, float value) { *p = value; }

struct Brain { brain_bits bits; };
__device__ inline float load(const Brain* p) { return __uint_as_float((unsigned)p->bits << 16); }
__device__ inline void store(Brain* p, float value) {
  unsigned bits = __float_as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    p->bits = (brain_bits)((bits >> 16) | 0x40u);
    return;
  }
  p->bits = (brain_bits)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

struct Half { half_bits bits; };
__device__ inline float load(const Half* p) {
  unsigned sign = (unsigned)(p->bits & 0x8000u) << 16;
  unsigned rest = p->bits & 0x7fffu;
  if (rest >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  if (rest >= 0x400u) return __uint_as_float(sign | ((rest << 13) + (112u << 23)));
  return __uint_as_float(sign | __float_as_uint((float)rest * 5.9604644775390625e-8f));
}
__device__ inline void store(Half* p, float value) {
  unsigned bits = __float_as_uint(value);
  unsigned sign = (bits >> 16) & 0x8000u;
  unsigned rest = bits & 0x7fffffffu;
  unsigned out;
  if (rest > 0x7f800000u) {
    out = 0x7e00u;
  } else if (rest >= 0x477ff000u) {
    out = 0x7c00u;
  } else if (rest >= 0x38800000u) {
    unsigned rebiased = rest - (112u << 23);
    out = (rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13;
  } else {
    out = __float_as_uint(__uint_as_float(rest) + 0.5f) - 0x3f000000u;
  }
  p->bits = (half_bits)(sign | out);
}

template <class T>
__device__ inline void gemm(const T* a, const T* b, T* c, long long m, long long n, long long k,
                            long long batch, int trans_a, int trans_b, float alpha, float beta) {
  long long col = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= n) return;
  long long a_step = trans_a ? m : 1;
  long long b_step = trans_b ? 1 : n;
  for (long long i = blockIdx.z; i < batch; i += gridDim.z) {
    for (long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y; row < m;
         row += (long long)gridDim.y * blockDim.y) {
      const T* at_a = a + i * m * k + (trans_a ? row : row * k);
      const T* at_b = b + i * k * n + (trans_b ? col * k : col);
      float sum = 0.0f;
      for (long long p = 0; p < k; ++p) sum += load(at_a + p * a_step) * load(at_b + p * b_step);
      T* out = c + (i * m + row) * n + col;
      store(out, beta == 0.0f ? alpha * sum : alpha * sum + beta * load(out));
    }
  }
}

// The same sums, four neighbours of a row by one thread: A is read once for them.
template <class T>
__device__ inline void gemm_strip(const T* a, const T* b, T* c, long long m, long long n,
                                  long long k, long long batch, int trans_a, int trans_b,
                                  float alpha, float beta) {
  long long first = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (first >= n) return;
  int count = n - first < 4 ? (int)(n - first) : 4;
  long long a_step = trans_a ? m : 1;
  long long b_step = trans_b ? 1 : n;
  long long b_next = trans_b ? k : 1;
  for (long long i = blockIdx.z; i < batch; i += gridDim.z) {
    for (long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y; row < m;
         row += (long long)gridDim.y * blockDim.y) {
      const T* at_a = a + i * m * k + (trans_a ? row : row * k);
      const T* at_b = b + i * k * n + first * b_next;
      float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
      for (long long p = 0; p < k; ++p) {
        float left = load(at_a + p * a_step);
        for (int j = 0; j < count; ++j) sums[j] += left * load(at_b + p * b_step + j * b_next);
      }
      T* out = c + (i * m + row) * n + first;
      for (int j = 0; j < count; ++j) {
        store(out + j, beta == 0.0f ? alpha * sums[j] : alpha * sums[j] + beta * load(out + j));
      }
    }
  }
}

#define HIPLAB_GEMM(name, body, type)                                                             \
  extern "C" __global__ void name(const type* a, const type* b, type* c, long long m, long long n, \
                                  long long k, long long batch, int trans_a, int trans_b,         \
                                  float alpha, float beta) {                                      \
    body(a, b, c, m, n, k, batch, trans_a, trans_b, alpha, beta);                                 \
  }
HIPLAB_GEMM(hiplab_gemm_f32, gemm, float)
HIPLAB_GEMM(hiplab_gemm_f16, gemm, Half)
HIPLAB_GEMM(hiplab_gemm_bf16, gemm, Brain)
HIPLAB_GEMM(hiplab_gemm_strip_f32, gemm_strip, float)
HIPLAB_GEMM(hiplab_gemm_strip_f16, gemm_strip, Half)
HIPLAB_GEMM(hiplab_gemm_strip_bf16, gemm_strip, Brain)
)hip";

constexpr unsigned kTile = 16;
constexpr std::int64_t kStrip = 4;
constexpr std::int64_t kMostBlocks = 65535;  // of y and z, which every device allows

// One program holds them all: f32, f16, bf16, plain and in strips.
const Kernel& kernel_of(ElementType type, bool strips) {
  static const auto* const kernels = [] {
    const std::vector<std::string> names = {"hiplab_gemm_f32",       "hiplab_gemm_f16",
                                            "hiplab_gemm_bf16",      "hiplab_gemm_strip_f32",
                                            "hiplab_gemm_strip_f16", "hiplab_gemm_strip_bf16"};
    const auto program = std::make_shared<const KernelProgram>(kSource, names);
    auto* all = new std::vector<Kernel>;
    for (const std::string& name : names) all->emplace_back(program, name);
    return all;
  }();  // leaked: used at exit too
  const std::size_t base = strips ? 3 : 0;
  if (type == ElementType::f32) return (*kernels)[base];
  if (type == ElementType::f16) return (*kernels)[base + 1];
  if (type == ElementType::bf16) return (*kernels)[base + 2];
  throw Error("there is no kernel for GEMMs of " + std::string(element_name(type)) +
              ", allowed are f32, f16 and bf16");
}

unsigned blocks(std::int64_t count, std::int64_t size, std::int64_t most) {
  return static_cast<unsigned>(std::min((count + size - 1) / size, most));
}

}  // namespace

const Kernel& gemm_kernel() { return kernel_of(ElementType::f32, false); }

void JitGemm::run(Device& device, hipStream_t stream, const GemmCall& call) {
  const GemmShape& s = call.shape;
  const bool strips = device.traits().has_native_wmma();
  const Kernel& kernel = kernel_of(s.type, strips);
  const hipFunction_t function = modules_.get(device, kernel);
  const DeviceGuard current(context_.api(), device.index());
  const LaunchShape shape{{blocks(s.n, kTile * (strips ? kStrip : 1), INT32_MAX / kTile),
                           blocks(s.m, kTile, kMostBlocks), blocks(s.batch, 1, kMostBlocks)},
                          {kTile, kTile, 1}};
  launch_function(context_.api(), {device.index(), stream}, function, kernel.name(), shape,
                  {call.a, call.b, static_cast<const void*>(call.c), s.m, s.n, s.k, s.batch,
                   std::int32_t{s.trans_a}, std::int32_t{s.trans_b}, call.alpha, call.beta});
  ++context_.counters.route_jit;
  if (!strips) ++context_.counters.route_jit_plain;
}

}  // namespace hiplab::backend
