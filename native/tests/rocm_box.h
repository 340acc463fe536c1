// A machine for tests of the provider rocm: device nodes, topology and libraries in a folder.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "driver/rocm/rocm_provider.h"

namespace hiplab::driver::rocm_provider {

namespace fs = std::filesystem;

// A folder with libraries built from C source on the spot.
class RocmBox : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "hiplab-rocm-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    places.root = folder.string();
    places.kfd = (folder / "kfd").string();
    places.dxg = (folder / "dxg").string();
    places.dri = (folder / "dri").string();
    places.topology = (folder / "topology").string();
    places.pci = (folder / "pci").string();
    for (const char* name : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                             "GPU_DEVICE_ORDINAL", "HSA_OVERRIDE_GFX_VERSION",
                             "ROCBLAS_TENSILE_LIBPATH", "HIPBLASLT_TENSILE_LIBPATH"}) {
      unsetenv(name);
    }
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((folder / file).parent_path());
    std::ofstream(folder / file) << text;
  }

  void add_node() { write("kfd", ""); }
  void add_render_node() { write("dri/renderD128", ""); }

  // A topology with one processor and one GPU of that number.
  void add_gpu(long gfx_target_version) {
    write("topology/0/properties", "cpu_cores_count 16\nsimd_count 0\n");
    write("topology/1/properties",
          "simd_count 80\ndrm_render_minor 128\nunique_id 18446744073709551615\n"
          "gfx_target_version " +
              std::to_string(gfx_target_version) + "\n");
  }

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

}  // namespace hiplab::driver::rocm_provider
