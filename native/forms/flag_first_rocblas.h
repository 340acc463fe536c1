// FILED form of the rocBLAS handle (mlxcel 2198): the flag is set before the work, nothing is
// locked, and binding the stream and issuing the GEMM are two steps.
#pragma once

#include <string>

#include "backend/context.h"
#include "backend/owned.h"
#include "backend/rocblas.h"

namespace hiplab::forms {

// Not thread-safe: that is the finding. The fields are plain on purpose, as filed.
class FlagFirstRocblas final : public backend::Rocblas {
 public:
  FlagFirstRocblas(const backend::Context& context, int device, std::string arch);
  ~FlagFirstRocblas() override;

  bool available() override;
  bool settled() const override { return true; }  // creates whenever it is asked, as filed
  backend::rocblas_status with_handle(backend::hipStream_t stream,
                                      const backend::RocblasCall& call) override;
  void forget(backend::hipStream_t) override {}

 private:
  backend::rocblas_handle get_handle();
  void set_stream(backend::hipStream_t stream);

  const backend::Context context_;
  const int device_;
  const std::string arch_;
  bool initialized_ = false;
  bool available_ = true;  // stays true while another thread is still creating
  backend::rocblas_handle handle_ = nullptr;
  backend::hipStream_t stream_ = nullptr;
};

}  // namespace hiplab::forms
