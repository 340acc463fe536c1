package dev.hiplab;

import dev.hiplab.Timeline.Entry;
import dev.hiplab.Timeline.Kind;
import dev.hiplab.Timeline.Lane;
import dev.hiplab.Timeline.LaneKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the text of the bindings' endTrace. Plain loops: a traced child runs this. */
final class TraceText {
  private final Map<String, Lane> streams = new LinkedHashMap<>(); // by number, in their order
  private final Map<String, Lane> threads = new HashMap<>(); // by number and name
  private final Map<Lane, Long> lastOf = new LinkedHashMap<>(); // lanes of threads, to their end
  private final Map<String, Long> ends = new HashMap<>(); // of number and name, to its last end
  private final List<Entry> entries = new ArrayList<>();
  private String runs = "";
  private long dropped;

  private TraceText() {}

  static Timeline read(String text) {
    return new TraceText().timeline(text.split("\n"));
  }

  private Timeline timeline(String[] lines) {
    int from = 0;
    while (!lines[from].startsWith("entries=")) {
      header(lines[from++]);
    }
    List<String[]> all = new ArrayList<>();
    for (int i = from + 1; i < lines.length; i++) {
      String[] fields = lines[i].split("\t", -1);
      all.add(fields);
      if (!fields[0].equals("run")) {
        ends.merge(fields[1] + " " + fields[2], Long.valueOf(fields[5]), Math::max);
      }
    }
    for (String[] fields : all) {
      entries.add(entry(fields));
    }
    List<Lane> lanes = new ArrayList<>(lastOf.keySet());
    lanes.addAll(streams.values());
    return new Timeline(lanes, entries, runs, dropped);
  }

  private void header(String line) {
    int equals = line.indexOf('=');
    String value = line.substring(equals + 1);
    switch (line.substring(0, equals)) {
      case "runs":
        runs = value;
        break;
      case "dropped":
        dropped = Long.parseLong(value);
        break;
      default: // stream
        int tab = value.indexOf('\t');
        streams.put(value.substring(0, tab), new Lane(LaneKind.STREAM, value.substring(tab + 1)));
    }
  }

  private Entry entry(String[] fields) {
    Kind kind = Kind.valueOf(fields[0].toUpperCase(java.util.Locale.ROOT));
    long begin = Long.parseLong(fields[4]);
    Lane lane = kind == Kind.RUN ? streams.get(fields[6]) : thread(fields[1], fields[2], begin);
    return new Entry(
        lane,
        kind,
        fields[3],
        begin,
        Long.parseLong(fields[5]),
        stream(fields[6]),
        stream(fields[7]),
        Long.parseLong(fields[8]));
  }

  private String stream(String number) {
    Lane lane = streams.get(number);
    return lane == null ? "" : lane.name();
  }

  /** The first lane of that name that is free; a workload may start its threads anew each round. */
  private Lane thread(String number, String name, long begin) {
    String key = number + " " + name;
    Lane lane = threads.get(key);
    for (int copy = 1; lane == null; copy++) {
      Lane next = new Lane(LaneKind.THREAD, copy == 1 ? name : name + " (" + copy + ")");
      Long last = lastOf.get(next);
      if (last == null || last <= begin) {
        lane = next;
        threads.put(key, lane);
        lastOf.put(lane, ends.get(key));
      }
    }
    return lane;
  }
}
