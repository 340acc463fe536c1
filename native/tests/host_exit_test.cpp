// A process may end while the software device's queues run.
#include <cstdlib>
#include <thread>

#include "host_test_tools.h"

namespace hiplab::test {
namespace {

class HostExit : public HostTest {
 protected:
  void SetUp() override {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    HostTest::SetUp();
  }

  // GEMMs that are still queued and running on four streams when the caller ends the process.
  void fill_queues() {
    constexpr int n = 512;
    rocblas_handle handle = nullptr;
    t->rocblas_create_handle(&handle);
    auto* a = upload(std::vector<float>(n * n, 1.0f));
    const float one = 1.0f;
    const float zero = 0.0f;
    for (int i = 0; i < 4; ++i) {
      auto* c = static_cast<float*>(allocate(n * n * sizeof(float)));
      t->rocblas_set_stream(handle, stream());
      for (int g = 0; g < 50; ++g) {
        t->rocblas_sgemm(handle, rocblas_operation_none, rocblas_operation_none, n, n, n, &one, a,
                         n, a, n, &zero, c, n);
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // let some be inside OpenBLAS
  }
};

TEST_F(HostExit, ExitWithRunningGemmsEndsWithItsOwnCode) {
  EXPECT_EXIT(
      {
        fill_queues();
        std::exit(7);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST_F(HostExit, ExitWithAHeldStreamEnds) {
  EXPECT_EXIT(
      {
        auto* hold = new Hold(stream());
        static_cast<void>(hold);
        std::exit(3);
      },
      ::testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace hiplab::test
