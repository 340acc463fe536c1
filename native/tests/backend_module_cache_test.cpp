// The module cache (mlxcel 2183): one module for each key, whoever asks first.
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <numeric>

#include "backend/module_cache_build.h"
#include "kernel_tools.h"
#include "lab.h"
#include "sync/time.h"

namespace hiplab::lab {
namespace {

using backend::Kernel;
using test::Variable;

constexpr int kThreads = 8;
constexpr int kRounds = 16;
constexpr int kCount = 256;

const driver::Provider& two_devices() { return host("splitk", 2); }

// Kernels of one name and another source each, so that a fake compiler can give all of them the
// same code.
Kernel probe(int variant) {
  return Kernel(test::probe_source("probe") + "// " + std::to_string(variant) + "\n", "probe");
}

// A hiprtc that is as fast as a test wants it; the code is that of a real compilation.
struct Fake {
  std::string code;
  std::atomic<int> compiles{0};
  std::atomic<int> failures{0};  // that many fail first
  std::chrono::microseconds duration{0};
};
Fake* g_fake = nullptr;

hiprtcResult fake_compile(hiprtcProgram, int, const char**) {
  ++g_fake->compiles;
  if (g_fake->duration.count() > 0) sync::sleep_for(g_fake->duration);
  return g_fake->failures.fetch_sub(1) > 0 ? HIPRTC_ERROR_COMPILATION : HIPRTC_SUCCESS;
}
hiprtcResult fake_code_size(hiprtcProgram, size_t* bytes) {
  *bytes = g_fake->code.size();
  return HIPRTC_SUCCESS;
}
hiprtcResult fake_code(hiprtcProgram, char* code) {
  g_fake->code.copy(code, g_fake->code.size());
  return HIPRTC_SUCCESS;
}

std::unique_ptr<Backend> open_cache(const driver::Provider& provider, Form form) {
  forms::FormChoice choice;
  choice.set("module-cache", form);
  return std::make_unique<Backend>(provider, forms::make_parts(choice));
}

// out[i] = 2 i + 1 through a launch on a stream of its own.
class Probe {
 public:
  explicit Probe(Backend& backend, int device = 0)
      : backend_(backend),
        stream_(backend.stream(device)),
        in_(backend.memory(device, kCount * sizeof(float))),
        out_(backend.memory(device, kCount * sizeof(float))) {
    std::vector<float> values(kCount);
    std::iota(values.begin(), values.end(), 0.0f);
    copy(in_->get(), values.data(), hipMemcpyHostToDevice);
  }

  bool exact(const Kernel& kernel) {
    HIPLAB_CHECK(backend_.api(), backend::Where{}, hipMemsetAsync, out_->get(), 0xFF, out_->bytes(),
                 stream_->get());
    backend_.launch(*stream_, kernel, {{4, 1, 1}, {64, 1, 1}},
                    {in_->get(), static_cast<const void*>(out_->get()), kCount});
    std::vector<float> got(kCount);
    copy(got.data(), out_->get(), hipMemcpyDeviceToHost);
    for (int i = 0; i < kCount; ++i) {
      if (!(got[static_cast<std::size_t>(i)] == 2.0f * static_cast<float>(i) + 1.0f)) return false;
    }
    return true;
  }

  const CommandStream& stream() const { return *stream_; }

 private:
  void copy(void* to, const void* from, hipMemcpyKind kind) {
    HIPLAB_CHECK(backend_.api(), backend::Where{}, hipMemcpyAsync, to, from, kCount * sizeof(float),
                 kind, stream_->get());
    stream_->synchronize();
  }
  Backend& backend_;
  const std::unique_ptr<CommandStream> stream_;
  const std::unique_ptr<backend::DeviceMemory> in_;
  const std::unique_ptr<backend::DeviceMemory> out_;
};

std::int64_t modules_made(Backend& backend) { return backend.counters().at("handles.modules"); }

class ModuleCacheTest : public ::testing::Test {
 protected:
  ModuleCacheTest() : patched_(two_devices()) {
    {
      const Variable on("HIPLAB_KERNEL_CACHE", nullptr);
      const Variable where("HIPLAB_CACHE", test::kernel_cache_of_tests().c_str());
      const test::Program made = test::compile(*two_devices().table, test::probe_source("probe"));
      EXPECT_EQ(made.result, HIPRTC_SUCCESS) << made.log;
      fake_.code = made.code;
    }
    g_fake = &fake_;
    patched_.table.hiprtcCompileProgram = fake_compile;
    patched_.table.hiprtcGetCodeSize = fake_code_size;
    patched_.table.hiprtcGetCode = fake_code;
  }

