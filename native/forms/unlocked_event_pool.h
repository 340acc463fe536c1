// FILED form of the event pool (mlxcel 2196, 2197): no lock, and a static map that exit destroys.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "backend/context.h"
#include "backend/event_pool.h"
#include "backend/owned.h"

namespace hiplab::forms {

// Not safe for two threads: that is the finding. As filed the map is a function-local static; here
// each backend has a map of its own in that static, so that a test begins with an empty one.
class UnlockedEventPool final : public backend::EventPool {
 public:
  explicit UnlockedEventPool(const backend::Context& context);
  ~UnlockedEventPool() override;

  backend::hipEvent_t take(int device, bool timing) override;

  // Checked: when static teardown has destroyed the map, says so on stderr and aborts, as the
  // checked containers of a standard library do. An unchecked map is undefined there (measured with
  // libstdc++ 12: nothing to see with three events given back, SIGSEGV with eight).
  void give(int device, bool timing, backend::hipEvent_t event) noexcept override;

 private:
  using Key = std::pair<int, bool>;  // device, timing
  struct Cache {
    explicit Cache(UnlockedEventPool& pool) : pool(pool) {}
    ~Cache() { pool.destroyed_.store(true); }
    UnlockedEventPool& pool;
    std::map<Key, std::vector<backend::OwnedEvent>> free;
  };
  static std::vector<std::unique_ptr<Cache>>& caches();

  const backend::Context context_;
  Cache* cache_;
  std::atomic<bool> destroyed_{false};
};

}  // namespace hiplab::forms
