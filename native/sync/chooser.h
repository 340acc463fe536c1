// Who decides which thread of a stepped run goes on.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hiplab::sync {

// A thread that can go on, and what it does then: "point" "workspace.grow.begin", "lock" "rocBLAS
// handle". The views live as long as the call that they are passed to.
struct Candidate {
  std::string_view thread;
  std::string_view what;
  std::string_view where;
};

class Chooser {
 public:
  virtual ~Chooser() = default;
  // An index into `candidates`, which holds at least two, in the order in which the threads came to
  // the run. `running` is the index of the thread that runs now, candidates.size() when it cannot
  // go on. The same candidates must give the same answers in each run; must not throw.
  virtual std::size_t choose(const std::vector<Candidate>& candidates, std::size_t running) = 0;
};

// Each candidate with the same chance, from a seed.
class SeededChooser final : public Chooser {
 public:
  explicit SeededChooser(std::uint64_t seed) : engine_(seed) {}
  std::size_t choose(const std::vector<Candidate>& candidates, std::size_t) override {
    return engine_() % candidates.size();
  }

 private:
  std::mt19937_64 engine_;  // its numbers are the same everywhere
};

// Choices as a run recorded them. Where they do not fit, the first candidate goes on and
// `diverged` says so.
class ReplayChooser final : public Chooser {
 public:
  explicit ReplayChooser(std::vector<std::size_t> choices) : choices_(std::move(choices)) {}
  std::size_t choose(const std::vector<Candidate>& candidates, std::size_t) override {
    if (next_ < choices_.size() && choices_[next_] < candidates.size()) return choices_[next_++];
    ++next_;
    diverged_ = true;
    return 0;
  }
  bool diverged() const { return diverged_; }

 private:
  const std::vector<std::size_t> choices_;
  std::size_t next_ = 0;
  bool diverged_ = false;
};

}  // namespace hiplab::sync
