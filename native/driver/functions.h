// The functions of the driver table by number and by name, for tables that wrap another one.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

#include "driver/table.h"

namespace hiplab::driver {

enum class Function : std::size_t {
#define HIPLAB_ENUM(ret, name, params, args) name,
  HIPLAB_DRIVER_FUNCTIONS(HIPLAB_ENUM)
#undef HIPLAB_ENUM
      count
};
inline constexpr std::size_t kFunctions = static_cast<std::size_t>(Function::count);

inline constexpr std::array<const char*, kFunctions> kFunctionNames = {
#define HIPLAB_NAME(ret, name, params, args) #name,
    HIPLAB_DRIVER_FUNCTIONS(HIPLAB_NAME)
#undef HIPLAB_NAME
};

constexpr std::size_t index_of(Function function) { return static_cast<std::size_t>(function); }
constexpr const char* function_name(Function function) {
  return kFunctionNames[index_of(function)];
}

constexpr std::optional<Function> find_function(std::string_view name) {
  for (std::size_t i = 0; i < kFunctions; ++i) {
    if (name == kFunctionNames[i]) return static_cast<Function>(i);
  }
  return std::nullopt;
}

// Whether what it returns says how the call itself went. hipGetLastError returns a status, but one
// of an earlier call.
constexpr bool returns_own_status(Function function) {
  constexpr std::array<bool, kFunctions> kReturns = {
#define HIPLAB_RETURNS(ret, name, params, args) std::is_enum_v<ret>,
      HIPLAB_DRIVER_FUNCTIONS(HIPLAB_RETURNS)
#undef HIPLAB_RETURNS
  };
  return function != Function::hipGetLastError && kReturns[index_of(function)];
}

}  // namespace hiplab::driver
