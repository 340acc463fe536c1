// What the suites share: a provider, GEMMs with integer inputs and their exact products, and ways
// to hold a thread in a window.
//
// Suites whose name contains "Fixed" run on fixed forms only: `--gtest_filter=*Fixed*` selects what
// must be clean under a sanitizer. "Filed" suites race on purpose.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <future>
#include <limits>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "bindings/convert.h"
#include "driver/host/float8.h"
#include "driver/host/machine.h"
#include "driver/host/openblas.h"
#include "driver/provider.h"
#include "forms/form_choice.h"
#include "sync/point.h"

namespace hiplab::lab {

using namespace hiplab::rocm;  // NOLINT: tests look at driver calls in ROCm's own names
using backend::Backend;
using backend::CommandStream;
using backend::ElementType;
using backend::GemmShape;
using forms::Form;

// The software device is one per process, so an executable keeps to one profile. Throws without
// OpenBLAS: a filed form would pass its absence off as a wrong result.
inline const driver::Provider& host(const char* profile, int devices = 1) {
  driver::host::OpenBlas::get();
  driver::Request request;
  request.driver = "host";
  request.profile = profile;
  request.host_devices = devices;
  return *driver::choose(request).provider;
}

// A copy of a provider whose table a test may change, to watch a call or to make it fail.
struct Patched {
  explicit Patched(const driver::Provider& base) : table(*base.table), provider(base) {
    provider.table = &table;
  }
  Patched(const Patched&) = delete;
  Patched& operator=(const Patched&) = delete;

  driver::Table table;
  driver::Provider provider;
};

inline std::unique_ptr<Backend> open(const driver::Provider& provider, Form form) {
  forms::FormChoice choice;
  choice.set_all(form);
  return std::make_unique<Backend>(provider, forms::make_parts(choice));
}

inline std::string form_name(const ::testing::TestParamInfo<Form>& info) {
  return forms::form_name(info.param);
}

// Instantiates a suite for both forms, under prefixes that the filter tells apart.
#define HIPLAB_BOTH_FORMS(Suite)                                                        \
  INSTANTIATE_TEST_SUITE_P(Fixed, Suite, ::testing::Values(::hiplab::lab::Form::fixed), \
                           ::hiplab::lab::form_name);                                   \
  INSTANTIATE_TEST_SUITE_P(Filed, Suite, ::testing::Values(::hiplab::lab::Form::filed), \
                           ::hiplab::lab::form_name)

// One GEMM on its own buffers: integer inputs of magnitude at most `range`, so that every product
// is exact, and an output that is NaN until it is written.
class IntegerGemm {
 public:
  IntegerGemm(Backend& backend, const CommandStream& stream, GemmShape shape, int range,
              unsigned seed)
      : backend_(backend),
        stream_(stream),
        shape_(shape),
        range_(range),
        a_(random(shape.batch * shape.m * shape.k, range, 2 * seed)),
        b_(random(shape.batch * shape.k * shape.n, range, 2 * seed + 1)),
        a_device_(upload(a_)),
        b_device_(upload(b_)),
        c_device_(backend.memory(stream.device(), result_count() * result_bytes())) {
    poison();
  }

  void poison() {
    HIPLAB_CHECK(backend_.api(), backend::Where{}, hipMemsetAsync, c_device_->get(), 0xFF,
                 c_device_->bytes(), stream_.get());
  }

  void enqueue(float alpha = 1.0f, float beta = 0.0f) { enqueue_on(stream_, alpha, beta); }

  void enqueue_on(const CommandStream& stream, float alpha = 1.0f, float beta = 0.0f) {
    backend_.gemm(stream,
                  {shape_, alpha, a_device_->get(), b_device_->get(), beta, c_device_->get()});
  }

  std::vector<backend::Tuned> tune(int requested, int repetitions) {
    return backend_.tune(stream_,
                         {shape_, 1.0f, a_device_->get(), b_device_->get(), 0.0f, c_device_->get()},
                         requested, repetitions);
  }