  Variable cache_{"HIPLAB_KERNEL_CACHE", "off"};
  Fake fake_;
  Patched patched_;
};

// ---- every form, one thread held in the window
// ---------------------------------------------------

class ModuleCacheForms : public ModuleCacheTest, public ::testing::WithParamInterface<Form> {};

INSTANTIATE_TEST_SUITE_P(Fixed, ModuleCacheForms,
                         ::testing::Values(Form::fixed, Form::once_per_key), form_name);
INSTANTIATE_TEST_SUITE_P(Filed, ModuleCacheForms, ::testing::Values(Form::filed), form_name);

// The second thread misses what the first is compiling. As filed it compiles as well, and both
// insert: the map then holds two modules for one key. The output is right all the same.
TEST_P(ModuleCacheForms, SecondThreadMissesWhileTheFirstCompiles) {
  const auto backend = open_cache(patched_.provider, GetParam());
  Probe first(*backend), second(*backend);
  HoldAt hold("modulecache.compile.begin");
  auto one = std::async(std::launch::async, [&] { return first.exact(probe(0)); });
  hold.wait_until_held();
  auto two = std::async(std::launch::async, [&] { return second.exact(probe(0)); });
  let_second_thread_go(two, GetParam());
  hold.release();
  EXPECT_TRUE(one.get());
  EXPECT_TRUE(two.get());
  EXPECT_EQ(modules_made(*backend), GetParam() == Form::filed ? 2 : 1);
  EXPECT_EQ(fake_.compiles, GetParam() == Form::filed ? 2 : 1);
}

// The flag "configured" of a kernel: as filed, a second thread sees it unset while the first one
// configures, and configures as well.
TEST_P(ModuleCacheForms, AKernelIsConfiguredOnce) {
  const auto backend = open_cache(patched_.provider, GetParam());
  Probe first(*backend), second(*backend);
  const auto program = std::make_shared<const backend::KernelProgram>(
      test::probe_source("probe"), std::vector<std::string>{"probe"});
  std::atomic<int> configured{0};
  std::promise<void> inside, go;
  const Kernel kernel(program, "probe", [&](hipFunction_t function) {
    EXPECT_NE(function, nullptr);
    if (++configured == 1) {
      inside.set_value();
      go.get_future().wait();
    }
  });
  auto one = std::async(std::launch::async, [&] { return first.exact(kernel); });
  inside.get_future().wait();
  auto two = std::async(std::launch::async, [&] { return second.exact(kernel); });
  let_second_thread_go(two, GetParam());
  go.set_value();
  EXPECT_TRUE(one.get());
  EXPECT_TRUE(two.get());
  EXPECT_EQ(configured, GetParam() == Form::filed ? 2 : 1);
  EXPECT_EQ(modules_made(*backend), 1);
}

// FIXED compiles under the map's lock, and whoever looks another key up meanwhile waits. With a
// lock for each key, or none, nobody does.
void expect_another_key_waits(Backend& backend, Form form, Probe& first, Probe& second) {
  HoldAt hold("modulecache.compile.begin");
  auto one = std::async(std::launch::async, [&] { return first.exact(probe(1)); });
  hold.wait_until_held();
  auto two = std::async(std::launch::async, [&] { return second.exact(probe(2)); });
  if (form == Form::fixed) {
    EXPECT_EQ(two.wait_for(std::chrono::milliseconds(150)), std::future_status::timeout);
  } else {
    EXPECT_TRUE(two.get()) << "while the first is still held";
  }
  hold.release();
  EXPECT_TRUE(one.get());
  if (two.valid()) {
    EXPECT_TRUE(two.get());
  }
  EXPECT_EQ(modules_made(backend), 2);
}

TEST_P(ModuleCacheForms, WhetherAnotherKeyWaitsForACompilation) {
  const auto backend = open_cache(patched_.provider, GetParam());
  Probe first(*backend), second(*backend);
  expect_another_key_waits(*backend, GetParam(), first, second);
}

// The same of a key that is there already: the map may be about to change.
TEST_P(ModuleCacheForms, WhetherAHitWaitsForACompilation) {
  const auto backend = open_cache(patched_.provider, GetParam());
  Probe first(*backend), second(*backend);
  EXPECT_TRUE(second.exact(probe(2)));
  expect_another_key_waits(*backend, GetParam(), first, second);
}

// ---- the acceptance workloads of the source
// ------------------------------------------------------

// 8 threads first-launch one new kernel in each of 16 rounds. Returns whether all was exact.
bool same_kernel(Backend& backend, int threads, int rounds,
                 const std::function<Kernel(int)>& kernel) {
  std::barrier<> round_begins(threads);
  std::atomic<int> wrong{0};
  on_threads(threads, [&](int) {
    Probe own(backend);
    for (int round = 0; round < rounds; ++round) {
      const Kernel new_one = kernel(round);
      round_begins.arrive_and_wait();
      wrong += !own.exact(new_one);
    }
  });
  return wrong == 0;
}

// One thread launches a warm kernel again and again while 8 first-launch their own.
bool distinct_while_hitting(Backend& backend) {
  std::barrier<> round_begins(kThreads);
  std::atomic<int> wrong{0};
  std::atomic<int> running{kThreads};
  Probe(backend).exact(probe(-1));
  on_threads(kThreads + 1, [&](int t) {
    Probe own(backend);
    if (t == kThreads) {
      while (running > 0) wrong += !own.exact(probe(-1));
      return;
    }
    for (int round = 0; round < kRounds; ++round) {
      const Kernel new_one = probe(100 * round + t);
      round_begins.arrive_and_wait();
      wrong += !own.exact(new_one);
    }
    --running;
  });
  // What the map holds is found again: nothing that was inserted has been lost.
  Probe own(backend);
  for (int round = 0; round < kRounds; ++round) {
    for (int t = 0; t < kThreads; ++t) wrong += !own.exact(probe(100 * round + t));
  }
  return wrong == 0;
}

enum Ending : int { kOneModuleAKey = 10, kMoreModules = 11, kNotExact = 12, kThrew = 13 };

// For a child: how a run ended. A form that hangs is ended by SIGALRM.
template <typename Body>
int ending_of(std::int64_t keys, Backend& backend, Body body) {
  alarm(20);
  try {
    if (!body()) return kNotExact;
  } catch (const std::exception&) {
    return kThrew;
  }
  return modules_made(backend) == keys ? kOneModuleAKey : kMoreModules;
}

// As filed: too many modules, a crash, a hang or an error, and never a clean end.
bool failed_as_filed(int status) {
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) > kOneModuleAKey);
}

