package dev.hiplab.findings;

import dev.hiplab.Candidate;
import dev.hiplab.Device;
import dev.hiplab.Stream;
import dev.hiplab.measure.Problem;
import dev.hiplab.measure.SurveyShapes;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.SourcedScenario;
import dev.hiplab.scenario.Trial;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * mlxcel 2200, a property of the device: the workspaceSize that hipBLASLt's heuristic gives for 8
 * candidates of each of 15 shapes ({@link SurveyShapes}), with 32 MiB as the preference's cap.
 * gfx1151 asks for none, so that the races of a shared workspace never run there.
 *
 * <p>Counters, a shape each: {@code workspace.<shape>} the largest of its candidates in bytes,
 * {@code candidates.<shape>} how many there were; {@code bytes.<shape>#<i>} a candidate each. A
 * candidate above the cap is WRONG_RESULT.
 */
public final class SurveyWorkspace extends SourcedScenario {
  /** The scenario's id. */
  public static final String ID = "survey.workspace";

  /** Prefix of the counters that name a candidate, as {@code bytes.<shape>#<i>}. */
  public static final String BYTES = "bytes.";

  private static final int CANDIDATES = 8;
  private static final long CAP_BYTES = 32L << 20;
  private static final List<Problem> SHAPES = SurveyShapes.all();

  public SurveyWorkspace() {
    super(
        ID,
        "mlxcel 2200",
        "the workspace that hipBLASLt's candidates ask for",
        "Whether the shared-workspace races can run on a device shows in the workspaceSize of its"
            + " candidates; on gfx1151 it is 0 for 8 candidates of each of 15 shapes.");
  }

  @Override
  public List<Form> forms() {
    return List.of(
        new Form("DEVICE", Map.of(), Set.of(Outcome.EXACT, Outcome.WITHIN_BOUND), Set.of()));
  }

  /** Place of a shape in the survey, by its text; after all others for one that is not in it. */
  public static int place(String shape) {
    int place = SHAPES.stream().map(Problem::blasText).toList().indexOf(shape);
    return place < 0 ? SHAPES.size() : place;
  }

  private static List<Candidate> offered(Stream stream, Problem shape) {
    return stream.heuristics(
        shape.spec(), shape.dtype(), 1, shape.m(), shape.n(), shape.k(), CANDIDATES, CAP_BYTES);
  }

  @Override
  public Finding run(Trial trial) {
    Device device = trial.backend().device(0);
    Map<String, Long> counters = new TreeMap<>();
    long asked = 0;
    long asking = 0;
    long most = -1;
    String where = "";
    try (Stream stream = device.stream()) {
      for (Problem shape : SHAPES) {
        List<Candidate> offered = offered(stream, shape);
        long bytes = 0;
        for (Candidate candidate : offered) {
          bytes = Math.max(bytes, candidate.workspaceBytes());
          counters.put(
              BYTES + shape.blasText() + "#" + candidate.index(), candidate.workspaceBytes());
        }
        counters.put("candidates." + shape.blasText(), (long) offered.size());
        counters.put("workspace." + shape.blasText(), bytes);
        asked += offered.size();
        asking += bytes > 0 ? 1 : 0;
        if (bytes > most) {
          most = bytes;
          where = shape.blasText();
        }
      }
    }
    counters.put("shapes", (long) SHAPES.size());
    counters.put("shapes.asking", asking);
    counters.putAll(trial.backend().counters());
    if (asked == 0) {
      return Finding.notApplicable("hipBLASLt offers no candidate of any shape", counters);
    }
    String detail =
        asking == 0
            ? "no candidate of "
                + SHAPES.size()
                + " shapes asks for workspace ("
                + asked
                + " asked)"
            : asking
                + " of "
                + SHAPES.size()
                + " shapes have candidates that ask for workspace, the largest "
                + where
                + " for "
                + most
                + " bytes";
    Outcome outcome = most > CAP_BYTES ? Outcome.WRONG_RESULT : Outcome.EXACT;
    return new Finding(outcome, detail, counters, Double.NaN);
  }
}
