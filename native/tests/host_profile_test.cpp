// The profiles as data.
#include <gtest/gtest.h>

#include <cstring>

#include "driver/host/profile.h"
#include "driver/provider.h"

namespace hiplab::driver {
namespace {

using host::find_profile;
using host::Origin;
using host::Profile;

template <typename T>
void expect_told(const host::Told<T>& value, const char* what) {
  ASSERT_NE(value.source, nullptr) << what;
  EXPECT_GT(std::strlen(value.source), 0u) << what;
}

TEST(HostProfile, EveryNameHasAProfileAndNoOther) {
  EXPECT_EQ(profile_names(), (std::vector<std::string>{"gfx1151", "splitk"}));
  for (const auto& name : profile_names()) {
    const Profile* profile = find_profile(name);
    ASSERT_NE(profile, nullptr) << name;
    EXPECT_EQ(profile->name, name);
  }
  EXPECT_EQ(find_profile("gfx1100"), nullptr);
  EXPECT_EQ(find_profile(""), nullptr);
}

TEST(HostProfile, EveryValueSaysWhereItComesFrom) {
  for (const auto& name : profile_names()) {
    const Profile& p = *find_profile(name);
    expect_told(p.multiprocessors, "multiprocessors");
    expect_told(p.warp_size, "warp_size");
    expect_told(p.half_algos, "half_algos");
    expect_told(p.single_algos, "single_algos");
    expect_told(p.min_split_k, "min_split_k");
    expect_told(p.create_blocking, "create_blocking");
    expect_told(p.create_busy, "create_busy");
    expect_told(p.rocblas_create_blocking, "rocblas_create_blocking");
    expect_told(p.rocblas_create_busy, "rocblas_create_busy");
    expect_told(p.gemm_enqueue, "gemm_enqueue");
    expect_told(p.heuristic, "heuristic");
    expect_told(p.kernel_gap, "kernel_gap");
    expect_told(p.staging_bytes, "staging_bytes");
    expect_told(p.has_fp8, "has_fp8");
    expect_told(p.hardware_queues, "hardware_queues");
    expect_told(p.adds_ieee, "adds_ieee");
  }
  // The one measured thing about gfx1151: no candidate asks for workspace.
  EXPECT_EQ(find_profile("gfx1151")->half_algos.origin, Origin::measured);
  EXPECT_EQ(find_profile("splitk")->half_algos.origin, Origin::assumed);
}

// What keeps races natural: shorter windows make them a matter of luck.
TEST(HostProfile, WindowsAreLongEnough) {
  for (const auto& name : profile_names()) {
    const Profile& p = *find_profile(name);
    EXPECT_GE(p.create_blocking.value, std::chrono::milliseconds(5));
    EXPECT_GT(p.create_blocking.value, p.create_busy.value);
    EXPECT_GE(p.rocblas_create_blocking.value, std::chrono::milliseconds(5));
    EXPECT_GT(p.rocblas_create_blocking.value, p.rocblas_create_busy.value);
    EXPECT_GE(p.gemm_enqueue.value, std::chrono::microseconds(9));
    EXPECT_GE(p.half_algos.value.size(), 8u);
  }
}

}  // namespace
}  // namespace hiplab::driver
