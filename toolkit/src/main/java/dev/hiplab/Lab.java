package dev.hiplab;

import dev.hiplab.findings.Scenarios;
import dev.hiplab.measure.Problem;
import dev.hiplab.measure.Survey;
import dev.hiplab.measure.SurveyBuilder;
import dev.hiplab.measure.Timing;
import dev.hiplab.measure.TimingBuilder;
import dev.hiplab.measure.Work;
import dev.hiplab.race.Campaign;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.Commands;
import dev.hiplab.race.CommandsBuilder;
import dev.hiplab.race.InProcess;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CandidateTable;
import dev.hiplab.report.Conclusion;
import dev.hiplab.report.MeasureProgress;
import dev.hiplab.report.OutFolder;
import dev.hiplab.report.Progress;
import dev.hiplab.report.Show;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/**
 * The door for notebooks and jshell: {@code import static dev.hiplab.Lab.*}. Everything here works
 * on the process's default backend ({@link Backend#shared()}), which -Dhiplab.driver,
 * -Dhiplab.profile and the HIPLAB_* environment choose. The one class of this package that calls
 * the layers above it.
 */
public final class Lab {
  /** IEEE single precision. */
  public static final DType f32 = DType.F32;

  /** IEEE half precision. */
  public static final DType f16 = DType.F16;

  /** The upper half of an f32. */
  public static final DType bf16 = DType.BF16;

  /** E4M3, for inputs of {@code Gemm.NT} with a bf16 result. */
  public static final DType f8 = DType.F8;

  /** Workspace that a heuristic may ask for unless another cap is given: the backend's own. */
  private static final long WORKSPACE_CAP = 32L << 20;

  private static final int CANDIDATES = 8;
  private static final int RUNS = 10;

  static {
    // So that a device or a matrix as a cell's last expression renders richly.
    Show.install();
  }

  private Lab() {}

  /** Device 0. */
  public static Device device() {
    return device(0);
  }

  public static Device device(int index) {
    return Backend.shared().device(index);
  }

  public static List<Device> devices() {
    return Backend.shared().devices();
  }

  /** An f32 matrix of these rows on device 0. */
  public static Matrix matrix(float[][] rows) {
    return matrix(f32, rows);
  }

  /** A matrix of these rows on device 0, rounded to the element type. */
  public static Matrix matrix(DType dtype, float[][] rows) {
    Require.given(dtype, "matrix", "an element type");
    Require.given(rows, "matrix", "an array of rows");
    requireRows(rows.length, rows.length == 0 ? 0 : row(rows[0]).length);
    int cols = rows[0].length;
    float[] values = new float[rows.length * cols];
    for (int r = 0; r < rows.length; r++) {
      requireLength(r, row(rows[r]).length, cols);
      System.arraycopy(rows[r], 0, values, r * cols, cols);
    }
    return device().matrix(dtype, rows.length, cols, values);
  }

  /** An f32 matrix of these integers on device 0. */
  public static Matrix matrix(int[][] rows) {
    return matrix(f32, rows);
  }

  /**
   * A matrix of these integers on device 0.
   *
   * @throws HiplabException for an integer that the element type cannot hold exactly
   */
  public static Matrix matrix(DType dtype, int[][] rows) {
    Require.given(dtype, "matrix", "an element type");
    Require.given(rows, "matrix", "an array of rows");
    float[][] values = new float[rows.length][];
    for (int r = 0; r < rows.length; r++) {
      values[r] = new float[row(rows[r]).length];
      for (int c = 0; c < rows[r].length; c++) {
        requireExact(dtype, rows[r][c]);
        values[r][c] = rows[r][c];
      }
    }
    return matrix(dtype, values);
  }

  /** An f32 matrix of these values, row-major, on device 0. */
  public static Matrix matrix(int rows, int cols, float... values) {
    return device().matrix(f32, rows, cols, values);
  }

