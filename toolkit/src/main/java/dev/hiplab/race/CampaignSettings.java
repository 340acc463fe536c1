package dev.hiplab.race;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.hiplab.HiplabException;
import dev.hiplab.findings.Scenarios;
import dev.hiplab.scenario.Form;
import dev.hiplab.scenario.Interleaving;
import dev.hiplab.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a campaign was asked to do. Two campaigns with equal settings do the same runs.
 *
 * @param scenarios ids of the catalogue, or names of classes
 * @param forms names of the forms; empty means every form of each scenario
 * @param ways to run them, {@code natural}, {@code delayed}, {@code forced} or a label such as
 *     {@code forced:leak}; empty means every way that a scenario has
 * @param runs for each form and way
 * @param seed of run 0; run n has seed + n, the same for every form
 * @param driver {@code rocm}, {@code host}, or empty to let the child choose
 * @param profile of the software device, or empty
 * @param devices of the software device; 0 leaves it to the default
 * @param deadline of one run
 * @param trace whether each run writes its timeline, which makes it a differently timed one
 */
public record CampaignSettings(
    List<String> scenarios,
    List<String> forms,
    List<String> ways,
    int runs,
    long seed,
    String driver,
    String profile,
    int devices,
    Duration deadline,
    boolean trace)
    implements Settings {
  public CampaignSettings {
    scenarios = List.copyOf(scenarios);
    forms = List.copyOf(forms);
    ways = List.copyOf(ways);
    if (scenarios.isEmpty()) {
      throw new HiplabException("a campaign needs at least one scenario");
    }
    Settings.check(runs, deadline);
    if (devices < 0 || devices > 16) {
      throw new HiplabException("devices is " + devices + "; the software device shows 1 to 16");
    }
  }

  /** Whether it asks for runs of this form. */
  boolean asksFor(Form form) {
    return forms.isEmpty() || forms.contains(form.name());
  }

  /** Whether it asks for runs of this interleaving. */
  boolean asksFor(Interleaving interleaving) {
    return ways.isEmpty()
        || ways.contains(interleaving.label())
        || ways.contains(interleaving.way().text());
  }

  /**
   * The same with the device said that a child chose, so that another environment neither resumes
   * nor repeats it on another one.
   *
   * @param environment what that child runs on; see {@link Runner#environment}
   */
  CampaignSettings on(Map<String, String> environment) {
    String chosen = environment.getOrDefault("driver", driver);
    boolean software = chosen.equals("host");
    int shown = Integer.parseInt(environment.getOrDefault("deviceCount", "" + devices));
    return new CampaignSettings(
        scenarios,
        forms,
        ways,
        runs,
        seed,
        chosen,
        environment.getOrDefault("profile", profile),
        software ? shown : devices,
        deadline,
        trace);
  }

  /** One run of one form in one way, on the same device. */
  CampaignSettings single(String scenario, String form, String way, long itsSeed) {
    return new CampaignSettings(
        List.of(scenario),
        List.of(form),
        List.of(way),
        1,
        itsSeed,
        driver,
        profile,
        devices,
        deadline,
        trace);
  }

  /**
   * What the campaign in a folder was asked to do, on the device that it runs on.
   *
   * @throws HiplabException when there is none
   */
  public static CampaignSettings in(Path folder) {
    Path file = folder.resolve(CampaignFolder.FILE);
    try {
      return fromJson(Files.readString(file));
    } catch (IOException | JsonParseException e) {
      throw new HiplabException(folder + " holds no " + CampaignFolder.FILE + " to go by", e);
    }
  }

  /** The scenarios as one would type them. */
  private String names() {
    boolean all = scenarios.equals(Scenarios.all().stream().map(Scenario::id).toList());
    return all ? "all" : words(scenarios, " ");
  }

  private static String words(List<String> names, String between) {
    return String.join(between, names.stream().map(ShellWord::of).toList());
  }

  /** The options of the command line for the number of devices, the deadline and the trace. */
  private String limits() {
    return (devices <= 1 ? "" : " --devices " + devices)
        + (deadline.equals(Campaign.DEADLINE) ? "" : " --deadline " + deadline.toSeconds())
        + (trace ? " --trace" : "");
  }

  @Override
  public String command() {
    StringBuilder text = new StringBuilder(Campaign.COMMAND + names());
    text.append(forms.isEmpty() ? "" : " --forms " + words(forms, ","));
    text.append(ways.isEmpty() ? "" : " --way " + words(ways, ","));
    text.append(" --runs ").append(runs).append(" --seed ").append(seed);
    text.append(driver.isEmpty() ? "" : " --driver " + ShellWord.of(driver));
    text.append(profile.isEmpty() ? "" : " --profile " + ShellWord.of(profile));
    return text.append(limits()).toString();
  }

  @Override
  public String toJson(String id, String startedAt) {
    JsonObject json = new JsonObject();
    json.addProperty("campaign", id);
    json.addProperty("startedAt", startedAt);
    json.addProperty("command", command());
    json.add("scenarios", JsonTexts.array(scenarios));
    json.add("forms", JsonTexts.array(forms));
    json.add("ways", JsonTexts.array(ways));
    json.addProperty("runs", runs);
    json.addProperty("seed", seed);
    json.addProperty("driver", driver);
    json.addProperty("profile", profile);
    json.addProperty("devices", devices);
    json.addProperty("deadlineSeconds", deadline.toSeconds());
    json.addProperty("trace", trace);
    return new GsonBuilder().setPrettyPrinting().create().toJson(json) + "\n";
  }

  /** Reads {@code campaign.json} back. */
  static CampaignSettings fromJson(String text) {
    try {
      JsonObject json = JsonParser.parseString(text).getAsJsonObject();
      return new CampaignSettings(
          JsonTexts.strings(json.getAsJsonArray("scenarios")),
          JsonTexts.strings(json.getAsJsonArray("forms")),
          // Campaigns from before there were ways ran naturally.
          json.has("ways") ? JsonTexts.strings(json.getAsJsonArray("ways")) : List.of("natural"),
          json.get("runs").getAsInt(),
          json.get("seed").getAsLong(),
          json.get("driver").getAsString(),
          json.get("profile").getAsString(),
          json.get("devices").getAsInt(),
          Duration.ofSeconds(json.get("deadlineSeconds").getAsLong()),
          // Campaigns from before there were traces had none.
          json.has("trace") && json.get("trace").getAsBoolean());
    } catch (RuntimeException e) {
      throw new JsonParseException(e.getMessage(), e);
    }
  }
}
