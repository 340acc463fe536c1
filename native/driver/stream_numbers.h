// Small numbers for streams, for people to read: a handle's address is used again after its stream
// is destroyed (62 of 64 on an H200), a number is not.
#pragma once

#include <cstdint>
#include <string>

#include "driver/rocm_types.h"

namespace hiplab::driver {

// The null stream of device d is -d. Streams get 1, 2, ... in the order in which they are created.
// Queues that run a branch of a graph and have no handle get numbers from this one on.
inline constexpr std::int32_t first_branch_number = 1 << 20;

// The number that the next stream of this thread gets: taken before it is created, so that a
// provider can give its queue the same one, and given to the handle afterwards. Creating happens on
// one thread at a time here or there; they do not nest.
class NewStreamNumber {
 public:
  NewStreamNumber() noexcept;
  ~NewStreamNumber();
  NewStreamNumber(const NewStreamNumber&) = delete;
  NewStreamNumber& operator=(const NewStreamNumber&) = delete;

  // The stream that was created, on that device.
  void give_to(rocm::hipStream_t stream, int device) noexcept;

  // For providers: the number of the stream that the calling thread creates now; a branch's when it
  // creates none.
  static std::int32_t current() noexcept;

 private:
  const std::int32_t number_;
};

// The number of a handle that was given one; null is the null stream of `device`. What was created
// before anybody counted, or is the 1025th handle address, has sync::no_stream. Takes no lock.
std::int32_t stream_number(rocm::hipStream_t stream, int device) noexcept;

// The device of a stream of that number; 0 when it is not known.
int stream_device(std::int32_t number);

// "stream 3", "null stream", "graph branch 1"; with the device when it is not 0.
std::string stream_name(std::int32_t number);

}  // namespace hiplab::driver
