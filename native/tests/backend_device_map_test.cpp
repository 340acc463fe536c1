// The device map, on two devices (mlxcel 2197); and what else needs a second device.
#include <array>
#include <barrier>

#include "lab.h"

namespace hiplab::lab {
namespace {

const driver::Provider& two_devices() { return host("splitk", 2); }

const driver::Table* g_real = nullptr;
std::barrier<>* g_in_construction = nullptr;
std::promise<void>* g_first_inserted = nullptr;
thread_local bool t_inserts_second = false;
std::array<std::atomic<int>, 2> g_touched{};
std::atomic<int> g_created_on{-1};

// Read by Device's constructor: holds two threads there until both have come, then lets them insert
// one after the other. (At the same time they may also crash: the map is not locked.)
hipError_t slow_properties(hipDeviceProp_tR0600* properties, int device) {
  if (g_in_construction != nullptr) {
    g_in_construction->arrive_and_wait();
    if (t_inserts_second) g_first_inserted->get_future().wait();
  }
  return g_real->hipGetDevicePropertiesR0600(properties, device);
}

hipError_t watched_set_device(int device) {
  if (device >= 0 && device < 2) ++g_touched[static_cast<std::size_t>(device)];
  return g_real->hipSetDevice(device);
}

hipblasStatus_t noting_create(hipblasLtHandle_t* handle) {
  int current = -1;
  g_real->hipGetDevice(&current);
  g_created_on = current;
  return g_real->hipblasLtCreate(handle);
}

class DeviceMapForms : public ::testing::TestWithParam<Form> {
 protected:
  DeviceMapForms() { g_real = two_devices().table; }
};

// The handle belongs to the device that is current when it is created. As filed, that is whatever
// the calling thread has.
TEST_P(DeviceMapForms, HandleIsCreatedOnItsOwnDevice) {
  Patched patched(two_devices());
  patched.table.hipblasLtCreate = noting_create;
  const auto backend = open(patched.provider, GetParam());
  backend::Device& second = backend->device(1);
  ASSERT_EQ(g_real->hipSetDevice(0), hipSuccess);
  EXPECT_TRUE(second.blaslt().available());
  EXPECT_EQ(g_created_on, GetParam() == Form::fixed ? 1 : 0);
  int current = -1;
  ASSERT_EQ(g_real->hipGetDevice(&current), hipSuccess);
  EXPECT_EQ(current, 0) << "the former device is current again";
}

// A is inserting device 1 when B, who evaluates on device 0, looks its device up. As filed nothing
// keeps the two apart, which is undefined for an unordered_map; B's result is right all the same,
// as libstdc++ does not rehash at the second insert. So the output is a guard, and the window is
// what tells the forms apart.
TEST_P(DeviceMapForms, LookupDuringTheInsertOfAnotherDevice) {
  const auto backend = open(two_devices(), GetParam());
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::f32, false, false, 8, 8, 8, 1}, 4, 1);
  HoldAt hold("devicemap.create.begin");
  auto first = std::async(std::launch::async, [&] { return backend->device(1).index(); });
  hold.wait_until_held();
  auto second = std::async(std::launch::async, [&] { gemm.enqueue(); });
  let_second_thread_go(second, GetParam());
  const bool passed = second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  hold.release();
  EXPECT_EQ(first.get(), 1);
  second.get();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(passed, GetParam() == Form::filed) << "the fixed form's lock excludes this order";
}

// No check: HIP fails, nothing is inserted, the next call tries again.
TEST_P(DeviceMapForms, BadIndexInsertsNothing) {
  const auto backend = open(two_devices(), GetParam());
  for (const int index : {-1, 2}) {
    EXPECT_THROW(backend->device(index), Error);
    EXPECT_THROW(backend->device(index), Error);
  }
  EXPECT_EQ(backend->counters().at("handles.devices"), 0);
  EXPECT_EQ(backend->device(1).index(), 1);
}

HIPLAB_BOTH_FORMS(DeviceMapForms);

// Both threads missed the device and construct it. Only as filed can both be inside: a lock admits
// one, so this cannot be run on the fixed form.
TEST(DeviceMapFiled, TwoThreadsConstructOneDevice) {
  g_real = two_devices().table;
  Patched patched(two_devices());
  patched.table.hipGetDevicePropertiesR0600 = slow_properties;
  std::barrier<> both(2);
  std::promise<void> first_inserted;
  g_in_construction = &both;
  g_first_inserted = &first_inserted;
  const auto backend = open(patched.provider, Form::filed);
  auto first = std::async(std::launch::async, [&] {
    backend->device(0);
    first_inserted.set_value();
  });
  auto second = std::async(std::launch::async, [&] {
    t_inserts_second = true;
    backend->device(0);
  });
  first.get();
  second.get();
  g_in_construction = nullptr;
  EXPECT_EQ(backend->counters().at("handles.devices"), 2);
}

