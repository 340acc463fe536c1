package dev.hiplab.report.sides;

import dev.hiplab.HiplabException;
import dev.hiplab.race.FormSummary;
import dev.hiplab.race.RunRecord;
import dev.hiplab.report.CampaignRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs beside each other: of two devices, two versions, before and after. Rows are matched by
 * scenario, form and way.
 */
public final class Sides {
  private record Key(String scenario, String profile, String form, String way) {}

  private final List<CampaignRuns> runs;
  private final List<SideRow> rows;

  private Sides(List<CampaignRuns> runs, List<SideRow> rows) {
    this.runs = runs;
    this.rows = rows;
  }

  /**
   * Puts them beside each other.
   *
   * @param runs at least two; each needs a name of its own
   * @throws HiplabException when there are fewer, or two have one name
   */
  public static Sides of(List<CampaignRuns> runs) {
    if (runs.size() < 2 || runs.stream().map(CampaignRuns::name).distinct().count() < runs.size()) {
      throw new HiplabException(
          "sides to compare are "
              + runs.stream().map(CampaignRuns::name).toList()
              + "; give two or more, each with a name of its own");
    }
    // A profile is most often what tells the sides apart; a side with several has rows of each.
    boolean byProfile =
        runs.stream()
            .anyMatch(s -> s.records().stream().map(RunRecord::profile).distinct().count() > 1);
    Map<Key, FormSummary[]> rows = new LinkedHashMap<>();
    for (int side = 0; side < runs.size(); side++) {
      for (FormSummary row : FormSummary.of(runs.get(side).records())) {
        Key key = new Key(row.scenario(), byProfile ? row.profile() : "", row.form(), row.way());
        rows.computeIfAbsent(key, k -> new FormSummary[runs.size()])[side] = row;
      }
    }
    List<SideRow> list = new ArrayList<>();
    rows.forEach(
        (key, sides) ->
            list.add(
                new SideRow(key.scenario, key.profile, key.form, key.way, Arrays.asList(sides))));
    return new Sides(List.copyOf(runs), List.copyOf(list));
  }

  List<CampaignRuns> runs() {
    return runs;
  }

  List<String> names() {
    return runs.stream().map(CampaignRuns::name).toList();
  }

  int count() {
    return runs.size();
  }

  /** In the order of the first side that has them. */
  List<SideRow> rows() {
    return rows;
  }

  List<SideRow> rows(String scenario) {
    return rows.stream().filter(row -> row.scenario().equals(scenario)).toList();
  }

  List<String> scenarios() {
    return rows.stream().map(SideRow::scenario).distinct().toList();
  }

  /** Everybody's runs. */
  List<RunRecord> records() {
    return runs.stream().flatMap(side -> side.records().stream()).toList();
  }
}
