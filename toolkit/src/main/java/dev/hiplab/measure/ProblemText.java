package dev.hiplab.measure;

import dev.hiplab.DType;
import dev.hiplab.Gemm;
import dev.hiplab.HiplabException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the texts of {@link Problem#of(String)}. */
final class ProblemText {
  private static final String ALLOWED =
      "; write it row-major as \"bf16 1x4096x4096 NT\" (m x n x k, then the transposes; a batch in"
          + " front of m: 4x64x64x64), or column-major as \"bf16 TN [4096,1]x4096\" or \"f32 NN"
          + " 256x256x256\"";

  /** A batch or none, then {@code [m,n]xk}; without the brackets it is plain sizes. */
  private static final Pattern BRACKETS = Pattern.compile("(?:([^\\[x]+)x)?\\[(.+),(.+)]x(.+)");

  private ProblemText() {}

  static Problem read(String text) {
    if (text == null) {
      throw new HiplabException("the shape is null" + ALLOWED);
    }
    String[] words = text.strip().split("\\s+");
    if (words.length != 3) {
      throw wrong(
          text,
          "has "
              + words.length
              + (words.length == 1 ? " word" : " words")
              + " where three are needed");
    }
    DType dtype = dtype(text, words[0]);
    boolean columnMajor = transposes(words[1]);
    if (columnMajor == transposes(words[2])) {
      throw wrong(
          text,
          columnMajor
              ? "has transposes twice and no sizes"
              : "has no transposes: one of its last two words must be NN, NT, TN or TT");
    }
    return columnMajor
        ? columnMajor(text, dtype, words[1], words[2])
        : rowMajor(text, dtype, words[1], words[2]);
  }

  private static Problem rowMajor(String text, DType dtype, String sizes, String letters) {
    int[] all = sizes(text, sizes);
    Gemm spec = new Gemm(transposed(letters, 0), transposed(letters, 1), 1, 0);
    return new Problem(dtype, spec, all[0], all[1], all[2], all[3]);
  }

  /** The library's A is our B, so that its transposes change places, and so do m and n. */
  private static Problem columnMajor(String text, DType dtype, String letters, String sizes) {
    int[] all = sizes(text, sizes);
    Gemm spec = new Gemm(transposed(letters, 1), transposed(letters, 0), 1, 0);
    return new Problem(dtype, spec, all[0], all[2], all[1], all[3]);
  }

  private static DType dtype(String text, String word) {
    for (DType dtype : DType.values()) {
      if (dtype.toString().equalsIgnoreCase(word)) {
        return dtype;
      }
    }
    throw wrong(
        text, "has no element type '" + word + "'; there are " + Arrays.toString(DType.values()));
  }

  private static boolean transposes(String word) {
    return word.matches("[NTnt]{2}");
  }

  private static boolean transposed(String letters, int operand) {
    return Character.toUpperCase(letters.charAt(operand)) == 'T';
  }

  /** Batch, m, n, k as they are written. */
  private static int[] sizes(String text, String word) {
    List<String> parts = new ArrayList<>();
    Matcher brackets = BRACKETS.matcher(word);
    if (brackets.matches()) {
      for (int group = 1; group <= 4; group++) {
        parts.add(group == 1 && brackets.group(1) == null ? "1" : brackets.group(group));
      }
    } else {
      parts.addAll(List.of(word.split("x", -1)));
      if (parts.size() == 3) {
        parts.add(0, "1");
      }
    }
    if (parts.size() != 4) {
      throw wrong(text, "has sizes '" + word + "' that are not m, n and k, or a batch and those");
    }
    return parts.stream().mapToInt(part -> size(text, part)).toArray();
  }

  private static int size(String text, String part) {
    try {
      int size = part.matches("[0-9]+") ? Integer.parseInt(part) : 0;
      if (size > 0) {
        return size;
      }
    } catch (NumberFormatException tooLarge) {
      // said below
    }
    throw wrong(
        text, "has the size '" + part + "', which is no number from 1 to " + Integer.MAX_VALUE);
  }

  private static HiplabException wrong(String text, String what) {
    return new HiplabException("the shape '" + text + "' " + what + ALLOWED);
  }
}
