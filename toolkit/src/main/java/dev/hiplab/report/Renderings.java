package dev.hiplab.report;

import dev.hiplab.Candidate;
import dev.hiplab.Device;
import dev.hiplab.Residue;
import dev.hiplab.TuneResult;
import dev.hiplab.Tuned;
import dev.hiplab.measure.Survey;
import dev.hiplab.measure.Timing;
import dev.hiplab.race.CampaignResult;
import dev.hiplab.race.RunRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.knowm.xchart.internal.chartpart.Chart;
import tech.tablesaw.table.Relation;

/** What each kind of value looks like: a map from MIME type to data. */
final class Renderings {
  /** Types, by name so that none is loaded before a value of it turns up, and their rendering. */
  static final Map<String, Function<Object, Map<String, Object>>> REGISTERED =
      Map.ofEntries(
          Map.entry("dev.hiplab.report.Rich", Renderings::of),
          // Asked last by a kernel, for what nobody registered: one's toString may throw an Error.
          Map.entry("java.lang.Object", Renderings::of),
          Map.entry("dev.hiplab.race.CampaignResult", Renderings::of),
          Map.entry("dev.hiplab.Device", Renderings::of),
          Map.entry("dev.hiplab.Residue", Renderings::of),
          Map.entry("dev.hiplab.TuneResult", Renderings::of),
          Map.entry("dev.hiplab.measure.Survey", Renderings::of),
          Map.entry("dev.hiplab.measure.Timing", Renderings::of),
          Map.entry("java.util.Collection", Renderings::of),
          Map.entry("tech.tablesaw.table.Relation", Renderings::of),
          Map.entry("org.knowm.xchart.internal.chartpart.Chart", Renderings::of));

  private Renderings() {}

  static Map<String, Object> of(Object value) {
    if (value instanceof Rich rich) {
      return rich.data();
    }
    if (value instanceof Chart<?, ?> chart) {
      return chart(chart);
    }
    if (value instanceof Relation table) {
      return table(table);
    }
    if (value instanceof CampaignResult result) {
      return CampaignRendering.whole(result);
    }
    if (value instanceof TuneResult result) {
      return Map.of(
          "text/html", Tables.html(TunedTable.of(result)), "text/plain", result.toString());
    }
    if (value instanceof Device device) {
      return DeviceRendering.of(device);
    }
    if (value instanceof Residue residue) {
      // As text a table has no caption.
      Map<String, Object> data = table(ResidueTable.of(residue));
      data.put("text/plain", residue + "\n" + data.get("text/plain"));
      return data;
    }
    if (value instanceof Survey survey) {
      return MeasureRendering.of(survey);
    }
    if (value instanceof Timing timing) {
      return MeasureRendering.of(timing);
    }
    if (value instanceof Collection<?> items && !items.isEmpty()) {
      if (items.stream().allMatch(Candidate.class::isInstance)) {
        return table(CandidateTable.of(items.stream().map(Candidate.class::cast).toList()));
      }
      if (items.stream().allMatch(Tuned.class::isInstance)) {
        return table(TunedTable.of(items.stream().map(Tuned.class::cast).toList()));
      }
      if (items.stream().allMatch(RunRecord.class::isInstance)) {
        return table(RunTable.brief(items.stream().map(RunRecord.class::cast).toList()));
      }
    }
    return text(String.valueOf(value));
  }

  /** {@code rendering}'s data, or, when that fails in whatever way, the value as text. */
  static Map<String, Object> orText(Object value, Function<Object, Map<String, Object>> rendering) {
    try {
      return rendering.apply(value);
    } catch (Throwable failure) { // also Errors, see Kernel.render
      return text(describe(value) + " (could not be shown richly: " + failure + ")");
    }
  }

  private static String describe(Object value) {
    try {
      return String.valueOf(value);
    } catch (Throwable failure) {
      return "a " + value.getClass().getName();
    }
  }

  static Map<String, Object> text(String text) {
    return Map.of("text/plain", text);
  }

  private static Map<String, Object> table(Relation table) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("text/html", Tables.html(table));
    data.put("text/plain", Tables.text(table));
    return data;
  }

  /** PNG only: where an SVG is there too, front ends choose it, and large ones are slow. */
  private static Map<String, Object> chart(Chart<?, ?> chart) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("image/png", Plots.base64(chart));
    data.put("text/plain", "chart: " + chart.getTitle());
    return data;
  }
}
