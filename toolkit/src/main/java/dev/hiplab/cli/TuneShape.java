package dev.hiplab.cli;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A GEMM as a person types it, row-major: {@code bf16 64x64x2048 NT}, a batch before m. */
record TuneShape(DType dtype, Gemm spec, int batch, int m, int n, int k) {
  private static final Pattern TEXT =
      Pattern.compile("(\\w+) +(?:(\\d{1,9})x)?(\\d{1,9})x(\\d{1,9})x(\\d{1,9}) +([NTnt]{2})");

  /**
   * Reads one.
   *
   * @throws HiplabException naming the text and what is allowed
   */
  static TuneShape of(String text) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches()) {
      throw new HiplabException(
          "\""
              + text
              + "\" is no shape; allowed is TYPE [BATCHx]MxNxK TRANSPOSES such as"
              + " \"bf16 64x64x2048 NT\"");
    }
    return new TuneShape(
        dtype(text, parts.group(1)),
        spec(parts.group(6)),
        parts.group(2) == null ? 1 : Integer.parseInt(parts.group(2)),
        Integer.parseInt(parts.group(3)),
        Integer.parseInt(parts.group(4)),
        Integer.parseInt(parts.group(5)));
  }

  private static DType dtype(String text, String name) {
    return Arrays.stream(DType.values())
        .filter(type -> type.toString().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new HiplabException(
                    "\""
                        + text
                        + "\": there is no element type "
                        + name
                        + "; there are "
                        + Arrays.stream(DType.values())
                            .map(DType::toString)
                            .collect(Collectors.joining(", "))));
  }

  private static Gemm spec(String transposes) {
    String label = transposes.toUpperCase(Locale.ROOT);
    return Gemm.NN.withTransA(label.charAt(0) == 'T').withTransB(label.charAt(1) == 'T');
  }
}
