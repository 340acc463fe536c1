// Which stream a GEMM is meant for, and to which streams its work went: notes of one thread, which
// driver/watching.h compares.
#pragma once

#include <optional>

#include "driver/rocm_types.h"
#include "driver/table.h"

namespace hiplab::driver {

// While it lives, GEMMs of the calling thread are meant for this stream. They nest: the innermost
// counts. Costs a store to thread-local memory.
class WantedStream {
 public:
  explicit WantedStream(rocm::hipStream_t stream) noexcept;
  ~WantedStream();
  WantedStream(const WantedStream&) = delete;
  WantedStream& operator=(const WantedStream&) = delete;

  // Empty when nobody has said.
  static std::optional<rocm::hipStream_t> current() noexcept;

 private:
  const std::optional<rocm::hipStream_t> former_;
};

// While it lives, notes where the calling thread's work is put, as far as a provider tells: the
// software device does, where a call puts its work on a stream.
class Submissions {
 public:
  explicit Submissions(rocm::hipStream_t wanted) noexcept;
  ~Submissions();
  Submissions(const Submissions&) = delete;
  Submissions& operator=(const Submissions&) = delete;

  // For providers.
  static void note(rocm::hipStream_t stream) noexcept;

  bool any() const { return any_; }
  bool elsewhere() const { return elsewhere_; }  // one of them was not to the wanted stream

 private:
  const rocm::hipStream_t wanted_;
  Submissions* const former_;
  bool any_ = false;
  bool elsewhere_ = false;
};

// The stream that a rocBLAS handle is bound to; empty when the provider does not say.
std::optional<rocm::hipStream_t> bound_stream(const Table& inner, rocm::rocblas_handle handle);

}  // namespace hiplab::driver
