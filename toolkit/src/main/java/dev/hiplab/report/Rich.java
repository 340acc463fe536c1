package dev.hiplab.report;

import java.util.Map;

/**
 * A value that can be shown in more than one way.
 *
 * <p>In JJava and IJava a Rich value that a cell returns, or that {@link Show#show} gets, is shown
 * in the richest type that the front end knows; elsewhere its {@code text/plain} is printed.
 */
public interface Rich {
  /**
   * MIME type to data: text for {@code text/*}, Base64 text for {@code image/png}. Holds at least
   * {@code text/plain}.
   */
  Map<String, Object> data();
}
