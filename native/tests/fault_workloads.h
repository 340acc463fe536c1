// The workloads of the fault sweep. Each keeps what it has made between two runs, so that the
// second run, without a fault, is the next use of the same stream and the same buffers.
#pragma once

#include "fault_sweep.h"

namespace hiplab::sweep {

using lab::ElementType;
using lab::GemmShape;
using lab::IntegerGemm;

// An answer of the heuristic: the device counts as one without such GEMMs, and rocBLAS takes them.
inline bool told_unsupported(const FaultReport& fault) {
  return fault.function == "hipblasLtMatmulAlgoGetHeuristic" &&
         fault.status == HIPBLAS_STATUS_NOT_SUPPORTED;
}

// The same of f8, which libraries that do not know it call an invalid value.
inline bool told_no_f8(const FaultReport& fault) {
  return told_unsupported(fault) || ((fault.function == "hipblasLtMatmulAlgoGetHeuristic" ||
                                      fault.function == "hipblasLtMatrixLayoutCreate") &&
                                     fault.status == HIPBLAS_STATUS_INVALID_VALUE);
}

// The device counts as one without hipBLASLt; whatever else a create fails with is tried again.
inline bool lost_hipblaslt(const FaultReport& fault) {
  return fault.function == "hipblasLtCreate" && (fault.status == HIPBLAS_STATUS_NOT_SUPPORTED ||
                                                 fault.status == HIPBLAS_STATUS_ARCH_MISMATCH);
}

class StreamWorkload : public Workload {
 public:
  StreamWorkload(Backend& backend, int current_device)
      : backend_(backend), current_device_(current_device) {}

 protected:
  const backend::CommandStream& stream() {
    if (!stream_) stream_ = backend_.stream(kDevice);
    make_current(current_device_);
    return *stream_;
  }
  std::int64_t counter(const char* name) const { return backend_.counters().at(name); }

  Backend& backend_;

 private:
  const int current_device_;
  std::unique_ptr<backend::CommandStream> stream_;
};

// A GEMM on a fresh backend, then the same one again, which finds its pipe.
class TwoGemms : public StreamWorkload {
 public:
  TwoGemms(Backend& backend, int current_device, GemmShape shape, int workspaces)
      : StreamWorkload(backend, current_device), shape_(shape), workspaces_(workspaces) {}

  bool run() override {
    const auto& on = stream();
    if (!gemm_) gemm_ = std::make_unique<IntegerGemm>(backend_, on, shape_, 1, 7);
    bool right = true;
    for (int i = 0; i < 2; ++i) {
      gemm_->poison();
      before_ = backend_.counters();
      gemm_->enqueue();
      right = right && gemm_->wrong() == 0;
    }
    return right;
  }

  std::string settled(const FaultReport& fault) override {
    const bool half = shape_.type != ElementType::f32;
    if (half && told_unsupported(fault)) return {};
    const char* const route = half && !lost_hipblaslt(fault) ? "route.hipblaslt" : "route.rocblas";
    if (counter(route) != before_.at(route) + 1) {
      return std::string("the GEMM did not take ") + route;
    }
    if (counter("handles.rocblas") != 1) return "there is not one rocBLAS handle";
    if (counter("handles.hipblaslt") > 1) return "there is more than one hipBLASLt handle";
    if (!half || lost_hipblaslt(fault)) return {};
    if (workspaces_ >= 0 && counter("handles.workspaces") != workspaces_) {
      return "its workspaces are another number";
    }
    const auto caps = backend_.device(kDevice).capabilities().get();
    if (!caps.bf16 || !caps.f16 || (!caps.fp8 && !told_no_f8(fault))) {
      return "the capability table has lost a type for good";
    }
    return {};
  }

 private:
  const GemmShape shape_;
  const int workspaces_;  // that its algorithm asks for; -1: not looked at
  std::unique_ptr<IntegerGemm> gemm_;
  std::map<std::string, std::int64_t> before_;
};

// A warm GEMM, captured, and its graph launched twice.
class CaptureAndReplay : public StreamWorkload {
 public:
  CaptureAndReplay(Backend& backend, int current_device, GemmShape shape)
      : StreamWorkload(backend, current_device), shape_(shape) {}

  bool run() override {
    const auto& on = stream();
    if (!gemm_) gemm_ = std::make_unique<IntegerGemm>(backend_, on, shape_, 1, 11);
    gemm_->poison();
    gemm_->enqueue();
    if (gemm_->wrong() != 0) return false;
    auto capture = backend_.capture(on, hipStreamCaptureModeGlobal);
    gemm_->enqueue();
    const auto graph = capture->end();
    for (int launch = 0; launch < 2; ++launch) {
      gemm_->poison();
      graph->launch(on);
      if (gemm_->wrong() != 0) return false;
    }
    return true;
  }

 private:
  const GemmShape shape_;
  std::unique_ptr<IntegerGemm> gemm_;
};

// Two candidates measured, then a GEMM with the one that was chosen.
class Tune : public StreamWorkload {
 public:
  Tune(Backend& backend, int current_device, GemmShape shape)
      : StreamWorkload(backend, current_device), shape_(shape) {}

