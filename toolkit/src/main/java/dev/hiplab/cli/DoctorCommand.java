package dev.hiplab.cli;

import dev.hiplab.doctor.Box;
import dev.hiplab.doctor.Diagnosis;
import dev.hiplab.doctor.DoctorText;
import dev.hiplab.doctor.Examiner;
import dev.hiplab.doctor.Facts;
import dev.hiplab.report.TerminalText;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What this machine has for hiplab, what it lacks, and what to do about it. */
@Command(
    name = "doctor",
    description = {
      "Looks at everything that hiplab needs or can use here: ROCm, device nodes, GPUs, Java, the"
          + " software device, Jupyter. Each line is OK, NOTE or TROUBLE, and below a trouble"
          + " stands what to do. Libraries are loaded in processes of their own, so that one that"
          + " crashes is a line.",
      "A GPU that is there and cannot be used is a trouble; where no AMD GPU is, ROCm's absence is"
          + " a note. HIPLAB_DRIVER=rocm (or -Dhiplab.driver=rocm) means --rocm too.",
      "Exit code: 0 when a GEMM was right on what a command would use here, the software device"
          + " included, whatever the troubles; 1 when nothing runs; 2 when the command could not be done as it"
          + " was given."
    },
    mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
  @Option(
      names = "--rocm",
      description =
          "a missing ROCm is a trouble, and the exit code is 1 unless the GEMM ran on ROCm")
  private boolean rocm;

  @Option(names = "--json", description = "the same, and every fact, as JSON")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    Facts facts = Examiner.look(line -> System.err.println("hiplab: " + line));
    Box box = new Box(System.getenv(), properties(), Path.of("/proc/mounts"), facts, rocm);
    Diagnosis diagnosis = Diagnosis.of(box, List.of(JupyterSection.of(box)));
    String first = first(facts, diagnosis);
    if (json) {
      System.out.println(TerminalText.of(DoctorText.json(first, diagnosis, facts)));
    } else {
      DoctorText.lines(first, diagnosis)
          .forEach(line -> System.out.println(TerminalText.line(line)));
    }
    return diagnosis.healthy() ? 0 : 1;
  }

  private static String first(Facts facts, Diagnosis diagnosis) {
    return diagnosis.works() == Diagnosis.Works.NOTHING
        ? "no device, for what stands below"
        : Progress.firstLine(facts.below("run"));
  }

  private static Map<String, String> properties() {
    Map<String, String> all = new HashMap<>();
    System.getProperties().forEach((key, value) -> all.put(key.toString(), value.toString()));
    all.put(
        "hiplab.doctor.modules",
        ModuleFinder.ofSystem().findAll().stream()
            .map(module -> module.descriptor().name())
            .collect(Collectors.joining(",")));
    return all;
  }
}
