package dev.hiplab.report.bundle;

import dev.hiplab.report.CampaignRuns;
import dev.hiplab.report.MarkdownText;
import java.util.List;

/** The page in a bundle for whoever unpacks it by hand. */
final class BundleReadme {
  private BundleReadme() {}

  static String of(String archive, CampaignRuns runs, String hiplab, List<String> machine) {
    StringBuilder text = new StringBuilder("# A bundle of hiplab " + hiplab + "\n\n");
    text.append("`report.html` shows its ").append(runs.records().size());
    text.append(" runs, `summary.md` is for a review comment. Another hiplab opens it, draws its");
    text.append(" plots again,\nputs it beside other runs, or runs it again:\n\n");
    text.append(
        MarkdownText.block(
            "java -jar toolkit.jar report "
                + archive
                + "\n"
                + "java -jar toolkit.jar report "
                + archive
                + " OTHER\n"
                + "java -jar toolkit.jar reproduce --from "
                + archive));
    text.append("\nIts runs were made by\n\n");
    boolean known = !runs.commands().isEmpty();
    text.append(
        MarkdownText.block(
            known ? String.join("\n", runs.commands()) : runs.records().get(0).command()));
    text.append("\nEach folder here is a campaign: `runs.jsonl` has a line a run, `campaign.json`");
    text.append(" what was asked for,\n`source` the scenarios that came as source, `traces` what");
    text.append(" was traced. What commands printed (`output`) is\nleft out. Nothing was altered;");
    text.append(" `manifest.json` has the SHA-256 of every file. It tells damage, not who made");
    text.append(" it:\na scenario's source or a command in here is code of whoever did.\n");
    text.append("\nWhat it may tell of the machine:\n\n");
    machine.forEach(line -> text.append("- ").append(MarkdownText.code(line)).append('\n'));
    return text.toString();
  }
}
