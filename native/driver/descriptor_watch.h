// Which threads are inside hipblasLtMatmul with which descriptor, and whether it lives (mlxcel
// 2200, 2208).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace hiplab::driver {

// Knows descriptors and layouts by their address, whatever they are, as far as their creation or
// destruction passed through a watched table (driver/watching.h). An address may be used again: it
// lives from its next creation on. Thread-safe and without locks: one that the threads of a shared
// descriptor had to take would keep them apart, which hides that they share it.
class DescriptorWatch {
  // One address. It keeps its place for good.
  struct Entry {
    std::atomic<const void*> handle{nullptr};
    std::atomic<bool> made{false};
    std::atomic<bool> destroyed{false};
    std::atomic<std::uint64_t> destructions{0};
    std::atomic<int> inside{0};  // threads
  };

 public:
  // Of the process; never destroyed, since matmuls may be called at exit.
  static DescriptorWatch& get();

  void made(const void* handle);
  // A call that destroys it is about to be made: once it has returned, the address may be made
  // again. Whether it lived; if it did and the call is refused, it is not_destroyed().
  bool destroyed(const void* handle);
  void not_destroyed(const void* handle);

  // A call of matmul with a descriptor and its layouts, for as long as this lives.
  static constexpr std::size_t kHandles = 5;
  class Call {
   public:
    // handles[0]: the descriptor, into which matmul writes. A null one is the library's to refuse.
    explicit Call(const std::array<const void*, kHandles>& handles);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    std::array<Entry*, kHandles> known_{};                // null: not watched
    std::array<std::uint64_t, kHandles> destructions_{};  // of each, when the call began
    bool began_destroyed_ = false;
  };

  // Adds descriptor.destroyed, .destroyed-during and .two-threads; see driver/watching.h.
  void add_counts(std::map<std::string, std::int64_t>& counts) const;

 private:
  // Addresses that are watched; those of a process that uses more are not.
  static constexpr std::size_t kEntries = std::size_t{1} << 14;

  Entry* find(const void* handle);  // null when there is no room

  std::array<Entry, kEntries> entries_;  // by address, the next free place where it is taken
  // Relaxed throughout: what is noted orders nothing, so that it neither hides nor makes a race.
  std::atomic<std::int64_t> destroyed_{0};
  std::atomic<std::int64_t> destroyed_during_{0};
  std::atomic<std::int64_t> two_threads_{0};
};

}  // namespace hiplab::driver
