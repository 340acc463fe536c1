package dev.hiplab.rocm.sdk.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/** Tells JavaCPP how to read hipBLASLt's C header, as a ROCm SDK installs it. */
@Properties(
    inherit = HipPreset.class,
    value =
        @Platform(
            value = "linux-x86_64",
            compiler = "cpp17",
            library = "jniRocmSdk",
            include = {
              "hip/library_types.h",
              "hipblas-common/hipblas-common.h",
              "hipblaslt/hipblaslt.h"
            }),
    target = "dev.hiplab.rocm.sdk",
    global = "dev.hiplab.rocm.sdk.HipBlasLt")
public class HipBlasLtPreset implements InfoMapper {
  @Override
  public void map(InfoMap infos) {
    infos
        .put(new Info("HIPBLASLT_EXPORT", "HIPBLAS_EXPORT").cppTypes().annotations())
        // Casts and assertions, no constants.
        .put(
            new Info(
                    "HIPBLASLT_DATATYPE_INVALID",
                    "HIPBLASLT_COMPUTE_TYPE_INVALID",
                    "HIPBLASLT_OPERATION_INVALID",
                    "ROCBLASLT_COMPUTE_TYPE_INVALID",
                    "HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER_VEC_EXT",
                    "HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER_VEC_EXT")
                .cppTypes()
                .skip());
    for (String kind :
        new String[] {"MatrixTransformDesc", "MatmulDesc", "MatrixLayout", "MatmulPreference"}) {
      HipPreset.handle(infos, "hipblasLt" + kind + "Opaque_t", "hipblasLt" + kind + "_t");
    }
  }
}
