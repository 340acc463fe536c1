// What the bindings' suites share: reading their answers, and one backend on the software device
// with a stream.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "bindings/hiplab.h"
#include "driver/error.h"

namespace hiplab::bindings {

// "key=value" lines.
inline std::map<std::string, std::string> read(const std::string& lines) {
  std::map<std::string, std::string> values;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const auto equals = line.find('=');
    values[line.substr(0, equals)] = line.substr(equals + 1);
  }
  return values;
}

// What the call throws, or "no error".
inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// The failed call that an error carries; its function is empty when there was no error, or none of
// a failed call.
inline FailedCall failed(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.call();
  }
  return {};
}

// A backend in other forms: one "key=value" a line.
inline BackendRef* open_host(int devices, const std::string& more = "") {
  return openBackend("driver=host\nprofile=splitk\nhost_devices=" + std::to_string(devices) + "\n" +
                     more);
}

class OneStream : public ::testing::Test {
 protected:
  // A process has one software device: a suite keeps to one number.
  explicit OneStream(int devices = 1) : devices_(devices) {}
  void SetUp() override {
    backend_ = open_host(devices_);
    stream_ = createStream(backend_, 0);
  }
  void TearDown() override {
    destroyStream(stream_);
    closeBackend(backend_);
  }

  BufferRef* filled(int count, float value, int type, int bytes) {
    BufferRef* buffer = allocate(backend_, 0, static_cast<std::int64_t>(count) * bytes);
    const std::vector<float> values(static_cast<std::size_t>(count), value);
    copyIn(stream_, buffer, values.data(), count, type);
    return buffer;
  }

  // Its first values, in stream order.
  std::vector<float> read_back(BufferRef* buffer, int count, int type = 0) {
    std::vector<float> values(static_cast<std::size_t>(count));
    copyOut(stream_, buffer, values.data(), count, type);
    return values;
  }

  const int devices_;
  BackendRef* backend_ = nullptr;
  StreamRef* stream_ = nullptr;
};

}  // namespace hiplab::bindings
