package dev.hiplab.report.sides;

import dev.hiplab.HiplabException;
import dev.hiplab.report.Plots;
import dev.hiplab.report.Tables;
import dev.hiplab.report.WellFormed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Sides as files. */
public final class SideReport {
  private SideReport() {}

  /**
   * Writes {@code sides.csv}, {@code summary.md}, {@code outcomes.png} and {@code times.png} (of
   * each scenario, with its name, when there are several) and {@code report.html}.
   *
   * @param folder made when it is not there; files of these names are replaced
   * @return the files, in the order of writing
   */
  public static List<Path> write(Path folder, Sides sides) {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new HiplabException(folder + " is a file; name a folder for the report");
    }
    List<Path> files = new ArrayList<>();
    files.add(WellFormed.write(folder.resolve("sides.csv"), Tables.csv(SideTable.of(sides))));
    files.add(WellFormed.write(folder.resolve("summary.md"), SideComment.of(sides)));
    boolean one = sides.scenarios().size() == 1;
    for (String scenario : sides.scenarios()) {
      String end = (one ? "" : "-" + scenario.replaceAll("[^A-Za-z0-9._-]", "_")) + ".png";
      files.add(Plots.png(SidePlots.outcomes(sides, scenario), folder.resolve("outcomes" + end)));
      files.add(Plots.png(SidePlots.times(sides, scenario), folder.resolve("times" + end)));
    }
    files.add(WellFormed.write(folder.resolve("report.html"), SidePage.of(sides)));
    return files;
  }
}
