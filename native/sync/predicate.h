// A reference to something callable that says whether a wait is over.
#pragma once

namespace hiplab::sync {

class Predicate {
 public:
  // `callable` must outlive this.
  template <typename Callable>
  explicit Predicate(Callable& callable)
      : callable_(&callable),
        call_([](void* c) { return static_cast<bool>((*static_cast<Callable*>(c))()); }) {}

  bool operator()() const { return call_(callable_); }

 private:
  void* callable_;
  bool (*call_)(void*);
};

}  // namespace hiplab::sync
