// hiplab.h: kernels from source and the lists of their arguments.
#include <string>
#include <vector>

#include "bindings_kernels.h"

namespace hiplab::bindings {
namespace {

// Every type of argument; the long and the double hold what an int and a float cannot.
constexpr char kMix[] = R"(
extern "C" __global__ void mix(const float* in, float* out, int n, long long offset, float scale,
                               double shift) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  int i = (z * int(gridDim.y * blockDim.y) + y) * int(gridDim.x * blockDim.x) + x;
  if (i < n) out[i + int(offset - (1LL << 40))] = in[i] * scale + float(shift - 16777216.0);
}
)";

constexpr char kAdd[] = R"(
extern "C" __global__ void add(float* out, float step) {
  out[blockIdx.x * blockDim.x + threadIdx.x] += step;
}
)";

class BindingsKernelFixed : public WithKernels {
 protected:
  BindingsKernelFixed() : WithKernels(2) {}

  void launch(KernelRef* kernel, ArgumentsRef* arguments, int grid = 4, int block = 4) {
    launchKernel(stream_, kernel, grid, 1, 1, block, 1, 1, arguments);
  }
};

// A kernel and its list, given back at the end.
struct Add {
  Add(BufferRef* out, float step) {
    addBuffer(arguments, out);
    addFloat(arguments, step);
  }
  ~Add() {
    destroyArguments(arguments);
    destroyKernel(kernel);
  }
  Add(const Add&) = delete;
  Add& operator=(const Add&) = delete;

  KernelRef* const kernel = createKernel(kAdd, "add", "");
  ArgumentsRef* const arguments = createArguments();
};

TEST_F(BindingsKernelFixed, EveryArgumentArrivesOverGridAndBlocks) {
  constexpr int kThreads = (2 * 4) * (3 * 2) * (2 * 3);
  constexpr int kCount = kThreads - 7;
  constexpr int kOffset = 5;
  BufferRef* in = allocate(backend_, 0, kThreads * 4);
  BufferRef* out = filled(kThreads + kOffset, -1, 0, 4);
  std::vector<float> values(kThreads);
  for (int i = 0; i < kThreads; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i);
  copyIn(stream_, in, values.data(), kThreads, 0);
  KernelRef* kernel = createKernel(kMix, "mix", "-O1 -DUNUSED=1");
  ArgumentsRef* arguments = createArguments();
  addBuffer(arguments, in);
  addBuffer(arguments, out);
  addInt(arguments, kCount);
  addLong(arguments, (std::int64_t{1} << 40) + kOffset);
  addFloat(arguments, 0.5f);
  addDouble(arguments, 16777217.0);
  launchKernel(stream_, kernel, 2, 3, 2, 4, 2, 3, arguments);
  const std::vector<float> got = read_back(out, kThreads + kOffset);
  for (int i = 0; i < kThreads + kOffset; ++i) {
    const int from = i - kOffset;
    const float want = from < 0 || from >= kCount ? -1 : static_cast<float>(from) * 0.5f + 1;
    EXPECT_EQ(got[static_cast<std::size_t>(i)], want) << "element " << i;
  }
  destroyArguments(arguments);
  destroyKernel(kernel);
  for (BufferRef* buffer : {in, out}) freeBuffer(buffer);
}

TEST_F(BindingsKernelFixed, OneListServesManyLaunches) {
  BufferRef* out = filled(16, 0, 0, 4);
  {
    const Add add(out, 3);
    for (int i = 0; i < 5; ++i) launch(add.kernel, add.arguments);
    EXPECT_EQ(read_back(out, 16), std::vector<float>(16, 15));
    launch(add.kernel, add.arguments, 1, 16);
    EXPECT_EQ(read_back(out, 16), std::vector<float>(16, 18)) << "another grid, the same list";
  }
  freeBuffer(out);
}

TEST_F(BindingsKernelFixed, ListAndKernelMayGoWhileTheirLaunchRuns) {
  BufferRef* out = filled(16, 0, 0, 4);
  Gate gate(stream_);
  {
    const Add add(out, 2);
    launch(add.kernel, add.arguments);
    EXPECT_FALSE(streamIdle(stream_));
  }
  gate.let_go();
  EXPECT_EQ(read_back(out, 16), std::vector<float>(16, 2));
  freeBuffer(out);
}

TEST_F(BindingsKernelFixed, CompileErrorsCarryTheLog) {
  KernelRef* kernel = createKernel(
      "extern \"C\" __global__ void broken(float* out) { out[0] = nobody_knows_this; }", "broken",
      "");
  ArgumentsRef* arguments = createArguments();
  for (int i = 0; i < 2; ++i) {
    const auto call = [&] { launch(kernel, arguments); };
    EXPECT_NE(message_of(call).find("nobody_knows_this"), std::string::npos) << message_of(call);
    EXPECT_EQ(failed(call).function, "hiprtcCompileProgram");
    EXPECT_EQ(failed(call).name, "HIPRTC_ERROR_COMPILATION");
  }
  destroyKernel(kernel);
  destroyArguments(arguments);
}

