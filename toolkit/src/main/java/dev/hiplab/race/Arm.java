package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * One way to run a command: what a form is to a scenario. Arms alternate, run by run.
 *
 * <pre>{@code
 * Arm.named("reverted").in(Path.of("../mlxcel-old")).with("MLX_NO_FIX", "1")
 * }</pre>
 *
 * @param name in tables, and in names of files
 * @param folder that the command runs in, absolute
 * @param environment variables that it has beside those of this process
 * @param command text for the shell; empty for the campaign's own
 * @param expectation how its outcomes read
 */
public record Arm(
    String name,
    Path folder,
    Map<String, String> environment,
    String command,
    Expectation expectation) {
  /** Name of the only arm when none is named. */
  public static final String DEFAULT = "COMMAND";

  static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,79}";

  private static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_]*";

  public Arm {
    if (!name.matches(NAME)) {
      throw new HiplabException(
          "'"
              + name
              + "' is no name of an arm: it stands in names of files; use up to 80 letters, digits,"
              + " '.', '_' and '-', a letter or digit first");
    }
    if (folder.toString().isBlank()) {
      throw new HiplabException("the folder (dir) of arm '" + name + "' is empty; name a folder");
    }
    folder = folder.toAbsolutePath().normalize();
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      if (!variable.getKey().matches(VARIABLE) || variable.getValue().indexOf('\0') >= 0) {
        throw new HiplabException(
            "arm '"
                + name
                + "' sets '"
                + variable.getKey()
                + "', which is no name of a variable; write env=NAME=VALUE, the name of letters,"
                + " digits and '_'");
      }
    }
    environment = Collections.unmodifiableMap(new TreeMap<>(environment));
  }

  /** An arm that runs the campaign's command in the folder of this process. */
  public static Arm named(String name) {
    return new Arm(name, Path.of("").toAbsolutePath(), Map.of(), "", Expectation.NONE);
  }

  /**
   * An arm as on the command line; see {@link CommandsBuilder#arm(String)}.
   *
   * @throws HiplabException naming the part that is wrong
   */
  public static Arm of(String text) {
    return ArmText.read(text);
  }

  /** The same in another folder. */
  public Arm in(Path otherFolder) {
    return new Arm(name, otherFolder, environment, command, expectation);
  }

  /** The same with a variable set. */
  public Arm with(String variable, String value) {
    Map<String, String> more = new TreeMap<>(environment);
    more.put(variable, value);
    return new Arm(name, folder, more, command, expectation);
  }

  /** The same with a command of its own. */
  public Arm running(String otherCommand) {
    return new Arm(name, folder, environment, otherCommand, expectation);
  }

  /** The same with something expected of it. */
  public Arm expecting(Expectation other) {
    return new Arm(name, folder, environment, command, other);
  }
}
