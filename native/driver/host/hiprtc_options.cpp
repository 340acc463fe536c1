#include "driver/host/hiprtc_options.h"

#include <algorithm>
#include <filesystem>
#include <regex>

namespace hiplab::driver::host {
namespace {

constexpr const char* kAllowed =
    "allowed are --offload-arch=, --gpu-architecture=, -D, -U, -I, -std=, --std=, -O0 to -O3, "
    "-ffast-math, -fno-fast-math, -ffp-contract=, -g, -w, -W... and -fno-gpu-rdc";

bool is_one_of(const std::string& option, std::initializer_list<const char*> all) {
  return std::find(all.begin(), all.end(), option) != all.end();
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& options) : options_(options) {}

  HiprtcOptions run() {
    for (at_ = 0; at_ < options_.size(); ++at_) take(options_[at_]);
    return out_;
  }

 private:
  void refuse(const std::string& option, const std::string& why) {
    out_.log += "error: option '" + option + "': " + why + "\n";
  }

  // The value of an option that may be written in one word or in two.
  bool value_of(const std::string& option, const std::string& name, std::string& value) {
    if (!option.starts_with(name)) return false;
    value = option.substr(name.size());
    if (value.empty() && at_ + 1 < options_.size()) value = options_[++at_];
    return true;
  }

  void take(const std::string& option) {
    std::string value;
    if (option.starts_with("--offload-arch=")) {
      out_.arch = option.substr(15);
    } else if (option.starts_with("--gpu-architecture=")) {
      out_.arch = option.substr(19);
    } else if (value_of(option, "-D", value)) {
      define(option, value);
    } else if (value_of(option, "-U", value)) {
      static const std::regex name("[A-Za-z_][A-Za-z0-9_]*");
      if (!std::regex_match(value, name)) return refuse(option, "'" + value + "' is no name");
      out_.macros += "#undef " + value + "\n";
    } else if (value_of(option, "-I", value)) {
      if (value.empty()) return refuse(option, "a folder must follow");
      std::error_code ignored;
      out_.flags.push_back("-I" + std::filesystem::absolute(value, ignored).string());
    } else if (option.starts_with("-std=") || option.starts_with("--std=")) {
      standard(option);
    } else if (is_one_of(option,
                         {"-O0", "-O1", "-O2", "-O3", "-ffast-math", "-fno-fast-math", "-w", "-g",
                          "-ffp-contract=off", "-ffp-contract=fast", "-ffp-contract=on"})) {
      out_.flags.push_back(option);
    } else if (option == "-fno-gpu-rdc" || option.empty()) {
      // As it is anyway.
    } else {
      static const std::regex warning("-W[a-z][a-z0-9+=-]*");
      if (!std::regex_match(option, warning)) {
        return refuse(option, std::string("not known to the software device; ") + kAllowed);
      }
      out_.flags.push_back(option);
    }
  }

  void standard(const std::string& option) {
    static const std::regex known("-{1,2}std=((c|gnu)\\+\\+)(11|14|17|20|23|2a|2b)");
    if (!std::regex_match(option, known)) {
      return refuse(option, "allowed are c++11, c++14, c++17, c++20 and c++23");
    }
    out_.flags.push_back("-std=" + option.substr(option.find('=') + 1));
  }

  void define(const std::string& option, const std::string& value) {
    static const std::regex macro(
        "([A-Za-z_][A-Za-z0-9_]*(\\([A-Za-z0-9_, .]*\\))?)(=([^\\n\\r]*))?");
    std::smatch parts;
    if (!std::regex_match(value, parts, macro)) {
      return refuse(option, "'" + value + "' is no macro: NAME or NAME=TEXT of one line");
    }
    out_.macros += "#define " + parts[1].str() + " " +
                   (parts[3].matched ? parts[4].str() : std::string("1")) + "\n";
  }

  const std::vector<std::string>& options_;
  std::size_t at_ = 0;
  HiprtcOptions out_;
};

}  // namespace

HiprtcOptions parse_hiprtc_options(const std::vector<std::string>& options) {
  return Parser(options).run();
}

}  // namespace hiplab::driver::host
