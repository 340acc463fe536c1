package dev.hiplab.cli;

import dev.hiplab.race.CampaignResult;
import dev.hiplab.report.Conclusion;

/** A campaign's result as a command ends with it: rows, what they come to, and the folder last. */
final class ResultText {
  private ResultText() {}

  static String of(CampaignResult result) {
    String rows = result.toString();
    int folder = rows.lastIndexOf('\n') + 1;
    StringBuilder text = new StringBuilder(rows.substring(0, folder));
    Conclusion.of(result.records()).forEach(one -> text.append(one).append('\n'));
    return text.append(rows.substring(folder)).toString();
  }
}
