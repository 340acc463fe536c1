#include "driver/workspace_watch.h"

#include <iterator>
#include <utility>

namespace hiplab::driver {

using namespace hiplab::rocm;  // NOLINT: driver code is written in ROCm's own names

WorkspaceWatch& WorkspaceWatch::get() {
  static auto* const leaked = new WorkspaceWatch;
  return *leaked;
}

void WorkspaceWatch::allocated(const void* pointer, std::size_t bytes, int device) {
  if (pointer == nullptr) return;
  const std::lock_guard lock(mutex_);
  blocks_[reinterpret_cast<std::uintptr_t>(pointer)] = {bytes, device, false, {}};
}

WorkspaceWatch::Freed WorkspaceWatch::freed(const void* pointer) {
  const std::lock_guard lock(mutex_);
  return blocks_.extract(reinterpret_cast<std::uintptr_t>(pointer));
}

void WorkspaceWatch::not_freed(Freed block) {
  if (block.empty()) return;
  const std::lock_guard lock(mutex_);
  blocks_.insert(std::move(block));
}

void WorkspaceWatch::matmul(const void* workspace, std::size_t bytes, hipStream_t stream) {
  if (workspace == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(workspace);
  const std::lock_guard lock(mutex_);
  const auto behind = blocks_.upper_bound(address);
  const auto found = behind == blocks_.begin() ? blocks_.end() : std::prev(behind);
  if (found == blocks_.end() || address - found->first >= found->second.bytes) {
    ++freed_;
    return;
  }
  WorkspaceBlock& block = found->second;
  if (bytes > block.bytes - (address - found->first)) ++past_the_end_;
  if (!order_.before(block.last, stream)) ++two_streams_;
  block.last = order_.next_use(stream);
  if (!block.given) ++given_;
  block.given = true;
}

void WorkspaceWatch::add_counts(std::map<std::string, std::int64_t>& counts) const {
  const std::lock_guard lock(mutex_);
  counts["workspace.freed"] = freed_;
  counts["workspace.past-the-end"] = past_the_end_;
  counts["workspace.two-streams"] = two_streams_;
  counts["workspace.blocks"] = given_;
}

}  // namespace hiplab::driver
