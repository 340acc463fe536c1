package dev.hiplab.rocm.sdk.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * Tells JavaCPP how to read the HIP runtime's and hiprtc's headers, as a ROCm SDK installs them.
 */
@Properties(
    value =
        @Platform(
            value = "linux-x86_64",
            compiler = "cpp17",
            library = "jniRocmSdk",
            define = "__HIP_PLATFORM_AMD__",
            include = {
              "hiplab_sdk_first.h",
              "hip/linker_types.h",
              "hip/driver_types.h",
              "hip/texture_types.h",
              "hip/surface_types.h",
              "hip/hip_runtime_api.h",
              "hip/hiprtc.h"
            }),
    target = "dev.hiplab.rocm.sdk",
    global = "dev.hiplab.rocm.sdk.Hip")
public class HipPreset implements InfoMapper {
  // Declared by HIP 6.4 and exported by no library of it: a call would end the process.
  private static final String[] ABSENT = {
    "hipDeviceGetTexture1DLinearMaxWidth",
    "hipExternalMemoryGetMappedMipmappedArray",
    "hipGraphAddExternalSemaphoresSignalNode",
    "hipGraphAddExternalSemaphoresWaitNode",
    "hipGraphExecExternalSemaphoresSignalNodeSetParams",
    "hipGraphExecExternalSemaphoresWaitNodeSetParams",
    "hipGraphExternalSemaphoresSignalNodeGetParams",
    "hipGraphExternalSemaphoresSignalNodeSetParams",
    "hipGraphExternalSemaphoresWaitNodeGetParams",
    "hipGraphExternalSemaphoresWaitNodeSetParams"
  };

  @Override
  public void map(InfoMap infos) {
    // The C side of the headers: their C++ templates wrap the same functions. (The parser would
    // take both sides of a condition that it cannot decide.)
    infos
        .put(new Info("__cplusplus", "_WIN32", "__HIP_PLATFORM_NVIDIA__").define(false))
        .put(new Info("__HIP_PLATFORM_AMD__").define(true))
        // Declarations behind macros of the compiler's.
        .put(
            new Info(
                    "__HIP_NODISCARD",
                    "__dparm",
                    "DEPRECATED",
                    "HIP_PUBLIC_API",
                    "HIP_INTERNAL_EXPORTED_API")
                .cppTypes()
                .annotations())
        // Addresses and names of types, no constants.
        .put(
            new Info(
                    "HIP_LAUNCH_PARAM_BUFFER_POINTER",
                    "HIP_LAUNCH_PARAM_BUFFER_SIZE",
                    "HIP_LAUNCH_PARAM_END",
                    "hipStreamPerThread",
                    "hipStreamLegacy",
                    "hipKernelNodeAttrID",
                    "hipKernelNodeAttrValue",
                    "hiprtcJIT_option",
                    "hiprtcJITInputType")
                .skip());
    infos.put(new Info(ABSENT).skip());
    // HIP gives its newer struct and functions the older ones' names.
    for (String name :
        new String[] {"hipGetDeviceProperties", "hipDeviceProp_t", "hipChooseDevice"}) {
      infos.put(new Info(name).cppText("#define " + name + " " + name + "R0600"));
    }
    infos.put(new Info("hipDeviceProp_t").cppText("#define hipDeviceProp_t hipDeviceProp_tR0600"));
    for (String array : new String[] {"hipArray", "hipMipmappedArray"}) {
      infos.put(new Info(array + "_const_t").valueTypes("@Const " + array + "_t"));
    }
    // Used before it is declared.
    infos.put(
        new Info("hipMemoryType")
            .valueTypes("@Cast(\"hipMemoryType\") int")
            .pointerTypes("@Cast(\"hipMemoryType*\") IntPointer"));
    // Arrays of pointers to const, which the parser casts to something else.
    for (String act : new String[] {"Signal", "Wait"}) {
      String name = "hip" + act + "ExternalSemaphoresAsync";
      text(
          infos,
          name,
          "@Cast(\"const hipExternalSemaphore_t*\") PointerPointer semaphores, @Const"
              + " hipExternalSemaphore"
              + act
              + "Params parameters, @Cast(\"unsigned\") int count, hipStream_t stream");
    }
    text(
        infos,
        "hipStreamGetCaptureInfo_v2",
        "hipStream_t stream, @Cast(\"hipStreamCaptureStatus*\") int[] status, @Cast(\"unsigned long"
            + " long*\") long[] id, @Cast(\"hipGraph_t*\") @ByPtrPtr hipGraph_t graph,"
            + " @Cast(\"const hipGraphNode_t**\") PointerPointer dependencies, @Cast(\"size_t*\")"
            + " SizeTPointer count");
    // Its union has a member that C++ does not make by default.
    infos.put(new Info("hipGraphNodeParams").purify());
    handle(infos, "hipArray", "hipArray_t");
    handle(infos, "hipMipmappedArray", "hipMipmappedArray_t");
    handle(infos, "ihipCtx_t", "hipCtx_t");
    handle(infos, "ihipStream_t", "hipStream_t");
    handle(infos, "ihipModule_t", "hipModule_t");
    handle(infos, "ihipModuleSymbol_t", "hipFunction_t");
    handle(infos, "ihipLinkState_t", "hipLinkState_t");
    handle(infos, "ihipMemPoolHandle_t", "hipMemPool_t");
    handle(infos, "ihipEvent_t", "hipEvent_t");
    handle(infos, "ihipGraph", "hipGraph_t");
    handle(infos, "hipGraphNode", "hipGraphNode_t");
    handle(infos, "hipGraphExec", "hipGraphExec_t");
    handle(infos, "hipUserObject", "hipUserObject_t");
    handle(infos, "ihipMemGenericAllocationHandle", "hipMemGenericAllocationHandle_t");
    handle(infos, "ihiprtcLinkState", "hiprtcLinkState");
    handle(infos, "_hiprtcProgram", "hiprtcProgram");
    handle(infos, "__hip_surface", "hipSurfaceObject_t");
    handle(infos, "__hip_texture", "hipTextureObject_t");
  }

  private static void text(InfoMap infos, String name, String parameters) {
    infos.put(
        new Info(name)
            .javaText(
                "public static native @Cast(\"hipError_t\") int "
                    + name
                    + "("
                    + parameters
                    + ");"));
  }

  /** {@code typedef struct X* X_t}: the class has the handle's name. */
  static void handle(InfoMap infos, String struct, String handle) {
    String cast = "@Cast(\"" + handle + "*\") ";
    infos
        .put(new Info(struct).javaNames(handle).pointerTypes(handle))
        .put(
            new Info(handle)
                .valueTypes(handle)
                .pointerTypes(cast + "PointerPointer", cast + "@ByPtrPtr " + handle));
  }
}
