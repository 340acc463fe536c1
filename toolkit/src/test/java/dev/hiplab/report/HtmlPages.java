package dev.hiplab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Reads pages as any strict parser does. */
public final class HtmlPages {
  private static final Set<String> LOADING =
      Set.of("script", "link", "iframe", "object", "embed", "base", "video", "audio", "source");

  private HtmlPages() {}

  /** The page, which must be well-formed. */
  public static Document parse(String html) throws Exception {
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    builder.setErrorHandler(null);
    return builder.parse(new InputSource(new StringReader(html)));
  }

  public static List<Element> all(Document page, String name) {
    NodeList nodes = page.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  /** Nothing that a browser would fetch, or run. */
  public static void assertSelfContained(Document page) {
    for (Element element : all(page, "*")) {
      String name = element.getTagName();
      assertThat(LOADING).doesNotContain(name);
      for (int i = 0; i < element.getAttributes().getLength(); i++) {
        String attribute = element.getAttributes().item(i).getNodeName();
        String value = element.getAttributes().item(i).getNodeValue();
        assertThat(attribute).doesNotStartWith("on").isNotIn("srcset", "poster", "background");
        if (attribute.equals("src")) {
          assertThat(value).startsWith("data:image/png;base64,");
        }
        if (attribute.equals("style")) {
          assertThat(value).doesNotContain("url(");
        }
        if (attribute.equals("href")) {
          assertThat(name).isEqualTo("a");
        }
      }
    }
    for (Element style : all(page, "style")) {
      assertThat(style.getTextContent()).doesNotContain("url(", "@import");
    }
  }

  /** Heads have scopes, pictures say what they show, and links within the page lead somewhere. */
  public static void assertReadable(Document page) {
    all(page, "th").forEach(th -> assertThat(th.getAttribute("scope")).isIn("col", "row"));
    all(page, "table")
        .forEach(t -> assertThat(t.getElementsByTagName("caption").getLength()).isOne());
    all(page, "img").forEach(img -> assertThat(img.getAttribute("alt")).isNotBlank());
    List<String> ids = all(page, "*").stream().map(e -> e.getAttribute("id")).toList();
    for (Element link : all(page, "a")) {
      String to = link.getAttribute("href");
      assertThat(to.startsWith("#") ? ids.contains(to.substring(1)) : to.startsWith("https://"))
          .as(to)
          .isTrue();
    }
    assertThat(all(page, "h1")).hasSize(1);
  }
}
