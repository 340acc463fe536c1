// The provider rocm against libraries made for the test: each thing that can be missing is told
// apart, and the guard keeps a call that would end the process away.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "driver/rocm/rocm_provider.h"
#include "driver/rocm/without_device.h"

namespace hiplab::driver::rocm_provider {
namespace {

namespace fs = std::filesystem;

// A folder with libraries built from C source on the spot.
class DriverRocm : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hiplab-rocm-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    places.root = folder.string();
    places.kfd = (folder / "kfd").string();
    places.dxg = (folder / "dxg").string();
  }
  void TearDown() override { fs::remove_all(folder); }

  void add_node() { std::ofstream(folder / "kfd") << ""; }

  void build(const std::string& name, const std::string& source) {
    const fs::path file = folder / (name + ".c");
    std::ofstream(file) << source;
    const std::string command =
        "cc -shared -fPIC -o " + (folder / name).string() + " " + file.string();
    ASSERT_EQ(std::system(command.c_str()), 0) << "the tests need a C compiler as `cc`";
  }

  // Every function of a family that the source does not define, returning `result`.
  static std::string rest(const std::vector<std::string>& names, int result) {
    std::string source;
    for (const auto& name : names) {
      source += "int " + name + "() { return " + std::to_string(result) + "; }\n";
    }
    return source;
  }

  // A HIP runtime whose hipGetDeviceCount answers from the environment, so that a test can take the
  // device away.
  void build_hip() {
    std::vector<std::string> others;
    for (const std::string name : {
#define HIPLAB_NAME(ret, name, params, args) #name,
             HIPLAB_HIP_FUNCTIONS(HIPLAB_NAME)
#undef HIPLAB_NAME
         }) {
      if (name != "hipGetDeviceCount" && name != "hipGetErrorName" &&
          name != "hipGetDevicePropertiesR0600") {
        others.push_back(name);
      }
    }
    build("libamdhip64.so.6",
          "#include <stdlib.h>\n#include <string.h>\n"
          "int hipGetDeviceCount(int* n) {\n"
          "  const char* v = getenv(\"FAKE_DEVICES\");\n"
          "  *n = v ? atoi(v) : 0;\n"
          "  return *n < 0 ? 999 : *n == 0 ? 100 : 0;\n}\n"
          "const char* hipGetErrorName(int e) { return \"hipErrorFake\"; }\n"
          "int hipGetDevicePropertiesR0600(char* p, int d) {\n"
          "  strcpy(p, \"Fake GPU\"); strcpy(p + 1160, \"gfx1151\"); return 0;\n}\n" +
              rest(others, 0));
  }

  // Providers are never closed; reachable, they are no leak to LeakSanitizer.
  Verdict look_quickly() {
    static auto* kept = new std::vector<Verdict>;
    kept->push_back(look(places, Depth::quick));
    return kept->back();
  }

  fs::path folder;
  Places places;
};

