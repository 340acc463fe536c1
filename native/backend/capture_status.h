// Whether a stream is capturing.
#pragma once

#include "backend/check.h"

namespace hiplab::backend {

// Of `where.stream`; throws when the driver does not say.
inline hipStreamCaptureStatus capture_status(const Table& api, const Where& where) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  HIPLAB_CHECK(api, where, hipStreamGetCaptureInfo, where.stream, &status, nullptr);
  return status;
}

// Also when the capture has become invalid: the stream is in it until it has been ended.
inline bool capturing(const Table& api, const Where& where) {
  return capture_status(api, where) != hipStreamCaptureStatusNone;
}

// The same, for where nothing may be thrown: a stream that cannot say is lost, and counts as not
// capturing.
inline bool known_to_capture(const Table& api, hipStream_t stream) noexcept {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  return succeeded(api.hipStreamGetCaptureInfo(stream, &status, nullptr)) &&
         status != hipStreamCaptureStatusNone;
}

}  // namespace hiplab::backend
