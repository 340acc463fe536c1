#include "backend/device.h"

#include "backend/parts.h"

namespace hiplab::backend {

DeviceInfo device_info(const Table& api, int device) {
  hipDeviceProp_tR0600 properties{};
  HIPLAB_CHECK(api, Where{device}, hipGetDevicePropertiesR0600, &properties, device);
  return {properties.name, properties.gcnArchName, properties.totalGlobalMem,
          properties.multiProcessorCount, properties.warpSize};
}

Device::Device(const Context& context, Parts& parts, int index)
    : index_(index),
      info_(device_info(context.api(), index)),
      traits_(parts.traits(context, index, info_.arch)),
      rocblas_(parts.rocblas(context, index, info_.arch)),
      workspaces_(parts.workspaces(context, index)),
      blaslt_(parts.blaslt(context, index, *workspaces_)),
      capabilities_(parts.capabilities(context, index, *blaslt_)),
      algorithms_(parts.algorithms()),
      encoders_(parts.encoders(context, index, *workspaces_)),
      tracker_(parts.stream_tracker(context, *this)) {
  ++context.counters.handles_devices;
}

}  // namespace hiplab::backend
