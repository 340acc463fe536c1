package dev.hiplab.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CrashLinesTest {
  private static final String RUN = "_ZN6hiplab5forms5Pipes3runEi";

  private static String frame(String library, String offset, String function) {
    return "@hiplab-crash\tframe\t" + library + "\t" + offset + "\t" + function;
  }

  private static Crash crash(List<String> report, String... stderr) {
    return Crash.read(new Exit(134, false, 1, Map.of(), List.of(stderr), Map.of(), report, ""));
  }

  @Test
  void theHeapsAbortIsSaidWithWhoOfThisProjectCalledIt() {
    Crash crash =
        crash(
            List.of(),
            "corrupted size vs. prev_size",
            "@hiplab-crash\tsignal\tSIGABRT\tworker-3",
            frame("libc.so.6", "1", ""),
            frame("libc.so.6", "2", "gsignal"),
            frame("libc.so.6", "3", "abort"),
            frame("libc.so.6", "4", ""),
            frame("libc.so.6", "5", "free"),
            frame("libstdc++.so.6", "6", ""),
            frame("libhiplab.so", "7", ""),
            frame("libhiplab.so", "8", RUN),
            frame("libhiplab.so", "9", "_ZN6hiplab4mainEv"),
            "@hiplab-crash\tend");
    assertThat(crash.reason()).isEqualTo("corrupted size vs. prev_size");
    assertThat(crash.frame())
        .isEqualTo(
            "libc.so.6+0x5 free, called from libhiplab.so+0x7,"
                + " called from libhiplab.so+0x8 hiplab::forms::Pipes::run");
  }

  @Test
  void anExceptionThatNobodyCaughtIsSaidWithWhoThrewIt() {
    Crash crash =
        crash(
            List.of(),
            "@hiplab-crash\twhat\tstd::out_of_range\tmap::at",
            frame("libc.so.6", "3", "abort"),
            frame("libhiplab.so", "4", ""),
            frame("libstdc++.so.6", "5", "_ZSt9terminatev"),
            frame("libstdc++.so.6", "6", "__cxa_throw"),
            frame("libhiplab.so", "8", RUN));
    assertThat(crash)
        .isEqualTo(
            new Crash(
                "SIGABRT",
                "libhiplab.so+0x8 hiplab::forms::Pipes::run",
                "std::out_of_range: map::at"));
  }

  @Test
  void theJvmsReportNamesTheFaultAndTheChildsLinesItsCaller() {
    List<String> report =
        List.of(
            "#  SIGSEGV (0xb) at pc=0x1, pid=1, tid=2",
            "# Problematic frame:",
            "# C  [libc.so.6+0x9a]  memmove+0x10");
    Crash crash =
        crash(
            report,
            frame("libc.so.6", "3", "abort"),
            frame("libjvm.so", "4", ""),
            frame("libc.so.6", "9a", "memmove"),
            frame("libhiplab.so", "7", "_ZN6hiplab4sync5Mutex4lockEv"),
            frame("libhiplab.so", "8", RUN));
    assertThat(crash.signal()).isEqualTo("SIGSEGV");
    assertThat(crash.frame())
        .isEqualTo(
            "libc.so.6+0x9a memmove, called from libhiplab.so+0x8 hiplab::forms::Pipes::run");
  }

  @Test
  void aFunctionThatTheJvmDoesNotKnowKeepsItsOffset() {
    List<String> report = List.of("# Problematic frame:", "# C  [libc.so.6+0x85f13]");
    assertThat(crash(report).frame()).isEqualTo("libc.so.6+0x85f13");
  }

  @Test
  void threadsOfOneNameAreToldApartAndTornLinesLeftOut() {
    CrashLines lines =
        CrashLines.read(
            List.of(
                "@hiplab-points\tqueue\ta\tb",
                "@hiplab-points\tqueue\tc",
                "@hiplab-points\ttorn",
                "@hiplab-crash\tframe\tlibc"));
    assertThat(lines.points())
        .isEqualTo(Map.of("queue", List.of("a", "b"), "queue/2", List.of("c")));
    assertThat(lines.frames()).isEmpty();
    assertThat(lines.fault()).isEmpty();
  }

  @Test
  void lastPointsAreSaidByThreadForACrashAndByPointForAHang() {
    Map<String, List<String>> points =
        Map.of(
            "worker-0", List.of("a", "b", "c", "d"),
            "worker-1", List.of("d"),
            "worker-2", List.of("d"));
    assertThat(LastPoints.of("worker-0", points))
        .isEqualTo("; thread worker-0 last passed b, c, d");
    assertThat(LastPoints.of("nobody", points)).isEmpty();
    assertThat(LastPoints.of(points))
        .isEqualTo("; threads last passed d (worker-0, worker-1 and 1 more)");
    assertThat(LastPoints.without("SIGSEGV in x" + LastPoints.of("worker-0", points)))
        .isEqualTo("SIGSEGV in x");
    assertThat(LastPoints.without("no end; main waits" + LastPoints.of(points)))
        .isEqualTo("no end; main waits");
  }
}
