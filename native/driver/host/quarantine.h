// Where freed blocks wait before their memory goes back to the system.
#pragma once

#include <cstddef>
#include <deque>

namespace hiplab::driver::host {

// A freed block is filled with 0xff, which is NaN in every floating-point type of the device, and
// kept for a while: what is still computed from it is wrong every time, and what is still written
// to it harms nobody else (assumed: what a GPU shows then depends on its page tables; mlxcel 2200,
// workspace growth). Not thread-safe. Under AddressSanitizer blocks go back at once, as it
// tells a use after free better.
class Quarantine {
 public:
  static constexpr std::size_t kBytes = std::size_t{256} << 20;  // held at most
  static constexpr std::size_t kFilled = std::size_t{1} << 20;   // of a block, from its start

  // `block` came from std::aligned_alloc.
  void add(void* block, std::size_t bytes);

 private:
  struct Freed {
    void* block;
    std::size_t bytes;
  };
  std::deque<Freed> freed_;  // oldest first
  std::size_t held_ = 0;
};

}  // namespace hiplab::driver::host
