#include "backend/backlog.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace hiplab::backend {
namespace {

constexpr int kDefaultQueues = 4;  // HIP's default of GPU_MAX_HW_QUEUES

constexpr int kKeptFree = 2;  // as the source has it

}  // namespace

int max_draining_for(const char* text) {
  int queues = kDefaultQueues;
  if (text != nullptr) {
    int value = 0;
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, value);
    if (error == std::errc{} && rest == end && value > 0) queues = value;
  }
  return std::max(1, queues - kKeptFree);
}

int default_max_draining() {
  static const int cap = max_draining_for(std::getenv("GPU_MAX_HW_QUEUES"));
  return cap;
}

}  // namespace hiplab::backend
