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

// A hipBLASLt handle that could not be made is given up for good (mlxcel 2200).
inline bool lost_hipblaslt(const FaultReport& fault) { return fault.function == "hipblasLtCreate"; }

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

}  // namespace hiplab::sweep
