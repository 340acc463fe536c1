package dev.hiplab.race;

/** Texts as words of a shell's command line. */
public final class ShellWord {
  private ShellWord() {}

  /** The text as one word: quoted when the shell would read it as anything else. */
  public static String of(String text) {
    return text.matches("[A-Za-z0-9_./:=+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
