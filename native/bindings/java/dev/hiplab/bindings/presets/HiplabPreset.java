package dev.hiplab.bindings.presets;

import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;
import org.bytedeco.javacpp.tools.InfoMapper;

/**
 * Tells JavaCPP how to read {@code bindings/hiplab.h}: strings become {@link String} both ways.
 * (That a C++ exception becomes a {@code dev.hiplab.HiplabException} is done by {@code
 * cmake/exceptions.cmake}; that it keeps its failed call, by {@code java_exception.h}, which the
 * stubs include and the parser does not follow.)
 */
@Properties(
    value =
        @Platform(
            value = "linux-x86_64",
            compiler = "cpp20",
            include = "bindings/hiplab.h",
            link = "hiplab"),
    target = "dev.hiplab.bindings",
    global = "dev.hiplab.bindings.Native")
public class HiplabPreset implements InfoMapper {
  @Override
  public void map(InfoMap infos) {
    infos
        .put(
            new Info("std::string")
                .annotations("@StdString")
                .valueTypes("String")
                .pointerTypes("String"))
        // JavaCPP would call it _allocate, the name being taken in Pointer.
        .put(new Info("hiplab::bindings::allocate").javaNames("allocate"));
  }
}
