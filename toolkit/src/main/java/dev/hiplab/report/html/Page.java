package dev.hiplab.report.html;

/**
 * A page in one file: no script, no font, no picture from elsewhere, and a policy that lets a
 * browser load none.
 */
public final class Page {
  private static final String STYLE =
      """
      :root { color-scheme: light; }
      body { font: 16px/1.45 system-ui, "Helvetica Neue", Arial, sans-serif; color: #222;
        background: #fff; margin: 0 auto; padding: 0 1rem 3rem; max-width: 76rem; }
      h1 { font-size: 1.6rem; line-height: 1.2; margin: 1.2rem 0 .3rem; overflow-wrap: anywhere; }
      h2 { font-size: 1.25rem; margin: 2.2rem 0 .5rem; border-bottom: 1px solid #bbb;
        overflow-wrap: anywhere; }
      h3 { font-size: 1.05rem; margin: 1.4rem 0 .3rem; overflow-wrap: anywhere; }
      p, ul { margin: .4rem 0; max-width: 60rem; overflow-wrap: anywhere; }
      code, pre { font: .86rem/1.4 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; }
      code { overflow-wrap: anywhere; }
      pre { background: #f4f4f4; padding: .6rem; margin: .4rem 0; white-space: pre-wrap;
        overflow-wrap: anywhere; }
      blockquote { margin: .5rem 0; padding: .1rem 0 .1rem .8rem; border-left: 4px solid #bbb; }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .4rem 0; }
      dt { color: #555; }
      dd { margin: 0; overflow-wrap: anywhere; }
      .wide { overflow-x: auto; margin: .5rem 0 1rem; }
      table { border-collapse: collapse; font-size: .9rem; }
      caption { text-align: left; color: #555; padding: .2rem 0; }
      th, td { border: 1px solid #ccc; padding: .25rem .5rem; text-align: left;
        vertical-align: top; overflow-wrap: break-word; }
      thead th { background: #eee; }
      tbody th { font-weight: 600; }
      .n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
      .long { min-width: 18rem; overflow-wrap: anywhere; }
      .against th, .against td { background: #fdeee6; }
      .alarm { border: 2px solid #b03a00; padding: .2rem .8rem; margin: .6rem 0; }
      .alarm strong, strong.against { color: #a03400; }
      .conclusion { background: #f1f6fa; border-left: 4px solid #0072b2; padding: .3rem .8rem; }
      .o { display: inline-block; min-width: 1.2em; text-align: center; font-weight: 700;
        border-radius: 2px; margin-right: .3em; }
      .nb { white-space: nowrap; }
      .pale { color: #555; }
      figure { margin: .8rem 0; overflow-x: auto; }
      figure img { display: block; width: 100%; min-width: 640px; max-width: 900px; height: auto; }
      details { margin: .4rem 0; }
      summary { cursor: pointer; }
      @media (max-width: 36rem) {
        body { padding: 0 .6rem 2rem; }
        dl { grid-template-columns: 7.5rem 1fr; gap: .15rem .6rem; }
        dt { overflow-wrap: anywhere; }
      }
      @media print {
        body { max-width: none; font-size: 10pt; }
        .wide, figure { overflow: visible; }
        figure img { min-width: 0; max-width: 100%; }
        figure, tr { break-inside: avoid; }
        h2, h3 { break-after: avoid; }
        .long { min-width: 0; }
      }
      """;

  private final String title;
  private final StringBuilder body = new StringBuilder();

  public Page(String title) {
    this.title = title;
  }

  /** Adds markup. */
  public Page add(String html) {
    body.append(html);
    return this;
  }

  /** Adds a heading of the second level; {@code id} may be empty. */
  public Page heading(String id, String text) {
    String mark = id.isEmpty() ? "" : " id=\"" + id + "\"";
    return add("<h2" + mark + ">" + Html.text(text) + "</h2>\n");
  }

  /** The whole page. */
  public String html() {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
        + " img-src data:; style-src 'unsafe-inline'\"/>\n"
        + Html.element("title", title)
        + "\n<style>\n"
        + STYLE
        + "</style>\n</head>\n<body>\n<main>\n"
        + Html.element("h1", title)
        + "\n"
        + body
        + "</main>\n</body>\n</html>\n";
  }
}
