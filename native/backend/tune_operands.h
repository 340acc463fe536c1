// The matrices of a GEMM that is tuned, its descriptors and its workspace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/device_memory.h"
#include "backend/heuristics.h"
#include "backend/stream_tracker.h"
#include "backend/timed_gemm.h"

namespace hiplab::backend {

// What candidates only read. `pattern` is copied from, for as long as the copies may run.
struct TuneInputs {
  std::vector<std::uint8_t> pattern;
  std::optional<DeviceMemory> a;
  std::optional<DeviceMemory> b;
};

// Enqueues the copies that write A and B.
void write_inputs(const Table& api, const TuneInputs& inputs, const CommandStream& stream);

// What one candidate writes. It shares what it reads, so that whoever is abandoned with it pins
// everything that it uses: the descriptors too, which are host memory that the library reads at the
// call, as nothing says that it does not look again.
struct TuneWork {
  std::shared_ptr<TuneInputs> inputs;
  std::optional<DeviceMemory> result;
  std::optional<DeviceMemory> workspace;
  MatmulDescriptors descriptors;
  TimedGemm gemm;
};

// Owns them between two candidates. Freed by the tracker's worker, whoever lets go of them and
// whenever: hipFree waits for the device, and so for a candidate that was abandoned.
class TuneOperands {
 public:
  // Allocates the inputs. Throws when there is no memory.
  TuneOperands(const Context& context, Device& device, const GemmShape& shape,
               hipblasLtHandle_t handle);
  ~TuneOperands();
  TuneOperands(const TuneOperands&) = delete;
  TuneOperands& operator=(const TuneOperands&) = delete;

  // Makes what the next candidate needs, as far as it is not there. Returns why not when the device
  // has no memory for it, else nothing.
  std::string prepare(std::size_t workspace_bytes);

  const TuneInputs& inputs() const { return *inputs_; }
  const TuneWork& work() const { return *work_; }  // that prepare() made

  // As the scratch of what begins to use them: this owns them no more. The inputs are asked for
  // once, before there is work.
  Scratch take_inputs();
  Scratch take_work();

  // What used them has ended.
  void give_inputs_back(Scratch&& scratch);
  void give_work_back(Scratch&& scratch);

 private:
  std::size_t input_bytes() const;
  void discard(std::shared_ptr<void> memory, std::size_t bytes) noexcept;

  const Context context_;
  Device& device_;
  const GemmShape shape_;
  const hipblasLtHandle_t handle_;
  std::shared_ptr<TuneInputs> inputs_;
  std::shared_ptr<TuneWork> work_;
};

}  // namespace hiplab::backend
