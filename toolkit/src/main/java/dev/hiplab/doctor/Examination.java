package dev.hiplab.doctor;

import dev.hiplab.Backend;
import dev.hiplab.DType;
import dev.hiplab.Device;
import dev.hiplab.HiplabException;
import dev.hiplab.Inventory;
import dev.hiplab.Matrix;
import dev.hiplab.NativeLibrary;
import dev.hiplab.Options;
import dev.hiplab.Stream;
import dev.hiplab.race.ProbeChild;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The process that looks: it loads what may end it, one part after the other, and says which part
 * it is at, so that {@link Examiner} knows which one ended it.
 */
public final class Examination {
  /** In this order; natives belong to every process. */
  static final List<String> PARTS =
      List.of(
          "natives",
          "openblas",
          "compiler",
          "host",
          "kernel",
          "machine",
          "hip",
          "hiprtc",
          "rocblas",
          "hipblaslt",
          "verdict",
          "run");

  static final String BEGIN = "begin ";
  static final String FACT = "fact ";
  static final String DONE = "done ";

  private Examination() {}

  /** {@code args}: the token of the report, then the parts to look at. */
  public static void main(String[] args) {
    ProbeChild parent = new ProbeChild(args[0]);
    for (String part : List.of(args).subList(1, args.length)) {
      parent.say(BEGIN + part);
      try {
        if (part.equals("natives")) {
          NativeLibrary.prepareChild();
        }
        look(part).forEach((key, value) -> parent.say(FACT + key + "=" + value));
      } catch (HiplabException e) {
        parent.say(FACT + part + ".error=" + e.getMessage());
      } catch (Throwable e) {
        parent.say(FACT + part + ".error=" + e);
      }
      parent.say(DONE + part);
    }
    parent.end();
  }

  private static Map<String, String> look(String part) {
    return switch (part) {
      case "natives" -> under(part, Inventory.natives());
      case "openblas" -> under(part, Inventory.openblas());
      case "compiler" -> under(part, Inventory.compiler());
      case "host" -> run(part, Options.defaults().withDriver("host"));
      case "kernel" -> KernelTrial.run();
      // What a command without options would use.
      case "run" -> run(part, Options.defaults());
      default -> Inventory.rocm(part);
    };
  }

  private static Map<String, String> under(String part, Map<String, String> facts) {
    Map<String, String> all = new TreeMap<>();
    facts.forEach((key, value) -> all.put(part + "." + key, value));
    return all;
  }

  private static Map<String, String> run(String part, Options options) {
    try (Backend backend = Backend.open(options)) {
      Map<String, String> facts = under(part, backend.info());
      float got = multiply(backend.device(0));
      if (got != 11) {
        throw new HiplabException("1 * 3 + 2 * 4 came out as " + got + ", not as 11");
      }
      facts.put(part + ".gemm", "1");
      return facts;
    }
  }

  private static float multiply(Device device) {
    try (Stream stream = device.stream();
        Matrix a = device.matrix(DType.F32, 1, 2, 1, 2);
        Matrix b = device.matrix(DType.F32, 2, 1, 3, 4);
        Matrix c = stream.matmul(a, b)) {
      return c.get(0, 0);
    }
  }
}
