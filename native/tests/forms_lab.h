// What the suites of forms share: a backend with one part in a given form, a gate that streams
// stand before, and notes of every matmul, allocation and free.
#pragma once

#include <map>
#include <set>

#include "driver/host/machine.h"
#include "lab.h"

namespace hiplab::lab {

// Everything FIXED but that part.
inline std::unique_ptr<Backend> open_with(const driver::Provider& provider, const char* part,
                                          Form form) {
  forms::FormChoice choice;
  choice.set(part, form);
  return std::make_unique<Backend>(provider, forms::make_parts(choice));
}

// What is enqueued behind the gate does not run before open().
class Gate {
 public:
  ~Gate() { open(); }
  void hold(hipStream_t stream) {
    const auto queue = driver::host::machine().queue(stream);
    ASSERT_NE(queue, nullptr);
    ASSERT_EQ(queue->enqueue([opened = opened_] { return opened; }), hipSuccess);
  }
  void open() {
    if (!std::exchange(open_, true)) opened_->complete();
  }

 private:
  const std::shared_ptr<driver::host::Marker> opened_ = std::make_shared<driver::host::Marker>();
  bool open_ = false;
};

// A provider whose matmuls, handles and device memory are noted. One at a time.
class Noted {
 public:
  struct Matmul {
    hipblasLtHandle_t handle;
    hipblasLtMatmulDesc_t desc;
    void* workspace;
    hipStream_t stream;
    std::thread::id thread;
    bool workspace_freed;  // before the call
    bool desc_in_use;      // another thread was inside matmul with it
  };

  explicit Noted(const driver::Provider& base) : patched_(base), real_(*base.table) {
    noted() = this;
    patched_.table.hipblasLtMatmul = matmul;
    patched_.table.hipMalloc = allocate;
    patched_.table.hipFree = free_later;
  }
  ~Noted() {
    // Kept until now, so that no later block has the address of a freed one.
    for (void* pointer : freed_) real_.hipFree(pointer);
    noted() = nullptr;
  }

  const driver::Provider& provider() const { return patched_.provider; }
  driver::Table& table() { return patched_.table; }
  const driver::Table& real() const { return real_; }

  std::vector<Matmul> matmuls() {
    const std::lock_guard lock(mutex_);
    return matmuls_;
  }
  int uses_of_freed() {
    int count = 0;
    for (const Matmul& call : matmuls()) count += call.workspace_freed;
    return count;
  }
  int overlaps() {
    int count = 0;
    for (const Matmul& call : matmuls()) count += call.desc_in_use;
    return count;
  }
  std::map<void*, std::size_t> blocks() {  // those not freed, by their real size
    const std::lock_guard lock(mutex_);
    return blocks_;
  }

  // Allocations of that many bytes fail, so many times.
  void fail_allocations(std::size_t bytes, int times) {
    const std::lock_guard lock(mutex_);
    failing_bytes_ = bytes;
    failures_left_ = times;
  }
  // Each block gets a tail that its owner was not told of.
  static constexpr std::size_t kTail = std::size_t{4} << 20;
  static constexpr int kTailByte = 0xA5;
  void give_tails() { tails_ = true; }
  bool tail_intact(void* pointer, std::size_t bytes) {
    std::vector<unsigned char> tail(kTail);
    EXPECT_EQ(real_.hipMemcpyAsync(tail.data(), static_cast<char*>(pointer) + bytes, kTail,
                                   hipMemcpyDeviceToHost, nullptr),
              hipSuccess);
    EXPECT_EQ(real_.hipStreamSynchronize(nullptr), hipSuccess);
    for (const unsigned char byte : tail) {
      if (byte != kTailByte) return false;
    }
    return true;
  }

  // As long as matmul is slow, a second thread that nothing excludes comes in meanwhile.
  void make_matmul_slow(std::chrono::milliseconds time) { slow_ = time; }

 private:
  static Noted*& noted() {
    static Noted* one = nullptr;
    return one;
  }

  static hipblasStatus_t matmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc,
                                const void* alpha, const void* a, hipblasLtMatrixLayout_t a_layout,
                                const void* b, hipblasLtMatrixLayout_t b_layout, const void* beta,
                                const void* c, hipblasLtMatrixLayout_t c_layout, void* d,
                                hipblasLtMatrixLayout_t d_layout, const hipblasLtMatmulAlgo_t* algo,
                                void* workspace, size_t bytes, hipStream_t stream) {
    Noted& n = *noted();
    bool in_use = false;
    {
      const std::lock_guard lock(n.mutex_);
      in_use = !n.inside_.insert(desc).second;
      n.matmuls_.push_back({handle, desc, workspace, stream, std::this_thread::get_id(),
                            n.freed_.contains(workspace), in_use});
    }
    if (n.slow_.count() > 0) std::this_thread::sleep_for(n.slow_);
    // Two threads inside with one descriptor may crash: it has been seen, that is enough.
    const hipblasStatus_t status =
        in_use ? HIPBLAS_STATUS_SUCCESS
               : n.real_.hipblasLtMatmul(handle, desc, alpha, a, a_layout, b, b_layout, beta, c,
                                         c_layout, d, d_layout, algo, workspace, bytes, stream);
    const std::lock_guard lock(n.mutex_);
    if (!in_use) n.inside_.erase(desc);
    return status;
  }

  static hipError_t allocate(void** pointer, size_t bytes) {
    Noted& n = *noted();
    const std::lock_guard lock(n.mutex_);
    if (bytes == n.failing_bytes_ && n.failures_left_ > 0) {
      --n.failures_left_;
      return hipErrorOutOfMemory;
    }
    const hipError_t status = n.real_.hipMalloc(pointer, bytes + (n.tails_ ? kTail : 0));
    if (status != hipSuccess) return status;
    n.blocks_[*pointer] = bytes;
    if (!n.tails_) return status;
    EXPECT_EQ(
        n.real_.hipMemsetAsync(static_cast<char*>(*pointer) + bytes, kTailByte, kTail, nullptr),
        hipSuccess);
    return n.real_.hipStreamSynchronize(nullptr);
  }

  // Waits for the device as hipFree does, and says so of the block; frees it at the end.
  static hipError_t free_later(void* pointer) {
    Noted& n = *noted();
    if (pointer == nullptr) return hipSuccess;
    {
      const std::lock_guard lock(n.mutex_);
      n.blocks_.erase(pointer);
      n.freed_.insert(pointer);
    }
    return n.real_.hipDeviceSynchronize();
  }

  Patched patched_;
  const driver::Table real_;
  std::mutex mutex_;
  std::vector<Matmul> matmuls_;             // mutex_
  std::set<hipblasLtMatmulDesc_t> inside_;  // mutex_
  std::map<void*, std::size_t> blocks_;     // mutex_
  std::set<void*> freed_;                   // mutex_
  std::size_t failing_bytes_ = 0;           // mutex_
  int failures_left_ = 0;                   // mutex_
  bool tails_ = false;
  std::chrono::milliseconds slow_{0};
};

}  // namespace hiplab::lab
