// PER_CALL form of the pipe cache: descriptor and layouts are made for each call and kept by none.
// Right, at the price of their creation; the algorithm still comes from the algorithm cache.
#pragma once

#include <memory>

#include "backend/pipe_cache.h"

namespace hiplab::forms {

class CallPipes final : public backend::PipeCache {
 public:
  backend::hipblasStatus_t run(const backend::PipeKey&, const backend::MakePipe& make,
                               const backend::UsePipe& use) override {
    const std::unique_ptr<backend::Pipe> pipe = make();
    return use(pipe->descriptors, pipe->algorithm, true);
  }
};

}  // namespace hiplab::forms
