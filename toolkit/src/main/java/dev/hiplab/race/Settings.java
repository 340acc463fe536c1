package dev.hiplab.race;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.hiplab.HiplabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a campaign was asked to do, whatever it runs. Two campaigns with equal settings do the same
 * runs.
 */
public sealed interface Settings permits CampaignSettings, CommandSettings {
  /** Most runs of one form. */
  int MOST_RUNS = 1_000_000;

  /** Longest deadline of a run: a day. */
  long LONGEST_SECONDS = 86_400;

  /** The command line of the whole campaign. */
  String command();

  /** As the text of {@code campaign.json}. */
  String toJson(String id, String startedAt);

  /**
   * What the campaign in a folder was asked to do.
   *
   * @throws HiplabException when there is none
   */
  static Settings in(Path folder) {
    Path file = folder.resolve(CampaignFolder.FILE);
    try {
      return fromJson(Files.readString(file));
    } catch (IOException | JsonParseException e) {
      throw new HiplabException(folder + " holds no " + CampaignFolder.FILE + " to go by", e);
    }
  }

  /**
   * Reads {@code campaign.json} back.
   *
   * @throws JsonParseException when it is not what a campaign wrote
   */
  static Settings fromJson(String text) {
    JsonObject json;
    try {
      json = JsonParser.parseString(text).getAsJsonObject();
    } catch (RuntimeException e) {
      throw new JsonParseException(e.getMessage(), e);
    }
    return json.has("arms") ? CommandJson.read(json) : CampaignSettings.fromJson(text);
  }

  /** Checks what both kinds have, and names what is wrong. */
  static void check(int runs, Duration deadline) {
    if (runs < 1) {
      throw new HiplabException("runs is " + runs + "; a form needs at least 1 run");
    }
    if (runs > MOST_RUNS) {
      throw new HiplabException(
          "runs is " + runs + "; a campaign makes at most " + MOST_RUNS + " of each form");
    }
    if (deadline.toSeconds() < 1 || deadline.toSeconds() > LONGEST_SECONDS) {
      throw new HiplabException(
          "the deadline is "
              + deadline.toSeconds()
              + " s; a run needs at least 1 s and gets at most "
              + LONGEST_SECONDS
              + " s");
    }
  }
}
