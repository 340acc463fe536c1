package dev.hiplab.race;

import dev.hiplab.HiplabException;
import dev.hiplab.findings.Scenarios;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A workload in many fresh processes, form against form.
 *
 * <pre>{@code
 * CampaignResult result = Campaign.of("blaslt.shared-workspace").runs(20).profile("splitk").run();
 * }</pre>
 *
 * <p>The forms alternate (FILED, FIXED, FILED, ...), so that whatever drifts on the machine drifts
 * under all of them, and runs of one index share their seed. Every run is on the disk before its
 * job starts another. An interrupt (of a notebook cell, say) ends the child within a second or two,
 * keeps what is done and leaves the thread's interrupt flag set. Immutable; a campaign can be run
 * from any thread, one at a time for each folder.
 */
public final class Campaign {
  /** Deadline of a run unless another is given. */
  public static final Duration DEADLINE = Duration.ofSeconds(120);

  static final String COMMAND = "java -jar toolkit.jar reproduce ";

  private final Chosen chosen;
  private final CampaignSettings settings;
  private final Path out;
  private final boolean resume;
  private final int jobs;
  private final List<PlannedRun> plan;
  private final CampaignListener listener;

  private Campaign(
      Chosen chosen,
      CampaignSettings settings,
      Path out,
      boolean resume,
      int jobs,
      CampaignListener listener) {
    this.chosen = chosen;
    this.settings = settings;
    this.out = out;
    this.resume = resume;
    this.jobs = jobs;
    this.plan = plan(chosen, settings);
    this.listener = listener;
  }

  /**
   * Scenarios by id, number of the issue, class name (see {@link Scenarios#named}), or by the name
   * of a {@code .java} file that holds one.
   */
  public static Builder of(String... scenarios) {
    return new Builder(names("scenarios", scenarios), null);
  }

  /**
   * A scenario of the caller's own as Java source, such as a text block in a notebook's cell: one
   * top-level class that implements {@link Scenario}. It is compiled here and runs in fresh
   * processes like a built-in one; the campaign keeps the source in its folder.
   */
  public static Builder ofSource(String text) {
    return new Builder(List.of(), given("the scenario's source", text));
  }

  /**
   * A scenario of the caller's own.
   *
   * @throws HiplabException when its class is not on the class path, such as one typed into jshell:
   *     the children are fresh JVMs and could not load it
   */
  public static Builder of(Class<? extends Scenario> scenario) {
    if (!onClassPath(given("the scenario's class", scenario))) {
      throw new HiplabException(
          "the class "
              + scenario.getName()
              + " is not on the class path, where the fresh JVM of each run must find it; give its"
              + " source to Campaign.ofSource, or compile it to a folder or jar and start Java (or"
              + " jshell) with that on --class-path");
    }
    return new Builder(List.of(scenario.getName()), null);
  }

  /**
   * A campaign that was made before, perhaps elsewhere: with its scenarios, forms, ways, runs,
   * seed, driver, profile, devices, deadline and trace unless others are given.
   *
   * @param settings see {@link CampaignSettings#in}
   * @param sources file name to text of its scenarios that came as source
   */
  public static Builder again(CampaignSettings settings, Map<String, String> sources) {
    Builder builder = new Builder(settings.scenarios(), null);
    builder.sources = Map.copyOf(sources);
    return builder
        .forms(settings.forms().toArray(new String[0]))
        .ways(settings.ways().toArray(new String[0]))
        .runs(settings.runs())
        .seed(settings.seed())
        .driver(settings.driver())
        .profile(settings.profile())
        .hostDevices(settings.devices())
        .deadline(settings.deadline())
        .trace(settings.trace());
  }

  private static boolean onClassPath(Class<?> type) {
    try {
      // A class that a shell defined in memory has no place, or a loader of its own.
      return type.getProtectionDomain().getCodeSource() != null
          && Class.forName(type.getName(), false, Campaign.class.getClassLoader()) == type;
    } catch (ClassNotFoundException | LinkageError notThere) {
      return false;
    }
  }

  private static <T> T given(String what, T value) {
    if (value == null) {
      throw new HiplabException(what + " is null; give one, or leave the call out for the default");
    }
    return value;
  }

  private static List<String> names(String what, String[] names) {
    for (String name : given(what, names)) {
      given("a name in " + what, name);
    }
    return List.of(names);
  }

  /** A campaign in the making. Not thread-safe. */
  public static final class Builder {
    private final List<String> scenarios;
    private final String text; // null when there are names
    private Map<String, String> sources; // null when .java files are read where they are
    private List<String> forms = List.of();
    private List<String> ways = List.of();
    private int jobs = 1;
    private int runs = 10;
    private long seed = 1;
    private String driver = "";
    private String profile = "";
    private int devices;
    private Duration deadline = DEADLINE;
    private Path out;
    private boolean resume;
    private boolean trace;
    private CampaignListener listener = CampaignListener.SILENT;

    private Builder(List<String> scenarios, String text) {
      this.scenarios = scenarios;
      this.text = text;
    }

    /** Forms to run, by name; all of them unless said. */
    public Builder forms(String... names) {
      forms = Campaign.names("forms", names);
      return this;
    }