class ModuleCacheFixed : public ModuleCacheTest, public ::testing::WithParamInterface<Form> {};
INSTANTIATE_TEST_SUITE_P(Forms, ModuleCacheFixed,
                         ::testing::Values(Form::fixed, Form::once_per_key), form_name);

class ModuleCacheFiledDeathTest : public ModuleCacheTest {
 protected:
  ModuleCacheFiledDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(ModuleCacheFixed, SameKernelFromManyThreads) {
  fake_.duration = std::chrono::milliseconds(2);
  const auto backend = open_cache(patched_.provider, GetParam());
  EXPECT_TRUE(same_kernel(*backend, kThreads, kRounds, probe));
  EXPECT_EQ(modules_made(*backend), kRounds);
}

// A compilation of 10 ms: many modules for a key, and no crash.
TEST_F(ModuleCacheFiledDeathTest, SameKernelFromManyThreads) {
  fake_.duration = std::chrono::milliseconds(10);
  EXPECT_EXIT(
      {
        const auto backend = open_cache(patched_.provider, Form::filed);
        std::_Exit(ending_of(kRounds, *backend,
                             [&] { return same_kernel(*backend, kThreads, kRounds, probe); }));
      },
      failed_as_filed, "");
}

TEST_P(ModuleCacheFixed, DistinctKernelsWhileOthersHit) {
  const auto backend = open_cache(patched_.provider, GetParam());
  EXPECT_TRUE(distinct_while_hitting(*backend));
  EXPECT_EQ(modules_made(*backend), 1 + kThreads * kRounds);
}

// ---- storms: compiled in next to no time
// ---------------------------------------------------------

// Modules without code, so that threads meet in the map and nowhere else.
void without_code(driver::Table& table) {
  table.hiprtcCreateProgram = [](hiprtcProgram* program, const char*, const char*, int,
                                 const char**, const char**) -> hiprtcResult {
    *program = reinterpret_cast<hiprtcProgram>(1);
    return HIPRTC_SUCCESS;
  };
  table.hiprtcCompileProgram = [](hiprtcProgram, int, const char**) { return HIPRTC_SUCCESS; };
  table.hiprtcGetCodeSize = [](hiprtcProgram, size_t* bytes) {
    *bytes = 1;
    return HIPRTC_SUCCESS;
  };
  table.hiprtcGetCode = [](hiprtcProgram, char* code) {
    *code = 0;
    return HIPRTC_SUCCESS;
  };
  table.hiprtcDestroyProgram = [](hiprtcProgram*) { return HIPRTC_SUCCESS; };
  table.hipModuleLoadData = [](hipModule_t* module, const void*) {
    *module = reinterpret_cast<hipModule_t>(1);
    return hipSuccess;
  };
  table.hipModuleGetFunction = [](hipFunction_t* function, hipModule_t, const char*) {
    *function = reinterpret_cast<hipFunction_t>(1);
    return hipSuccess;
  };
  table.hipModuleUnload = [](hipModule_t) { return hipSuccess; };
}

struct Storm {
  int same = 0;      // kernels that all threads ask for, in one order
  int distinct = 0;  // kernels that one thread alone asks for, for each thread
  std::int64_t keys() const { return same + kThreads * distinct; }
};

// Every thread gets its kernels from one cache, as fast as it can; afterwards one thread gets them
// all again. Returns whether every kernel was given out each time.
bool storm(backend::ModuleCache& cache, const backend::Device& device, const Storm& size) {
  std::vector<std::vector<Kernel>> wanted(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < size.same; ++i) wanted[t].push_back(probe(i));
    for (int i = 0; i < size.distinct; ++i) {
      wanted[t].push_back(probe(100000 * (t + 1) + i));
      wanted[t].push_back(wanted[t].front());  // a hit
    }
  }
  std::atomic<int> wrong{0};
  std::atomic<int> ready{0};
  on_threads(kThreads, [&](int t) {
    // A spinning start: a barrier wakes threads one after the other.
    for (++ready; ready < kThreads;) std::this_thread::yield();
    for (const Kernel& kernel : wanted[t]) wrong += cache.get(device, kernel) == nullptr;
  });
  for (const auto& kernels : wanted) {
    for (const Kernel& kernel : kernels) wrong += cache.get(device, kernel) == nullptr;
  }
  return wrong == 0;
}