  bool run() override {
    const auto& on = stream();
    if (!gemm_) gemm_ = std::make_unique<IntegerGemm>(backend_, on, shape_, 1, 13);
    gemm_->poison();
    table_ = gemm_->tune(2, 2);
    before_ = counter("route.hipblaslt");
    gemm_->enqueue();
    return gemm_->wrong() == 0 && chosen() == 1;
  }

  bool given_up(const FaultReport& fault) override {
    return lost_hipblaslt(fault) || told_unsupported(fault);
  }

  std::string settled(const FaultReport& fault) override {
    if (table_.size() != 2) return "not every candidate was told of";
    for (const auto& tuned : table_) {
      if (!tuned.median_ms) return "a candidate is still skipped: " + tuned.skipped;
    }
    if (counter("route.hipblaslt") != before_ + 1) return "the GEMM did not take hipBLASLt";
    return {};
  }

 private:
  long chosen() const {
    return std::count_if(table_.begin(), table_.end(), [](const auto& t) { return t.chosen; });
  }

  const GemmShape shape_;
  std::unique_ptr<IntegerGemm> gemm_;
  std::vector<backend::Tuned> table_;
  std::int64_t before_ = 0;
};

// The same in bounded time, on disposable streams, then a GEMM. What a fault abandons is given
// back.
class BoundedTuning : public StreamWorkload {
 public:
  BoundedTuning(Backend& backend, int current_device, GemmShape shape)
      : StreamWorkload(backend, current_device), shape_(shape) {}

  bool run() override {
    const auto& on = stream();
    if (!gemm_) gemm_ = std::make_unique<IntegerGemm>(backend_, on, shape_, 1, 17);
    gemm_->poison();
    backend::TuneLimits limits;
    limits.requested = limits.repetitions = 2;
    limits.bound = std::chrono::minutes(1);
    const auto tune = backend_.bounded_tune(kDevice, shape_, limits);
    while (tune->next() != nullptr) {
    }
    tune->keep_fastest();
    rows_ = tune->rows();
    before_ = counter("route.hipblaslt");
    gemm_->enqueue();
    return gemm_->wrong() == 0 &&
           std::count_if(rows_.begin(), rows_.end(), [](const auto& t) { return t.chosen; }) == 1;
  }

  bool given_up(const FaultReport& fault) override {
    return lost_hipblaslt(fault) || told_unsupported(fault);
  }

  std::string settled(const FaultReport& fault) override {
    if (rows_.size() != 2) return "not every candidate was told of";
    for (const auto& row : rows_) {
      if (!row.median_ms) return "a candidate is still skipped: " + row.skipped;
    }
    if (counter("route.hipblaslt") != before_ + 1) return "the GEMM did not take hipBLASLt";
    if (backend_.tracker(kDevice).state().acquired != 0) return "a stream was not given back";
    return {};
  }

 private:
  const GemmShape shape_;
  std::unique_ptr<IntegerGemm> gemm_;
  std::vector<backend::Tuned> rows_;
  std::int64_t before_ = 0;
};

// The first launch of a kernel (mlxcel 2183: 2 x + 1), then the same one again. After the very
// first run of the process the compiled code comes from the disk cache.
class FirstLaunch : public StreamWorkload {
 public:
  using StreamWorkload::StreamWorkload;

  bool run() override {
    const auto& on = stream();
    const backend::Where where{kDevice, on.get()};
    std::vector<float> in(kCount), out(kCount);
    for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<float>(i);
    if (!in_) in_ = backend_.memory(kDevice, kCount * sizeof(float));
    if (!out_) out_ = backend_.memory(kDevice, kCount * sizeof(float));
    const driver::Table& api = backend_.api();
    HIPLAB_CHECK(api, where, hipMemcpyAsync, in_->get(), in.data(), in_->bytes(),
                 hipMemcpyHostToDevice, on.get());
    bool right = true;
    for (int launch = 0; launch < 2; ++launch) {
      HIPLAB_CHECK(api, where, hipMemsetAsync, out_->get(), 0xFF, out_->bytes(), on.get());
      backend_.launch(on, kernel_, {{2, 1, 1}, {kCount / 2, 1, 1}},
                      {in_->get(), out_->get(), static_cast<std::int32_t>(kCount)});
      HIPLAB_CHECK(api, where, hipMemcpyAsync, out.data(), out_->get(), out_->bytes(),
                   hipMemcpyDeviceToHost, on.get());
      on.synchronize();
      for (std::size_t i = 0; i < kCount; ++i) right = right && out[i] == 2 * in[i] + 1;
    }
    return right;
  }

  std::string settled(const FaultReport& fault) override {
    // One that was loaded and then failed is unloaded: it counts only once its kernels are known.
    return counter("handles.modules") == 1 ? "" : "there is not one module of the key";
  }

 private:
  static constexpr unsigned kCount = 64;
  const backend::Kernel kernel_{
      "extern \"C\" __global__ void probe(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i] * 2.0f + 1.0f;\n"
      "}\n",
      "probe"};
  std::unique_ptr<backend::DeviceMemory> in_;
  std::unique_ptr<backend::DeviceMemory> out_;
};

}  // namespace hiplab::sweep
