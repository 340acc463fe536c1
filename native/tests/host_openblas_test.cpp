// Loading OpenBLAS, and what is said when it is not there.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <latch>
#include <thread>

#include "driver/error.h"
#include "driver/host/openblas.h"
#include "host_test_tools.h"

namespace hiplab::test {
namespace {

namespace fs = std::filesystem;
using host::OpenBlas;

// Each in a process of its own: the library is loaded once.
class HostOpenblas : public HostTest {
 protected:
  void SetUp() override {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    HostTest::SetUp();
  }
};

TEST_F(HostOpenblas, MultipliesRowMajorAndTellsWhatItIs) {
  const OpenBlas& blas = OpenBlas::get();
  EXPECT_EQ(&blas, &OpenBlas::get());
  const float a[] = {1, 2, 3, 4, 5, 6};     // 2 x 3
  const float b[] = {7, 8, 9, 10, 11, 12};  // 3 x 2
  float c[4] = {};
  blas.sgemm(true, false, false, 2, 2, 3, 1.0f, a, 3, b, 2, 0.0f, c, 2);
  EXPECT_EQ(c[0], 58);
  EXPECT_EQ(c[1], 64);
  EXPECT_EQ(c[2], 139);
  EXPECT_EQ(c[3], 154);
  EXPECT_GE(blas.threads(), 1);
  EXPECT_EQ(blas.version().rfind("0.", 0), 0u) << blas.config();
  EXPECT_NE(blas.path().find("openblas"), std::string::npos);
}

// OpenBLAS has a fixed number of work buffers: without a bound on the threads inside it warns, and
// with more threads it crashes.
TEST_F(HostOpenblas, HundredsOfThreadsAtOnceAreExactAndSilent) {
  constexpr int n = 256;
  constexpr int kThreads = 320;
  constexpr std::size_t kSize = std::size_t{n} * n;
  const OpenBlas& blas = OpenBlas::get();
  const auto left = integers(kSize, -4, 4, 1);
  const auto right = integers(kSize, -4, 4, 2);
  const auto sums = product(left, right, false, false, n, n, n);
  const std::vector<float> a(left.begin(), left.end());
  const std::vector<float> b(right.begin(), right.end());
  const std::vector<float> expected(sums.begin(), sums.end());
  std::atomic<int> exact{0};
  std::latch together(kThreads);
  ::testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      std::vector<float> c(kSize);
      together.arrive_and_wait();
      blas.sgemm(false, false, false, n, n, n, 1.0f, a.data(), n, b.data(), n, 0.0f, c.data(), n);
      if (c == expected) ++exact;
    });
  }
  for (auto& thread : threads) thread.join();
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(exact.load(), kThreads);
  EXPECT_EQ(said.find("OpenBLAS"), std::string::npos) << said;
}

TEST_F(HostOpenblas, AMissingLibraryIsOneSentenceAndAStatus) {
  EXPECT_EXIT(
      {
        setenv("HIPLAB_OPENBLAS", "/nowhere/at/all", 1);
        try {
          OpenBlas::get();
          std::exit(1);
        } catch (const Error& e) {
          const std::string text = e.what();
          if (text.find("/nowhere/at/all") == std::string::npos) std::exit(2);
          if (text.find("set HIPLAB_OPENBLAS") == std::string::npos) std::exit(3);
        }
        rocblas_handle handle = nullptr;
        t->rocblas_create_handle(&handle);
        auto* a = static_cast<float*>(allocate(64));
        const float one = 1.0f;
        std::exit(t->rocblas_sgemm(handle, rocblas_operation_none, rocblas_operation_none, 4, 4, 4,
                                   &one, a, 4, a, 4, &one, a, 4) == rocblas_status_internal_error
                      ? 0
                      : 4);
      },
      ::testing::ExitedWithCode(0), "OpenBLAS.*was not found");
}

TEST_F(HostOpenblas, AnotherLibraryUnderThatNameIsRefused) {
  EXPECT_EXIT(
      {
        setenv("HIPLAB_OPENBLAS", "libm.so.6", 1);
        try {
          OpenBlas::get();
          std::exit(1);
        } catch (const Error& e) {
          std::exit(std::string(e.what()).find("is not OpenBLAS") == std::string::npos);
        }
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace hiplab::test
