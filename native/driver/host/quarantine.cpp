#include "driver/host/quarantine.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hiplab::driver::host {

#if defined(__SANITIZE_ADDRESS__)

void Quarantine::add(void* block, std::size_t) { std::free(block); }

#else

void Quarantine::add(void* block, std::size_t bytes) {
  std::memset(block, 0xff, std::min(bytes, kFilled));
  freed_.push_back({block, bytes});
  held_ += bytes;
  while (held_ > kBytes) {
    const Freed oldest = freed_.front();
    freed_.pop_front();
    held_ -= oldest.bytes;
    std::free(oldest.block);
  }
}

#endif

}  // namespace hiplab::driver::host