  /** A matrix of these values, row-major, on device 0, rounded to the element type. */
  public static Matrix matrix(DType dtype, int rows, int cols, float... values) {
    return device().matrix(dtype, rows, cols, values);
  }

  /** An f32 matrix of random integers in lo..hi (both included) on device 0. */
  public static Matrix randomInts(int rows, int cols, int lo, int hi, long seed) {
    return randomInts(f32, rows, cols, lo, hi, seed);
  }

  /** The same for any element type that holds lo and hi exactly. One seed, one matrix. */
  public static Matrix randomInts(DType dtype, int rows, int cols, int lo, int hi, long seed) {
    if (lo > hi) {
      throw new HiplabException("randomInts needs lo <= hi, not " + lo + " and " + hi);
    }
    Require.given(dtype, "randomInts", "an element type");
    requireExact(dtype, lo);
    requireExact(dtype, hi);
    float[] values = new float[(int) Matrix.count(1, rows, cols)];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(lo, hi + 1);
    }
    return device().matrix(dtype, rows, cols, values);
  }

  /** Runs a scenario's forms in {@value #RUNS} fresh processes each; see {@link #reproduce}. */
  public static CampaignResult reproduce(String scenario) {
    return reproduce(scenario, RUNS);
  }

  /**
   * Runs a scenario's forms, in turn and in every way that it has, each in fresh processes on the
   * driver and profile of this process's options. Shows the progress; every run is on the disk
   * before the next starts.
   *
   * @param scenario an id such as {@code rocblas.first-gemm}, the number of an issue, or {@code
   *     all}
   * @param runs processes of each form, at least 1
   * @throws HiplabException for an unknown scenario, naming those there are
   */
  public static CampaignResult reproduce(String scenario, int runs) {
    return reproduce(scenario, runs, new String[0]);
  }

  /**
   * The same in some ways only.
   *
   * @param ways {@code natural}, {@code delayed}, {@code forced} or the label of one interleaving
   */
  public static CampaignResult reproduce(String scenario, int runs, String... ways) {
    Require.given(scenario, "reproduce", "the id of a scenario such as scenarios() lists");
    return campaign(scenario).ways(ways).runs(runs).run();
  }

  /**
   * The same for a scenario of the caller's own: the Java source of one class that implements
   * {@link Scenario}, compiled and run in fresh processes like a built-in one.
   *
   * @param source such as a text block in a cell; see {@code docs/own-scenarios.md}
   * @throws HiplabException with the compiler's words when it does not compile
   */
  public static CampaignResult reproduceSource(String source, int runs) {
    Require.given(source, "reproduceSource", "the Java source of a scenario");
    return here(Campaign.ofSource(source), "own").runs(runs).run();
  }

  /**
   * A campaign to be told more, such as {@code campaign("2200").profile("splitk").forms("FILED",
   * "FIXED").runs(20).run()}: on the device of this process's options, with its progress shown, in
   * a new folder.
   *
   * @param scenarios at least one, each as of {@link #reproduce(String, int)}
   */
  public static Campaign.Builder campaign(String... scenarios) {
    for (String scenario : Require.given(scenarios, "campaign", "ids of scenarios")) {
      Require.given(scenario, "campaign", "the id of a scenario such as scenarios() lists");
    }
    String first = scenarios.length == 0 ? "none" : scenarios[0];
    return here(Campaign.of(scenarios), first.replaceAll("[^A-Za-z0-9]+", "-"));
  }

  private static Campaign.Builder here(Campaign.Builder campaign, String folder) {
    Options options = Options.defaults();
    return campaign
        .driver(options.driver())
        .profile(options.profile())
        .hostDevices(options.hostDevices())
        .out(OutFolder.fresh(folder))
        .listener(Progress.live());
  }

  /**
   * The same for any command, such as the test of a project under review, each arm in turn.
   *
   * @param command for {@code sh -c}, in the folder of this process unless its arm says another
   * @param runs of each arm, at least 1
   * @param arms such as {@code "fixed:expect=pass"} and {@code "reverted:dir=../old,expect=fail"};
   *     one that is named COMMAND when none is given. {@link Commands} has patterns for what it
   *     prints
   */
  public static CampaignResult reproduceCommand(String command, int runs, String... arms) {
    Require.given(command, "reproduceCommand", "a command for the shell");
    CommandsBuilder builder = Commands.of(command).runs(runs);
    for (String arm : Require.given(arms, "reproduceCommand", "arms, or none")) {
      builder.arm(Require.given(arm, "reproduceCommand", "the text of an arm"));
    }
    return builder.out(OutFolder.fresh("command")).listener(Progress.live()).run();
  }

  /**
   * Runs a workload in this process, on a backend of its own for each run; see {@link InProcess}
   * for what that cannot show.
   *
   * @param id names it in tables
   * @param runs of each form
   * @param forms FIXED alone when none is given
   */
  public static CampaignResult race(
      String id, int runs, InProcess.Workload workload, Form... forms) {
    Require.given(id, "race", "a name");
    Require.given(workload, "race", "a workload");
    return InProcess.run(
        id, List.of(forms), runs, Options.defaults(), OutFolder.fresh("in-process"), workload);
  }

  /** The scenarios that {@link #reproduce} knows. */
  public static Table scenarios() {
    StringColumn ids = StringColumn.create("scenario");
    StringColumn sources = StringColumn.create("source");
    StringColumn titles = StringColumn.create("title");
    for (Scenario scenario : Scenarios.all()) {
      ids.append(scenario.id());
      sources.append(scenario.source());
      titles.append(scenario.title());
    }
    return Table.create("scenarios", ids, sources, titles);
  }

  /** The runs of several campaigns, for one table or plot over all of them. */
  public static List<RunRecord> records(CampaignResult... results) {
    List<RunRecord> records = new ArrayList<>();
    for (CampaignResult result : Require.given(results, "records", "results of campaigns")) {
      records.addAll(Require.given(result, "records", "the result of a campaign").records());
    }
    return List.copyOf(records);
  }

  /**
   * Prints what the runs come to, a sentence for each scenario and profile; computed from their
   * outcomes alone.
   */
  public static void conclude(CampaignResult... results) {
    Conclusion.of(records(results)).forEach(System.out::println);
    for (CampaignResult result : results) {
      if (!result.complete()) {
        System.out.println(
            "(" + result.records().size() + " of " + result.planned() + " runs were done)");
      }
    }
  }

  /** Shows values as well as the front end can: campaigns, tables, charts, devices, matrices. */
  public static void show(Object... values) {
    Show.show(values);
  }

  /**
   * What hipBLASLt's heuristic offers on device 0 for a GEMM of these sizes: up to 8 candidates
   * under a cap of 32 MiB. C is m x n, the sum runs over k.
   */
  public static List<Candidate> heuristics(Gemm spec, DType dtype, int m, int n, int k) {
    try (Stream stream = device().stream()) {
      return stream.heuristics(spec, dtype, 1, m, n, k, CANDIDATES, WORKSPACE_CAP);
    }
  }

  /**
   * Tunes a GEMM without a batch on device 0 in bounded time, with {@link TuneOptions#DEFAULTS}; as
   * {@link Gemm#tune(Device, DType, int, int, int)}.
   */
  public static TuneResult tune(Gemm spec, DType dtype, int m, int n, int k) {
    return tune(spec, dtype, m, n, k, TuneOptions.DEFAULTS);
  }

  /** The same with options. */
  public static TuneResult tune(Gemm spec, DType dtype, int m, int n, int k, TuneOptions options) {
    return Require.given(spec, "tune", "a Gemm").tune(device(), dtype, m, n, k, options);
  }

  /**
   * Tunes a GEMM by its text on device 0, with {@link TuneOptions#DEFAULTS}.
   *
   * @param shape such as {@code bf16 64x64x2048 NT}, a batch before m; as of {@link #survey}
   */
  public static TuneResult tune(String shape) {
    return tune(shape, TuneOptions.DEFAULTS);
  }

  /** The same with options; the batch is the text's. */
  public static TuneResult tune(String shape, TuneOptions options) {
    Problem one =
        Problem.of(
            Require.given(shape, "tune", "the text of a shape such as \"bf16 64x64x2048 NT\""));
    return tune(
        one.spec(),
        one.dtype(),
        one.m(),
        one.n(),
        one.k(),
        Require.given(options, "tune", "options").withBatch(one.batch()));
  }

  /** A row a shape: how many candidates there are, and how much workspace they ask for. */
  @SafeVarargs
  public static Table workspaces(List<Candidate>... offered) {
    Require.given(offered, "workspaces", "lists of candidates");
    List<Candidate> all = new ArrayList<>();
    for (List<Candidate> list : offered) {
      all.addAll(Require.given(list, "workspaces", "a list of candidates"));
    }
    return CandidateTable.byShape(all);
  }

  /** How device 0 adds bf16 and f16 products: the probes of mlxcel 2206. */
  public static Residue residue() {
    return residue(device());
  }

  /** The same of any device; see {@link Residue}. */
  public static Residue residue(Device device) {
    return Residue.of(device);
  }

  /**
   * Surveys hipBLASLt's candidates of these shapes on device 0: workspace, time and correctness of
   * up to 8 each under a cap of 32 MiB, into a new folder. Shows the progress.
   *
   * @param shapes such as {@code bf16 64x64x2048 NT}; the 15 of mlxcel 2200 when none is given
   */
  public static Survey survey(String... shapes) {
    return surveying(shapes).run();
  }

  /**
   * A survey to be told more, such as {@code surveying("f32 256x256x256 NN").candidates(4).run()};
   * {@link SurveyBuilder} says what.
   */
  public static SurveyBuilder surveying(String... shapes) {
    for (String shape : Require.given(shapes, "surveying", "texts of shapes, or none")) {
      Require.given(shape, "surveying", "the text of a shape such as \"bf16 64x64x2048 NT\"");
    }
    return Survey.on(device())
        .shapes(shapes)
        .out(OutFolder.fresh("survey"))
        .listener(MeasureProgress.live());
  }

  /**
   * Times what a lambda enqueues on a stream of device 0, such as {@code time("gemm", s ->
   * s.gemm(Gemm.NN, a, b, c))}: 100 times after 5 that do not count. {@link #timing} takes more
   * than one.
   */
  public static Timing time(String name, Work work) {
    return timing().arm(name, work).run();
  }

  /** The same for a GEMM on matrices. */
  public static Timing time(String name, Gemm spec, Matrix a, Matrix b, Matrix c) {
    return timing().arm(name, spec, a, b, c).run();
  }

  /**
   * A timing of several arms in turn on device 0, such as {@code timing().arm("a", s ->
   * ...).arm("b", s -> ...).repetitions(200).run()}. Shows the progress of a long one.
   */
  public static TimingBuilder timing() {
    return Timing.on(device()).listener(MeasureProgress.live());
  }

  /** Objects that became unreachable unclosed and were freed since. */
  public static long forgotten() {
    return Backend.shared().forgotten();
  }

  private static <T> T row(T row) {
    return Require.given(row, "matrix", "an array for every row");
  }

  private static void requireRows(int rows, int cols) {
    if (rows == 0 || cols == 0) {
      throw new HiplabException("matrix needs at least one row and one column");
    }
  }

  private static void requireLength(int row, int length, int cols) {
    if (length != cols) {
      throw new HiplabException(
          "matrix needs rows of one length: row 0 has "
              + cols
              + " values, row "
              + row
              + " has "
              + length);
    }
  }

  private static void requireExact(DType dtype, int value) {
    if (value > dtype.exactInts() || value < -dtype.exactInts()) {
      throw new HiplabException(
          dtype
              + " holds integers exactly up to "
              + dtype.exactInts()
              + " only, not "
              + value
              + "; use another element type, or give floats to have them rounded");
    }
  }
}