constexpr Storm kSame{2000, 0};
constexpr Storm kDistinct{0, 1000};

class ModuleCacheStorm : public ModuleCacheTest {
 protected:
  ModuleCacheStorm() { without_code(patched_.table); }

  // The ending of one storm on a cache of that form.
  Ending run(Form form, const Storm& size) {
    forms::FormChoice choice;
    choice.set("module-cache", form);
    const auto parts = forms::make_parts(choice);
    backend::Backend devices(patched_.provider, forms::make_parts({}));
    backend::Counters counters;
    const auto cache = parts->module_cache({patched_.provider, counters});
    if (!storm(*cache, devices.device(0), size)) return kNotExact;
    return counters.handles_modules == size.keys() ? kOneModuleAKey : kMoreModules;
  }

  // As filed, within some storms: too many modules (a key built twice, or a node lost and built
  // again), a crash, or a hang that SIGALRM ends.
  void expect_fails_as_filed(const Storm& size) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
          alarm(15);  // a storm takes some 0.1 s
          int ending = kOneModuleAKey;
          for (int i = 0; i < 20 && ending == kOneModuleAKey; ++i) ending = run(Form::filed, size);
          std::_Exit(ending);
        },
        failed_as_filed, "");
  }
};

class ModuleCacheStormFixed : public ModuleCacheStorm,
                              public ::testing::WithParamInterface<Form> {};
