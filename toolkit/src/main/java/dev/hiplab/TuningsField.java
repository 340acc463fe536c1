package dev.hiplab;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The fields of an entry in a file of winners, in their order there. */
enum TuningsField {
  TYPE("type", Kind.TEXT, one -> one.dtype().toString()),
  TRANSPOSES("transposes", Kind.TEXT, one -> one.spec().label()),
  BATCH("batch", Kind.WHOLE, Winner::batch),
  M("m", Kind.WHOLE, Winner::m),
  N("n", Kind.WHOLE, Winner::n),
  K("k", Kind.WHOLE, Winner::k),
  PROVIDER("driver", Kind.TEXT, one -> one.on().provider()),
  PROFILE("profile", Kind.TEXT, one -> one.on().profile()),
  ARCH("arch", Kind.TEXT, one -> one.on().arch()),
  DEVICE("device", Kind.TEXT, one -> one.on().device()),
  HIP("hip", Kind.TEXT, one -> one.on().hip()),
  HIPBLASLT("hipblaslt", Kind.TEXT, one -> one.on().hipblaslt()),
  CANDIDATES("candidates", Kind.WHOLE, Winner::candidates),
  CAP("capBytes", Kind.WHOLE, Winner::capBytes),
  SOLUTION("solution", Kind.WHOLE, Winner::solution),
  NAME("name", Kind.TEXT, Winner::name),
  WORKSPACE("workspaceBytes", Kind.WHOLE, Winner::workspaceBytes),
  MEDIAN("medianMs", Kind.NUMBER, Winner::medianMs),
  HIPLAB("hiplab", Kind.TEXT, Winner::hiplab);

  private enum Kind {
    TEXT("a text"),
    WHOLE("a whole number"),
    NUMBER("a number");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private final String key;
  private final Kind kind;
  private final Function<Winner, Object> value;

  TuningsField(String key, Kind kind, Function<Winner, Object> value) {
    this.key = key;
    this.kind = kind;
    this.value = value;
  }

  /** The field of that name. */
  static TuningsField of(String key) {
    return Arrays.stream(values())
        .filter(field -> field.key.equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new HiplabException(
                    "\""
                        + key
                        + "\" is unknown; allowed are "
                        + Arrays.stream(values())
                            .map(field -> field.key)
                            .collect(Collectors.joining(", "))));
  }

  /** Its value as text, which is of its kind. */
  String read(JsonReader json) throws IOException {
    JsonToken token = json.peek();
    boolean fits = token == (kind == Kind.TEXT ? JsonToken.STRING : JsonToken.NUMBER);
    if (!fits) {
      boolean scalar = token == JsonToken.STRING || token == JsonToken.NUMBER;
      String is = scalar ? "\"" + json.nextString() + "\"" : token.name().toLowerCase();
      throw new HiplabException("\"" + key + "\" is " + is + ", allowed is " + kind.words);
    }
    return json.nextString();
  }

  void write(JsonWriter json, Winner winner) throws IOException {
    Object written = value.apply(winner);
    json.name(key);
    if (written instanceof Number number) {
      json.value(number);
    } else {
      json.value((String) written);
    }
  }

  /** The winner that an entry's fields are. */
  static Winner winner(Map<String, String> values) {
    for (TuningsField field : values()) {
      if (!values.containsKey(field.key)) {
        throw new HiplabException("it has no \"" + field.key + "\"");
      }
    }
    return new Winner(
        oneOf(TYPE, values, DType.values()),
        oneOf(TRANSPOSES, values, Gemm.NN, Gemm.NT, Gemm.TN, Gemm.TT),
        BATCH.whole(values),
        M.whole(values),
        N.whole(values),
        K.whole(values),
        new TunedOn(
            values.get(PROVIDER.key),
            values.get(PROFILE.key),
            values.get(ARCH.key),
            values.get(DEVICE.key),
            values.get(HIP.key),
            values.get(HIPBLASLT.key)),
        CANDIDATES.whole(values),
        CAP.whole(values),
        SOLUTION.whole(values),
        values.get(NAME.key),
        WORKSPACE.whole(values),
        Double.parseDouble(values.get(MEDIAN.key)),
        values.get(HIPLAB.key));
  }

  private int whole(Map<String, String> values) {
    String text = values.get(key);
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new HiplabException(
          "\"" + key + "\" is " + text + ", allowed are whole numbers up to " + Integer.MAX_VALUE,
          e);
    }
  }

  @SafeVarargs
  private static <T> T oneOf(TuningsField field, Map<String, String> values, T... allowed) {
    String text = values.get(field.key);
    for (T one : allowed) {
      if (name(one).equals(text)) {
        return one;
      }
    }
    throw new HiplabException(
        "\""
            + field.key
            + "\" is \""
            + text
            + "\", allowed are "
            + Arrays.stream(allowed).map(TuningsField::name).collect(Collectors.joining(", ")));
  }

  private static String name(Object value) {
    return value instanceof Gemm gemm ? gemm.label() : value.toString();
  }
}
