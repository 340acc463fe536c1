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
}
