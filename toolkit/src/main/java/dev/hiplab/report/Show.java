package dev.hiplab.report;

import dev.hiplab.HiplabException;
import dev.hiplab.measure.Survey;
import dev.hiplab.race.CampaignResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.internal.chartpart.Chart;
import tech.tablesaw.table.Relation;

/**
 * Shows values as well as the front end can: tables and pictures in JJava and IJava, text elsewhere
 * (a chart is then a PNG file whose path is printed). Returns nothing, so that as the last line of
 * a cell it does not add an output of its own.
 */
public final class Show {
  private Show() {}

  /**
   * Registers how hiplab's values, charts and tables render; needs no kernel. Cheap, idempotent.
   */
  public static void install() {
    Kernel.current();
  }

  /**
   * Campaigns, surveys, timings, charts, tables, devices, lists of candidates or of runs, {@link
   * Rich} values.
   */
  public static void show(Object... values) {
    Optional<Kernel> kernel = Kernel.current();
    for (Object value : values == null ? new Object[] {null} : values) {
      if (kernel.isPresent()) {
        inNotebook(kernel.get(), value);
      } else {
        asText(value);
      }
    }
  }

  /** A campaign is three outputs: its pictures can be saved and enlarged one by one. */
  private static void inNotebook(Kernel kernel, Object value) {
    if (value instanceof CampaignResult result && !result.records().isEmpty()) {
      display(kernel, Renderings.orText(result, r -> CampaignRendering.summary(result)));
      display(kernel, Renderings.orText(result, r -> Renderings.of(outcomes(result))));
      display(kernel, Renderings.orText(result, r -> Renderings.of(times(result))));
    } else {
      display(kernel, Renderings.orText(value, Renderings::of));
    }
  }

  private static Chart<?, ?> outcomes(CampaignResult result) {
    return OutcomePlot.of(result.records());
  }

  private static Chart<?, ?> times(CampaignResult result) {
    return RunTimePlot.of(result.records());
  }

  private static void display(Kernel kernel, Map<String, Object> data) {
    try {
      kernel.display(data);
    } catch (ReflectiveOperationException | RuntimeException unknownKernel) {
      System.out.println(data.get("text/plain"));
    }
  }

  private static void asText(Object value) {
    try {
      if (value instanceof Chart<?, ?> chart) {
        Path file = unused(OutFolder.base(), fileName(chart.getTitle()));
        printPlot(Plots.png(chart, file));
      } else if (value instanceof Relation table) {
        System.out.println(Tables.text(table));
      } else if (value instanceof CampaignResult result && !result.records().isEmpty()) {
        campaignAsText(result);
      } else {
        System.out.println(Renderings.of(value).get("text/plain"));
        if (value instanceof Survey survey) {
          SurveyFolderReport.write(survey).forEach(Show::printPlot);
        }
      }
    } catch (IllegalStateException | UncheckedIOException cannotDraw) {
      System.out.println(cannotDraw.getMessage());
    }
  }

  private static void printPlot(Path file) {
    System.out.println("plot: " + file.toAbsolutePath());
  }

  private static void campaignAsText(CampaignResult result) {
    System.out.println(result);
    System.out.println(Tables.text(SummaryTable.brief(result.records())));
    List<Path> files = ReportFolder.write(result.folder(), runs(result));
    for (Path file : files) {
      if (file.toString().endsWith(".png")) {
        printPlot(file);
      }
    }
  }

  /** With its command and sources, when they are in its folder. */
  private static CampaignRuns runs(CampaignResult result) {
    try {
      return CampaignRuns.read(result.folder().toString(), List.of(result.folder()));
    } catch (IOException | HiplabException notThere) {
      return CampaignRuns.of(result.records());
    }
  }

  /** The name, or with a number behind it when that is taken: two charts may have one title. */
  private static Path unused(Path folder, String name) {
    Path file = folder.resolve(name);
    for (int i = 2; Files.exists(file); i++) {
      file = folder.resolve(name.replaceFirst("\\.png$", "-" + i + ".png"));
    }
    return file;
  }

  /** A file name made of a title's letters and digits. */
  static String fileName(String title) {
    String words = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return words.replaceAll("^-+|-+$", "") + ".png";
  }
}
