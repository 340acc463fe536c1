// The captures that raw calls begin, and the create that none survives.
#pragma once

#include "driver/table.h"

namespace hiplab::raw {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

// hipStreamBeginCapture, told to backend/open_captures.h, so that no hipblasLtCreate of the process
// comes into the capture. Waits while one is running.
hipError_t begin_capture(const driver::Table& table, hipStream_t stream, hipStreamCaptureMode mode);

// What may have ended the stream's capture, told after the call.
void capture_may_have_ended(const driver::Table& table, hipStream_t stream);
void stream_destroyed(hipStream_t stream);
void device_reset();

// hipblasLtCreate, or HIPBLAS_STATUS_INTERNAL_ERROR without a call while a raw call's or a
// backend's capture is open: the real one ends the process then (rocm-libraries 11838).
hipblasStatus_t create_outside_captures(const driver::Table& table, hipblasLtHandle_t* handle);

}  // namespace hiplab::raw
