#include "sync/point.h"

#include <utility>

#include "sync/director.h"

namespace hiplab::sync {
namespace {

class Listening final : public Director {
 public:
  explicit Listening(PointListener listener) : listener_(std::move(listener)) {}
  void point(const char* name) override { listener_(name, std::this_thread::get_id()); }

 private:
  const PointListener listener_;
};

}  // namespace

ListenToPoints::ListenToPoints(PointListener listener)
    : directing_(std::make_unique<Directing>(std::make_shared<Listening>(std::move(listener)))) {}

ListenToPoints::~ListenToPoints() { directing_->end_without_waiting(); }

}  // namespace hiplab::sync
