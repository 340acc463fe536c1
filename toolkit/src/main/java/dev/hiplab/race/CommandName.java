package dev.hiplab.race;

import java.util.ArrayList;
import java.util.List;

/** The name of a command's campaign when none was given. */
final class CommandName {
  private static final int WORDS = 3;
  private static final int LONGEST = 60;

  private CommandName() {}

  /**
   * The command's first words, up to an option or what only a shell understands, the first without
   * its folders: {@code cargo-test}. Variables before them do not count.
   */
  static String of(String command) {
    List<String> words = new ArrayList<>();
    for (String word : command.strip().split("\\s+")) {
      if (words.isEmpty() && word.matches("[A-Za-z_][A-Za-z0-9_]*=.*")) {
        continue;
      }
      boolean plain = word.matches("[A-Za-z0-9_./@:+][A-Za-z0-9_./@:+-]*");
      if (!plain || words.size() == WORDS) {
        break;
      }
      words.add(words.isEmpty() ? word.substring(word.lastIndexOf('/') + 1) : word);
    }
    String name = String.join("-", words).replaceAll("[^A-Za-z0-9._-]+", "-");
    name = name.replaceAll("^[^A-Za-z0-9]+", "");
    name = name.length() <= LONGEST ? name : name.substring(0, LONGEST);
    return name.isEmpty() ? "command" : name;
  }
}
