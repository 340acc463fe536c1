#include "driver/gemm_stream.h"

namespace hiplab::driver {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {

constinit thread_local std::optional<hipStream_t> wanted_stream;
constinit thread_local Submissions* submissions = nullptr;

}  // namespace

WantedStream::WantedStream(hipStream_t stream) noexcept : former_(wanted_stream) {
  wanted_stream = stream;
}

WantedStream::~WantedStream() { wanted_stream = former_; }

std::optional<hipStream_t> WantedStream::current() noexcept { return wanted_stream; }

Submissions::Submissions(hipStream_t wanted) noexcept : wanted_(wanted), former_(submissions) {
  submissions = this;
}

Submissions::~Submissions() { submissions = former_; }

void Submissions::note(hipStream_t stream) noexcept {
  if (submissions == nullptr) return;
  submissions->any_ = true;
  if (stream != submissions->wanted_) submissions->elsewhere_ = true;
}

std::optional<hipStream_t> bound_stream(const Table& inner, rocblas_handle handle) {
  hipStream_t stream = nullptr;
  if (inner.rocblas_get_stream == nullptr ||
      inner.rocblas_get_stream(handle, &stream) != rocblas_status_success) {
    return {};
  }
  return stream;
}

}  // namespace hiplab::driver
