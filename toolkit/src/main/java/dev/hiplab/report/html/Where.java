package dev.hiplab.report.html;

import dev.hiplab.race.RunRecord;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What runs ran on: device, driver and why, versions, and what else their records hold. */
final class Where {
  /** What is asked first, and how a person calls it. */
  private static final Map<String, String> NAMES = new LinkedHashMap<>();

  static {
    NAMES.put("device", "device");
    NAMES.put("profile", "profile");
    NAMES.put("driver", "driver");
    NAMES.put("reason", "why this driver");
    NAMES.put("version.hiplab", "hiplab");
    NAMES.put("version.java", "Java");
    NAMES.put("os", "operating system");
  }

  private Where() {}

  /** A list of names and values; values that differ between runs stand beside each other. */
  static String of(List<RunRecord> records) {
    Map<String, Set<String>> values = new TreeMap<>();
    for (RunRecord run : records) {
      run.environment()
          .forEach(
              (key, value) -> values.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(value));
    }
    StringBuilder html = new StringBuilder("<dl>\n");
    NAMES.forEach((key, name) -> item(html, name, values.remove(key)));
    html.append("</dl>\n");
    StringBuilder others = new StringBuilder("<dl>\n");
    values.forEach((key, all) -> item(others, key.replace("version.", ""), all));
    return html + Html.details("all that the records say of it", others.append("</dl>").toString());
  }

  private static void item(StringBuilder html, String name, Set<String> values) {
    String joined = values == null ? "" : String.join(" / ", values);
    if (!joined.isBlank()) {
      html.append(Html.element("dt", name)).append(Html.element("dd", joined)).append('\n');
    }
  }
}