    /**
     * Ways to run, {@code natural}, {@code delayed}, {@code forced} or the label of one
     * interleaving; all that a scenario has unless said.
     */
    public Builder ways(String... names) {
      ways = Campaign.names("ways", names);
      return this;
    }

    /**
     * Children at the same time, 1 unless said. More of them end sooner and disturb each other's
     * timing: compare times of one job only.
     */
    public Builder jobs(int count) {
      jobs = count;
      return this;
    }

    /** Runs of each form and way; 10 unless said, as in the sources. */
    public Builder runs(int count) {
      runs = count;
      return this;
    }

    /** Seed of the inputs of run 0; run n has seed + n. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** {@code rocm}, {@code host} or {@code auto}. */
    public Builder driver(String name) {
      driver = given("the driver", name);
      return this;
    }

    /** Profile of the software device: {@code gfx1151} or {@code splitk}. */
    public Builder profile(String name) {
      profile = given("the profile", name);
      return this;
    }

    /** Devices that the software device shows, 1 to 16. */
    public Builder hostDevices(int count) {
      devices = count;
      return this;
    }

    /** Time that a run may take before it counts as a hang. */
    public Builder deadline(Duration limit) {
      deadline = given("the deadline", limit);
      return this;
    }

    /** Folder to write; a new one under {@code hiplab-runs} unless said. */
    public Builder out(Path folder) {
      if (given("the folder (out)", folder).toString().isBlank()) {
        throw new HiplabException("the folder to write (out) has an empty name; name a folder");
      }
      out = folder;
      return this;
    }

    /** Finish the campaign that is in the folder, if it has the same settings. */
    public Builder resume(boolean value) {
      resume = value;
      return this;
    }

    /**
     * Whether each run writes its timeline into the folder ({@link CampaignResult#timeline}); no
     * unless said. A traced run is timed differently, and the records say so. A process that is
     * killed or dies of a signal leaves none.
     */
    public Builder trace(boolean value) {
      trace = value;
      return this;
    }

    /** Told of the progress. */
    public Builder listener(CampaignListener value) {
      listener = given("the listener", value);
      return this;
    }

    /**
     * Checks the names and numbers.
     *
     * @throws HiplabException naming the one that is wrong and what is allowed
     */
    public Campaign build() {
      Path folder = out == null ? Path.of("hiplab-runs", CampaignFolder.newId()) : out;
      Chosen chosen = choose(folder);
      List<Scenario> named = chosen.scenarios();
      Selection.check(named);
      CampaignSettings settings =
          new CampaignSettings(
              chosen.names(),
              Selection.forms(named, forms),
              Selection.ways(named, ways),
              runs,
              seed,
              driver,
              profile,
              devices,
              deadline,
              trace);
      Jobs.check(jobs);
      Campaign campaign = new Campaign(chosen, settings, folder, resume, jobs, listener);
      if (campaign.plan.isEmpty()) {
        throw new HiplabException(
            "there is nothing to run: no scenario of "
                + String.join(", ", chosen.names())
                + " has one of the forms "
                + settings.forms()
                + " in one of the ways "
                + settings.ways());
      }
      return campaign;
    }

    private Chosen choose(Path folder) {
      if (text != null) {
        return Chosen.text(text, folder);
      }
      return sources == null ? Chosen.named(scenarios) : Chosen.kept(scenarios, sources, folder);
    }

    /** Builds it and runs it. */
    public CampaignResult run() {
      return build().run();
    }
  }

  /** Where it writes. */
  public Path folder() {
    return out;
  }

  /** What it was asked to do. */
  public CampaignSettings settings() {
    return settings;
  }

  private static List<PlannedRun> plan(Chosen chosen, CampaignSettings settings) {
    List<PlannedRun> plan = new ArrayList<>();
    for (String name : chosen.names()) {
      Scenario scenario = chosen.byName().get(name);
      for (int run = 0; run < settings.runs(); run++) {
        for (Interleaving interleaving : scenario.interleavings()) {
          for (Form form : scenario.forms()) {
            boolean asked = settings.asksFor(form) && settings.asksFor(interleaving);
            if (asked && scenario.runs(form, interleaving)) {
              plan.add(new PlannedRun(name, scenario, form, interleaving, run));
            }
          }
        }
      }
    }
    return plan;
  }

  /**
   * Runs what is not done yet.
   *
   * @return everything that is in the folder then; not complete when the thread was interrupted
   * @throws HiplabException when no child can be started on this driver, or the folder cannot be
   *     written
   */
  public CampaignResult run() {
    try {
      // Before the folder is made: a campaign that cannot run leaves nothing behind.
      Runner runner = Runner.prepare(settings, chosen.classPath(), jobs, out);
      try (CampaignFolder folder = CampaignFolder.open(out, runner.chosen(), resume)) {
        folder.keep(chosen.sources());
        return new Plan<>(plan, runner, runner.environment()).carryOut(folder, jobs, listener);
      }
    } catch (IOException e) {
      throw CampaignFolder.notWritable(out, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new CampaignResult(List.of(), out, plan.size());
    }
  }

  /** What the children of these settings run on, without a campaign. */
  public Map<String, String> environment() {
    try {
      return Runner.prepare(settings, chosen.classPath(), jobs, out).environment();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HiplabException("interrupted while asking a child for its device");
    }
  }
}