INSTANTIATE_TEST_SUITE_P(Forms, ModuleCacheStormFixed,
                         ::testing::Values(Form::fixed, Form::once_per_key), form_name);
using ModuleCacheStormFiledDeathTest = ModuleCacheStorm;

TEST_P(ModuleCacheStormFixed, SameKernels) { EXPECT_EQ(run(GetParam(), kSame), kOneModuleAKey); }
TEST_F(ModuleCacheStormFiledDeathTest, SameKernels) { expect_fails_as_filed(kSame); }
TEST_P(ModuleCacheStormFixed, DistinctKernelsWhileOthersHit) {
  EXPECT_EQ(run(GetParam(), kDistinct), kOneModuleAKey);
}
TEST_F(ModuleCacheStormFiledDeathTest, DistinctKernelsWhileOthersHit) {
  expect_fails_as_filed(kDistinct);
}

// ---- with the real compiler
// ------------------------------------------------------------------------

Kernel really_compiled(int round) {
  const std::string name = "probe_v" + std::to_string(round);
  return Kernel(test::probe_source(name), name);
}

TEST_P(ModuleCacheFixed, RealCompilations) {
  const auto backend = open_cache(two_devices(), GetParam());
  EXPECT_TRUE(same_kernel(*backend, 4, 2, really_compiled));
  EXPECT_EQ(modules_made(*backend), 2);
}

TEST_F(ModuleCacheFiledDeathTest, RealCompilations) {
  EXPECT_EXIT(
      {
        const auto backend = open_cache(two_devices(), Form::filed);
        std::_Exit(
            ending_of(2, *backend, [&] { return same_kernel(*backend, 4, 2, really_compiled); }));
      },
      failed_as_filed, "");
}

// ---- failures
// --------------------------------------------------------------------------------------

TEST_P(ModuleCacheFixed, AFailedCompilationKeepsNothingAndTheNextCallTriesAgain) {
  fake_.failures = 2;
  const auto backend = open_cache(patched_.provider, GetParam());
  Probe own(*backend);
  for (int i = 0; i < 2; ++i) {
    try {
      own.exact(probe(0));
      ADD_FAILURE() << "compiled";
    } catch (const Error& error) {
      EXPECT_EQ(error.call().function, "hiprtcCompileProgram");
      EXPECT_EQ(error.call().status, HIPRTC_ERROR_COMPILATION);
    }
    EXPECT_EQ(modules_made(*backend), 0);
  }
  // It has unlocked: this thread and another go on.
  EXPECT_TRUE(own.exact(probe(0)));
  EXPECT_TRUE(
      std::async(std::launch::async, [&] { return Probe(*backend).exact(probe(0)); }).get());
  EXPECT_EQ(modules_made(*backend), 1);
}

