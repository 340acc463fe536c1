package dev.hiplab;

/** Arguments that were left out, said in a sentence instead of a NullPointerException. */
final class Require {
  private Require() {}

  /**
   * The value, which must not be null. The sentence is put together only when it is: this is called
   * in every child process and before every GEMM.
   *
   * @param call name of the call that needs it
   * @param what what it needs, with an article
   */
  static <T> T given(T value, String call, String what) {
    if (value == null) {
      throw new HiplabException(call + " needs " + what + ", not null");
    }
    return value;
  }

  /**
   * The text, which must hold no NUL: the native layer would read up to it only, and so something
   * else than was written.
   */
  static String noNul(String text, String call, String what) {
    int at = text.indexOf('\0');
    if (at >= 0) {
      throw new HiplabException(
          call + ": " + what + " holds a NUL character at index " + at + "; leave it out");
    }
    return text;
  }
}
