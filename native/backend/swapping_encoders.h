// Encoders behind a mutex; clearing takes them out under it and destroys them after it has been
// released (mlxcel 2197): an encoder's destructor waits for its stream and may look encoders up.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "backend/encoders.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class SwappingEncoders final : public Encoders {
 public:
  // `workspaces` must outlive it.
  SwappingEncoders(const Context& context, int device, Workspaces& workspaces)
      : context_(context), device_(device), workspaces_(workspaces) {}

  std::shared_ptr<Encoder> get(hipStream_t stream) override;
  std::shared_ptr<Encoder> find(hipStream_t stream) override;
  void drop(hipStream_t stream) override;
  void clear() override;
  void capture_begins(hipStream_t stream) override;
  void capture_ended(hipStream_t stream) override;

 private:
  using Map = std::unordered_map<hipStream_t, std::shared_ptr<Encoder>>;

  void ended(hipStream_t stream);

  const Context context_;
  const int device_;
  Workspaces& workspaces_;
  sync::Mutex mutex_{"encoders"};
  Map encoders_;                            // mutex_
  std::unordered_set<hipStream_t> ending_;  // mutex_; their encoders are being ended by a clear
  std::unordered_multiset<hipStream_t> capturing_;  // mutex_; once for each capture_begins
  sync::ConditionVariable ended_;                   // an encoder of ending_ has ended
};

}  // namespace hiplab::backend
