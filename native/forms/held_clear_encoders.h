// MUTEX_HELD form of the encoders (mlxcel 2197, why clearing swaps them out first): the lock is
// held while they are destroyed, and a destructor that looks encoders up waits for it for ever.
#pragma once

#include <memory>
#include <unordered_map>

#include "backend/encoders.h"
#include "sync/mutex.h"

namespace hiplab::forms {

class HeldClearEncoders final : public backend::Encoders {
 public:
  HeldClearEncoders(const backend::Context& context, int device, backend::Workspaces& workspaces)
      : context_(context), device_(device), workspaces_(workspaces) {}

  std::shared_ptr<backend::Encoder> get(backend::hipStream_t stream) override;
  std::shared_ptr<backend::Encoder> find(backend::hipStream_t stream) override;
  void drop(backend::hipStream_t stream) override;
  void clear() override;

 private:
  const backend::Context context_;
  const int device_;
  backend::Workspaces& workspaces_;
  sync::Mutex mutex_{"encoders"};
  std::unordered_map<backend::hipStream_t, std::shared_ptr<backend::Encoder>> encoders_;
};

}  // namespace hiplab::forms
