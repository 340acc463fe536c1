package dev.hiplab.rocm.presets;

import org.bytedeco.javacpp.tools.Info;
import org.bytedeco.javacpp.tools.InfoMap;

/** How ROCm's opaque types become Java classes. */
final class Handles {
  private static final String NAMESPACE = "hiplab::rocm::";

  private Handles() {}

  /** {@code using handle = struct*}: the class has the handle's name, which callers write. */
  static void map(InfoMap infos, String struct, String handle) {
    infos
        .put(new Info(NAMESPACE + struct).javaNames(handle).pointerTypes(handle))
        .put(new Info(NAMESPACE + handle).valueTypes(handle).pointerTypes("@ByPtrPtr " + handle));
  }

  /** Texts: one overload each, so that {@code null} is a value for them. */
  static void texts(InfoMap infos) {
    infos
        .put(new Info("const char").valueTypes("@Cast(\"const char\") byte").pointerTypes("String"))
        .put(
            new Info("char")
                .valueTypes("@Cast(\"char\") byte")
                .pointerTypes("@Cast(\"char*\") BytePointer"));
  }

  /** The space between named fields is nobody's. */
  static void skip(InfoMap infos, String struct, String... fields) {
    for (String field : fields) {
      infos.put(new Info(NAMESPACE + struct + "::" + field).skip());
    }
  }
}
