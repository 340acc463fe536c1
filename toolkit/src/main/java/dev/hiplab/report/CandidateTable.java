package dev.hiplab.report;

import dev.hiplab.Candidate;
import java.util.Arrays;
import java.util.List;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.IntColumn;
import tech.tablesaw.api.LongColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.api.Table;

/** What hipBLASLt's heuristic offered, a row a candidate; workspace in bytes. */
public final class CandidateTable {
  private CandidateTable() {}

  public static Table of(List<Candidate> candidates) {
    Kernel.current(); // a table as a cell's last expression renders only once it is registered
    return Table.create(
        "candidates",
        StringColumn.create(
            "shape", candidates.stream().map(Candidate::shape).toArray(String[]::new)),
        IntColumn.create("candidate", candidates.stream().mapToInt(Candidate::index).toArray()),
        LongColumn.create(
            "workspace bytes", candidates.stream().mapToLong(Candidate::workspaceBytes).toArray()),
        DoubleColumn.create("waves", candidates.stream().mapToDouble(Candidate::waves).toArray()));
  }

  /**
   * A row a shape: candidates offered, how many ask for workspace, smallest and largest request.
   */
  public static Table byShape(List<Candidate> candidates) {
    Kernel.current();
    StringColumn shapes = StringColumn.create("shape");
    IntColumn offered = IntColumn.create("candidates");
    IntColumn asking = IntColumn.create("ask for workspace");
    LongColumn smallest = LongColumn.create("smallest bytes");
    LongColumn largest = LongColumn.create("largest bytes");
    for (String shape : candidates.stream().map(Candidate::shape).distinct().toList()) {
      long[] bytes =
          candidates.stream()
              .filter(candidate -> candidate.shape().equals(shape))
              .mapToLong(Candidate::workspaceBytes)
              .sorted()
              .toArray();
      shapes.append(shape);
      offered.append(bytes.length);
      asking.append((int) Arrays.stream(bytes).filter(b -> b > 0).count());
      smallest.append(bytes[0]);
      largest.append(bytes[bytes.length - 1]);
    }
    return Table.create("workspace by shape", shapes, offered, asking, smallest, largest);
  }
}
