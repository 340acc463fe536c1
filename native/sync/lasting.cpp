#include "sync/lasting.h"

#include <array>
#include <atomic>
#include <functional>
#include <string>

namespace hiplab::sync {
namespace {

struct Entry {
  const std::string text;
  Entry* next;
};

// A table that only grows: no entry is ever moved or freed, so a walk needs no lock.
constinit std::array<std::atomic<Entry*>, 256> table{};

const Entry* entry_of(const Entry* first, const Entry* end, std::string_view text) {
  for (; first != end; first = first->next) {
    if (first->text == text) return first;
  }
  return nullptr;
}

}  // namespace

const char* lasting(std::string_view text) {
  auto& bucket = table[std::hash<std::string_view>{}(text) % table.size()];
  Entry* first = bucket.load(std::memory_order_acquire);
  if (const Entry* known = entry_of(first, nullptr, text)) return known->text.c_str();
  Entry* const made = new Entry{std::string(text), first};
  while (!bucket.compare_exchange_weak(made->next, made, std::memory_order_acq_rel)) {
    // Others came first: perhaps with the same text.
    if (const Entry* known = entry_of(made->next, first, text)) {
      delete made;
      return known->text.c_str();
    }
    first = made->next;
  }
  return made->text.c_str();
}

}  // namespace hiplab::sync
