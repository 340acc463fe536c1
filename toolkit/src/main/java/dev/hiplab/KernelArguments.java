package dev.hiplab;

import dev.hiplab.bindings.ArgumentsRef;
import dev.hiplab.bindings.BufferRef;
import dev.hiplab.bindings.Native;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of one launch. Holds its matrices open until it is closed, and that is when the
 * launch is enqueued. For one thread.
 */
final class KernelArguments implements AutoCloseable {
  private final Stream stream;
  private final ArgumentsRef ref = Native.createArguments();
  private final List<Matrix> held = new ArrayList<>();

  /**
   * @param call for errors
   * @throws HiplabException naming the first argument that is of no type that a kernel can take, or
   *     is a matrix that is closed or on another device
   */
  KernelArguments(Stream stream, String call, Object[] values) {
    this.stream = stream;
    try {
      for (int i = 0; i < values.length; i++) {
        add(call, "argument " + (i + 1), values[i]);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void add(String call, String what, Object value) {
    if (value instanceof Matrix matrix) {
      stream.requireHere(call, what, matrix);
      BufferRef buffer = matrix.use();
      held.add(matrix);
      Native.addBuffer(ref, buffer);
    } else if (value instanceof Integer number) {
      Native.addInt(ref, number);
    } else if (value instanceof Long number) {
      Native.addLong(ref, number);
    } else if (value instanceof Float number) {
      Native.addFloat(ref, number);
    } else if (value instanceof Double number) {
      Native.addDouble(ref, number);
    } else {
      throw new HiplabException(
          call
              + " on stream "
              + stream.id()
              + ": "
              + what
              + " is "
              + (value == null ? "null" : "a " + value.getClass().getName())
              + "; a kernel takes Matrix, int, long, float and double");
    }
  }

  ArgumentsRef ref() {
    return ref;
  }

  /** Notes them as written by the stream: which a kernel only reads nobody knows. */
  void touch() {
    for (Matrix matrix : held) {
      stream.touches(matrix, true);
    }
  }

  @Override
  public void close() {
    held.forEach(Matrix::done);
    held.clear();
    Native.destroyArguments(ref);
  }
}
