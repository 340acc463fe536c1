// The lists of functions: wrappers and raw calls pass on what the list names as arguments, and two
// of one type could be exchanged without a word of the compiler's.
#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "driver/functions.h"
#include "gtest/gtest.h"

namespace hiplab::driver {
namespace {

struct Listed {
  std::string name;
  std::string params;
  std::string args;
};

const std::vector<Listed>& listed() {
  static const auto* const all = new std::vector<Listed>{
#define HIPLAB_TEXTS(ret, name, params, args) {#name, #params, #args},
      HIPLAB_DRIVER_FUNCTIONS(HIPLAB_TEXTS)
#undef HIPLAB_TEXTS
  };
  return *all;
}

// The names at the ends of what commas separate: "(int* a, T b[])" has a and b.
std::vector<std::string> names(const std::string& text) {
  static const std::regex last(R"((\w+)(?:\[\])?\)?\s*$)");
  std::vector<std::string> found;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    std::smatch match;
    if (std::regex_search(part, match, last)) found.push_back(match[1]);
  }
  return found;
}

TEST(DriverFunctions, ArgumentsAreTheParametersInTheirOrder) {
  ASSERT_EQ(listed().size(), kFunctions);
  std::size_t most = 0;
  for (const Listed& function : listed()) {
    const auto parameters = names(function.params);
    EXPECT_EQ(parameters, names(function.args)) << function.name << " " << function.params;
    EXPECT_EQ(parameters.empty(), function.params == "()") << function.name;
    most = std::max(most, parameters.size());
  }
  EXPECT_GT(most, 20u) << "rocblas_gemm_ex and its like";
}

TEST(DriverFunctions, EachIsThereOnce) {
  for (const Listed& function : listed()) {
    EXPECT_EQ(std::count_if(listed().begin(), listed().end(),
                            [&](const Listed& other) { return other.name == function.name; }),
              1)
        << function.name;
    ASSERT_TRUE(find_function(function.name)) << function.name;
    EXPECT_STREQ(function_name(*find_function(function.name)), function.name.c_str());
  }
}

}  // namespace
}  // namespace hiplab::driver
