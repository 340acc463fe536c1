// A run under a schedule of orders, delays and recording.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sync/director.h"
#include "sync/schedule.h"

namespace hiplab::sync {

namespace detail {
class Forcing;
}

// What became of an order.
struct OrderResult {
  // held: the second thread passed its point after the first was where it was to be.
  // not_reached: one of the two was never there, perhaps because a form has no such point; or
  //   another order, of which that is true, kept the first from coming.
  // excluded: both came, but the second had to be let go before the first could come.
  // conflicting: the same, but nothing except other orders of the schedule kept the first from
  //   coming; it says nothing about the program's locks.
  enum class Status { held, not_reached, excluded, conflicting };
  Order order;
  Status status = Status::not_reached;
  // Why, as a clause. Of an exclusion that was proved it names the chain of locks from the thread
  // that was waited for to the thread that waited.
  std::string detail;
  bool proved = false;             // excluded without a clock
  std::vector<std::string> locks;  // of that chain, by name, in its order
  bool waited = false;             // the second thread was made to wait
};

const char* status_name(OrderResult::Status status);  // "held", "not reached", ...

// In force from its construction to finish(). A thread that an order holds back is let go as soon
// as the order can be kept, cannot be kept, or after the schedule's bound: the workload always
// ends.
class ForcedRun {
 public:
  // Throws hiplab::Error for a stepped schedule and when there is a director already.
  explicit ForcedRun(Schedule schedule);
  ~ForcedRun();
  ForcedRun(const ForcedRun&) = delete;
  ForcedRun& operator=(const ForcedRun&) = delete;

  // Lets every thread go.
  void finish();

  // At any time; final once the workload has ended.
  std::vector<OrderResult> results() const;
  // Points in the order in which they were passed; empty unless the schedule says record.
  std::vector<Place> recorded() const;
  // What was recorded as orders, one for each change of thread, so that it can be forced.
  Schedule recorded_schedule() const;
  // The schedule with what became of it, as comments: parse() reads it.
  std::string report() const;

 private:
  const std::shared_ptr<detail::Forcing> forcing_;
  std::unique_ptr<Directing> directing_;
};

}  // namespace hiplab::sync
