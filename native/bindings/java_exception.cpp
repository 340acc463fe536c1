#include "bindings/java_exception.h"

#include <string>

#include "driver/error.h"

namespace hiplab::bindings {

const char* java_text(const std::exception& error) noexcept {
  const auto* ours = dynamic_cast<const Error*>(&error);
  if (ours == nullptr || ours->call().function.empty()) return error.what();
  thread_local std::string text;
  try {
    const FailedCall& call = ours->call();
    text = std::string(error.what()) + '\x1E' + call.function + '\x1F' +
           std::to_string(call.status) + '\x1F' + call.name;
    return text.c_str();
  } catch (const std::exception&) {  // no memory for it: the sentence alone
    return error.what();
  }
}

}  // namespace hiplab::bindings