class DeviceMapFixed : public ::testing::Test {
 protected:
  DeviceMapFixed() { g_real = two_devices().table; }
};

TEST_F(DeviceMapFixed, EightThreadsOpenOneDeviceOfEachIndex) {
  const auto backend = open(two_devices(), Form::fixed);
  on_threads(8, [&](int t) {
    for (int round = 0; round < 16; ++round) {
      const auto stream = backend->stream(t % 2);
      IntegerGemm gemm(*backend, *stream, {ElementType::f32, false, false, 8, 8, 8, 1}, 4, t);
      gemm.enqueue();
      EXPECT_EQ(gemm.wrong(), 0);
    }
  });
  EXPECT_EQ(backend->counters().at("handles.devices"), 2);
  EXPECT_EQ(backend->counters().at("handles.rocblas"), 2);
}

TEST_F(DeviceMapFixed, SecondDeviceOpensWhileTheFirstComputes) {
  const auto backend = open(two_devices(), Form::fixed);
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(t == 0 ? 1 : 0);
    for (const ElementType type : {ElementType::f32, ElementType::bf16}) {
      IntegerGemm gemm(*backend, *stream, {type, false, true, 32, 32, 32, 1}, 2, t);
      gemm.enqueue();
      EXPECT_EQ(gemm.wrong(), 0);
    }
  });
  EXPECT_EQ(backend->counters().at("handles.devices"), 2);
}

// Which devices become current while only device 0 is asked for. EAGER, as upstream, touches all.
class DeviceMapTouched : public ::testing::TestWithParam<Form> {};

TEST_P(DeviceMapTouched, OnlyTheDeviceAskedFor) {
  g_real = two_devices().table;
  Patched patched(two_devices());
  patched.table.hipSetDevice = watched_set_device;
  g_touched[0] = g_touched[1] = 0;
  forms::FormChoice choice;
  choice.set("device-map", GetParam());
  const auto backend = std::make_unique<Backend>(patched.provider, forms::make_parts(choice));
  EXPECT_EQ(g_touched[0] + g_touched[1], 0) << "a backend opens no device of itself";
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::bf16, false, true, 32, 32, 32, 1}, 2, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  const bool touches_all = GetParam() == Form::eager;
  EXPECT_GT(g_touched[0], 0);
  EXPECT_EQ(g_touched[1] > 0, touches_all);
  EXPECT_EQ(backend->counters().at("handles.devices"), touches_all ? 2 : 1);
  backend->device(1);
  EXPECT_EQ(g_touched[1] > 0, true);
  EXPECT_EQ(backend->counters().at("handles.devices"), 2);
}

INSTANTIATE_TEST_SUITE_P(Fixed, DeviceMapTouched, ::testing::Values(Form::fixed), form_name);
INSTANTIATE_TEST_SUITE_P(Eager, DeviceMapTouched, ::testing::Values(Form::eager),
                         [](const auto&) { return "EAGER"; });

TEST_F(DeviceMapFixed, EagerDevicesAreMadeOnceByEightThreads) {
  forms::FormChoice choice;
  choice.set("device-map", Form::eager);
  const auto backend = std::make_unique<Backend>(two_devices(), forms::make_parts(choice));
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(t % 2);
    IntegerGemm gemm(*backend, *stream, {ElementType::f32, false, false, 8, 8, 8, 1}, 4, t);
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
  });
  EXPECT_EQ(backend->counters().at("handles.devices"), 2);
}

TEST_F(DeviceMapFixed, BadIndexIsAClearErrorAndInsertsNothing) {
  const auto backend = open(two_devices(), Form::fixed);
  for (const int index : {-1, 2, 1000}) {
    try {
      backend->device(index);
      ADD_FAILURE() << "opened " << index;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "device " + std::to_string(index) +
                                               " does not exist: provider host has 2 devices, "
                                               "allowed are 0 to 1");
    }
  }
  EXPECT_EQ(backend->counters().at("handles.devices"), 0);
  EXPECT_EQ(backend->device(1).index(), 1);
}

}  // namespace
}  // namespace hiplab::lab
