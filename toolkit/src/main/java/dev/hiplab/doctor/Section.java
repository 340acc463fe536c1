package dev.hiplab.doctor;

import java.util.List;

/**
 * The lines about one subject.
 *
 * @param title its heading
 * @param checks what was found, in order
 */
public record Section(String title, List<Check> checks) {
  public Section {
    checks = List.copyOf(checks);
  }
}
