package dev.hiplab.rocm.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/** Tells JavaCPP how to read {@code raw/hipblaslt.h}. */
@Properties(
    inherit = HipPreset.class,
    value = @Platform(value = "linux-x86_64", compiler = "cpp20", include = "raw/hipblaslt.h"),
    target = "dev.hiplab.rocm",
    global = "dev.hiplab.rocm.HipBlasLt")
public class HipblasltPreset implements InfoMapper {
  @Override
  public void map(InfoMap infos) {
    Handles.map(infos, "hipblasLtMatmulDescOpaque_t", "hipblasLtMatmulDesc_t");
    Handles.map(infos, "hipblasLtMatrixLayoutOpaque_t", "hipblasLtMatrixLayout_t");
    Handles.map(infos, "hipblasLtMatmulPreferenceOpaque_t", "hipblasLtMatmulPreference_t");
    Handles.skip(infos, "hipblasLtMatmulHeuristicResult_t", "reserved");
  }
}
