package dev.hiplab.rocm.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/** Tells JavaCPP how to read {@code raw/rocblas.h}. */
@Properties(
    inherit = HipPreset.class,
    value = @Platform(value = "linux-x86_64", compiler = "cpp20", include = "raw/rocblas.h"),
    target = "dev.hiplab.rocm",
    global = "dev.hiplab.rocm.RocBlas")
public class RocblasPreset implements InfoMapper {
  @Override
  public void map(InfoMap infos) {
    Handles.map(infos, "_rocblas_handle", "rocblas_handle");
    // No arrays of Java in the place of matrices: those lie on the device.
    infos
        .put(new Info("float").valueTypes("float").pointerTypes("FloatPointer"))
        .put(new Info("hiplab::rocm::rocblas_int").valueTypes("int").pointerTypes("IntPointer"))
        .put(
            new Info("hiplab::rocm::rocblas_stride")
                .valueTypes("long")
                .pointerTypes("LongPointer"));
  }
}
