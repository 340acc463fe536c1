package dev.hiplab;

import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Lane;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes timelines. By hand: a campaign's children do not have the library that reads JSON. */
final class TimelineFile {
  private TimelineFile() {}

  static Path write(Timeline timeline, Path file) {
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try {
        try (BufferedWriter out = Files.newBufferedWriter(draft)) {
          out.write(header(timeline));
          for (Entry entry : timeline.entries()) {
            out.write(line(entry));
          }
        }
        return Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft); // there only when something failed
      }
    } catch (IOException e) {
      throw new HiplabException("the timeline cannot be written to " + file + ": " + e, e);
    }
  }

  private static String header(Timeline timeline) {
    StringBuilder lanes = new StringBuilder();
    for (Lane lane : timeline.lanes()) {
      lanes.append(lanes.length() == 0 ? "" : ",");
      lanes.append("{\"kind\":\"").append(lane.kind()).append("\",\"name\":");
      quoted(lanes, lane.name()).append('}');
    }
    StringBuilder line = new StringBuilder("{\"timeline\":1,\"runs\":");
    quoted(line, timeline.runs());
    line.append(",\"dropped\":").append(timeline.dropped());
    line.append(",\"entries\":").append(timeline.entries().size());
    return line.append(",\"lanes\":[").append(lanes).append("]}\n").toString();
  }

  private static String line(Entry entry) {
    StringBuilder line = new StringBuilder("{\"kind\":\"").append(entry.kind());
    quoted(line.append("\",\"lane\":"), entry.lane().name());
    quoted(line.append(",\"label\":"), entry.label());
    line.append(",\"begin\":").append(entry.beginNanos());
    line.append(",\"end\":").append(entry.endNanos());
    if (!entry.stream().isEmpty()) {
      quoted(line.append(",\"stream\":"), entry.stream());
    }
    if (!entry.asked().equals(entry.stream())) {
      quoted(line.append(",\"asked\":"), entry.asked());
    }
    if (entry.call() != 0) {
      line.append(",\"call\":").append(entry.call());
    }
    return line.append("}\n").toString();
  }

  private static StringBuilder quoted(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"');
  }
}
