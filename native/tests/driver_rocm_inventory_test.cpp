// What is told of ROCm on a machine: kernels by file names, libraries, nodes, GPUs.
#include <sstream>

#include "driver/error.h"
#include "driver/rocm/inventory.h"
#include "driver/rocm/kernel_folder.h"
#include "rocm_box.h"

namespace hiplab::driver::rocm_provider {
namespace {

class DriverRocmInventory : public RocmBox {
 protected:
  std::map<std::string, std::string> ask(const std::string& part) {
    std::map<std::string, std::string> facts;
    std::istringstream lines(inventory(part, places));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t equals = line.find('=');
      EXPECT_NE(equals, std::string::npos) << line;
      facts[line.substr(0, equals)] = line.substr(equals + 1);
    }
    return facts;
  }
};

// Names as in Debian's librocblas4 6.4.4 and libhipblaslt1 7.1.1.
TEST_F(DriverRocmInventory, KernelsOfDebiansLayout) {
  const std::string type = "TensileLibrary_Type_SS_Contraction_l_Ailk_Bjlk_Cijk_Dijk_fallback";
  write("rocblas/4.4.1/library/TensileLibrary_lazy_gfx1100.dat", "");
  write("rocblas/4.4.1/library/TensileLibrary_lazy_gfx90a.dat", "");
  write("rocblas/4.4.1/library/" + type + "_gfx90a-xnack+.hsaco", "");
  write("rocblas/4.4.1/library/" + type + "_gfx90a-xnack-.hsaco", "");
  write("rocblas/4.4.1/library/" + type + ".dat", "");
  write("rocblas/4.4.1/library/Kernels.so-000-gfx803.hsaco", "");
  const KernelFolder rocblas = kernels_beside((folder / "librocblas.so.4.4").string(), "rocblas");
  EXPECT_EQ(rocblas.listed(), "gfx90a, gfx1100");
  EXPECT_EQ(rocblas.counts.at("gfx90a"), 3);
  EXPECT_TRUE(rocblas.lacks("gfx1151"));
  EXPECT_TRUE(rocblas.lacks("gfx803")) << "helper kernels are no GEMMs";
  EXPECT_FALSE(rocblas.lacks("gfx1100"));

  write("hipblaslt/library/TensileLibrary_lazy_gfx1151.dat", "");
  write("hipblaslt/library/TensileLiteLibrary_lazy_Mapping.dat", "");
  write("hipblaslt/library/extop_gfx906.co", "");
  const KernelFolder blaslt =
      kernels_beside((folder / "libhipblaslt.so.1.1").string(), "hipblaslt");
  EXPECT_EQ(blaslt.listed(), "gfx1151");
}

TEST_F(DriverRocmInventory, KernelsInAFolderForEachArchitecture) {
  write("rocblas/library/gfx950/TensileLibrary_lazy_gfx950.dat.zlib", "");
  write("rocblas/library/TensileLibrary_lazy_gfx1201.dat", "");
  EXPECT_EQ(kernels_beside((folder / "librocblas.so.5").string(), "rocblas").listed(),
            "gfx950, gfx1201");
}

TEST_F(DriverRocmInventory, KernelsWhereTheVariableSays) {
  write("elsewhere/TensileLibrary_lazy_gfx1151.dat", "");
  setenv("ROCBLAS_TENSILE_LIBPATH", (folder / "elsewhere").c_str(), 1);
  const KernelFolder kernels = kernels_beside((folder / "librocblas.so.5").string(), "rocblas");
  EXPECT_TRUE(kernels.from_variable);
  EXPECT_EQ(kernels.listed(), "gfx1151");
}

TEST_F(DriverRocmInventory, WithoutNamesNothingIsSaidToLack) {
  EXPECT_FALSE(kernels_beside((folder / "librocblas.so.5").string(), "rocblas").lacks("gfx1151"));
  write("rocblas/library/TensileLibrary.dat", "");
  const KernelFolder merged = kernels_beside((folder / "librocblas.so.5").string(), "rocblas");
  EXPECT_TRUE(merged.merged);
  EXPECT_FALSE(merged.lacks("gfx1151"));
  EXPECT_EQ(base_arch("gfx90a:sramecc+:xnack-"), "gfx90a");
}

TEST_F(DriverRocmInventory, TheMachine) {
  add_node();
  add_gpu(110501);
  add_render_node();
  write("pci/0000:c5:00.0/vendor", "0x1002\n");
  write("pci/0000:c5:00.0/class", "0x120000\n");
  auto facts = ask("machine");
  EXPECT_EQ(facts["kfd.there"], "1");
  EXPECT_EQ(facts["kfd.opens"], "1");
  EXPECT_EQ(facts.count("kfd.trouble"), 0u);
  EXPECT_EQ(facts["gpu.0.arch"], "gfx1151");
  EXPECT_EQ(facts["gpu.0.renderMinor"], "128");
  EXPECT_EQ(facts["topology.nodes"], "2");
  EXPECT_EQ(facts["render.0.path"], places.dri + "/renderD128");
  EXPECT_EQ(facts["pci.0.address"], "0000:c5:00.0");
}

TEST_F(DriverRocmInventory, ALibraryAndItsDevices) {
  build_hip();
  setenv("FAKE_DEVICES", "1", 1);
  auto facts = ask("hip");
  EXPECT_EQ(facts["hip.state"], "whole");
  EXPECT_EQ(facts["hip.fileVersion"], "6");
  EXPECT_EQ(facts["hip.devices"], "1");
  EXPECT_EQ(facts["device.0.arch"], "gfx1151");
  setenv("FAKE_DEVICES", "0", 1);
  facts = ask("hip");
  EXPECT_EQ(facts["hip.devices"], "0");
  EXPECT_EQ(facts["hip.countStatus"], "100");
}

TEST_F(DriverRocmInventory, StatesOfLibraries) {
  build("libhiprtc.so.6", "int hiprtcVersion() { return 0; }\n");
  EXPECT_EQ(ask("hiprtc")["hiprtc.state"], "lacking");
  EXPECT_NE(ask("hiprtc")["hiprtc.missing"].find("hiprtcCompileProgram"), std::string::npos);
  write("librocblas.so.0", "");
  EXPECT_EQ(ask("rocblas")["rocblas.state"], "old");
  write("libhipblaslt.so.1", "nothing\n");
  auto facts = ask("hipblaslt");
  EXPECT_EQ(facts["hipblaslt.state"], "broken");
  EXPECT_NE(facts["hipblaslt.trouble"].find("does not load"), std::string::npos);
  EXPECT_NE(facts["hipblaslt.step"], "");
  EXPECT_EQ(ask("hip")["hip.state"], "missing");
}

TEST_F(DriverRocmInventory, RocblasWithoutKernelsForADeviceIsLeftOut) {
  add_node();
  build_hip();
  std::vector<std::string> names{
#define HIPLAB_NAME(ret, name, params, args) #name,
      HIPLAB_ROCBLAS_FUNCTIONS(HIPLAB_NAME)
#undef HIPLAB_NAME
  };
  build("librocblas.so.4", rest(names, 1));
  write("rocblas/library/TensileLibrary_lazy_gfx90a.dat", "");
  setenv("FAKE_DEVICES", "1", 1);
  const Verdict verdict = look_quickly();
  ASSERT_NE(verdict.provider, nullptr) << verdict.reason;
  EXPECT_NE(verdict.provider->detail.find("rocblas has no kernels for gfx1151"), std::string::npos)
      << verdict.provider->detail;
  EXPECT_FALSE(verdict.provider->has_rocblas) << "it ends the process there (rocBLAS 1339)";
  write("rocblas/library/TensileLibrary_lazy_gfx1151.dat", "");
  const Verdict later = look_quickly();
  EXPECT_TRUE(later.provider->has_rocblas) << later.provider->detail;
}

TEST_F(DriverRocmInventory, AnUnknownPartIsRefused) {
  EXPECT_THROW(inventory("miopen", places), Error);
}

}  // namespace
}  // namespace hiplab::driver::rocm_provider
