package dev.hiplab.rocm.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/** Tells JavaCPP how to read {@code raw/hip.h}. */
@Properties(
    value =
        @Platform(
            value = "linux-x86_64",
            compiler = "cpp20",
            include = "raw/hip.h",
            link = "hiplab"),
    target = "dev.hiplab.rocm",
    global = "dev.hiplab.rocm.Hip")
public class HipPreset implements InfoMapper {
  @Override
  public void map(InfoMap infos) {
    Handles.texts(infos);
    Handles.map(infos, "ihipStream_t", "hipStream_t");
    Handles.map(infos, "ihipEvent_t", "hipEvent_t");
    Handles.map(infos, "ihipModule_t", "hipModule_t");
    Handles.map(infos, "ihipModuleSymbol_t", "hipFunction_t");
    Handles.map(infos, "ihipGraph", "hipGraph_t");
    Handles.map(infos, "hipGraphExec", "hipGraphExec_t");
    Handles.map(infos, "hipGraphNode", "hipGraphNode_t");
    for (int i = 0; i < 10; i++) {
      Handles.skip(infos, "hipDeviceProp_tR0600", "reserved" + i);
    }
  }
}
