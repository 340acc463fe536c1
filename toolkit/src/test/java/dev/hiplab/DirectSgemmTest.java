package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DirectSgemmTest {
  @BeforeAll
  static void load() {
    NativeLibrary.load();
  }

  private static FloatBuffer of(float... values) {
    return ByteBuffer.allocateDirect(4 * values.length)
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer()
        .put(values)
        .rewind();
  }

  private static float[] held(FloatBuffer buffer) {
    float[] values = new float[buffer.capacity()];
    buffer.duplicate().rewind().get(values);
    return values;
  }

  @Test
  void multipliesFromThePositionsOn() {
    FloatBuffer c = of(7, 7, 7).position(1);
    DirectSgemm.run(1, 2, 3, of(9, 1, 2, 3).position(1), of(1, 2, 3, 4, 5, 6), c);
    assertThat(held(c)).containsExactly(7, 22, 28);
  }

  @Test
  void aBufferThatIsTooShortIsNamed() {
    FloatBuffer six = of(1, 2, 3, 4, 5, 6);
    FloatBuffer c = of(7, 7);
    assertThatThrownBy(() -> DirectSgemm.run(1, 2, 3, six.duplicate().position(4), six, c))
        .isInstanceOf(HiplabException.class)
        .hasMessage(
            "cblas_sgemm: A [1, 3] needs sizes of at least 1 and 3 floats, its buffer holds 2");
    assertThatThrownBy(() -> DirectSgemm.run(1, 3, 3, six, six, c))
        .hasMessageContaining("B [3, 3]");
    assertThatThrownBy(() -> DirectSgemm.run(2, 3, 2, six, six, c))
        .hasMessageContaining("C [2, 3]");
    assertThatThrownBy(() -> DirectSgemm.run(1 << 16, 1, 1 << 16, six, six, c))
        .hasMessageContaining("needs sizes of at least 1 and 4294967296 floats");
    assertThatThrownBy(() -> DirectSgemm.run(0, 2, 3, six, six, c))
        .hasMessageContaining("A [0, 3]");
    assertThatThrownBy(() -> DirectSgemm.run(1, 2, 3, null, six, c)).hasMessageContaining("for A");
    assertThat(held(c)).containsExactly(7, 7);
  }

  /** What the native layer can check of a copy: the array's own length against the buffer. */
  @Test
  void aCopyOfMoreThanTheMatrixHoldsIsRefused() {
    try (Backend backend = HostBackend.open();
        Stream stream = backend.device(0).stream();
        Matrix matrix = backend.device(0).matrix(DType.F32, 1, 2, 3, 4)) {
      // Blocks are rounded up to 256 bytes by the driver; the buffer's own size is what counts.
      assertThatThrownBy(() -> stream.copyIn(matrix, new float[3]))
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining("copy to Matrix 1 [1, 2] f32");
      assertThatThrownBy(() -> matrix.read(3)).hasMessageContaining("copy from Matrix 1");
      assertThat(matrix.ints()).containsExactly(3, 4);
    }
  }
}
