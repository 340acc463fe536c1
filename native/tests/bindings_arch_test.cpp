// host_arch: a software device of an architecture that rocBLAS has no kernels for (mlxcel 2198,
// rocblas.unsupported-arch).
#include <thread>

#include "bindings_tools.h"
#include "kernel_tools.h"

namespace hiplab::bindings {
namespace {

class BindingsArchFixed : public ::testing::Test {
 protected:
  const test::Variable on_{"HIPLAB_KERNEL_CACHE", nullptr};
  const test::Variable cache_{"HIPLAB_CACHE", test::kernel_cache_of_tests().c_str()};
};

// 2 times 3 over a depth of 8, by four threads: the first GEMM of each looks for rocBLAS.
TEST_F(BindingsArchFixed, OurOwnKernelTakesWhatRocblasCannot) {
  BackendRef* backend =
      openBackend("driver=host\nhost_devices=1\nhost_arch=gfx1010\ncount_calls=1");
  EXPECT_EQ(read(deviceInfo(backend, 0)).at("arch"), "gfx1010");
  EXPECT_EQ(read(deviceInfo(backend, 0)).at("name"), "hiplab software device (profile splitk)");
  EXPECT_EQ(read(providerInfo(backend)).at("detail"),
            "software device, profile splitk, 1 device, architecture gfx1010");
  constexpr int kSide = 8;
  constexpr int kCount = kSide * kSide;
  const auto work = [backend](std::vector<float>& out) {
    StreamRef* stream = createStream(backend, 0);
    BufferRef* a = allocate(backend, 0, kCount * 4);
    BufferRef* b = allocate(backend, 0, kCount * 4);
    BufferRef* c = allocate(backend, 0, kCount * 4);
    copyIn(stream, a, std::vector<float>(kCount, 2).data(), kCount, 0);
    copyIn(stream, b, std::vector<float>(kCount, 3).data(), kCount, 0);
    fillBytes(stream, c, 0xFF);
    gemm(stream, 0, false, false, kSide, kSide, kSide, 1, 1, a, b, 0, c);
    copyOut(stream, c, out.data(), kCount, 0);
    for (BufferRef* buffer : {a, b, c}) freeBuffer(buffer);
    destroyStream(stream);
  };
  constexpr int kThreads = 4;
  std::vector<std::vector<float>> outs(kThreads, std::vector<float>(kCount));
  std::vector<std::thread> threads;
  for (auto& out : outs) threads.emplace_back([&work, &out] { work(out); });
  for (auto& thread : threads) thread.join();
  for (const auto& out : outs) EXPECT_EQ(out, std::vector<float>(kCount, 2.0f * 3.0f * kSide));
  const auto after = read(counters(backend));
  EXPECT_EQ(after.at("route.jit"), "4");
  EXPECT_EQ(after.at("route.jit-plain"), "4") << "gfx1010 has no WMMA";
  EXPECT_EQ(after.at("route.rocblas"), "0");
  EXPECT_EQ(after.at("handles.rocblas"), "0");
  EXPECT_EQ(after.contains("calls.rocblas_create_handle"), false);
  EXPECT_EQ(after.contains("created.rocblas.device-0"), false);
  closeBackend(backend);
}

TEST_F(BindingsArchFixed, OneArchitectureAProcess) {
  BackendRef* backend = openBackend("driver=host\nhost_devices=1\nhost_arch=gfx1010");
  const std::string other =
      message_of([] { openBackend("driver=host\nhost_devices=1\nhost_arch=gfx803"); });
  EXPECT_EQ(other,
            "the software device of this process is open with profile splitk, 1 device(s) and "
            "architecture gfx1010, so profile splitk, 1 device(s) and architecture gfx803 needs "
            "another process");
  EXPECT_NE(message_of([] {
              openBackend("driver=host\nhost_devices=1");
            }).find("the profile's architecture needs another process"),
            std::string::npos);
  closeBackend(backend);
}

}  // namespace
}  // namespace hiplab::bindings
