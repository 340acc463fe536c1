#include "bindings/options.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "driver/error.h"
#include "driver/listed.h"

namespace hiplab::bindings {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

void require_one_of(const std::string& key, const std::string& value,
                    const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    throw Error("option " + key + " is '" + value + "', allowed are " + listed(allowed));
  }
}

int device_count(const std::string& value) {
  int count = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
  if (error != std::errc{} || end != value.data() + value.size() || count < 1 || count > 16) {
    throw Error("option host_devices is '" + value + "', allowed are 1 to 16");
  }
  return count;
}

driver::Fault fault(const std::string& key, const std::string& value) {
  try {
    driver::Fault fault = driver::parse_fault(value);
    driver::check_fault(fault);
    return fault;
  } catch (const Error& error) {
    throw Error("option " + key + ": " + error.what());
  }
}

constexpr std::string_view kFormPrefix = "form.";

}  // namespace

Options parse_options(const std::string& text) {
  Options options;
  std::set<std::string> seen;
  std::vector<std::pair<std::string, std::string>> part_forms;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line.empty()) continue;
    const auto equals = line.find('=');
    if (equals == std::string::npos) {
      throw Error("option '" + line + "' has no value: write key=value");
    }
    const std::string key = trimmed(line.substr(0, equals));
    const std::string value = trimmed(line.substr(equals + 1));
    if (!seen.insert(key).second) throw Error("option " + key + " is given twice: give it once");
    if (key == "driver") {
      require_one_of(key, value, driver::driver_names());
      options.request.driver = value;
    } else if (key == "profile") {
      require_one_of(key, value, driver::profile_names());
      options.request.profile = value;
    } else if (key == "host_devices") {
      options.request.host_devices = device_count(value);
    } else if (key == "host_arch") {
      options.request.host_arch = value;  // whoever resolves the request looks at it
    } else if (key == "count_calls") {
      require_one_of(key, value, {"0", "1"});
      options.request.count_calls = value == "1";
    } else if (key == "quiet") {
      require_one_of(key, value, {"0", "1"});
      options.quiet = value == "1";
    } else if (key == "fail_call") {
      options.fault = fault(key, value);
      options.request.inject_faults = true;
    } else if (key == "form") {
      options.forms.set_all(value);
    } else if (key.starts_with(kFormPrefix)) {
      part_forms.emplace_back(key.substr(kFormPrefix.size()), value);
    } else {
      throw Error("there is no option '" + key +
                  "', allowed are driver, profile, host_devices, host_arch, count_calls, "
                  "fail_call, form, form.<part>, quiet");
    }
  }
  // After `form`, whatever the order of the lines: one part is the finer choice.
  for (const auto& [part, form] : part_forms) options.forms.set(part, form);
  return options;
}

}  // namespace hiplab::bindings
