#include "raw/captures.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "backend/open_captures.h"

namespace hiplab::raw {
namespace {

struct Captures {
  std::mutex mutex;
  std::map<hipStream_t, std::unique_ptr<backend::OpenCapture>> open;  // mutex
};

// Leaked: raw calls may be made while the process exits.
Captures& captures() {
  static auto* const shared = new Captures;
  return *shared;
}

// The last open capture to go may make calls of backends, so it goes without the lock.
void forget(hipStream_t stream) {
  std::unique_ptr<backend::OpenCapture> ended;
  const std::lock_guard lock(captures().mutex);
  const auto found = captures().open.find(stream);
  if (found == captures().open.end()) return;
  ended = std::move(found->second);
  captures().open.erase(found);
}

}  // namespace

hipError_t begin_capture(const driver::Table& table, hipStream_t stream,
                         hipStreamCaptureMode mode) {
  auto capture = std::make_unique<backend::OpenCapture>();
  const hipError_t status = table.hipStreamBeginCapture(stream, mode);
  if (status != hipSuccess) return status;
  const std::lock_guard lock(captures().mutex);
  captures().open.insert_or_assign(stream, std::move(capture));
  return status;
}

void capture_may_have_ended(const driver::Table& table, hipStream_t stream) {
  if (table.hipStreamGetCaptureInfo == nullptr) return;
  hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
  unsigned long long id = 0;
  if (table.hipStreamGetCaptureInfo(stream, &status, &id) == hipSuccess &&
      status == hipStreamCaptureStatusNone) {
    forget(stream);
  }
}

void stream_destroyed(hipStream_t stream) { forget(stream); }

void device_reset() {
  std::map<hipStream_t, std::unique_ptr<backend::OpenCapture>> ended;
  const std::lock_guard lock(captures().mutex);
  ended.swap(captures().open);
}

hipblasStatus_t create_outside_captures(const driver::Table& table, hipblasLtHandle_t* handle) {
  hipblasStatus_t status = HIPBLAS_STATUS_INTERNAL_ERROR;
  backend::outside_captures([&] { status = table.hipblasLtCreate(handle); });
  return status;
}

}  // namespace hiplab::raw
