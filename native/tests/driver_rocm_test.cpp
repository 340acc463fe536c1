// The provider rocm against libraries made for the test: each thing that can be missing is told
// apart, and the guard keeps a call that would end the process away.
#include <dlfcn.h>

#include "driver/rocm/reasons.h"
#include "driver/rocm/solutions.h"
#include "driver/rocm/without_device.h"
#include "rocm_box.h"

namespace hiplab::driver::rocm_provider {
namespace {

using DriverRocm = RocmBox;

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
  const std::string node = kfd_reason(places, Depth::thorough).what;
  EXPECT_EQ(thorough.brief.rfind(node + "; libamdhip64 not found (tried ", 0), 0u)
      << thorough.brief;
  EXPECT_TRUE(thorough.brief.ends_with(")")) << "no step: " << thorough.brief;
}

TEST_F(DriverRocm, LibrariesThatAreThereAreNoObstacle) {
  build_hip();
  const Verdict verdict = look(places, Depth::thorough);
  EXPECT_EQ(verdict.brief, kfd_reason(places, Depth::thorough).what);
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
  EXPECT_NE(verdict.reason.find("hip-runtime-amd"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find("HIPLAB_ROCM_PATH"), std::string::npos) << verdict.reason;
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
  setenv("FAKE_DEVICES", "-1", 1);  // hipGetDeviceCount fails
  EXPECT_EQ(verdict.provider->table->hipblasLtCreate(&handle), HIPBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(handle, nullptr);
}

TEST_F(DriverRocm, HiprtcIsNotAskedAboutANullProgram) {
  add_node();
  build_hip();
  std::vector<std::string> others;
  for (const std::string name : {
#define HIPLAB_NAME(ret, name, params, args) #name,
           HIPLAB_HIPRTC_FUNCTIONS(HIPLAB_NAME)
#undef HIPLAB_NAME
       }) {
    if (name.find("Get") == std::string::npos) others.push_back(name);
  }
  // As the real one: it reads through the program.
  build("libhiprtc.so.6",
        "#include <stddef.h>\n"
        "int hiprtcGetProgramLogSize(int* p, size_t* n) { *n = 4 + *p; return 0; }\n"
        "int hiprtcGetProgramLog(int* p, char* c) { *c = (char)*p; return 0; }\n"
        "int hiprtcGetCodeSize(int* p, size_t* n) { *n = 8 + *p; return 0; }\n"
        "int hiprtcGetCode(int* p, char* c) { *c = (char)(1 + *p); return 0; }\n"
        "const char* hiprtcGetErrorString(int e) { return \"fake\"; }\n" +
            rest(others, 0));
  setenv("FAKE_DEVICES", "1", 1);
  const Verdict verdict = look_quickly();
  ASSERT_NE(verdict.provider, nullptr) << verdict.reason;
  const Table& table = *verdict.provider->table;
  ASSERT_NE(table.hiprtcGetCode, nullptr) << verdict.provider->detail;
  size_t bytes = 77;
  char text = 'a';
  EXPECT_EQ(table.hiprtcGetProgramLogSize(nullptr, &bytes), HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(table.hiprtcGetProgramLog(nullptr, &text), HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(table.hiprtcGetCodeSize(nullptr, &bytes), HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(table.hiprtcGetCode(nullptr, &text), HIPRTC_ERROR_INVALID_PROGRAM);
  const char* known[] = {"--offload-arch=gfx1151"};
  EXPECT_EQ(table.hiprtcCompileProgram(nullptr, 1, known), HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(bytes, 77u);
  EXPECT_EQ(text, 'a');
  const auto compiled = [&](std::vector<const char*> options) {
    static int source = 0;
    return table.hiprtcCompileProgram(reinterpret_cast<hiprtcProgram>(&source),
                                      static_cast<int>(options.size()), options.data());
  };
  for (const char* name : {"--offload-arch=", "--gpu-architecture="}) {
    const std::string right = std::string(name) + "gfx942";
    const std::string wrong = std::string(name) + "gfx9999";
    EXPECT_EQ(compiled({right.c_str()}), HIPRTC_SUCCESS) << name;
    EXPECT_EQ(compiled({wrong.c_str()}), HIPRTC_ERROR_INVALID_OPTION) << name;
    EXPECT_EQ(compiled({right.c_str(), wrong.c_str()}), HIPRTC_ERROR_INVALID_OPTION) << name;
    EXPECT_EQ(compiled({right.c_str(), nullptr}), HIPRTC_ERROR_INVALID_OPTION) << name;
  }
  EXPECT_EQ(compiled({"-O3"}), HIPRTC_ERROR_INVALID_OPTION) << "no architecture";
  // Each still goes to its own function.
  int number = 1;
  const auto program = reinterpret_cast<hiprtcProgram>(&number);
  EXPECT_EQ(table.hiprtcGetProgramLogSize(program, &bytes), HIPRTC_SUCCESS);
  EXPECT_EQ(bytes, 5u);
  EXPECT_EQ(table.hiprtcGetCodeSize(program, &bytes), HIPRTC_SUCCESS);
  EXPECT_EQ(bytes, 9u);
  EXPECT_EQ(table.hiprtcGetProgramLog(program, &text), HIPRTC_SUCCESS);
  EXPECT_EQ(text, 1);
  EXPECT_EQ(table.hiprtcGetCode(program, &text), HIPRTC_SUCCESS);
  EXPECT_EQ(text, 2);
}

// The library tells its solutions through functions with C++ names, which a release may lack.
TEST_F(DriverRocm, SolutionsAreAskedForByTheLibrarysOwnNames) {
  build("libindex.so",
        "int _ZN13hipblaslt_ext16getIndexFromAlgoER22_hipblasLtMatmulAlgo_t(int* algo) {\n"
        "  return *algo;\n}\n");
  void* library = dlopen((folder / "libindex.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const Solutions solutions = take_solutions(library);
  ASSERT_TRUE(solutions.index);
  hipblasLtMatmulAlgo_t algo{};
  algo.data[0] = 77;
  EXPECT_EQ(solutions.index(algo), 77);
  EXPECT_FALSE(solutions.name) << "it has no such function";
  dlclose(library);
}

}  // namespace
}  // namespace hiplab::driver::rocm_provider
