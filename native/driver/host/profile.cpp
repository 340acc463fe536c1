#include "driver/host/profile.h"

#include "driver/provider.h"

namespace hiplab::driver {
namespace host {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// Costs are those of other public measurements, as nobody has published them for these devices.
// Race windows follow from them, so they are values of the profile and not of a scenario.
Profile with_costs(Profile p) {
  p.create_blocking = {microseconds(17000), Origin::assumed,
                       "a cuBLASLt handle on an H200 takes 18 ms, nearly all of it blocking"};
  p.create_busy = {microseconds(1000), Origin::assumed, "the rest of those 18 ms"};
  // Every child that runs an f32 GEMM pays for this one.
  p.rocblas_create_blocking = {microseconds(5000), Origin::assumed,
                               "no public figure; 5 ms is the least at which prototypes of the "
                               "filed form failed in every run, also on a busy machine"};
  p.rocblas_create_busy = {microseconds(200), Origin::assumed, "little beside the waiting"};
  p.gemm_enqueue = {nanoseconds(9000), Origin::assumed,
                    "hipblasLtMatmul costs 9.1 us (hipBLASLt pull 1754, another device)"};
  p.heuristic = {microseconds(115), Origin::assumed,
                 "GetHeuristic costs 114.7 us (hipBLASLt pull 1754, another device)"};
  p.kernel_gap = {nanoseconds(5000), Origin::assumed,
                  "dependent kernels of a stream start some microseconds apart on a real GPU"};
  p.staging_bytes = {std::size_t{1} << 20, Origin::assumed, "no public figure"};
  p.hardware_queues = {4, Origin::measured,
                       "GPU_MAX_HW_QUEUES of HIP (its documentation, MIOpen 12265)"};
  p.min_split_k = {8, Origin::assumed, "no public figure"};
  return p;
}

const std::vector<AlgoSpec>& plain_algos() {
  static const auto* algos = new std::vector<AlgoSpec>{
      {1, 128, 128}, {1, 64, 64}, {1, 128, 64}, {1, 64, 128},
      {1, 32, 32},   {1, 96, 96}, {1, 256, 64}, {1, 16, 16}};  // leaked: outlives queue threads
  return *algos;
}

Profile gfx1151() {
  Profile p;
  p.name = "gfx1151";
  p.arch = "gfx1151";
  p.device_name = "hiplab software device (profile gfx1151)";
  p.major = 11;
  p.minor = 5;
  p.multiprocessors = {40, Origin::assumed, "data sheet of the Radeon 8060S"};
  p.warp_size = {32, Origin::assumed, "RDNA runs wave32"};
  const char* survey =
      "mlxcel 2200: 8 candidates x 15 shapes under a 32 MB cap, every workspaceSize 0 (the tile "
      "sizes are assumed)";
  p.half_algos = {plain_algos(), Origin::measured, survey};
  p.single_algos = {plain_algos(), Origin::measured, survey};
  p.has_fp8 = {false, Origin::assumed, "RDNA 3.5 has matrix instructions of bf16 and none of fp8"};
  p.adds_ieee = {
      false, Origin::measured,
      "mlxcel 2206, rocm-systems 12056: sums of single bf16 and f16 instructions, bf16 "
      "through the libraries, f32 exact (that the libraries walk K in order is assumed)"};
  return with_costs(p);
}

Profile splitk() {
  Profile p;
  p.name = "splitk";
  p.arch = "splitk";
  p.device_name = "hiplab software device (profile splitk)";
  p.major = 0;
  p.minor = 0;
  p.multiprocessors = {40, Origin::assumed, "as profile gfx1151"};
  p.warp_size = {32, Origin::assumed, "as profile gfx1151"};
  // A device whose heuristics ask for scratch, as mlxcel 2200 expects of CDNA and gfx1201 and as
  // an H200 does for most shapes.
  std::vector<AlgoSpec> half = {{4, 64, 64}, {8, 64, 64}};
  half.insert(half.end(), plain_algos().begin(), plain_algos().end());
  p.half_algos = {half, Origin::assumed, "split-K by 4 and 8 first, then without workspace"};
  p.single_algos = {plain_algos(), Origin::assumed, "f32 without workspace, as gfx1151"};
  p.has_fp8 = {true, Origin::assumed, "as CDNA 3 and gfx12, so that the fp8 route can be driven"};
  p.adds_ieee = {true, Origin::assumed, "no public figure"};
  return with_costs(p);
}

const std::vector<Profile>& profiles() {
  static const auto* all = new std::vector<Profile>{gfx1151(), splitk()};  // leaked, as above
  return *all;
}

}  // namespace

const Profile* find_profile(const std::string& name) {
  for (const Profile& p : profiles()) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

}  // namespace host

const std::vector<std::string>& profile_names() {
  static const auto* names = [] {
    auto* list = new std::vector<std::string>;  // leaked: may be asked for during exit
    for (const auto& p : host::profiles()) list->push_back(p.name);
    return list;
  }();
  return *names;
}

}  // namespace hiplab::driver
