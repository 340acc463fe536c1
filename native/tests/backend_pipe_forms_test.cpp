// Every form of the pipe cache (mlxcel 2200, 2208): which threads are inside matmul with one
// descriptor, and whose algorithm they use.
#include <barrier>

#include "backend/gemm_call.h"
#include "forms_lab.h"

namespace hiplab::lab {
namespace {

using backend::Algorithm;
using Descriptors = backend::MatmulDescriptors;
using backend::Pipe;

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};
constexpr backend::PipeKey kKey{0, kShape};

constexpr Form kRight[] = {Form::fixed, Form::mutex_held, Form::per_call};
constexpr Form kWrong[] = {Form::filed, Form::shared_ptr, Form::algorithm_copy};

class AnyPipe : public ::testing::TestWithParam<Form> {
 protected:
  std::unique_ptr<Backend> open_form() {
    return open_with(noted_.provider(), "pipe-cache", GetParam());
  }
  bool right() const {
    return std::find(std::begin(kRight), std::end(kRight), GetParam()) != std::end(kRight);
  }
  std::unique_ptr<backend::PipeCache> cache() {
    forms::FormChoice choice;
    choice.set("pipe-cache", GetParam());
    return forms::make_parts(choice)->pipe_cache({noted_.provider(), counters_});
  }
  std::unique_ptr<Pipe> pipe() {
    auto made = std::make_unique<Pipe>();
    made->descriptors = backend::make_descriptors(noted_.table(), 0, kShape);
    return made;
  }

  Noted noted_{host("splitk")};
  backend::Counters counters_;
};

// Two threads, one shape, matmul slow enough for the second to come in: matmul writes into the
// descriptor, so both inside it with one is what fails.
TEST_P(AnyPipe, TwoThreadsInsideMatmul) {
  const auto backend = open_form();
  const auto warm = backend->stream(0);
  IntegerGemm(*backend, *warm, kShape, 1, 1).enqueue();  // where there is a shared pipe, it is made
  noted_.make_matmul_slow(std::chrono::milliseconds(100));
  std::barrier<> both(2);
  on_threads(2, [&](int t) {
    const auto stream = backend->stream(0);
    IntegerGemm gemm(*backend, *stream, kShape, 1, 10 + t);
    both.arrive_and_wait();
    gemm.enqueue();
    stream->synchronize();
  });
  EXPECT_EQ(noted_.overlaps(), right() ? 0 : 1);
}

TEST_P(AnyPipe, OneThreadIsAlwaysRight) {
  const auto backend = open_form();
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 1, 1);
  for (int round = 0; round < 5; ++round) {
    gemm.poison();
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
  }
  EXPECT_EQ(backend->counters().at("handles.pipes"), GetParam() == Form::per_call ? 5 : 1);
}

INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, AnyPipe, ::testing::ValuesIn(kRight), form_name);
INSTANTIATE_TEST_SUITE_P(FiledAndOtherWrong, AnyPipe, ::testing::ValuesIn(kWrong), form_name);

class RightPipe : public AnyPipe {};

TEST_P(RightPipe, EightThreadsOnTheSameKeys) {
  const auto backend = open_form();
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    IntegerGemm tn(*backend, *stream, kShape, 1, t);
    IntegerGemm batched(*backend, *stream, {ElementType::bf16, false, false, 64, 64, 64, 4}, 1, t);
    for (int round = 0; round < 5; ++round) {
      tn.poison();
      batched.poison();
      tn.enqueue();
      batched.enqueue();
      EXPECT_EQ(tn.wrong(), 0);
      EXPECT_EQ(batched.wrong(), 0);
    }
  });
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 80);
  EXPECT_EQ(noted_.overlaps(), 0);
}

