package dev.hiplab.cli;

import dev.hiplab.measure.Survey;
import dev.hiplab.measure.SurveyRow;
import dev.hiplab.measure.Verdict;
import dev.hiplab.race.ShellWord;
import dev.hiplab.report.SurveyFolderReport;
import dev.hiplab.report.SurveyTable;
import dev.hiplab.report.Tables;
import dev.hiplab.report.TerminalText;
import java.util.List;

/** What the verb survey says when it ends. */
final class SurveyEnd {
  private SurveyEnd() {}

  /** The exit code too. */
  static int report(Survey survey) {
    if (!survey.complete()) { // first: after Ctrl-C there is little time
      System.out.println(
          survey.summary()
              + "\nsurvey in "
              + survey.csv()
              + "\nstopped; finish with: "
              + rest(survey));
    }
    if (!survey.rows().isEmpty()) {
      System.out.println(
          TerminalText.of(
              Tables.markdown(SurveyTable.byShape(survey))
                  + "\n"
                  + Tables.markdown(SurveyTable.of(survey))));
    }
    if (survey.complete()) {
      System.out.println(survey.summary() + "\nsurvey in " + survey.csv());
      SurveyFolderReport.write(survey).forEach(path -> System.out.println("plot: " + path));
    }
    if (survey.count(Verdict.WRONG) > 0) {
      return Main.FORBIDDEN;
    }
    List<String> failed = failed(survey);
    if (!failed.isEmpty()) {
      System.out.println(
          "every candidate failed of "
              + (failed.size() == 1 ? "1 shape: " : failed.size() + " shapes: ")
              + String.join(", ", failed)
              + "; see the reasons");
      return Main.USAGE;
    }
    boolean nothing = survey.complete() && survey.candidates().isEmpty();
    return nothing ? Main.USAGE : 0;
  }

  /** The shapes of which every candidate failed. */
  private static List<String> failed(Survey survey) {
    return survey.shapes().entrySet().stream()
        .filter(shape -> shape.getValue().stream().allMatch(SurveyEnd::failed))
        .map(shape -> shape.getKey().label())
        .toList();
  }

  private static boolean failed(SurveyRow row) {
    return row.verdict() == Verdict.FAILED;
  }

  private static String rest(Survey survey) {
    String folder = ShellWord.of(survey.folder().toAbsolutePath().toString());
    return ReproduceCommand.asTyped(
        "java -jar toolkit.jar survey --resume "
            + folder
            + DeviceOptions.of(survey.place(), survey.settings().devices()),
        System.getProperty("java.class.path", ""));
  }
}
