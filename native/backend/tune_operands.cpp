#include "backend/tune_operands.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <utility>

namespace hiplab::backend {
namespace {

constexpr std::size_t kMostPattern = std::size_t{1} << 20;

// -2, -1, 0, 1 and 2. f32 does not take hipBLASLt.
std::array<std::uint16_t, 5> codes(ElementType type) {
  if (type == ElementType::f16) return {0xC000, 0xBC00, 0, 0x3C00, 0x4000};
  if (type == ElementType::f8) return {0xC0, 0xB8, 0, 0x38, 0x40};
  return {0xC000, 0xBF80, 0, 0x3F80, 0x4000};
}

// Random ones: a device that multiplies one value over and over takes less power, and so runs
// faster than on real data.
std::vector<std::uint8_t> small_integers(ElementType type, std::size_t bytes) {
  const auto code = codes(type);
  const std::size_t size = element_bytes(type);
  std::vector<std::uint8_t> out(bytes);
  std::minstd_rand engine(1);
  for (std::size_t at = 0; at + size <= bytes; at += size) {
    const std::uint16_t value = code[engine() / 7 % code.size()];
    std::memcpy(out.data() + at, &value, size);  // little-endian, as the devices are
  }
  return out;
}

std::size_t matrix_bytes(std::int64_t rows, std::int64_t cols, std::int64_t batch,
                         ElementType type) {
  return static_cast<std::size_t>(rows * cols * batch) * element_bytes(type);
}

bool no_memory(const Error& error) {
  return error.call().function == "hipMalloc" && error.call().status == hipErrorOutOfMemory;
}

}  // namespace

void write_inputs(const Table& api, const TuneInputs& inputs, const CommandStream& stream) {
  const std::vector<std::uint8_t>& pattern = inputs.pattern;
  for (const DeviceMemory* matrix : {&*inputs.a, &*inputs.b}) {
    auto* const begin = static_cast<std::uint8_t*>(matrix->get());
    for (std::size_t at = 0; at < matrix->bytes(); at += pattern.size()) {
      HIPLAB_CHECK(api, (Where{stream.device(), stream.get()}), hipMemcpyAsync, begin + at,
                   pattern.data(), std::min(pattern.size(), matrix->bytes() - at),
                   hipMemcpyHostToDevice, stream.get());
    }
  }
}

TuneOperands::TuneOperands(const Context& context, Device& device, const GemmShape& shape,
                           hipblasLtHandle_t handle)
    : context_(context),
      device_(device),
      shape_(shape),
      handle_(handle),
      inputs_(std::make_shared<TuneInputs>()) {
  const std::size_t a = matrix_bytes(shape.m, shape.k, shape.batch, shape.type);
  const std::size_t b = matrix_bytes(shape.k, shape.n, shape.batch, shape.type);
  inputs_->pattern = small_integers(shape.type, std::min(std::max(a, b), kMostPattern));
  inputs_->a.emplace(context, device.index(), a);
  try {
    inputs_->b.emplace(context, device.index(), b);
  } catch (...) {
    discard(std::exchange(inputs_, nullptr), a);
    throw;
  }
}

TuneOperands::~TuneOperands() {
  if (work_ != nullptr) {
    const std::size_t bytes = input_bytes();
    inputs_ = nullptr;  // the work has them
    discard(std::exchange(work_, nullptr), bytes);
  } else if (inputs_ != nullptr) {
    discard(std::exchange(inputs_, nullptr), input_bytes());
  }
}

std::size_t TuneOperands::input_bytes() const {
  return matrix_bytes(shape_.m, shape_.k, shape_.batch, shape_.type) +
         matrix_bytes(shape_.k, shape_.n, shape_.batch, shape_.type);
}

void TuneOperands::discard(std::shared_ptr<void> memory, std::size_t bytes) noexcept {
  try {
    device_.tracker().discard({std::move(memory), bytes});
  } catch (const std::exception&) {
    // No memory to hand it over: it has been freed here.
  }
}

std::string TuneOperands::prepare(std::size_t workspace_bytes) {
  if (work_ == nullptr) {
    auto work = std::make_shared<TuneWork>();
    work->descriptors = make_descriptors(context_.api(), device_.index(), shape_);
    try {
      work->result.emplace(
          context_, device_.index(),
          matrix_bytes(shape_.m, shape_.n, shape_.batch, result_type(shape_.type)));
    } catch (const Error& error) {
      if (!no_memory(error)) throw;
      return std::string("no memory for its result: ") + error.what();
    }
    work->inputs = inputs_;
    work->gemm = {handle_, &work->descriptors, 1.0f, inputs_->a->get(), inputs_->b->get(),
                  0.0f,    work->result->get()};
    work_ = std::move(work);
  }
  std::optional<DeviceMemory>& workspace = work_->workspace;
  if (workspace_bytes == 0 || (workspace && workspace->bytes() >= workspace_bytes)) return {};
  if (workspace) {
    const std::size_t bytes = workspace->bytes();
    discard(std::make_shared<DeviceMemory>(std::move(*workspace)), bytes);
    workspace.reset();
  }
  try {
    workspace.emplace(context_, device_.index(), workspace_bytes);
  } catch (const Error& error) {
    if (!no_memory(error)) throw;
    return no_workspace(workspace_bytes);
  }
  return {};
}

Scratch TuneOperands::take_inputs() { return {std::exchange(inputs_, nullptr), input_bytes()}; }

void TuneOperands::give_inputs_back(Scratch&& scratch) {
  inputs_ = std::static_pointer_cast<TuneInputs>(std::move(scratch.memory));
}

Scratch TuneOperands::take_work() {
  const std::size_t workspace = work_->workspace ? work_->workspace->bytes() : 0;
  const std::size_t bytes = input_bytes() + work_->result->bytes() + workspace;
  return {std::exchange(work_, nullptr), bytes};
}

void TuneOperands::give_work_back(Scratch&& scratch) {
  work_ = std::static_pointer_cast<TuneWork>(std::move(scratch.memory));
}

}  // namespace hiplab::backend
