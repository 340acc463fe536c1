package dev.hiplab.scenario;

/**
 * GEMMs whose outputs are exact or within the bound: right or wrong by how the device adds, which
 * is asked when the work is done.
 */
final class Inexact {
  private long gemms;
  private long inFirstRound;
  private String first = "";

  void count(int round, String text) {
    gemms++;
    inFirstRound += round == 0 ? 1 : 0;
    first = first.isEmpty() ? text : first;
  }

  void add(Inexact other) {
    gemms += other.gemms;
    inFirstRound += other.inFirstRound;
    first = first.isEmpty() ? other.first : first;
  }

  long gemms() {
    return gemms;
  }

  long inFirstRound() {
    return inFirstRound;
  }

  String first() {
    return first;
  }
}
