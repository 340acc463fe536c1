package dev.hiplab.rocm.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/** Tells JavaCPP how to read {@code raw/hiprtc.h}. */
@Properties(
    inherit = HipPreset.class,
    value = @Platform(value = "linux-x86_64", compiler = "cpp20", include = "raw/hiprtc.h"),
    target = "dev.hiplab.rocm",
    global = "dev.hiplab.rocm.HipRtc")
public class HiprtcPreset implements InfoMapper {
  @Override
  public void map(InfoMap infos) {
    Handles.map(infos, "_hiprtcProgram", "hiprtcProgram");
  }
}
