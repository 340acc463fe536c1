package dev.hiplab.rocm;

import static org.assertj.core.api.Assertions.assertThat;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/** Raw calls of this JVM on the software device, whatever the machine has. */
final class HostRawCalls {
  private static final String DRIVER = "hiplab.driver";

  private HostRawCalls() {}

  /** The options are read once a process: the first call here decides, and leaves no property. */
  static String choose() {
    String before = System.getProperty(DRIVER);
    System.setProperty(DRIVER, "host");
    try {
      return RawCalls.describe();
    } finally {
      if (before == null) {
        System.clearProperty(DRIVER);
      } else {
        System.setProperty(DRIVER, before);
      }
    }
  }

  static Pointer upload(float... values) {
    Pointer memory = new Pointer();
    Check.hip("hipMalloc", Hip.hipMalloc(memory, 4L * values.length));
    try (FloatPointer host = new FloatPointer(values)) {
      Check.hip(
          "hipMemcpy", Hip.hipMemcpy(memory, host, 4L * values.length, Hip.hipMemcpyHostToDevice));
    }
    return memory;
  }

  static float[] download(Pointer memory, int count) {
    float[] values = new float[count];
    try (FloatPointer host = new FloatPointer(count)) {
      Check.hip("hipMemcpy", Hip.hipMemcpy(host, memory, 4L * count, Hip.hipMemcpyDeviceToHost));
      host.get(values);
    }
    return values;
  }

  static hipStream_t stream() {
    hipStream_t stream = new hipStream_t();
    Check.hip(Hip.hipStreamCreateWithFlags(stream, Hip.hipStreamNonBlocking));
    assertThat(stream.isNull()).isFalse();
    return stream;
  }
}