TEST_P(ModuleCacheFixed, ErrorsNameTheCallAndTheNextStep) {
  const auto before = driver::live_objects();
  {
    const auto backend = open_cache(two_devices(), GetParam());
    Probe own(*backend);
    const auto message = [&](const Kernel& kernel) -> std::string {
      try {
        own.exact(kernel);
        return "it ran";
      } catch (const Error& error) {
        return error.what();
      }
    };
    const std::string broken = message(Kernel("extern \"C\" __global__ void k() { oops; }", "k"));
    EXPECT_NE(broken.find("HIPRTC_ERROR_COMPILATION (6)"), std::string::npos) << broken;
    EXPECT_NE(broken.find("k.hip:1:"), std::string::npos) << broken;
    EXPECT_NE(broken.find("oops"), std::string::npos) << broken;
    const std::string missing = message(Kernel("__global__ void k() {}", "k"));
    EXPECT_NE(missing.find("there is no kernel 'k': declare it extern \"C\""), std::string::npos)
        << missing;
    EXPECT_EQ(modules_made(*backend), 0);
    try {
      backend->launch(own.stream(), really_compiled(9), {{1, 1, 1}, {2048, 1, 1}}, {});
      ADD_FAILURE() << "launched";
    } catch (const Error& error) {
      EXPECT_EQ(error.call().status, hipErrorInvalidConfiguration);
      EXPECT_NE(std::string(error.what()).find("block 2048x1x1"), std::string::npos)
          << error.what();
    }
    try {
      backend->launch(own.stream(), really_compiled(9), {}, {});
      ADD_FAILURE() << "launched without arguments";
    } catch (const Error& error) {
      EXPECT_EQ(error.call().status, hipErrorInvalidValue);
    }
    EXPECT_THROW(Kernel("", ""), Error);
    EXPECT_EQ(modules_made(*backend), 1);
  }
  EXPECT_EQ(driver::live_objects(), before) << "modules are unloaded with their backend";
}

const driver::Table* g_real = nullptr;
hipError_t unknown_arch(hipDeviceProp_tR0600* properties, int device) {
  const hipError_t status = g_real->hipGetDevicePropertiesR0600(properties, device);
  std::snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "gfx9999");
  return status;
}

// hiprtc ends the process on such an architecture, so it must not be asked.
TEST_P(ModuleCacheFixed, AnArchitectureThatHiprtcDoesNotKnowIsNotAsked) {
  g_real = two_devices().table;
  patched_.table.hipGetDevicePropertiesR0600 = unknown_arch;
  const auto backend = open_cache(patched_.provider, GetParam());
  Probe own(*backend);
  try {
    own.exact(probe(0));
    ADD_FAILURE() << "compiled";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'gfx9999'"), std::string::npos) << error.what();
  }
  EXPECT_EQ(fake_.compiles, 0);
}

TEST_P(ModuleCacheFixed, WithoutHiprtcTheErrorSaysSo) {
  patched_.table.hiprtcCreateProgram = nullptr;
  const auto backend = open_cache(patched_.provider, GetParam());
  Probe own(*backend);
  try {
    own.exact(probe(0));
    ADD_FAILURE() << "compiled";
  } catch (const Error& error) {
    EXPECT_NE(
        std::string(error.what()).find("has no hiprtc; install libhiprtc, or name the folder"),
        std::string::npos)
        << error.what();
  }
}

TEST_P(ModuleCacheFixed, EachDeviceHasItsOwnModule) {
  const auto backend = open_cache(patched_.provider, GetParam());
  for (const int device : {0, 1, 0, 1}) {
    Probe own(*backend, device);
    EXPECT_TRUE(own.exact(probe(0))) << device;
  }
  EXPECT_EQ(modules_made(*backend), 2);
  const Kernel kernel = probe(0);
  EXPECT_EQ(backend::module_key(backend->device(1), kernel.program()),
            "1:" + kernel.program().key());
  EXPECT_NE(probe(0).program().key(), probe(1).program().key());
  EXPECT_EQ(probe(0).program().key(), kernel.program().key());
}

}  // namespace
}  // namespace hiplab::lab
