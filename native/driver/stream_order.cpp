#include "driver/stream_order.h"

#include <algorithm>

namespace hiplab::driver {

using namespace hiplab::rocm;  // NOLINT: driver code is written in ROCm's own names

namespace {

void reach_at_least(StreamOrder::Reach& reach, std::uint64_t stream, std::uint64_t number) {
  for (auto& [known, up_to] : reach) {
    if (known != stream) continue;
    up_to = std::max(up_to, number);
    return;
  }
  reach.emplace_back(stream, number);
}

}  // namespace

StreamOrder::Stream& StreamOrder::known_stream(hipStream_t stream) {
  Stream& known = streams_[stream];
  if (known.id == 0) known.id = ++last_id_;
  return known;
}

bool StreamOrder::done(std::uint64_t stream, std::uint64_t number) const {
  const auto found = done_.find(stream);
  return found != done_.end() && found->second >= number;
}

StreamOrder::Use StreamOrder::next_use(hipStream_t stream) {
  Stream& known = known_stream(stream);
  return {known.id, ++known.uses, known.capture};
}

bool StreamOrder::before(const Use& earlier, hipStream_t stream) {
  if (earlier.stream == 0) return true;
  const Stream& later = known_stream(stream);
  if (earlier.stream == later.id) return true;
  if (earlier.capture != 0) {
    if (!captures_.contains(earlier.capture)) return true;
  } else if (done(earlier.stream, earlier.number)) {
    return true;
  }
  return std::any_of(later.known.begin(), later.known.end(), [&](const auto& known) {
    return known.first == earlier.stream && known.second >= earlier.number;
  });
}

void StreamOrder::stream_made(hipStream_t stream, int device) {
  Stream fresh;
  fresh.id = ++last_id_;
  fresh.device = device;
  streams_[stream] = std::move(fresh);
}

// What the host has waited for is left out, so that it stays short.
StreamOrder::Reach StreamOrder::reach(const Stream& stream) const {
  Reach reach;
  for (const auto& [other, number] : stream.known) {
    if (!done(other, number)) reach.emplace_back(other, number);
  }
  if (stream.uses > 0) reach.emplace_back(stream.id, stream.uses);
  return reach;
}

StreamOrder::Reach StreamOrder::reach(hipStream_t stream) { return reach(known_stream(stream)); }

StreamOrder::Reach StreamOrder::reach_of_device(int device) const {
  Reach all;
  for (const auto& [handle, stream] : streams_) {
    if (stream.device != device && stream.device != -1) continue;
    for (const auto& [other, number] : reach(stream)) reach_at_least(all, other, number);
  }
  return all;
}

StreamOrder::Reach StreamOrder::reach_of_event(hipEvent_t event) const {
  const auto found = events_.find(event);
  return found == events_.end() ? Reach{} : found->second.reach;
}

void StreamOrder::host_waited(const Reach& reach) {
  for (const auto& [stream, number] : reach) {
    std::uint64_t& up_to = done_[stream];
    up_to = std::max(up_to, number);
  }
}

void StreamOrder::recorded(hipEvent_t event, hipStream_t stream) {
  const Stream& on = known_stream(stream);
  events_[event] = {reach(on), on.capture};
}

void StreamOrder::waits(hipStream_t stream, hipEvent_t event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return;  // never recorded: HIP does not wait either
  Stream& waiting = known_stream(stream);
  std::erase_if(waiting.known, [&](const auto& k) { return done(k.first, k.second); });
  for (const auto& [other, number] : found->second.reach) {
    if (other != waiting.id) reach_at_least(waiting.known, other, number);
  }
  // An event of an open capture draws the stream in.
  if (found->second.capture != 0) waiting.capture = found->second.capture;
}

void StreamOrder::capture_begun(hipStream_t stream) {
  captures_.insert(known_stream(stream).capture = ++last_id_);
}

void StreamOrder::capture_ended(hipStream_t stream, hipGraph_t graph) {
  const std::uint64_t capture = known_stream(stream).capture;
  if (capture == 0) return;
  for (auto& [handle, joined] : streams_) {
    if (joined.capture == capture) joined.capture = 0;
  }
  for (auto& [handle, event] : events_) {
    if (event.capture == capture) event.capture = 0;
  }
  if (graph == nullptr) {
    captures_.erase(capture);
  } else {
    graphs_[graph] = capture;
  }
}

void StreamOrder::graph_gone(hipGraph_t graph) {
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return;
  captures_.erase(found->second);
  graphs_.erase(found);
}

}  // namespace hiplab::driver
