package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An arm as text: {@code NAME:dir=FOLDER,env=NAME=VALUE,expect=fail,command=TEXT}, each part but
 * the name left out at will, {@code env} more than once. A comma begins a part only before a word
 * and {@code =}; {@code \,} is a comma that does not, {@code \\} a backslash. {@code command} comes
 * last and is taken as it stands.
 */
final class ArmText {
  private static final Pattern KEY = Pattern.compile("([a-z]+)=");
  private static final String PARTS = "dir=, env=, expect= and command=";

  private final String text;
  private int at;

  private ArmText(String text) {
    this.text = text;
  }

  /**
   * Reads an arm.
   *
   * @throws HiplabException naming the part that is wrong
   */
  static Arm read(String text) {
    int colon = text.indexOf(':');
    Arm arm = Arm.named(colon < 0 ? text : text.substring(0, colon));
    return colon < 0 ? arm : new ArmText(text.substring(colon + 1)).parts(arm);
  }

  private Arm parts(Arm named) {
    Arm arm = named;
    while (at < text.length()) {
      Matcher key = KEY.matcher(text).region(at, text.length());
      if (!key.lookingAt()) {
        throw new HiplabException(
            "arm '"
                + arm.name()
                + "' has the part '"
                + text.substring(at)
                + "'; an arm takes "
                + PARTS);
      }
      at = key.end();
      arm = with(arm, key.group(1));
    }
    return arm;
  }

  private Arm with(Arm arm, String key) {
    switch (key) {
      case "dir":
        return arm.in(Path.of(value()));
      case "env":
        String variable = value();
        int equals = variable.indexOf('=');
        if (equals < 0) {
          throw new HiplabException(
              "arm '" + arm.name() + "' sets env=" + variable + "; write env=NAME=VALUE");
        }
        return arm.with(variable.substring(0, equals), variable.substring(equals + 1));
      case "expect":
        return arm.expecting(Expectation.of(arm.name(), value()));
      case "command":
        String command = text.substring(at);
        at = text.length();
        return arm.running(command);
      default:
        throw new HiplabException(
            "arm '"
                + arm.name()
                + "' has the part '"
                + key
                + "='; an arm takes "
                + PARTS
                + ", and \\, is a comma inside a value");
    }
  }

  /** Up to the comma before the next part. */
  private String value() {
    StringBuilder value = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == ',' && beginsPart(text, at)) {
        break;
      }
      boolean escapes = c == '\\' && at < text.length() && ",\\".indexOf(text.charAt(at)) >= 0;
      value.append(escapes ? text.charAt(at++) : c);
    }
    return value.toString();
  }

  private static boolean beginsPart(String text, int at) {
    return KEY.matcher(text).region(at, text.length()).lookingAt();
  }

  /** The text that reads back as this arm. */
  static String write(Arm arm) {
    StringBuilder text = new StringBuilder(arm.name());
    text.append(":dir=").append(escaped(arm.folder().toString()));
    arm.environment()
        .forEach((name, value) -> text.append(",env=").append(name + "=" + escaped(value)));
    if (arm.expectation() != Expectation.NONE) {
      text.append(",expect=").append(arm.expectation().name().toLowerCase(Locale.ROOT));
    }
    return text.append(arm.command().isEmpty() ? "" : ",command=" + arm.command()).toString();
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace(",", "\\,");
  }
}
