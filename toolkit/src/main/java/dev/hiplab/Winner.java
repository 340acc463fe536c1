package dev.hiplab;

/**
 * The fastest candidate of one GEMM on one device: what a file of winners keeps. Immutable.
 *
 * @param dtype element type of A and B
 * @param spec the transposes; alpha is 1 and beta 0, whatever was given
 * @param batch matrices of each operand, at least 1
 * @param m rows of C
 * @param n columns of C
 * @param k length of the sums
 * @param on where it was tuned: what must be the same for the index to count
 * @param candidates how many the heuristic was asked for
 * @param capBytes the workspace cap that it was asked with
 * @param solution the library's index of the algorithm, at least 0
 * @param name the library's name of it; empty when it tells none
 * @param workspaceBytes scratch memory that the algorithm asks for
 * @param medianMs device time of one GEMM, milliseconds
 * @param hiplab version of the toolkit that measured it
 */
public record Winner(
    DType dtype,
    Gemm spec,
    int batch,
    int m,
    int n,
    int k,
    TunedOn on,
    int candidates,
    long capBytes,
    int solution,
    String name,
    long workspaceBytes,
    double medianMs,
    String hiplab) {
  public Winner {
    Require.given(dtype, "a winner", "an element type");
    Require.given(spec, "a winner", "a Gemm");
    Require.given(on, "a winner", "the place where it was tuned");
    Require.given(name, "a winner", "a name, empty when there is none");
    Require.given(hiplab, "a winner", "a version of the toolkit");
    atLeast("batch", batch, 1);
    atLeast("m", m, 1);
    atLeast("n", n, 1);
    atLeast("k", k, 1);
    within("candidates", candidates, 1, 1024);
    within("capBytes", capBytes, 0, TuneOptions.MOST_CAP);
    atLeast("solution", solution, 0);
    within("workspaceBytes", workspaceBytes, 0, capBytes);
    if (!(medianMs >= 0) || Double.isInfinite(medianMs)) {
      throw new HiplabException(
          "medianMs is " + medianMs + ", allowed are finite numbers of at least 0");
    }
    spec = spec.withAlpha(1).withBeta(0);
  }

  /** Such as {@code bf16 64x64x2048 NT}, as of {@link Candidate#shape}. */
  public String shape() {
    return new GemmShape(batch, m, n, k).label(dtype, spec);
  }

  /** What a file may hold once. */
  record Key(String shape, TunedOn on) {
    @Override
    public String toString() {
      return shape + " on " + on;
    }
  }

  Key key() {
    return new Key(shape(), on);
  }

  private static void atLeast(String what, long value, long least) {
    if (value < least) {
      throw new HiplabException(what + " is " + value + ", at least " + least + " is allowed");
    }
  }

  private static void within(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new HiplabException(what + " is " + value + ", allowed are " + least + " to " + most);
    }
  }

  /** Such as {@code bf16 64x64x2048 NT: solution 12, 0.0314 ms, on ...}. */
  @Override
  public String toString() {
    return shape() + ": solution " + solution + ", " + MillisText.of(medianMs) + " ms, on " + on;
  }
}
