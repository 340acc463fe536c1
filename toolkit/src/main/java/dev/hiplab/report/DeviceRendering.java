package dev.hiplab.report;

import dev.hiplab.Device;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a device looks like in a notebook: its facts, the provider, why that one, and forms that are
 * not FIXED.
 */
final class DeviceRendering {
  private DeviceRendering() {}

  static Map<String, Object> of(Device device) {
    StringBuilder html = new StringBuilder("<table class=\"dataframe\" border=\"1\"><tbody>");
    Map<String, String> info = new LinkedHashMap<>(device.info());
    String bytes = info.remove("totalBytes");
    row(html, "device", device.index() + ": " + device.name());
    info.remove("name");
    if (bytes != null) {
      row(html, "memory", WorkspacePlot.bytes(Long.parseLong(bytes)));
    }
    info.forEach((name, value) -> row(html, name, value));
    Map<String, String> provider = device.backend().info();
    row(html, "driver", provider.getOrDefault("provider", ""));
    row(html, "why", provider.getOrDefault("reason", ""));
    row(html, "forms", device.backend().allFixed() ? "" : device.backend().forms());
    provider.forEach(
        (name, value) -> {
          if (name.startsWith("version.")) {
            row(html, name.substring("version.".length()), value);
          }
        });
    html.append("</tbody></table>");
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("text/html", html.toString());
    data.put("text/plain", device.toString());
    return data;
  }

  private static void row(StringBuilder html, String name, String value) {
    if (!value.isEmpty()) {
      html.append("<tr><th style=\"text-align:left\">").append(Tables.escapeHtml(name));
      html.append("</th><td style=\"text-align:left\">").append(Tables.escapeHtml(value));
      html.append("</td></tr>");
    }
  }
}
