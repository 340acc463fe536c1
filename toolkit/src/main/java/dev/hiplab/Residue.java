package dev.hiplab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How a device adds bf16 and f16 products, measured: the probes of mlxcel 2206, where gfx11 leaves
 * a residue beside sums whose exact value is zero. Nothing is read off the device's name.
 *
 * <p>Each probe is a GEMM of 64x64x64 ({@link Gemm#NT}) by the route that the backend takes for any
 * other: every row of A is one pattern, B is ones.
 *
 * @param device as it says of itself
 * @param rows a row a pattern, type after type
 */
public record Residue(String device, List<ResidueRow> rows) {
  /** How sums of one type are made, as far as the probes tell. */
  public enum Sums {
    /** Every probe is exact. */
    IEEE("IEEE"),
    /** Every probe has the error that it has on gfx11, also where that is none. */
    GFX11("gfx11"),
    /** Neither. */
    OTHER("other");

    private final String label;

    Sums(String label) {
      this.label = label;
    }

    @Override
    public String toString() {
      return label;
    }
  }

  public Residue {
    rows = List.copyOf(rows);
  }

  /**
   * Runs the probes in bf16 and f16, on a stream of their own, and waits for them. It allocates and
   * waits: HIP refuses that while another thread captures in global mode, or this one in any but
   * the relaxed, and that capture is spoilt.
   */
  public static Residue of(Device device) {
    return of(device, DType.BF16, DType.F16);
  }

  /**
   * Runs the probes in some types.
   *
   * @throws HiplabException when the device has no GEMM of such a type
   */
  public static Residue of(Device device, DType... types) {
    Require.given(device, "residue", "a device");
    if (Require.given(types, "residue", "element types").length == 0) {
      throw new HiplabException("residue needs at least one element type: bf16, f16 or both");
    }
    List<ResidueRow> rows = new ArrayList<>();
    try (Stream stream = device.stream()) {
      for (DType type : types) {
        rows.addAll(probe(device, stream, Require.given(type, "residue", "an element type")));
      }
    }
    return new Residue(device.toString(), rows);
  }

  /**
   * Runs them beside what else this process does, on a backend of its own that is closed again: all
   * parts FIXED, its driver calls neither counted nor made to fail, and silent on stderr. So that
   * what another backend counts stays as it is.
   *
   * @param options choose driver and device; of the rest nothing is taken
   */
  public static Residue beside(Options options, int device, DType... types) {
    Require.given(options, "residue", "options");
    try (Backend backend = Backend.openBeside(options)) {
      return of(backend.device(device), types);
    }
  }

  private static List<ResidueRow> probe(Device device, Stream stream, DType type) {
    int side = ResiduePattern.LENGTH;
    float[] ones = new float[side * side];
    Arrays.fill(ones, 1);
    List<ResidueRow> rows = new ArrayList<>();
    try (Matrix b = device.matrix(type, side, side, ones);
        Matrix c = device.empty(type.result(), side, side)) {
      for (ResiduePattern pattern : ResiduePattern.TABLE) {
        float[] values = new float[side * side];
        for (int i = 0; i < values.length; i++) {
          values[i] = pattern.at(i % side);
        }
        try (Matrix a = device.matrix(type, side, side, values)) {
          stream.poison(c);
          stream.gemm(Gemm.NT, a, b, c);
          stream.synchronize();
          rows.add(ResidueRow.of(type, pattern, c.floats()));
        }
      }
    }
    return rows;
  }

  /** The rows of A that are probed, in order, as {@link ResidueRow#pattern} writes them. */
  public static List<String> patterns() {
    return ResiduePattern.TABLE.stream().map(ResiduePattern::text).toList();
  }

  /** The types that were probed, in order. */
  public Set<DType> types() {
    Set<DType> types = new LinkedHashSet<>();
    rows.forEach(row -> types.add(row.type()));
    return types;
  }

  /** The rows of one type. */
  public List<ResidueRow> rows(DType type) {
    List<ResidueRow> of = rows.stream().filter(row -> row.type() == type).toList();
    if (of.isEmpty()) {
      throw new HiplabException(type + " was not probed; probed were " + types());
    }
    return of;
  }

  /** How sums of that type are made. */
  public Sums sums(DType type) {
    List<ResidueRow> of = rows(type);
    if (of.stream().allMatch(ResidueRow::isExact)) {
      return Sums.IEEE;
    }
    return of.stream().allMatch(ResidueRow::isLikeGfx11) ? Sums.GFX11 : Sums.OTHER;
  }

  /** Whether every probe of that type is exact. */
  public boolean addsIeee(DType type) {
    return sums(type) == Sums.IEEE;
  }

  /** A sentence a type. */
  public String text() {
    List<String> sentences = new ArrayList<>();
    for (DType type : types()) {
      List<ResidueRow> of = rows(type);
      long off = of.stream().filter(row -> !row.isExact()).count();
      sentences.add(
          type
              + ": "
              + switch (sums(type)) {
                case IEEE -> "all " + of.size() + " rows are exact, as IEEE sums are";
                case GFX11 ->
                    off
                        + " of "
                        + of.size()
                        + " rows leave a residue, each that of gfx11"
                        + " (mlxcel 2206)";
                case OTHER ->
                    off + " of " + of.size() + " rows are off, and not as on gfx11 (mlxcel 2206)";
              });
    }
    return String.join("; ", sentences);
  }

  @Override
  public String toString() {
    return "Residue of " + device + ": " + text();
  }
}
