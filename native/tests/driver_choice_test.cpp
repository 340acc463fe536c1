// Choosing a provider: request, environment, defaults, and what is said.
#include <cstdlib>
#include <thread>

#include "driver/choice.h"
#include "driver/error.h"
#include "gtest/gtest.h"

namespace hiplab::driver {
namespace {

// Each test in a process of its own (ctest), or with the one software device of this process: all
// use one device and the default profile.
class DriverChoice : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"HIPLAB_DRIVER", "HIPLAB_PROFILE", "HIPLAB_HOST_DEVICES"}) {
      unsetenv(name);
    }
    setenv("HIPLAB_ROCM_PATH", "/nowhere/rocm", 1);  // this machine may have a ROCm of its own
  }

  static Request request(const std::string& driver, const std::string& profile = "",
                         int host_devices = 0, bool count_calls = false) {
    Request r;
    r.driver = driver;
    r.profile = profile;
    r.host_devices = host_devices;
    r.count_calls = count_calls;
    return r;
  }

  static std::string message(const Request& wrong) {
    try {
      choose(wrong);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(DriverChoice, AutoFallsBackToTheHostAndSaysWhy) {
  const Choice choice = choose({});
  ASSERT_NE(choice.provider, nullptr);
  EXPECT_EQ(choice.provider->name, "host");
  EXPECT_EQ(choice.provider->detail, "software device, profile splitk, 1 device");
  EXPECT_EQ(choice.provider->device_count, 1);
  EXPECT_TRUE(choice.provider->has_rocblas);
  EXPECT_TRUE(choice.provider->has_hipblaslt);
  ASSERT_EQ(choice.candidates.size(), 2u);
  EXPECT_EQ(choice.candidates[0].name, "rocm");
  EXPECT_FALSE(choice.candidates[0].usable);
  EXPECT_FALSE(choice.candidates[0].reason.empty());
  EXPECT_TRUE(choice.candidates[1].usable);
  EXPECT_TRUE(says(choice.reason, choice.candidates[0].reason)) << choice.reason;
}

TEST_F(DriverChoice, AForcedHostLooksAtNothingElse) {
  const Choice choice = choose(request("host"));
  EXPECT_EQ(choice.provider->name, "host");
  EXPECT_EQ(choice.candidates.size(), 1u);
  EXPECT_TRUE(says(choice.reason, "asked for"));
}

TEST_F(DriverChoice, AForcedRocmThatIsNotUsableIsAnError) {
  const std::string text = message(request("rocm"));
  EXPECT_TRUE(says(text, "driver rocm")) << text;
  EXPECT_TRUE(says(text, probe({})[0].reason.substr(0, 10))) << text;
  EXPECT_TRUE(says(text, "libamdhip64 not found (tried /nowhere/rocm/lib")) << text;
  EXPECT_TRUE(text.ends_with("; doctor --rocm tells what to do")) << text;
  for (const char* step : {"install", "HIPLAB_ROCM_PATH", "use ", "--device", "sudo"}) {
    EXPECT_FALSE(says(text, step)) << "one step alone: " << text;
  }
}

TEST_F(DriverChoice, WrongValuesNameTheirSourceAndWhatIsAllowed) {
  const std::string driver = message(request("metal"));
  EXPECT_TRUE(says(driver, "\"metal\"") && says(driver, "auto, rocm, host")) << driver;
  const std::string profile = message(request("", "gfx9999"));
  EXPECT_TRUE(says(profile, "gfx9999") && says(profile, "gfx1151, splitk")) << profile;
  const std::string devices = message(request("", "", 17));
  EXPECT_TRUE(says(devices, "17") && says(devices, "1 to 16")) << devices;
  EXPECT_TRUE(says(message(request("", "", -1)), "-1"));
  Request arch = request("");
  for (const char* wrong : {"gfx_10", "gfx10/0", "gfx10\n", "a b"}) {
    arch.host_arch = wrong;
    EXPECT_TRUE(says(message(arch), wrong) && says(message(arch), "letters, digits")) << wrong;
  }
  arch.host_arch = std::string(41, 'a');
  EXPECT_TRUE(says(message(arch), "at most 40"));
  arch.host_arch = std::string(36, 'a') + "1-:+";
  EXPECT_EQ(resolve(arch).host_arch, arch.host_arch);
  setenv("HIPLAB_DRIVER", "cuda13", 1);
  const std::string environment = message({});
  EXPECT_TRUE(says(environment, "cuda13") && says(environment, "HIPLAB_DRIVER")) << environment;
  setenv("HIPLAB_DRIVER", "host", 1);
  setenv("HIPLAB_HOST_DEVICES", "2x", 1);
  EXPECT_TRUE(says(message({}), "2x"));
}

TEST_F(DriverChoice, TheRequestWinsOverTheEnvironment) {
  setenv("HIPLAB_DRIVER", "nonsense", 1);
  setenv("HIPLAB_PROFILE", "gfx1151", 1);
  setenv("HIPLAB_HOST_DEVICES", "4", 1);
  const Request asked = resolve(request("host", "splitk", 2));
  EXPECT_EQ(asked.driver, "host");
  EXPECT_EQ(asked.profile, "splitk");
  EXPECT_EQ(asked.host_devices, 2);
  const Request left = resolve(request("host"));
  EXPECT_EQ(left.profile, "gfx1151");
  EXPECT_EQ(left.host_devices, 4);
}

TEST_F(DriverChoice, ASecondSoftwareDeviceOfAnotherKindIsAnError) {
  choose(request("host"));
  const std::string text = message(request("host", "gfx1151"));
  EXPECT_TRUE(says(text, "splitk") && says(text, "gfx1151") && says(text, "another process"))
      << text;
  EXPECT_FALSE(message(request("host", "", 2)).empty());
  Request other = request("host");
  other.host_arch = "gfx1010";
  const std::string arch = message(other);
  EXPECT_TRUE(says(arch, "the profile's architecture") && says(arch, "architecture gfx1010") &&
              says(arch, "another process"))
      << arch;
}

TEST_F(DriverChoice, OneRequestOneProviderFromManyThreads) {
  std::vector<const Provider*> seen(8);
  std::vector<std::thread> threads;
  for (auto& slot : seen) {
    threads.emplace_back([&slot] { slot = choose(request("host")).provider; });
  }
  for (auto& thread : threads) thread.join();
  for (const Provider* provider : seen) EXPECT_EQ(provider, seen[0]);
}

TEST_F(DriverChoice, CallsAreCountedOnlyWhenAskedFor) {
  const Provider* plain = choose(request("host")).provider;
  const Provider* counted = choose(request("host", "", 0, true)).provider;
  EXPECT_NE(plain->table, counted->table);
  EXPECT_EQ(plain->detail, counted->detail);
  int count = 0;
  const auto before = call_counts()["hipGetDeviceCount"];
  plain->table->hipGetDeviceCount(&count);
  EXPECT_EQ(call_counts()["hipGetDeviceCount"], before);
  counted->table->hipGetDeviceCount(&count);
  EXPECT_EQ(call_counts()["hipGetDeviceCount"], before + 1);
}

TEST_F(DriverChoice, ProbingNamesEveryProviderInOrder) {
  const auto candidates = probe({});
  ASSERT_EQ(candidates.size(), 2u);
  EXPECT_EQ(candidates[0].name, "rocm");
  EXPECT_TRUE(says(candidates[0].reason, "/nowhere/rocm")) << candidates[0].reason;
  EXPECT_EQ(candidates[1].name, "host");
  EXPECT_TRUE(candidates[1].usable);
}

}  // namespace
}  // namespace hiplab::driver
