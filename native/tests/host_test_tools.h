// What the software device's tests share: a freshly opened device, memory, a stream that stands
// still until it is let go, and the integer reference of a GEMM.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "driver/host/gemm.h"
#include "driver/host/half.h"
#include "driver/host/host_provider.h"
#include "driver/host/machine.h"
#include "driver/provider.h"
#include "driver/table.h"

namespace hiplab::test {

using namespace hiplab::driver;  // NOLINT: tests speak in the driver's names
using driver::host::ElementType;

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

// Keeps what is leaked on purpose reachable, so that LeakSanitizer tells it from a real leak.
inline void keep(const void* leaked) {
  static auto* kept = new std::vector<const void*>;
  kept->push_back(leaked);
}

// Each test opens its own machine; the one before it stays behind, unused.
class HostTest : public ::testing::Test {
 protected:
  void open(const std::string& profile, int devices) {
    provider_ = &host::open_host(profile, devices);
    t = provider_->table;
    keep(provider_);
    keep(&host::machine());
    host::Machine::current_device() = 0;
  }
  void SetUp() override { open("splitk", 1); }

  hipStream_t stream() {
    hipStream_t s = nullptr;
    EXPECT_EQ(t->hipStreamCreateWithFlags(&s, hipStreamNonBlocking), hipSuccess);
    return s;
  }
  hipEvent_t event(unsigned flags = hipEventDefault) {
    hipEvent_t e = nullptr;
    EXPECT_EQ(t->hipEventCreateWithFlags(&e, flags), hipSuccess);
    return e;
  }
  void* allocate(std::size_t bytes) {
    void* p = nullptr;
    EXPECT_EQ(t->hipMalloc(&p, bytes), hipSuccess);
    return p;
  }
  template <typename T>
  T* upload(const std::vector<T>& values) {
    auto* p = static_cast<T*>(allocate(values.size() * sizeof(T)));
    EXPECT_EQ(t->hipMemcpyAsync(p, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice,
                                nullptr),
              hipSuccess);
    EXPECT_EQ(t->hipStreamSynchronize(nullptr), hipSuccess);
    return p;
  }
  template <typename T>
  std::vector<T> download(const T* p, std::size_t count, hipStream_t s = nullptr) {
    std::vector<T> values(count);
    EXPECT_EQ(t->hipMemcpyAsync(values.data(), p, count * sizeof(T), hipMemcpyDeviceToHost, s),
              hipSuccess);
    EXPECT_EQ(t->hipStreamSynchronize(s), hipSuccess);
    return values;
  }

  const Provider* provider_ = nullptr;
  const Table* t = nullptr;
};

// Holds a stream: what is enqueued behind it does not run before open().
class Hold {
 public:
  explicit Hold(hipStream_t stream) {
    auto opened = opened_.get_future().share();
    auto started = std::make_shared<std::promise<void>>();
    auto has_started = started->get_future();
    host::machine().queue(stream)->enqueue([opened, started] {
      started->set_value();
      opened.wait();
    });
    has_started.wait();
  }
  ~Hold() { open(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  void open() {
    if (closed_) opened_.set_value();
    closed_ = false;
  }

 private:
  std::promise<void> opened_;
  bool closed_ = true;
};

inline std::vector<int> integers(std::size_t count, int low, int high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<int> any(low, high);
  std::vector<int> values(count);
  for (int& v : values) v = any(engine);
  return values;
}

// Column-major element of op(A), stored as `rows` x ... with no gaps.
inline int at(const std::vector<int>& v, std::size_t offset, std::int64_t ld, bool trans,
              std::int64_t i, std::int64_t j) {
  return v[offset + static_cast<std::size_t>(trans ? j + i * ld : i + j * ld)];
}

inline std::uint16_t encode(ElementType type, int value) {
  return type == ElementType::f16 ? host::to_f16(static_cast<float>(value))
                                  : host::to_bf16(static_cast<float>(value));
}
inline float decode(ElementType type, std::uint16_t bits) {
  return type == ElementType::f16 ? host::from_f16(bits) : host::from_bf16(bits);
}

// sums[(b * n + j) * m + i] of dense column-major integer matrices.
inline std::vector<int> product(const std::vector<int>& a, const std::vector<int>& b, bool trans_a,
                                bool trans_b, std::int64_t m, std::int64_t n, std::int64_t k,
                                std::int64_t batch = 1) {
  std::vector<int> sums(static_cast<std::size_t>(m * n * batch), 0);
  for (std::int64_t p = 0; p < batch; ++p) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < m; ++i) {
        int sum = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          sum += at(a, static_cast<std::size_t>(p * m * k), trans_a ? k : m, trans_a, i, l) *
                 at(b, static_cast<std::size_t>(p * k * n), trans_b ? n : k, trans_b, l, j);
        }
        sums[static_cast<std::size_t>((p * n + j) * m + i)] = sum;
      }
    }
  }
  return sums;
}

template <typename T>
std::vector<T> converted(const std::vector<int>& values, ElementType type) {
  std::vector<T> out;
  out.reserve(values.size());
  for (int v : values) {
    if constexpr (sizeof(T) == 4) {
      out.push_back(static_cast<T>(v));
    } else {
      out.push_back(encode(type, v));
    }
  }
  return out;
}

}  // namespace hiplab::test
