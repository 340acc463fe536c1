package dev.hiplab.report;

/**
 * Text as GitHub's Markdown.
 *
 * <p>What runs said goes into code spans: there nothing is markup, no name is told of a comment
 * that it stands in, and no number becomes a link.
 */
public final class MarkdownText {
  private static final String SPECIAL = "\\`*[]<>#~|$&";
  private static final String NOBODY = "@\u200B"; // or GitHub tells the user of that name

  private MarkdownText() {}

  /** One line of prose, also for a cell of a table. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    String line = line(text);
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean special = SPECIAL.indexOf(c) >= 0 || c == '_' && !insideWord(line, i);
      escaped.append(special ? "\\" : "").append(c == '@' ? NOBODY : String.valueOf(c));
    }
    return escaped.toString();
  }

  /** One line as it stands, outside of tables: in a cell a code span ends at a pipe. */
  public static String code(String text) {
    String line = line(text);
    String ticks = "`".repeat(longest(line) + 1);
    boolean padded = line.startsWith("`") || line.endsWith("`");
    return padded ? ticks + " " + line + " " + ticks : ticks + line + ticks;
  }

  /** Lines of a shell. */
  public static String block(String lines) {
    String fence = "`".repeat(Math.max(3, longest(lines) + 1));
    return fence + "sh\n" + lines.strip() + "\n" + fence + "\n";
  }

  /** Where GitHub reads no emphasis: {@code WRONG_RESULT}. */
  private static boolean insideWord(String line, int at) {
    return at > 0
        && at < line.length() - 1
        && Character.isLetterOrDigit(line.charAt(at - 1))
        && Character.isLetterOrDigit(line.charAt(at + 1));
  }

  private static String line(String text) {
    StringBuilder line = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              boolean hidden = Character.getType(c) == Character.FORMAT;
              if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                line.append(' ');
              } else if (hidden) {
                line.append(String.format("\\u%04x", c)); // such as what turns the order around
              } else {
                line.appendCodePoint(c);
              }
            });
    return line.toString().strip();
  }

  /** Length of the longest run of backticks. */
  private static int longest(String text) {
    int longest = 0;
    int run = 0;
    for (char c : text.toCharArray()) {
      run = c == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }
}
