package dev.hiplab.cli;

import dev.hiplab.Backend;
import dev.hiplab.HiplabException;
import dev.hiplab.measure.Place;
import dev.hiplab.measure.Problem;
import dev.hiplab.measure.Survey;
import dev.hiplab.measure.SurveyBuilder;
import dev.hiplab.race.ShellWord;
import dev.hiplab.report.OutFolder;
import dev.hiplab.report.TerminalText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What hipBLASLt's heuristic offers, how long it takes, and whether it is right. */
@Command(
    name = "survey",
    description =
        "Asks hipBLASLt's heuristic for the candidates of each shape: the workspace that each asks"
            + " for, how long it takes, and whether its output is right.",
    footer =
        "Exit code: 0; 1 when a candidate is wrong; 2 when it could not be done, no shape has a"
            + " candidate, every candidate of a shape failed or the device was lost; 130 after"
            + " Ctrl-C, 143 after a termination: what is whole is kept.",
    mixinStandardHelpOptions = true)
final class SurveyCommand implements Callable<Integer> {
  private static final long MOST_MIB = SurveyBuilder.CAP_BYTES >> 20;

  @Parameters(
      arity = "0..*",
      paramLabel = "SHAPE",
      description =
          "such as 'bf16 1x4096x4096 NT' (row-major m x n x k; a batch in front), or as BLAS counts"
              + " it, 'bf16 TN [4096,1]x4096' (default: the 15 shapes of mlxcel 2200)")
  private List<String> shapes = new ArrayList<>();

  @Option(
      names = "--shapes",
      paramLabel = "FILE",
      description = "a file with a shape a line; blank lines and those that begin with # are none")
  private Path file;

  @Option(
      names = "--candidates",
      paramLabel = "N",
      description =
          "candidates to ask for of each shape (default: " + SurveyBuilder.CANDIDATES + ")")
  private Integer candidates;

  @Option(
      names = "--cap-mib",
      paramLabel = "N",
      description = "most workspace that a candidate may ask for, MiB: 0 to 32 (default: 32)")
  private Long capMib;

  @Option(
      names = "--budget-ms",
      paramLabel = "N",
      description =
          "time for the timed GEMMs of a candidate, ms (default: 200); at least 3 are made")
  private Long budgetMillis;

  @Option(names = "--no-timing", description = "ask the heuristic only; run no candidate")
  private boolean noTiming;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "of the inputs and of which outputs are compared (default: 1)")
  private Long seed;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "where to write (default: a new folder in hiplab-runs)")
  private Path out;

  @Option(
      names = "--resume",
      paramLabel = "FOLDER",
      description =
          "go on with the survey in FOLDER, as it was asked; driver, profile and devices are that"
              + " survey's unless given")
  private Path resume;

  @Mixin private DeviceOptions device = new DeviceOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (out != null && resume != null) {
      throw new ParameterException(
          spec.commandLine(), "--out names a new folder and --resume one that is there; give one");
    }
    if (isEmpty(out) || isEmpty(resume)) {
      throw new ParameterException(
          spec.commandLine(), (out != null ? "--out" : "--resume") + " is empty; name a folder");
    }
    if (capMib != null && (capMib < 0 || capMib > MOST_MIB)) {
      throw new HiplabException(
          "--cap-mib is "
              + capMib
              + "; allowed are 0 to "
              + MOST_MIB
              + ", the backend's workspace");
    }
    List<Problem> problems = problems();
    if (resume != null) {
      device.otherwise(spec.commandLine().getParseResult(), Survey.read(resume).settings());
    }
    try (Backend backend = Backend.open(device.toOptions());
        SurveyProgress progress = new SurveyProgress(Terminal.showsProgress());
        Interrupt interrupt = Interrupt.guard()) {
      System.out.println(Progress.firstLine(backend));
      Path folder = resume == null ? out == null ? OutFolder.fresh("survey") : out : resume;
      SurveyBuilder builder = builder(backend, problems, folder).listener(progress);
      Survey survey = (resume == null ? builder.out(folder) : builder.resume(folder)).run();
      progress.close();
      return SurveyEnd.report(survey);
    }
  }

  private static boolean isEmpty(Path folder) {
    return folder != null && folder.toString().isEmpty();
  }

  private List<Problem> problems() throws IOException {
    List<String> all = new ArrayList<>(shapes);
    if (file != null) {
      lines(file).stream()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .forEach(all::add);
      if (all.isEmpty()) {
        throw new HiplabException(file + " holds no shape; write one a line");
      }
    }
    Map<Problem, String> texts = new LinkedHashMap<>();
    for (String text : all) {
      String before = texts.putIfAbsent(Problem.of(text), text);
      if (before != null) {
        System.out.println(
            TerminalText.line("left out: '" + text + "' is given already, as '" + before + "'"));
      }
    }
    return List.copyOf(texts.keySet());
  }

  private static List<String> lines(Path file) {
    try {
      List<String> lines = new ArrayList<>(Files.readAllLines(file));
      if (!lines.isEmpty()) {
        lines.set(0, lines.get(0).replaceFirst("^\\uFEFF", "")); // a mark of some editors
      }
      return lines;
    } catch (CharacterCodingException e) {
      throw new HiplabException("--shapes " + file + " is no text in UTF-8", e);
    } catch (NoSuchFileException e) {
      throw new HiplabException("--shapes " + file + ": there is no such file", e);
    } catch (IOException e) {
      throw new HiplabException("--shapes " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private SurveyBuilder builder(Backend backend, List<Problem> problems, Path folder) {
    SurveyBuilder builder = Survey.on(backend.device(0)).problems(problems);
    if (resume == null) {
      builder.command(typed(backend, problems, folder));
    }
    if (candidates != null) {
      builder.candidates(candidates);
    }
    if (capMib != null) {
      builder.capBytes(capMib << 20);
    }
    if (budgetMillis != null) {
      builder.budget(Duration.ofMillis(budgetMillis));
    }
    if (noTiming) {
      builder.time(false);
    }
    if (seed != null) {
      builder.seed(seed);
    }
    return builder;
  }

  /** The command that does it again; shapes of a file stand in it. */
  private String typed(Backend backend, List<Problem> problems, Path folder) {
    StringBuilder text = new StringBuilder("java -jar toolkit.jar survey");
    problems.forEach(problem -> text.append(' ').append(ShellWord.of(problem.label())));
    option(text, "--candidates", candidates);
    option(text, "--cap-mib", capMib);
    option(text, "--budget-ms", budgetMillis);
    text.append(noTiming ? " --no-timing" : "");
    option(text, "--seed", seed);
    Place place = Place.of(backend.device(0));
    text.append(DeviceOptions.of(place, backend.devices().size()));
    option(text, "--out", folder);
    return text.toString();
  }

  private static void option(StringBuilder text, String name, Object value) {
    if (value != null) {
      text.append(' ').append(name).append(' ').append(ShellWord.of(value.toString()));
    }
  }
}
