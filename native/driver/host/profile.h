// What a software device looks like to a program: its arch, its costs and its heuristics, as data.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace hiplab::driver::host {

// Where a value of a profile comes from.
enum class Origin { measured, assumed };

// A value of a profile with its origin: "measured" names the source, "assumed" says after what.
template <typename T>
struct Told {
  T value;
  Origin origin;
  const char* source;
};

// One algorithm that the profile's hipBLASLt offers, in heuristic order.
struct AlgoSpec {
  int splits;     // parts of K: 1 = no workspace, else partial sums in the caller's workspace
  int tile_rows;  // macro tile, from which the waves of a candidate are counted
  int tile_cols;
};

struct Profile {
  std::string name;
  std::string arch;         // hipDeviceProp_t.gcnArchName
  std::string device_name;  // hipDeviceProp_t.name
  int major = 0;
  int minor = 0;
  Told<int> multiprocessors;
  Told<int> warp_size;
  Told<std::vector<AlgoSpec>> half_algos;    // bf16 and f16 problems
  Told<std::vector<AlgoSpec>> single_algos;  // f32 problems
  Told<int> min_split_k;                     // smallest part of K that a split may get

  // Creating a hipBLASLt handle: mostly waiting (for the driver, files, device memory), a little
  // work.
  Told<std::chrono::microseconds> create_blocking;
  Told<std::chrono::microseconds> create_busy;
  // The same of a rocBLAS handle.
  Told<std::chrono::microseconds> rocblas_create_blocking;
  Told<std::chrono::microseconds> rocblas_create_busy;
  // Host work of one GEMM call before the launch reaches the queue.
  Told<std::chrono::nanoseconds> gemm_enqueue;
  Told<std::chrono::microseconds> heuristic;
  // From the end of one kernel of a stream to the start of the next: the device is idle for this
  // stream, and other streams' kernels run.
  Told<std::chrono::nanoseconds> kernel_gap;
  // Pageable host-to-device copies up to this size are staged and return at once.
  Told<std::size_t> staging_bytes;
  // Queues of a device that its streams share, where GPU_MAX_HW_QUEUES gives no number.
  Told<int> hardware_queues;
  // hipBLASLt has GEMMs of f8 (E4M3) inputs.
  Told<bool> has_fp8;
  // bf16 and f16 products are IEEE sums, else those of gfx11.h. f32 ones always are.
  Told<bool> adds_ieee;
};

// nullptr when there is no such profile.
const Profile* find_profile(const std::string& name);

}  // namespace hiplab::driver::host
