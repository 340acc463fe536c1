package dev.hiplab;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import dev.hiplab.Timeline.Lane;
import dev.hiplab.Timeline.LaneKind;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the file of a timeline and says where it is none. */
final class TimelineReader {
  private TimelineReader() {}

  static Timeline read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new HiplabException(
          "there is no timeline "
              + file
              + "; a run has one when its campaign traces (trace(true), --trace) and its process"
              + " was not killed",
          e);
    } catch (CharacterCodingException e) {
      throw wrong(file, 1, "is no text", e);
    } catch (IOException e) {
      throw new HiplabException("the timeline " + file + " cannot be read: " + e, e);
    }
    int at = 0;
    try {
      JsonObject header = JsonParser.parseString(lines.get(0)).getAsJsonObject();
      List<Lane> lanes = new ArrayList<>();
      Map<String, Lane> streams = new HashMap<>();
      Map<String, Lane> threads = new HashMap<>();
      for (JsonElement element : header.getAsJsonArray("lanes")) {
        JsonObject json = element.getAsJsonObject();
        Lane lane =
            new Lane(
                LaneKind.valueOf(json.get("kind").getAsString()), json.get("name").getAsString());
        lanes.add(lane);
        (lane.kind() == LaneKind.STREAM ? streams : threads).put(lane.name(), lane);
      }
      List<Entry> entries = new ArrayList<>();
      for (at = 1; at < lines.size(); at++) {
        entries.add(entry(lines.get(at), streams, threads));
      }
      int told = header.get("entries").getAsInt();
      if (told != entries.size()) {
        throw wrong(file, at, "is the last, but " + told + " entries should follow line 1", null);
      }
      return new Timeline(
          lanes, entries, header.get("runs").getAsString(), header.get("dropped").getAsLong());
    } catch (HiplabException e) {
      throw e;
    } catch (RuntimeException e) {
      throw wrong(file, at + 1, "is not what a trace wrote", e); // torn, or a field is not there
    }
  }

  private static HiplabException wrong(Path file, int line, String what, Exception cause) {
    return new HiplabException(
        "the timeline " + file + " is torn or another file: its line " + line + " " + what, cause);
  }

  private static Entry entry(String line, Map<String, Lane> streams, Map<String, Lane> threads) {
    JsonObject json = JsonParser.parseString(line).getAsJsonObject();
    Kind kind = Kind.valueOf(json.get("kind").getAsString());
    String name = json.get("lane").getAsString();
    Lane lane = (kind == Kind.RUN ? streams : threads).get(name);
    if (lane == null) {
      throw new IllegalArgumentException("no lane " + name);
    }
    String stream = json.has("stream") ? json.get("stream").getAsString() : "";
    return new Entry(
        lane,
        kind,
        json.get("label").getAsString(),
        json.get("begin").getAsLong(),
        json.get("end").getAsLong(),
        stream,
        json.has("asked") ? json.get("asked").getAsString() : stream,
        json.has("call") ? json.get("call").getAsLong() : 0);
  }
}
