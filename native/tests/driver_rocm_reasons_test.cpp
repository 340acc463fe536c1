// Why there is no AMD device: each reason is told apart, with one next step.
#include <cerrno>

#include "driver/rocm/device_node.h"
#include "driver/rocm/reasons.h"
#include "driver/rocm/topology.h"
#include "rocm_box.h"

namespace hiplab::driver::rocm_provider {
namespace {

using DriverRocmReasons = RocmBox;

// What both have to hold: what is wrong, and what to do.
void expect(const Reason& reason, const std::string& what, const std::string& step) {
  EXPECT_NE(reason.what.find(what), std::string::npos) << reason.text();
  EXPECT_NE(reason.step.find(step), std::string::npos) << reason.text();
}

TEST_F(DriverRocmReasons, NoNodeAndNoAmdGpu) {
  write("pci/0000:00:02.0/vendor", "0x8086\n");
  write("pci/0000:00:02.0/class", "0x030000\n");
  write("pci/0000:00:1f.0/vendor", "0x1002\n");
  write("pci/0000:00:1f.0/class", "0x040300\n");  // the sound device of a card
  const Reason reason = kfd_reason(places, Depth::thorough);
  expect(reason, "no AMD GPU on the PCI bus", "software device");
}

TEST_F(DriverRocmReasons, NoNodeAsTheDriverIsNotLoaded) {
  write("pci/0000:c5:00.0/vendor", "0x1002\n");
  write("pci/0000:c5:00.0/class", "0x030000\n");
  const Reason reason = kfd_reason(places, Depth::thorough);
  expect(reason, "0000:c5:00.0", "modprobe amdgpu");
}

TEST_F(DriverRocmReasons, NoNodeInAContainerOfAMachineThatHasOne) {
  add_gpu(110501);
  const Reason reason = kfd_reason(places, Depth::thorough);
  expect(reason, "this container was not given it", "--device=/dev/kfd");
}

TEST_F(DriverRocmReasons, WslHasAnotherNode) {
  write("dxg", "");
  EXPECT_FALSE(kfd_reason(places, Depth::thorough)) << kfd_reason(places, Depth::thorough).text();
}

DeviceNode refused(int error, unsigned mode) {
  DeviceNode node;
  node.path = "/dev/kfd";
  node.there = true;
  node.error = error;
  node.owner = "root";
  node.group = "render";
  node.group_named = true;
  node.mode = mode;
  return node;
}

TEST_F(DriverRocmReasons, NotInTheNodesGroup) {
  const Reason reason = refusal(refused(EACCES, 0660));
  expect(reason, "user " + user_name() + " is not in group render",
         "sudo usermod -aG render " + user_name());
  expect(reason, "owner root, group render, mode 0660", "log out and in again");
}

TEST_F(DriverRocmReasons, InTheGroupSinceTheLoginOnly) {
  DeviceNode node = refused(EACCES, 0660);
  node.member_later = true;
  const Reason reason = refusal(node);
  expect(reason, "session began before", "log out and in again");
  EXPECT_EQ(reason.step.find("usermod"), std::string::npos) << reason.text();
}

TEST_F(DriverRocmReasons, AGroupWithoutANameIsThatOfAContainersHost) {
  DeviceNode node = refused(EACCES, 0660);
  node.group = "992";
  node.group_named = false;
  expect(refusal(node), "group 992", "--group-add 992");
}

TEST_F(DriverRocmReasons, AModeThatGivesTheGroupNothing) {
  expect(refusal(refused(EACCES, 0600)), "mode 0600", "chmod 660 /dev/kfd");
}

TEST_F(DriverRocmReasons, DeviceRulesOfAContainer) {
  expect(refusal(refused(EPERM, 0666)), "device rules", "--device=/dev/kfd");
}

// The real thing, as whoever may not open it: root may open everything.
TEST_F(DriverRocmReasons, ARefusedNodeIsLookedAtAsTheUser) {
  add_node();
  ASSERT_EQ(chmod(places.kfd.c_str(), 0), 0);
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  const uid_t user = geteuid();
  if (user == 0) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const Verdict verdict = look_quickly();
  ASSERT_EQ(seteuid(user), 0);
  EXPECT_EQ(verdict.reason.rfind("no permission to open " + places.kfd, 0), 0u) << verdict.reason;
  EXPECT_NE(verdict.reason.find("mode 0000"), std::string::npos) << verdict.reason;
}

TEST_F(DriverRocmReasons, NoGpuInTheTopology) {
  add_node();
  write("topology/0/properties", "simd_count 0\n");
  expect(no_device_reason(places, "libamdhip64.so.6"), "has 1 node(s), none with SIMDs", "dmesg");
}

TEST_F(DriverRocmReasons, ANodeThatMayNotBeRead) {
  add_node();
  write("topology/0/properties", "simd_count 0\n");
  write("topology/1/properties", "");
  expect(no_device_reason(places, "libamdhip64.so.6"), "1 node(s)", "--device=/dev/dri");
}

TEST_F(DriverRocmReasons, HiddenByAVariable) {
  add_node();
  add_gpu(110501);
  add_render_node();
  setenv("HIP_VISIBLE_DEVICES", "-1", 1);
  expect(no_device_reason(places, "libamdhip64.so.6"), "hidden by HIP_VISIBLE_DEVICES=\"-1\"",
         "unset it");
  setenv("ROCR_VISIBLE_DEVICES", "", 1);
  expect(no_device_reason(places, "libamdhip64.so.6"), "ROCR_VISIBLE_DEVICES=\"\"", "unset it");
}

TEST_F(DriverRocmReasons, NoRenderNode) {
  add_node();
  add_gpu(110501);
  expect(no_device_reason(places, "libamdhip64.so.6"), "no render node in " + places.dri,
         "--device=/dev/dri");
}

TEST_F(DriverRocmReasons, AnArchitectureThatHipDoesNotTake) {
  add_node();
  add_gpu(110501);
  add_render_node();
  expect(no_device_reason(places, "/x/libamdhip64.so.6"),
         "topology has gfx1151, for which /x/libamdhip64.so.6 offers no device",
         "supports that architecture");
  setenv("HSA_OVERRIDE_GFX_VERSION", "9.9.9", 1);
  expect(no_device_reason(places, "/x/libamdhip64.so.6"), "HSA_OVERRIDE_GFX_VERSION=\"9.9.9\"",
         "supports that architecture");
}

TEST_F(DriverRocmReasons, TheReasonOfNoDeviceIsTheVerdicts) {
  add_node();
  add_gpu(90010);
  add_render_node();
  build_hip();
  setenv("FAKE_DEVICES", "0", 1);
  const Verdict verdict = look_quickly();
  EXPECT_NE(verdict.reason.find("HIP finds no device: the driver's topology has gfx90a"),
            std::string::npos)
      << verdict.reason;
}

TEST_F(DriverRocmReasons, AnOlderLibraryIsNamedAndNotLoaded) {
  add_node();
  write("lib/libamdhip64.so.5", "never to be loaded\n");
  const Loaded loaded = load(hip_library(), places.root);
  EXPECT_EQ(loaded.handle, nullptr);
  expect(library_reason(hip_library(), loaded), "only an older libamdhip64 is there",
         "install ROCm 6 or newer");
  expect(library_reason(hip_library(), loaded), "libamdhip64.so.5", "amdrocm-runtime");
}

TEST_F(DriverRocmReasons, AMissingDependencyIsNamed) {
  build("libhiplabgone.so.3", "int gone() { return 0; }\n");
  write("needs.c", "int gone(); int needs() { return gone(); }\n");
  const std::string command =
      "cd " + folder.string() +
      " && cc -shared -fPIC -o libamdhip64.so.6 needs.c -l:libhiplabgone.so.3 "
      "-L. && rm libhiplabgone.so.3";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Loaded loaded = load(hip_library(), places.root);
  const Reason reason = library_reason(hip_library(), loaded);
  expect(reason, "libamdhip64 is there and does not load (libhiplabgone.so.3: cannot open",
         "install the package that has libhiplabgone.so.3");
}

TEST_F(DriverRocmReasons, ALibraryOfANewerSystemIsToldWithTheLoadersWords) {
  Loaded loaded;
  loaded.words = "libc.so.6: version `GLIBC_2.38' not found (required by libamdhip64.so.6)";
  expect(library_reason(hip_library(), loaded), "GLIBC_2.38", "built for this system's release");
}

TEST_F(DriverRocmReasons, NumbersOfArchitectures) {
  EXPECT_EQ(arch_of_version(110501), "gfx1151");
  EXPECT_EQ(arch_of_version(120001), "gfx1201");
  EXPECT_EQ(arch_of_version(90402), "gfx942");
  EXPECT_EQ(arch_of_version(90010), "gfx90a");
  EXPECT_EQ(arch_of_version(0), "");
}

TEST_F(DriverRocmReasons, QuickStopsAtTheNodeWithoutLooking) {
  add_gpu(110501);
  EXPECT_EQ(look(places, Depth::quick).reason.find("container was not given"), std::string::npos);
  EXPECT_NE(look(places, Depth::thorough).reason.find("container was not given"),
            std::string::npos);
}

}  // namespace
}  // namespace hiplab::driver::rocm_provider
