package dev.hiplab.cli;

import dev.hiplab.measure.Survey;
import dev.hiplab.measure.Verdict;
import dev.hiplab.race.ShellWord;
import dev.hiplab.report.SurveyFolderReport;
import dev.hiplab.report.SurveyTable;
import dev.hiplab.report.Tables;
import dev.hiplab.report.TerminalText;

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
    boolean nothing = survey.complete() && survey.candidates().isEmpty();
    return nothing ? Main.USAGE : 0;
  }

  private static String rest(Survey survey) {
    String folder = ShellWord.of(survey.folder().toString());
    return ReproduceCommand.asTyped(
        "java -jar toolkit.jar survey --resume " + folder,
        System.getProperty("java.class.path", ""));
  }
}
