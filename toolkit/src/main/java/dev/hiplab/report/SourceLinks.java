package dev.hiplab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The public pages of what a scenario names as its source, such as {@code mlxcel 2200, 2208}. */
public final class SourceLinks {
  /**
   * A page of an issue or a pull request.
   *
   * @param name such as {@code mlxcel 2200}
   */
  public record Link(String name, String url) {}

  private static final Map<String, String> REPOSITORIES =
      Map.of(
          "mlxcel", "lablup/mlxcel",
          "MIOpen", "ROCm/rocm-libraries",
          "pytorch", "pytorch/pytorch");

  /** The others are issues. */
  private static final Set<String> PULL_REQUESTS =
      Set.of("mlxcel 2196", "mlxcel 2208", "MIOpen 12265");

  private static final Pattern WORDS = Pattern.compile("([A-Za-z]+)|([0-9]+)");

  private SourceLinks() {}

  /** One for each number; empty for a source of the user's own. */
  public static List<Link> of(String source) {
    List<Link> links = new ArrayList<>();
    String project = "";
    Matcher words = WORDS.matcher(source);
    while (words.find()) {
      if (words.group(1) != null) {
        project = words.group(1);
      } else if (REPOSITORIES.containsKey(project)) {
        links.add(link(project, words.group(2)));
      }
    }
    return List.copyOf(links);
  }

  private static Link link(String project, String number) {
    String name = project + " " + number;
    String kind = PULL_REQUESTS.contains(name) ? "pull" : "issues";
    return new Link(
        name, "https://github.com/" + REPOSITORIES.get(project) + "/" + kind + "/" + number);
  }
}