TEST_F(DriverRocm, AMissingLibraryNamesWhatWasTried) {
  add_node();
  const Verdict verdict = look_quickly();
  EXPECT_EQ(verdict.provider, nullptr);
  EXPECT_NE(verdict.reason.find("libamdhip64 not found"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find(folder.string()), std::string::npos) << verdict.reason;
}

TEST_F(DriverRocm, AFileThatDoesNotLoadIsToldWithTheLoadersWords) {
  add_node();
  std::ofstream(folder / "libamdhip64.so.7") << "not a library, whatever its name says\n";
  const Verdict verdict = look_quickly();
  EXPECT_NE(verdict.reason.find("libamdhip64.so.7: "), std::string::npos) << verdict.reason;
}

TEST_F(DriverRocm, AMissingFunctionIsNamed) {
  add_node();
  build("libamdhip64.so.6", "int hipGetDeviceCount(int* n) { *n = 1; return 0; }\n");
  const Verdict verdict = look_quickly();
  EXPECT_EQ(verdict.provider, nullptr);
  EXPECT_NE(verdict.reason.find("lacks"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find("hipMemcpyAsync"), std::string::npos) << verdict.reason;
  EXPECT_EQ(verdict.reason.find("hipGetDeviceCount,"), std::string::npos) << verdict.reason;
}

TEST_F(DriverRocm, NoNodeIsToldAndThoroughSaysTheRestToo) {
  const Verdict quick = look(places, Depth::quick);
  EXPECT_EQ(quick.reason.rfind("no " + places.kfd, 0), 0u) << quick.reason;
  EXPECT_EQ(quick.reason.find("libamdhip64"), std::string::npos) << quick.reason;
  const Verdict thorough = look(places, Depth::thorough);
  EXPECT_NE(thorough.reason.find("no " + places.kfd), std::string::npos) << thorough.reason;
  EXPECT_NE(thorough.reason.find("libamdhip64 not found"), std::string::npos) << thorough.reason;
}

TEST_F(DriverRocm, NoPermissionIsToldApart) {
  add_node();
  chmod(places.kfd.c_str(), 0);
  chmod(folder.c_str(), 0755);
  const uid_t user = geteuid();
  if (user == 0) {  // root may open everything
    ASSERT_EQ(seteuid(65534), 0);
  }
  const Verdict verdict = look_quickly();
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_NE(verdict.reason.find("no permission to open"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find("render"), std::string::npos) << verdict.reason;
}

TEST_F(DriverRocm, NoDeviceIsToldApartFromAFailure) {
  add_node();
  build_hip();
  setenv("FAKE_DEVICES", "0", 1);
  EXPECT_NE(look(places, Depth::quick).reason.find("HIP finds no device"), std::string::npos);
  setenv("FAKE_DEVICES", "-1", 1);
  EXPECT_NE(look(places, Depth::quick).reason.find("hipErrorFake"), std::string::npos);
}

TEST_F(DriverRocm, OptionalLibrariesAreWholeOrLeftOut) {
  add_node();
  build_hip();
  build("librocblas.so.4", "int rocblas_create_handle() { return 0; }\n");
  setenv("FAKE_DEVICES", "2", 1);
  const Verdict verdict = look_quickly();
  ASSERT_NE(verdict.provider, nullptr) << verdict.reason;
  EXPECT_EQ(verdict.provider->name, "rocm");
  EXPECT_EQ(verdict.provider->device_count, 2);
  EXPECT_NE(verdict.reason.find("Fake GPU (gfx1151)"), std::string::npos) << verdict.reason;
  EXPECT_FALSE(verdict.provider->has_rocblas);
  EXPECT_EQ(verdict.provider->table->rocblas_create_handle, nullptr);
  EXPECT_FALSE(verdict.provider->has_hipblaslt);
  EXPECT_NE(verdict.provider->detail.find("no hipblaslt"), std::string::npos);
  EXPECT_NE(verdict.provider->detail.find("rocblas_sgemm"), std::string::npos)
      << verdict.provider->detail;
  EXPECT_FALSE(verdict.provider->adds_ieee) << "gfx11";
  EXPECT_NE(verdict.provider->versions.at("hip.library").find("libamdhip64.so.6"),
            std::string::npos);
}

TEST_F(DriverRocm, LibrariesAnswerWithoutADevice) {
  build_hip();
  build("librocblas.so.4", "int rocblas_create_handle() { return 6; }\n");
  setenv("FAKE_DEVICES", "0", 1);
  EXPECT_EQ(look(places, Depth::thorough).provider, nullptr);
  static const Provider* const provider = without_device(places).provider;
  ASSERT_NE(provider, nullptr);
  EXPECT_EQ(provider->device_count, 0);
  EXPECT_NE(provider->detail.find("no hipblaslt"), std::string::npos) << provider->detail;
  int devices = 7;
  EXPECT_EQ(provider->table->hipGetDeviceCount(&devices), hipErrorNoDevice);
  EXPECT_EQ(devices, 0);
  rocblas_handle handle = nullptr;
  EXPECT_EQ(provider->table->rocblas_create_handle(&handle), rocblas_status_internal_error);
  EXPECT_EQ(provider->table->rocblas_sgemm, nullptr) << "what a library lacks";
  EXPECT_EQ(provider->table->hipblasLtCreate, nullptr);
}

TEST_F(DriverRocm, WithoutLibamdhip64NothingAnswers) {
  const Verdict verdict = without_device(places);
  EXPECT_EQ(verdict.provider, nullptr);
  EXPECT_NE(verdict.reason.find(folder.string()), std::string::npos) << verdict.reason;
}

TEST_F(DriverRocm, HipblasltIsNotCreatedWithoutADevice) {
  add_node();
  build_hip();
  std::vector<std::string> others;
  for (const std::string name : {
#define HIPLAB_NAME(ret, name, params, args) #name,
           HIPLAB_HIPBLASLT_FUNCTIONS(HIPLAB_NAME)
#undef HIPLAB_NAME
       }) {
    if (name != "hipblasLtCreate") others.push_back(name);
  }
  // As the real one: it ends the process when there is no device.
  build("libhipblaslt.so.1",
        "#include <stdlib.h>\nint hipblasLtCreate(void** h) {\n"
        "  const char* v = getenv(\"FAKE_DEVICES\");\n"
        "  if (!v || atoi(v) < 1) exit(1);\n"
        "  *h = (void*)16; return 0;\n}\n" +
            rest(others, 0));
  setenv("FAKE_DEVICES", "1", 1);
  const Verdict verdict = look_quickly();
  ASSERT_NE(verdict.provider, nullptr) << verdict.reason;
  ASSERT_TRUE(verdict.provider->has_hipblaslt) << verdict.provider->detail;
  hipblasLtHandle_t handle = nullptr;
  EXPECT_EQ(verdict.provider->table->hipblasLtCreate(&handle), HIPBLAS_STATUS_SUCCESS);
  EXPECT_NE(handle, nullptr);
  setenv("FAKE_DEVICES", "0", 1);
  handle = nullptr;
  EXPECT_EQ(verdict.provider->table->hipblasLtCreate(&handle), HIPBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(handle, nullptr);
}

}  // namespace
}  // namespace hiplab::driver::rocm_provider