  // Waits for the own stream, and for nothing else, then counts outputs that are not the exact
  // product (a NaN is one). Where the device's sums are not IEEE sums, an error within 2 K u sum|a
  // b| is none (mlxcel 2206).
  int wrong(float factor = 1.0f) {
    const std::vector<float> got = read();
    const std::vector<float>& want = expected();
    int count = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == factor * want[i]) continue;
      count += !(std::fabs(got[i] - factor * want[i]) <= std::fabs(factor) * bound());
    }
    return count;
  }

  // Whether no element has been written.
  bool untouched() {
    for (const float value : read()) {
      if (value == value) return false;
    }
    return true;
  }

  std::vector<float> read() {
    std::vector<float> out(result_count());
    std::vector<std::uint16_t> raw(half() ? out.size() : 0);
    void* into = half() ? static_cast<void*>(raw.data()) : out.data();
    HIPLAB_CHECK(backend_.api(), backend::Where{}, hipMemcpyAsync, into, c_device_->get(),
                 c_device_->bytes(), hipMemcpyDeviceToHost, stream_.get());
    stream_.synchronize();
    for (std::size_t i = 0; i < raw.size(); ++i) {
      out[i] = shape_.type == ElementType::f16 ? bindings::f16_to_float(raw[i])
                                               : bindings::bf16_to_float(raw[i]);
    }
    return out;
  }

  const GemmShape& shape() const { return shape_; }
  backend::GemmCall call() const {
    return {shape_, 1.0f, a_device_->get(), b_device_->get(), 0.0f, c_device_->get()};
  }

 private:
  bool half() const { return shape_.type != ElementType::f32; }  // the result is

  // The largest that any output's may be: inputs are integers of at most range_.
  float bound() const {
    if (!half() || driver::host::machine().profile().adds_ieee.value) return 0.0f;
    const auto k = static_cast<float>(shape_.k);
    return 2 * k * 0x1p-24f * k * static_cast<float>(range_ * range_);
  }

  std::size_t result_bytes() const {
    return backend::element_bytes(backend::result_type(shape_.type));
  }
  std::size_t result_count() const {
    return static_cast<std::size_t>(shape_.batch * shape_.m * shape_.n);
  }

  static std::vector<int> random(std::int64_t count, int range, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_int_distribution<int> values(-range, range);
    std::vector<int> out(static_cast<std::size_t>(count));
    for (int& value : out) value = values(engine);
    return out;
  }

  std::unique_ptr<backend::DeviceMemory> upload(const std::vector<int>& values) {
    auto memory =
        backend_.memory(stream_.device(), values.size() * backend::element_bytes(shape_.type));
    std::vector<float> floats(values.begin(), values.end());
    std::vector<std::uint16_t> raw;
    std::vector<std::uint8_t> bytes;
    const void* from = floats.data();
    if (shape_.type == ElementType::f8) {
      for (const float v : floats) bytes.push_back(driver::host::to_e4m3(v));
      from = bytes.data();
    } else if (half()) {
      for (const float v : floats) {
        raw.push_back(shape_.type == ElementType::f16 ? bindings::float_to_f16(v)
                                                      : bindings::float_to_bf16(v));
      }
      from = raw.data();
    }
    HIPLAB_CHECK(backend_.api(), backend::Where{}, hipMemcpyAsync, memory->get(), from,
                 memory->bytes(), hipMemcpyHostToDevice, stream_.get());
    stream_.synchronize();
    return memory;
  }

  const std::vector<float>& expected() {
    if (!expected_.empty()) return expected_;
    const GemmShape& s = shape_;
    expected_.resize(result_count());
    for (std::int64_t batch = 0; batch < s.batch; ++batch) {
      for (std::int64_t i = 0; i < s.m; ++i) {
        for (std::int64_t j = 0; j < s.n; ++j) {
          long sum = 0;
          for (std::int64_t p = 0; p < s.k; ++p) {
            const auto a = batch * s.m * s.k + (s.trans_a ? p * s.m + i : i * s.k + p);
            const auto b = batch * s.k * s.n + (s.trans_b ? j * s.k + p : p * s.n + j);
            sum += static_cast<long>(a_[static_cast<std::size_t>(a)]) *
                   b_[static_cast<std::size_t>(b)];
          }
          expected_[static_cast<std::size_t>((batch * s.m + i) * s.n + j)] =
              static_cast<float>(sum);
        }
      }
    }
    return expected_;
  }

  Backend& backend_;
  const CommandStream& stream_;
  const GemmShape shape_;
  const int range_;
  const std::vector<int> a_;
  const std::vector<int> b_;
  std::vector<float> expected_;
  const std::unique_ptr<backend::DeviceMemory> a_device_;
  const std::unique_ptr<backend::DeviceMemory> b_device_;
  const std::unique_ptr<backend::DeviceMemory> c_device_;
};

// Holds the first `threads` threads that reach a point until they are let go.
class HoldAt {
 public:
  explicit HoldAt(std::string point, int threads = 1)
      : point_(std::move(point)),
        room_(threads),
        listener_([this](const char* name, std::thread::id) { reached(name); }) {}
  ~HoldAt() { release(); }

  // Fails the test when nobody comes: then the point does not exist in this form.
  void wait_until_held(int threads = 1) {
    std::unique_lock lock(mutex_);
    ASSERT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60), [&] { return held_ >= threads; }))
        << "nobody reached " << point_;
  }

  void release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  void reached(const std::string& name) {
    if (name != point_) return;
    std::unique_lock lock(mutex_);
    if (held_ == room_ || released_) return;
    ++held_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return released_; });
  }

  const std::string point_;
  const int room_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int held_ = 0;
  bool released_ = false;
  sync::ListenToPoints listener_;  // last: it calls the rest
};

// While a window is held open, a second thread that the form does not exclude runs to its end; one
// that it excludes waits for the lock, so give it a while to get there and go on.
template <typename T>
void let_second_thread_go(std::future<T>& second, Form form) {
  if (form == Form::filed) {
    second.wait();
  } else {
    second.wait_for(std::chrono::milliseconds(150));
  }
}

// Runs `body(thread)` on that many threads, which start together. The first exception is rethrown.
template <typename Body>
void on_threads(int count, Body body) {
  std::promise<void> go;
  const std::shared_future<void> start = go.get_future().share();
  std::vector<std::future<void>> threads;
  for (int t = 0; t < count; ++t) {
    threads.push_back(std::async(std::launch::async, [=] {
      start.wait();
      body(t);
    }));
  }
  go.set_value();
  for (auto& thread : threads) thread.wait();
  for (auto& thread : threads) thread.get();
}

}  // namespace hiplab::lab
