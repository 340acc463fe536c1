// Failing calls through hiplab.h: what an error carries, and the text that the Java stubs are
// given.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include "bindings/hiplab.h"
#include "bindings/java_exception.h"
#include "driver/error.h"

namespace hiplab::bindings {
namespace {

const std::string kHost = "driver=host\nprofile=splitk\nhost_devices=1\n";

std::int64_t counter(BackendRef* backend, const std::string& name) {
  std::istringstream lines(counters(backend));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + "=")) return std::stoll(line.substr(name.size() + 1));
  }
  return -1;
}

// The text that Java gets for the error that `call` ends in.
template <typename Call>
std::string text_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return java_text(error);
  }
  return "no error";
}

TEST(BindingsFaultFixed, ARealFailedCallReachesJavaWithItsStatus) {
  BackendRef* backend = openBackend(kHost);
  const std::string text =
      text_of([&] { freeBuffer(allocate(backend, 0, std::int64_t{1} << 50)); });
  EXPECT_EQ(text,
            "hipMalloc failed on device 0: hipErrorOutOfMemory (2)\x1EhipMalloc\x1F"
            "2\x1FhipErrorOutOfMemory");
  closeBackend(backend);
}

TEST(BindingsFaultFixed, WhatIsNoFailedCallIsItsSentenceAlone) {
  EXPECT_EQ(text_of([] { openBackend("driver"); }),
            "option 'driver' has no value: write key=value");
  EXPECT_EQ(text_of([] { throw std::runtime_error("plain"); }), "plain");
}

TEST(BindingsFaultFixed, AnInjectedFaultIsToldAndCounted) {
  BackendRef* backend = openBackend(kHost + "fail_call=hipMalloc#2:2");
  BufferRef* first = allocate(backend, 0, 64);
  EXPECT_NE(text_of([&] { allocate(backend, 0, 64); })
                .find("\x1EhipMalloc\x1F"
                      "2\x1F"),
            std::string::npos);
  BufferRef* third = allocate(backend, 0, 64);
  EXPECT_EQ(counter(backend, "faults.calls"), 3);
  EXPECT_EQ(counter(backend, "faults.injected"), 1);
  freeBuffer(first);
  freeBuffer(third);
  closeBackend(backend);

  BackendRef* sound = openBackend(kHost);
  EXPECT_EQ(counter(sound, "faults.calls"), -1);
  freeBuffer(allocate(sound, 0, 64));
  closeBackend(sound);
}

TEST(BindingsFaultFixed, AStatusThatTheCallDoesNotReturnIsRefused) {
  EXPECT_EQ(text_of([] { openBackend(kHost + "fail_call=hipMemsetAsync#1:2"); }),
            "option fail_call: hipMemsetAsync does not return status 2, allowed are 700 "
            "(hipErrorIllegalAddress), 100 (hipErrorNoDevice), 1 (hipErrorInvalidValue), 400 "
            "(hipErrorInvalidHandle)");
  closeBackend(openBackend(kHost + "fail_call=hipMemsetAsync#1:400"));
}

TEST(BindingsFaultFixed, ALostDeviceEndsEveryCallAndTheBackendStillCloses) {
  BackendRef* backend = openBackend(kHost + "fail_call=1+:700");
  for (int i = 0; i < 3; ++i) {
    const std::string text = text_of([&] { destroyStream(createStream(backend, 0)); });
    EXPECT_NE(text.find("hipErrorIllegalAddress (700)"), std::string::npos) << text;
  }
  EXPECT_GE(counter(backend, "faults.injected"), 3);
  closeBackend(backend);
}

TEST(BindingsFaultFixed, OneFaultAtATime) {
  BackendRef* backend = openBackend(kHost + "fail_call=1000:2");
  const std::string text = text_of([] { openBackend(kHost + "fail_call=1:2"); });
  EXPECT_NE(text.find("armed already"), std::string::npos) << text;
  EXPECT_NE(text.find("close the backend that was opened with fail_call first"), std::string::npos)
      << text;
  closeBackend(backend);
  closeBackend(openBackend(kHost + "fail_call=1000:2"));
}

}  // namespace
}  // namespace hiplab::bindings
