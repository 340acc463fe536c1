package dev.hiplab.measure;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import java.util.List;

/**
 * The 15 shapes of mlxcel 2200: bf16 TN decode, prefill and MLP shapes from [4096,1]x4096 to
 * [11008,512]x4096 and K up to 1M, f32 NN up to 2048^3.
 *
 * <p>The source names the ends of the range; those in between are the projections of a model with
 * hidden size 4096 and MLP size 11008, for 1 (decode) and 64 to 512 tokens (prefill). TN as BLAS
 * counts it, [features, tokens] x K, is row-major tokens x features, A·Bᵀ.
 */
public final class SurveyShapes {
  private static final int HIDDEN = 4096;
  private static final int MLP = 11008;

  private static final List<Problem> ALL =
      List.of(
          // Decode: one token through attention, up and down projection.
          bf16(HIDDEN, 1, HIDDEN),
          bf16(MLP, 1, HIDDEN),
          bf16(HIDDEN, 1, MLP),
          // Prefill.
          bf16(HIDDEN, 64, HIDDEN),
          bf16(HIDDEN, 128, HIDDEN),
          bf16(HIDDEN, 512, HIDDEN),
          // The MLP of a prefill.
          bf16(MLP, 128, HIDDEN),
          bf16(MLP, 512, HIDDEN),
          bf16(HIDDEN, 512, MLP),
          // Long sums, where splitting K pays.
          bf16(64, 64, 1 << 12),
          bf16(64, 64, 1 << 16),
          bf16(64, 64, 1 << 20),
          f32(256),
          f32(1024),
          f32(2048));

  private SurveyShapes() {}

  /** In the order of the survey. */
  public static List<Problem> all() {
    return ALL;
  }

  private static Problem bf16(int features, int tokens, int k) {
    return Problem.of(DType.BF16, Gemm.NT, tokens, features, k);
  }

  private static Problem f32(int side) {
    return Problem.of(DType.F32, Gemm.NN, side, side, side);
  }
}
