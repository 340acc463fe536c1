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

}  // namespace hiplab::backend
