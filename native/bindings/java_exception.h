// How an exception reaches Java: included by the stubs that JavaCPP generates, not bound by it.
//
// The stubs hand a Java exception one string. So that a failed driver call keeps its name and
// status on the way, they are appended behind a separator that no sentence contains;
// dev.hiplab.HiplabException takes them off again.
#pragma once

#include <exception>

namespace hiplab::bindings {

// The sentence; for a failed call also 0x1E, the function, 0x1F, the status as a number, 0x1F and
// the status by name. Valid until this thread's next call.
const char* java_text(const std::exception& error) noexcept;

}  // namespace hiplab::bindings

// The stubs write e.GENERIC_EXCEPTION_TOSTRING where they make the string, `e` being the exception.
#define GENERIC_EXCEPTION_TOSTRING what() == nullptr ? "" : ::hiplab::bindings::java_text(e)
