package dev.hiplab.report.bundle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Paths and the user's name in texts, counted by the part of the bundle that holds them. */
final class MachineTexts {
  /**
   * An absolute path with at least two parts, of those that are not alike everywhere; not the end
   * of a URL, of a relative path or of a fraction. Before it there may be an option ({@code -L},
   * {@code -isystem}), a colon or {@code file://}. Possessive, or a long path overflows the stack.
   */
  private static final Pattern PATH =
      Pattern.compile(
          "(?:(?<![\\w./-])|(?<=(?<![\\w-])-[A-Za-z]{1,12})|(?<=file://))"
              + "(?!/(?:dev|proc|sys|usr|lib|lib64|opt/rocm)\\b)(?:/[\\w.+@~-]++){2,}+");

  private static final Pattern ESCAPED = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|.)");
  private static final int SHOWN = 120;

  private final String user = System.getProperty("user.name", "");
  private final Map<String, Part> parts = new LinkedHashMap<>();

  private static final class Part {
    private final String what;
    private String first = "";
    private int all;
    private int having;
    private boolean user;

    Part(String what) {
      this.what = what;
    }
  }

  /**
   * Looks at one text of a part.
   *
   * @param what such texts are called: records, files
   */
  void look(String part, String what, List<String> lines) {
    Part its = parts.computeIfAbsent(part, key -> new Part(what));
    its.all++;
    String path = "";
    for (String line : lines) {
      Matcher matcher = PATH.matcher(line);
      if (path.isEmpty() && matcher.find()) {
        path = matcher.group();
      }
      its.user |= user.length() > 2 && line.contains(user);
    }
    its.having += path.isEmpty() ? 0 : 1;
    its.first = its.first.isEmpty() ? path : its.first;
  }

  /** A line of JSON with its escapes undone, those of white space as blanks. */
  static String plain(String json) {
    return ESCAPED
        .matcher(json)
        .replaceAll(
            escape -> {
              String code = escape.group(1);
              String one = escape.group().substring(1);
              String plain =
                  code != null
                      ? String.valueOf((char) Integer.parseInt(code, 16))
                      : "bfnrt".contains(one) ? " " : one;
              return Matcher.quoteReplacement(plain);
            });
  }

  /** As much of a text as a line has room for. */
  static String shown(String text) {
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    Set<String> users = new TreeSet<>();
    parts.forEach(
        (name, part) -> {
          if (part.having > 0) {
            sentences.add(
                name
                    + ": paths in "
                    + part.having
                    + " of "
                    + part.all
                    + " "
                    + part.what
                    + ", such as "
                    + shown(part.first));
          }
          if (part.user) {
            users.add(name);
          }
        });
    if (!users.isEmpty()) {
      sentences.add("the user's name, " + user + ", in: " + String.join(", ", users));
    }
    return sentences;
  }
}