TEST_F(BindingsKernelFixed, AFunctionThatTheSourceDoesNotHaveIsNamed) {
  KernelRef* kernel = createKernel(kAdd, "subtract", "");
  ArgumentsRef* arguments = createArguments();
  const auto call = [&] { launch(kernel, arguments); };
  EXPECT_NE(message_of(call).find("subtract"), std::string::npos) << message_of(call);
  EXPECT_EQ(failed(call).function, "hipModuleGetFunction");
  destroyKernel(kernel);
  destroyArguments(arguments);
  EXPECT_NE(message_of([] { createKernel(kAdd, "", ""); }).find("name is empty"),
            std::string::npos);
}

TEST_F(BindingsKernelFixed, EveryExtentIsAtLeastOne) {
  BufferRef* out = filled(16, 0, 0, 4);
  {
    const Add add(out, 1);
    const char* names[] = {"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ"};
    for (int wrong = 0; wrong < 6; ++wrong) {
      int e[] = {1, 1, 1, 1, 1, 1};
      e[wrong] = -wrong;  // 0 for the first
      EXPECT_EQ(
          message_of([&] {
            launchKernel(stream_, add.kernel, e[0], e[1], e[2], e[3], e[4], e[5], add.arguments);
          }),
          std::string(names[wrong]) + " is " + std::to_string(-wrong) + ", at least 1 is allowed");
    }
    EXPECT_EQ(failed([&] { launch(add.kernel, add.arguments, 1, 1025); }).function,
              "hipModuleLaunchKernel");
    EXPECT_EQ(read_back(out, 16), std::vector<float>(16, 0)) << "a refused launch ran";
  }
  freeBuffer(out);
}

TEST_F(BindingsKernelFixed, AFreedBufferInAListIsToldAtTheLaunch) {
  BufferRef* out = filled(16, 0, 0, 4);
  const Add add(out, 1);
  launch(add.kernel, add.arguments);
  EXPECT_EQ(read_back(out, 16), std::vector<float>(16, 1));
  freeBuffer(out);
  BufferRef* next = filled(16, 0, 0, 4);  // perhaps at the same address
  EXPECT_EQ(message_of([&] { launch(add.kernel, add.arguments); }),
            "argument 1 is a buffer that has been freed: make a list with one that is open");
  EXPECT_EQ(read_back(next, 16), std::vector<float>(16, 0));
  freeBuffer(next);
}

TEST_F(BindingsKernelFixed, SoIsOneThatWasAbandonedWithItsStream) {
  BufferRef* scratch = filled(16, 0, 0, 4);
  const Add add(scratch, 1);
  StreamRef* overrun = acquireStream(backend_, 0);
  launchKernel(overrun, add.kernel, 4, 1, 1, 4, 1, 1, add.arguments);
  abandonStream(overrun, scratch);
  EXPECT_NE(message_of([&] { launch(add.kernel, add.arguments); }).find("has been freed"),
            std::string::npos);
}

TEST_F(BindingsKernelFixed, BuffersOfTheStreamsOwnBackendAndDevice) {
  BackendRef* other = open_host(2);
  BufferRef* foreign = allocate(other, 0, 64);
  BufferRef* elsewhere = allocate(backend_, 1, 64);
  {
    const Add of_other(foreign, 1);
    EXPECT_EQ(message_of([&] { launch(of_other.kernel, of_other.arguments); }),
              "argument 1 belongs to another backend than the stream");
    const Add of_device(elsewhere, 1);
    EXPECT_EQ(message_of([&] { launch(of_device.kernel, of_device.arguments); }),
              "argument 1 is on device 1, the stream on device 0: both must be on one device");
  }
  freeBuffer(elsewhere);
  freeBuffer(foreign);
  closeBackend(other);
}

TEST_F(BindingsKernelFixed, NullsAreOneSentence) {
  KernelRef* kernel = createKernel(kAdd, "add", "");
  ArgumentsRef* arguments = createArguments();
  EXPECT_EQ(message_of([&] { launch(nullptr, arguments); }),
            "kernel is null: pass one that is open");
  EXPECT_EQ(message_of([&] { launch(kernel, nullptr); }),
            "arguments is null: pass one that is open");
  EXPECT_EQ(message_of([&] { addBuffer(arguments, nullptr); }),
            "buffer is null: pass one that is open");
  EXPECT_EQ(message_of([] { addInt(nullptr, 1); }), "arguments is null: pass one that is open");
  EXPECT_EQ(message_of([] { destroyArguments(nullptr); }),
            "arguments is null: pass one that is open");
  EXPECT_EQ(message_of([] { destroyKernel(nullptr); }), "kernel is null: pass one that is open");
  destroyKernel(kernel);
  destroyArguments(arguments);
}

TEST_F(BindingsKernelFixed, ANulIsToldAndNotCut) {
  const std::string whole = std::string(kAdd) + '\0' + "this would not compile";
  EXPECT_EQ(message_of([&] { createKernel(whole, "add", ""); }),
            "a kernel's source has a NUL at byte " + std::to_string(sizeof kAdd - 1) + " of " +
                std::to_string(whole.size()) +
                ", where a compiler would stop reading: take it out");
  EXPECT_NE(message_of([&] {
              createKernel(kAdd, std::string("add\0x", 5), "");
            }).find("a kernel's name has a NUL at byte 3 of 5"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              createKernel(kAdd, "add", std::string("-O1 -DX\0Y", 9));
            }).find("a kernel's option has a NUL at byte 3 of 5"),
            std::string::npos);
}

}  // namespace
}  // namespace hiplab::bindings
