package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hiplab.findings.BlasLtGemmsFromManyThreads;
import dev.hiplab.findings.RocblasFirstGemm;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Grade;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Scenario;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Real child processes that end in each of the ways in which a process can. */
class ChildTest {
  private record Ended(Verdict verdict, Exit exit) {}

  private static Ended run(Scenario scenario, int seconds) throws Exception {
    ChildFiles files = ChildFiles.prepare(Set.of(ChildFiles.home(scenario.getClass())));
    List<String> arguments =
        List.of(scenario.getClass().getName(), "FIXED", "5", "host", "-", "-", "natural", "-");
    Exit exit =
        new Child(files, Duration.ofSeconds(seconds))
            .run(arguments, scenario.stderrLines().keySet());
    return new Ended(Verdict.of(scenario, exit, seconds), exit);
  }

  @Test
  void aReportComesBack() throws Exception {
    Ended ended = run(new Misbehaving.Behaves(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.EXACT);
    assertThat(ended.verdict().counters()).containsEntry("seed", 5L);
    assertThat(ended.exit().report()).containsEntry("work", "1.5");
    assertThat(ended.exit().report()).containsEntry("environment.provider", "host");
    assertThat(ended.exit().wallMillis()).isPositive();
  }

  @Test
  void aSegmentationFaultIsACrashWithItsFrame() throws Exception {
    Ended ended = run(new Misbehaving.Segfaults(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.CRASH);
    assertThat(ended.verdict().crash().signal()).isEqualTo("SIGSEGV");
    assertThat(ended.verdict().crash().frame()).matches("libjvm\\.so\\+0x[0-9a-f]+ \\S.*");
    assertThat(ended.verdict().detail())
        .startsWith("SIGSEGV in libjvm.so+0x")
        .matches(".*; thread main last passed .*misbehaving\\.first");
    assertThat(ended.verdict().lastPoints().get("main")).endsWith("misbehaving.first");
    assertThat(ended.exit().code()).isEqualTo(134);
    // What it ran on is known all the same.
    assertThat(ended.exit().report()).containsEntry("environment.provider", "host");
  }

  @Test
  void anAbortOfTheHeapIsACrashWithItsLastWords() throws Exception {
    Ended ended = run(new Misbehaving.FreesTwice(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.CRASH);
    assertThat(ended.verdict().crash().signal()).isEqualTo("SIGABRT");
    assertThat(ended.verdict().crash().reason()).contains("free()");
    assertThat(ended.verdict().crash().frame())
        .as("%s", ended.exit().stderr())
        .matches("libc\\.so\\.6\\+0x[0-9a-f]+ free");
    assertThat(ended.verdict().detail())
        .contains("double free")
        .endsWith("; thread worker-3 last passed misbehaving.first, misbehaving.second");
    assertThat(ended.verdict().lastPoints())
        .containsEntry("worker-3", List.of("misbehaving.first", "misbehaving.second"));
    assertThat(ended.verdict().lastPoints().get("main")).endsWith("misbehaving.elsewhere");
  }

  @Test
  void aKilledChildIsACrash() throws Exception {
    Ended ended = run(new Misbehaving.IsKilled(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.CRASH);
    assertThat(ended.verdict().crash().signal()).isEqualTo("SIGKILL");
    assertThat(ended.exit().code()).isEqualTo(137);
  }

  @Test
  void aDamagedJarInTheCacheIsWrittenAgain() throws Exception {
    Path jar = Path.of(ChildFiles.prepare(Set.of()).classPath());
    Path archive = ChildFiles.prepare(Set.of()).archive();
    FileTime made = Files.getLastModifiedTime(archive);
    assertThat(ChildJar.isWhole(jar)).isTrue();
    long whole = Files.size(jar);
    try (FileChannel channel = FileChannel.open(jar, StandardOpenOption.WRITE)) {
      channel.truncate(5000);
    }
    assertThat(ChildJar.isWhole(jar)).isFalse();
    assertThat(run(new Misbehaving.Behaves(), 60).verdict().outcome()).isEqualTo(Outcome.EXACT);
    assertThat(jar).hasSize(whole);
    assertThat(Files.getLastModifiedTime(archive)).isGreaterThan(made);
  }

  @Test
  void aChildThatLeavesWithoutAReportIsAnError() throws Exception {
    Ended ended = run(new Misbehaving.Leaves(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.ERROR);
    assertThat(ended.verdict().detail()).contains("exit code 3").contains("leaving now");
  }

  @Test
  void whatAWorkloadPrintsIsNoReport() throws Exception {
    Ended ended = run(new Misbehaving.Forges(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.ERROR);
    assertThat(ended.verdict().detail()).contains("exit code 0 before it reported");
  }

  @Test
  void aCounterWithAnOddNameIsAnErrorOfTheWorkload() throws Exception {
    Ended ended = run(new Misbehaving.CountsOddly(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.ERROR);
    assertThat(ended.verdict().detail()).startsWith("a counter is called 'a=b'");
  }

  @Test
  void aDetailIsOneLineOfVisibleCharacters() throws Exception {
    assertThat(run(new Misbehaving.SaysNul(), 60).verdict().detail()).isEqualTo("a b c d\u202Ee");
  }

  @Test
  void aTemporaryFolderThatLetsNoCodeRunIsTheMachinesFault() {
    String line = "hiplab: a module cannot be loaded: /x: no such file: set TMPDIR to a folder";
    Exit failed =
        new Exit(0, false, 1, Map.of("outcome", "ERROR"), List.of(line), Map.of(), List.of(), "");
    assertThat(failed.machineFault()).isEqualTo("could not load a kernel's code: " + line);
    Exit right =
        new Exit(0, false, 1, Map.of("outcome", "EXACT"), List.of(line), Map.of(), List.of(), "");
    assertThat(right.machineFault()).isEmpty();
  }

  @Test
  void everyLineOfAChildThatHasEndedIsRead() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(run(new Misbehaving.Chatters(), 60).exit().stderr())
          .endsWith("chatter " + Misbehaving.Chatters.LINES);
    }
  }

  @Test
  void aChildThatDoesNotEndIsAHangAndIsGone() throws Exception {
    Ended ended = run(new Misbehaving.Sleeps(), 2);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.HANG);
    assertThat(ended.verdict().detail())
        .contains("no end within 2 s; ")
        .contains("Thread.sleep")
        .contains("; threads last passed ")
        .contains("misbehaving.asleep (A)");
    assertThat(ended.verdict().lastPoints().get("A")).endsWith("misbehaving.asleep");
    assertThat(ended.exit().code()).isEqualTo(-1);
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void aChildThatReportsAndDoesNotExitIsToldFromAWorkloadThatDoesNotEnd() throws Exception {
    Ended ended = run(new Misbehaving.DoesNotExit(), 4);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.HANG);
    assertThat(ended.verdict().detail())
        .startsWith("no end within 4 s: the process did not exit after its report of EXACT");
    assertThat(ended.verdict().counters()).containsEntry("seed", 5L);
  }

  @Test
  void aBackendThatDoesNotCloseIsToldFromAProcessThatDoesNotExit() {
    Exit exit =
        new Exit(-1, true, 1, Map.of("outcome", "EXACT"), List.of(), Map.of(), List.of(), "");
    assertThat(Verdict.of(new Misbehaving.Behaves(), exit, 9).detail())
        .isEqualTo(
            "no end within 9 s: the backend did not close after the workload had ended EXACT");
  }

  @Test
  void anExceptionIsAnErrorWithItsSentence() throws Exception {
    Ended ended = run(new Misbehaving.Throws(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.ERROR);
    assertThat(ended.verdict().detail()).isEqualTo("java.lang.IllegalStateException: no such luck");
  }

  @Test
  void aChildThatPrintsWithoutEndIsDrainedAndItsLinesAreCounted() throws Exception {
    Ended ended = run(new Misbehaving.Prints(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.EXACT);
    assertThat(ended.verdict().counters()).containsEntry("stderr.the marked line", 1L);
    assertThat(ended.exit().stderr()).hasSizeLessThanOrEqualTo(400);
  }

  @Test
  void aLineThatStandsThereTwiceIsNotExact() throws Exception {
    Ended ended = run(new Misbehaving.PrintsTwice(), 60);
    assertThat(ended.verdict().outcome()).isEqualTo(Outcome.MISROUTED);
    assertThat(ended.verdict().detail()).contains("2 times, should be 1");
  }

  @Test
  void exitCodesWithoutAReportAreRead() {
    assertThat(crash(139, List.of()))
        .isEqualTo(new Crash("SIGSEGV", "", "no crash report: native stack overflow"));
    assertThat(crash(143, List.of()).signal()).isEqualTo("SIGTERM");
    assertThat(crash(136, List.of()).signal()).isEqualTo("SIGFPE");
    assertThat(crash(3, List.of()).signal()).isEmpty();
    assertThat(crash(134, List.of("corrupted size vs. prev_size", "")))
        .isEqualTo(new Crash("SIGABRT", "", "corrupted size vs. prev_size"));
  }

  @Test
  void whatTheMachineDidIsToldFromWhatTheFormDid() {
    assertThat(ended(137, true).machineFault()).contains("SIGKILL");
    assertThat(ended(143, true).machineFault()).contains("SIGTERM");
    assertThat(ended(129, true).machineFault()).contains("SIGHUP");
    for (int fault : List.of(132, 134, 135, 136, 139)) {
      assertThat(ended(fault, true).machineFault()).isEmpty();
      assertThat(ended(fault, true).started()).isTrue();
      assertThat(ended(fault, false).started()).isFalse();
    }
  }

  @Test
  void onlyWhatTheSourcesNameIsExpectedOfAFiledForm() {
    Form first = new RocblasFirstGemm().form("FILED");
    Form many = new BlasLtGemmsFromManyThreads().form("FILED");
    assertThat(first.grade(Outcome.ERROR)).isEqualTo(Grade.INTERESTING);
    assertThat(first.grade(Outcome.CRASH)).isEqualTo(Grade.INTERESTING);
    assertThat(many.grade(Outcome.ERROR)).isEqualTo(Grade.INTERESTING);
    assertThat(many.grade(Outcome.CRASH)).isEqualTo(Grade.EXPECTED);
  }

  private static Exit ended(int code, boolean opened) {
    Map<String, String> report = opened ? Map.of("environment.provider", "host") : Map.of();
    return new Exit(code, false, 1, report, List.of(), Map.of(), List.of(), "");
  }

  private static Crash crash(int code, List<String> stderr) {
    return Crash.read(new Exit(code, false, 1, Map.of(), stderr, Map.of(), List.of(), ""));
  }
}
