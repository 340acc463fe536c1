package dev.hiplab.race;

import dev.hiplab.Backend;
import dev.hiplab.HiplabException;
import dev.hiplab.Options;
import dev.hiplab.scenario.Finding;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Outcome;
import dev.hiplab.scenario.Sentences;
import dev.hiplab.scenario.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A workload as a lambda, run in this process on a backend that is opened anew for each run.
 *
 * <p>Quick to write in a notebook, and weaker than fresh processes: a crash takes this process
 * along, a hang stays, and what a first run leaves behind (libraries loaded, code compiled, the
 * software device warm) is there in the second. Give the source to {@link Campaign#ofSource} for
 * those.
 */
public final class InProcess {
  /** Measures once, on the trial's backend. */
  public interface Workload {
    Finding run(Trial trial) throws Exception;
  }

  private static final String COMMAND = "in process: ";

  private InProcess() {}

  /** Whether a run was made here, and in no process of its own. */
  public static boolean made(RunRecord run) {
    return run.command().startsWith(COMMAND);
  }

  /**
   * Runs the workload on each form in turn; runs of one index share their seed. An interrupt ends
   * it between two runs and keeps what is done.
   *
   * @param id names it in tables
   * @param forms FIXED alone when empty
   * @param runs of each form, at least 1
   * @param out folder to write the records to; must hold none yet
   */
  public static CampaignResult run(
      String id, List<Form> forms, int runs, Options options, Path out, Workload workload) {
    if (runs < 1) {
      throw new HiplabException("runs is " + runs + "; a form needs at least 1 run");
    }
    List<Form> chosen = forms.isEmpty() ? List.of(Form.fixed()) : forms;
    String campaign = CampaignFolder.newId();
    List<RunRecord> records = new ArrayList<>();
    try {
      Files.createDirectories(out);
      try (RunLog log = RunLog.open(out)) {
        if (!log.isEmpty()) {
          throw new HiplabException(out + " already holds runs; name another folder");
        }
        for (int run = 0; run < runs && !Thread.currentThread().isInterrupted(); run++) {
          for (Form form : chosen) {
            RunRecord record = one(campaign, id, form, run, options, workload);
            log.add(record);
            records.add(record);
          }
        }
      }
    } catch (IOException e) {
      throw new HiplabException(out + " cannot be written: " + e.getMessage(), e);
    }
    return new CampaignResult(records, out, runs * chosen.size());
  }

  private static RunRecord one(
      String campaign, String id, Form form, int run, Options options, Workload workload) {
    long seed = 1 + run;
    String startedAt = Instant.now().toString();
    Map<String, String> environment = new TreeMap<>();
    long begin = System.nanoTime();
    Finding finding;
    Options opened = options.withForms(form.parts()).withCountCalls(true);
    try (Backend backend = Backend.open(opened)) {
      environment.putAll(Surroundings.of(backend.info()));
      environment.put("device", backend.device(0).info().getOrDefault("name", ""));
      finding = Finding.of(workload.run(new Trial(backend, seed, form, Interleaving.natural())));
    } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      finding = new Finding(Outcome.ERROR, Sentences.of(e), Map.of(), Double.NaN);
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    return new RunRecord(
        campaign,
        id,
        form.name(),
        "natural",
        run,
        seed,
        finding.outcome(),
        form.grade(finding.outcome()),
        finding.detail(),
        millis,
        Double.isNaN(finding.workMillis()) ? millis : finding.workMillis(),
        0,
        "",
        "",
        Map.of(),
        finding.counters(),
        environment,
        "natural",
        List.of(),
        COMMAND + "Lab.race(\"" + id + "\", ...)",
        startedAt);
  }
}
