package dev.hiplab.report.html;

/**
 * Text as HTML that is well-formed XML too, so that any parser can check a page.
 *
 * <p>What runs print is not to be trusted: a detail may hold markup, or characters that turn the
 * reading order around.
 */
public final class Html {
  private Html() {}

  /** Text between tags or in an attribute's quotes. */
  public static String text(String raw) {
    StringBuilder html = new StringBuilder(raw.length() + 16);
    raw.codePoints().forEach(c -> append(html, c));
    return html.toString();
  }

  private static void append(StringBuilder html, int c) {
    switch (c) {
      case '&' -> html.append("&amp;");
      case '<' -> html.append("&lt;");
      case '>' -> html.append("&gt;");
      case '"' -> html.append("&quot;");
      case '\'' -> html.append("&#39;");
      default -> {
        if (shown(c)) {
          html.appendCodePoint(c);
        } else {
          html.append("\\u").append(String.format("%04x", c));
        }
      }
    }
  }

  /** Not: control characters, which XML forbids, halves of pairs, and what reorders text. */
  private static boolean shown(int c) {
    if (c < ' ') {
      return c == '\n' || c == '\t';
    }
    boolean reorders = c == 0x200E || c == 0x200F || c >= 0x202A && c <= 0x202E;
    reorders |= c >= 0x2066 && c <= 0x2069;
    boolean half = c >= 0xD800 && c <= 0xDFFF;
    return !reorders && !half && !(c >= 0x7F && c < 0xA0) && (c & 0xFFFE) != 0xFFFE;
  }

  /** {@code <name>text</name>}. */
  public static String element(String name, String text) {
    return "<" + name + ">" + text(text) + "</" + name + ">";
  }

  /** Text in the type of code, such as a command. */
  public static String code(String text) {
    return element("code", text);
  }

  /** Something that a reader may open: {@code html} is markup. */
  public static String details(String summary, String html) {
    return "<details><summary>" + text(summary) + "</summary>" + html + "</details>\n";
  }

  /** A scenario's id, or any name, as the id of an element. */
  public static String anchor(String name) {
    return "s-" + name.replaceAll("[^A-Za-z0-9.-]", "_");
  }
}
