// Encoders behind a mutex; clearing takes them out under it and destroys them after it has been
// released (mlxcel 2197): an encoder's destructor waits for its stream and may look encoders up.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backend/encoders.h"
#include "backend/open_captures.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class SwappingEncoders final : public Encoders {
 public:
  // `workspaces` must outlive it.
  SwappingEncoders(const Context& context, int device, Workspaces& workspaces)
      : context_(context), device_(device), workspaces_(workspaces) {}
  ~SwappingEncoders() override;

  std::shared_ptr<Encoder> get(hipStream_t stream) override;
  std::shared_ptr<Encoder> find(hipStream_t stream) override;
  void drop(hipStream_t stream) override;
  void clear() override;
  void capture_begins(hipStream_t stream) override;
  void capture_ended(hipStream_t stream) override;
  void join_begins(hipStream_t stream) override;
  void join_ended(hipStream_t stream) override;

 private:
  using Map = std::unordered_map<hipStream_t, std::shared_ptr<Encoder>>;

  // Waiting for the stream would end a capture, or somebody waits for it already. mutex_ held.
  bool leave_alone(hipStream_t stream) const;
  void ended(hipStream_t stream, Unfreed unfreed);
  void keep(Unfreed unfreed);  // mutex_ held
  // Those that do not stay; mutex_ held.
  template <typename Stays>
  std::vector<Unfreed> take_unfreed(Stays stays);
  // Tries again to free what encoders could not, but for that of streams to be left alone.
  void free_unfreed();
  // The same for one stream that is about to be destroyed.
  void free_unfreed_of(hipStream_t stream);

  const Context context_;
  const int device_;
  Workspaces& workspaces_;
  sync::Mutex mutex_{"encoders"};
  Map encoders_;                                    // mutex_
  std::unordered_set<hipStream_t> ending_;          // mutex_; a clear is waiting for them
  std::unordered_multiset<hipStream_t> capturing_;  // mutex_; once for each capture and join
  std::unordered_multimap<hipStream_t, std::unique_ptr<OpenCapture>> open_captures_;  // mutex_
  std::vector<Unfreed> unfreed_;   // mutex_; left by encoders that have ended
  sync::ConditionVariable ended_;  // a stream has left ending_
};

}  // namespace hiplab::backend
