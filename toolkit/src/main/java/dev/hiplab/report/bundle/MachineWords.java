package dev.hiplab.report.bundle;

import dev.hiplab.race.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks for what records tell of the machine that made them. Records are not altered: whoever gives
 * a bundle away decides on it as it is.
 */
final class MachineWords {
  /**
   * An absolute path with at least two parts, of those that are not alike everywhere; not the end
   * of a URL or of a fraction.
   */
  private static final Pattern PATH =
      Pattern.compile(
          "(?<![\\w./:>-])(?!/(?:dev|proc|sys|usr|lib|lib64|opt/rocm)\\b)(?:/[\\w.+@~-]+){2,}");

  private MachineWords() {}

  /** A sentence for each field that tells something. */
  static List<String> of(List<RunRecord> records) {
    Map<String, String> paths = new LinkedHashMap<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    Map<String, String> users = new LinkedHashMap<>();
    String user = System.getProperty("user.name", "");
    for (RunRecord run : records) {
      fields(run)
          .forEach(
              (field, text) -> {
                Matcher path = PATH.matcher(text);
                if (path.find()) {
                  paths.putIfAbsent(field, path.group());
                  counts.merge(field, 1, Integer::sum);
                }
                if (user.length() > 2 && text.contains(user)) {
                  users.putIfAbsent(field, user);
                }
              });
    }
    List<String> sentences = new ArrayList<>();
    sentences.add("environment: device, driver, operating system and versions");
    paths.forEach(
        (field, path) ->
            sentences.add(
                field
                    + ": paths in "
                    + counts.get(field)
                    + " of "
                    + records.size()
                    + " records, such as "
                    + path));
    if (!users.isEmpty()) {
      sentences.add("the user's name, " + user + ", in: " + String.join(", ", users.keySet()));
    }
    return sentences;
  }

  private static Map<String, String> fields(RunRecord run) {
    Map<String, String> fields = new TreeMap<>();
    fields.put("command", run.command());
    fields.put("detail", run.detail());
    fields.put("frame", run.frame());
    run.environment().forEach((key, value) -> fields.put("environment " + key, value));
    return fields;
  }
}
