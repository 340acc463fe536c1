// Modules and launches on the software device.
#include <numeric>

#include "host_test_tools.h"
#include "kernel_tools.h"

namespace hiplab::test {
namespace {

class HostModuleFixed : public HostTest {
 protected:
  hipModule_t load(const std::string& source) {
    const Program made = compile(*t, source);
    EXPECT_EQ(made.result, HIPRTC_SUCCESS) << made.log;
    hipModule_t module = nullptr;
    EXPECT_EQ(t->hipModuleLoadData(&module, made.code.data()), hipSuccess);
    return module;
  }
  hipFunction_t function(hipModule_t module, const char* name) {
    hipFunction_t f = nullptr;
    EXPECT_EQ(t->hipModuleGetFunction(&f, module, name), hipSuccess);
    return f;
  }
  hipError_t launch(hipFunction_t f, std::vector<unsigned> extent, std::vector<void*> params,
                    hipStream_t s = nullptr, unsigned shared = 0) {
    params.push_back(nullptr);
    return t->hipModuleLaunchKernel(f, extent[0], extent[1], extent[2], extent[3], extent[4],
                                    extent[5], shared, s, params.data(), nullptr);
  }

  Variable cache_{"HIPLAB_KERNEL_CACHE", "off"};
};

TEST_F(HostModuleFixed, EveryThreadOfTheGridRunsOnceWithItsIndices) {
  hipModule_t module = load(
      "extern \"C\" __global__ void mark(unsigned* seen, unsigned* extent) {\n"
      "  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);\n"
      "  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
      "  unsigned threads = blockDim.x * blockDim.y * blockDim.z;\n"
      "  atomicAdd(&seen[block * threads + thread], 1u);\n"
      "  if (block == 0 && thread == 0) { extent[0] = gridDim.x; extent[1] = gridDim.y;\n"
      "    extent[2] = gridDim.z; extent[3] = blockDim.x; extent[4] = blockDim.y;\n"
      "    extent[5] = blockDim.z; }\n"
      "}\n");
  const std::vector<unsigned> extent = {3, 4, 5, 6, 7, 2};
  const unsigned threads = 3 * 4 * 5 * 6 * 7 * 2;
  unsigned* seen = upload(std::vector<unsigned>(threads, 0));
  unsigned* told = upload(std::vector<unsigned>(6, 0));
  ASSERT_EQ(launch(function(module, "mark"), extent, {&seen, &told}), hipSuccess);
  EXPECT_EQ(download(seen, threads), std::vector<unsigned>(threads, 1));
  EXPECT_EQ(download(told, 6), extent);
  EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
}

struct Mixed {
  char c;
  double d;
  float f[3];
};

TEST_F(HostModuleFixed, ParametersAreThoseOfTheCall) {
  hipModule_t module = load(
      "struct Mixed { char c; double d; float f[3]; };\n"
      "extern \"C\" __global__ void sum(double* out, signed char a, short b, long long c, float "
      "d,\n"
      "                                double e, Mixed m, float4 v) {\n"
      "  *out = a + b + c + d + e + m.c + m.d + m.f[2] + v.w;\n"
      "}\n");
  hipFunction_t sum = function(module, "sum");
  const hipStream_t s = stream();
  double* out = upload(std::vector<double>{0});
  signed char a = 1;
  short b = 20;
  long long c = 300;
  float d = 4000.5f;
  double e = 0.25;
  Mixed m{3, 7, {0, 0, 11}};
  alignas(16) float v[4] = {0, 0, 0, 90000};
  {
    const Hold hold(s);
    ASSERT_EQ(launch(sum, {1, 1, 1, 1, 1, 1}, {&out, &a, &b, &c, &d, &e, &m, v}, s), hipSuccess);
    // The launch has not run, and the caller's variables are its own again.
    a = 0, b = 0, c = 0, d = 0, e = 0, m = {}, v[3] = 0;
  }
  EXPECT_EQ(download(out, 1, s)[0], 1 + 20 + 300 + 4000.5 + 0.25 + 3 + 7 + 11 + 90000);
  EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
}

TEST_F(HostModuleFixed, LaunchesKeepTheOrderOfTheirStream) {
  hipModule_t module =
      load("extern \"C\" __global__ void twice_plus(int* p, int n) { *p = *p * 2 + n; }\n");
  hipFunction_t f = function(module, "twice_plus");
  const hipStream_t s = stream();
  int* p = upload(std::vector<int>{0});
  int want = 0;
  for (int n = 0; n < 20; ++n) {
    ASSERT_EQ(launch(f, {1, 1, 1, 1, 1, 1}, {&p, &n}, s), hipSuccess);
    want = want * 2 + n;
  }
  EXPECT_EQ(download(p, 1, s)[0], want);
  EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
}

// Two streams run one module at once: the built-in variables are each launch's own.
TEST_F(HostModuleFixed, StreamsRunOneModuleAtOnce) {
  hipModule_t module = load(
      "extern \"C\" __global__ void fill(unsigned* out, unsigned value) {\n"
      "  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  out[i] = value + i + gridDim.x;\n"
      "}\n");
  hipFunction_t f = function(module, "fill");
  constexpr unsigned kCount = 1 << 16;
  std::vector<hipStream_t> streams = {stream(), stream(), stream(), stream()};
  std::vector<unsigned*> outs;
  for (unsigned k = 0; k < streams.size(); ++k) {
    outs.push_back(static_cast<unsigned*>(allocate(kCount * sizeof(unsigned))));
  }
  for (unsigned k = 0; k < streams.size(); ++k) {
    unsigned value = 1000 * k;
    ASSERT_EQ(launch(f, {kCount >> k >> 6, 1, 1, 64, 1, 1}, {&outs[k], &value}, streams[k]),
              hipSuccess);
  }
  for (unsigned k = 0; k < streams.size(); ++k) {
    std::vector<unsigned> want(kCount >> k);
    std::iota(want.begin(), want.end(), 1000 * k + (kCount >> k >> 6));
    EXPECT_EQ(download(outs[k], kCount >> k, streams[k]), want);
  }
  EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
}

TEST_F(HostModuleFixed, UnloadWhileLaunchesAreInFlight) {
  const auto before = live_objects().at("modules");
  hipModule_t module = load(probe_source("probe"));
  hipFunction_t f = function(module, "probe");
  const hipStream_t s = stream();
  float* in = upload(std::vector<float>{1, 2, 3});
  float* out = upload(std::vector<float>{0, 0, 0});
  int n = 3;
  {
    const Hold hold(s);
    ASSERT_EQ(launch(f, {1, 1, 1, 4, 1, 1}, {&in, &out, &n}, s), hipSuccess);
    EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
    EXPECT_EQ(t->hipStreamQuery(s), hipErrorNotReady) << "unload has not waited";
  }
  EXPECT_EQ(download(out, 3, s), (std::vector<float>{3, 5, 7}));
  EXPECT_EQ(live_objects().at("modules"), before);
  EXPECT_EQ(launch(f, {1, 1, 1, 4, 1, 1}, {&in, &out, &n}, s), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipModuleUnload(module), hipErrorInvalidHandle);
}

// Two loads of one code are two modules, each with variables of its own.
TEST_F(HostModuleFixed, EachLoadHasItsOwnVariables) {
  const Program made = compile(*t,
                               "__device__ int counter = 5;\nextern \"C\" __global__ void "
                               "next(int* p) { *p = ++counter; }\n");
  ASSERT_EQ(made.result, HIPRTC_SUCCESS) << made.log;
  int* p = upload(std::vector<int>{0});
  hipModule_t modules[2];
  for (hipModule_t& module : modules) {
    ASSERT_EQ(t->hipModuleLoadData(&module, made.code.data()), hipSuccess);
    hipFunction_t next = function(module, "next");
    EXPECT_EQ(function(module, "next"), next) << "one handle a name";
    ASSERT_EQ(launch(next, {1, 1, 1, 1, 1, 1}, {&p}), hipSuccess);
    EXPECT_EQ(download(p, 1)[0], 6);
    ASSERT_EQ(launch(next, {1, 1, 1, 1, 1, 1}, {&p}), hipSuccess);
    EXPECT_EQ(download(p, 1)[0], 7);
  }
  for (hipModule_t module : modules) EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
}

TEST_F(HostModuleFixed, LimitsOfALaunch) {
  hipModule_t module = load(probe_source("probe"));
  hipFunction_t f = function(module, "probe");
  float* p = upload(std::vector<float>(1024, 0));
  int n = 0;
  const std::vector<void*> params = {&p, &p, &n};
  EXPECT_EQ(launch(f, {1, 1, 1, 32, 32, 1}, params), hipSuccess);
  const std::vector<std::vector<unsigned>> wrong = {
      {0, 1, 1, 1, 1, 1},        {1, 0, 1, 1, 1, 1},
      {1, 1, 0, 1, 1, 1},        {1, 1, 1, 0, 1, 1},
      {1, 1, 1, 1, 1, 0},        {1, 1, 1, 1025, 1, 1},
      {1, 1, 1, 32, 32, 2},      {1, 1, 1, 65536, 65536, 65536},
      {1u << 31, 1, 1, 2, 1, 1},
  };
  for (const auto& extent : wrong) {
    EXPECT_EQ(launch(f, extent, params), hipErrorInvalidConfiguration)
        << ::testing::PrintToString(extent);
  }
  EXPECT_EQ(launch(f, {1, 1, 1, 1, 1, 1}, params, nullptr, 64), hipErrorNotSupported)
      << "shared memory";
  EXPECT_EQ(launch(f, {1, 1, 1, 1, 1, 1}, {&p}), hipErrorInvalidValue) << "too few parameters";
  EXPECT_EQ(launch(nullptr, {1, 1, 1, 1, 1, 1}, params), hipErrorInvalidHandle);
  EXPECT_EQ(launch(f, {1, 1, 1, 1, 1, 1}, params, reinterpret_cast<hipStream_t>(&n)),
            hipErrorInvalidHandle);
  EXPECT_EQ(t->hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
}

TEST_F(HostModuleFixed, WhatIsNoCodeOrNotForThisDeviceIsRefused) {
  const auto before = live_objects().at("modules");
  hipModule_t module = nullptr;
  EXPECT_EQ(t->hipModuleLoadData(&module, "\177ELF nothing of ours"), hipErrorInvalidImage);
  EXPECT_EQ(t->hipModuleLoadData(&module, nullptr), hipErrorInvalidValue);
  const Program other = compile(*t, probe_source("k"), {"--offload-arch=gfx1151"});
  ASSERT_EQ(other.result, HIPRTC_SUCCESS) << other.log;
  EXPECT_EQ(t->hipModuleLoadData(&module, other.code.data()), hipErrorNoBinaryForGpu);
  Program damaged = compile(*t, probe_source("k"));
  ASSERT_EQ(damaged.result, HIPRTC_SUCCESS);
  damaged.code.back() ^= 1;
  EXPECT_EQ(t->hipModuleLoadData(&module, damaged.code.data()), hipErrorInvalidImage);
  damaged.code.back() ^= 1;
  ASSERT_EQ(t->hipModuleLoadData(&module, damaged.code.data()), hipSuccess);
  hipFunction_t f = nullptr;
  EXPECT_EQ(t->hipModuleGetFunction(&f, module, "no_such_kernel"), hipErrorNotFound);
  EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
  EXPECT_EQ(t->hipModuleGetFunction(&f, module, "k"), hipErrorInvalidHandle);
  EXPECT_EQ(live_objects().at("modules"), before);
}

TEST_F(HostModuleFixed, AModuleBelongsToTheDeviceThatLoadedIt) {
  open("splitk", 2);
  ASSERT_EQ(t->hipSetDevice(1), hipSuccess);
  hipModule_t module = load(probe_source("probe"));
  hipFunction_t f = function(module, "probe");
  const hipStream_t second = stream();
  ASSERT_EQ(t->hipSetDevice(0), hipSuccess);
  const hipStream_t first = stream();
  float* p = upload(std::vector<float>{4});
  int n = 1;
  EXPECT_EQ(launch(f, {1, 1, 1, 1, 1, 1}, {&p, &p, &n}, first), hipErrorInvalidHandle);
  EXPECT_EQ(launch(f, {1, 1, 1, 1, 1, 1}, {&p, &p, &n}, second), hipSuccess);
  EXPECT_EQ(t->hipStreamSynchronize(second), hipSuccess);
  EXPECT_EQ(p[0], 9.0f);
  EXPECT_EQ(t->hipModuleUnload(module), hipSuccess);
}

}  // namespace
}  // namespace hiplab::test