// A cached pipe's matmul fails: it is dropped, and made anew.
TEST_P(RightPipe, FailureMakesANewPipe) {
  const auto pipes = cache();
  int made = 0;
  const auto make = [&] {
    ++made;
    return pipe();
  };
  const auto ok = [](const Descriptors&, Algorithm&, bool) { return HIPBLAS_STATUS_SUCCESS; };
  const auto fails_cached = [](const Descriptors&, Algorithm&, bool fresh) {
    return fresh ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INVALID_VALUE;
  };
  EXPECT_EQ(pipes->run(kKey, make, ok), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(pipes->run(kKey, make, fails_cached), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(made, 2);
  // One that fails although it is fresh is not kept.
  const auto always = [](const Descriptors&, Algorithm&, bool) {
    return HIPBLAS_STATUS_INVALID_VALUE;
  };
  EXPECT_EQ(pipes->run({0, {ElementType::f16, false, false, 8, 8, 8, 1}}, make, always),
            HIPBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(pipes->run({0, {ElementType::f16, false, false, 8, 8, 8, 1}}, make, ok),
            HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(made, 4);
}

// An exception inside leaves the cache usable.
TEST_P(RightPipe, ExceptionUnlocks) {
  const auto pipes = cache();
  const auto throws = [](const Descriptors&, Algorithm&, bool) -> hipblasStatus_t {
    throw Error("inside");
  };
  const auto ok = [](const Descriptors&, Algorithm&, bool) { return HIPBLAS_STATUS_SUCCESS; };
  EXPECT_THROW(pipes->run(kKey, [&] { return pipe(); }, throws), Error);
  EXPECT_EQ(pipes->run(kKey, [&] { return pipe(); }, ok), HIPBLAS_STATUS_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, RightPipe, ::testing::ValuesIn(kRight), form_name);

class WrongPipe : public AnyPipe {};

// What each wrong form shares between two threads inside it: the descriptor always, the algorithm
// unless it was copied out.
TEST_P(WrongPipe, WhatTwoThreadsShare) {
  const auto pipes = cache();
  const auto ok = [](const Descriptors&, Algorithm&, bool) { return HIPBLAS_STATUS_SUCCESS; };
  pipes->run(kKey, [&] { return pipe(); }, ok);
  std::barrier<> both(2);
  std::mutex mutex;
  std::set<const void*> descriptors;
  std::set<const void*> algorithms;
  on_threads(2, [&](int) {
    pipes->run(
        kKey, [&] { return pipe(); },
        [&](const Descriptors& d, Algorithm& algorithm, bool) {
          {
            const std::lock_guard lock(mutex);
            descriptors.insert(d.desc.get());
            algorithms.insert(&algorithm);
          }
          both.arrive_and_wait();
          return HIPBLAS_STATUS_SUCCESS;
        });
  });
  EXPECT_EQ(descriptors.size(), 1u);
  EXPECT_EQ(algorithms.size(), GetParam() == Form::algorithm_copy ? 2u : 1u);
}

// B's matmul with the cached pipe fails while A is inside with it. Only where nobody owns the pipe
// does B destroy the descriptor that A is using.
TEST_P(WrongPipe, EraseWhileAnotherIsInside) {
  const auto pipes = cache();
  const auto ok = [](const Descriptors&, Algorithm&, bool) { return HIPBLAS_STATUS_SUCCESS; };
  pipes->run(kKey, [&] { return pipe(); }, ok);
  const auto before = driver::live_objects().at("descriptors");
  std::int64_t during = 0;
  pipes->run(
      kKey, [&] { return pipe(); },
      [&](const Descriptors&, Algorithm&, bool) {
        std::async(std::launch::async, [&] {
          pipes->run(
              kKey, [&] { return pipe(); },
              [](const Descriptors&, Algorithm&, bool fresh) {
                return fresh ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INVALID_VALUE;
              });
        }).get();
        during = driver::live_objects().at("descriptors");
        return HIPBLAS_STATUS_SUCCESS;
      });
  EXPECT_EQ(during - before, GetParam() == Form::filed ? 0 : 1);
  EXPECT_EQ(driver::live_objects().at("descriptors"), before) << "dropped by its last user";
}

INSTANTIATE_TEST_SUITE_P(FiledAndOtherWrong, WrongPipe, ::testing::ValuesIn(kWrong), form_name);

}  // namespace
}  // namespace hiplab::lab
