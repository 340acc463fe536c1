package dev.hiplab.report;

import dev.hiplab.scenario.Outcome;
import java.awt.Color;

/**
 * Colour and letter of each outcome. Colours are Okabe and Ito's palette, which people with any
 * common colour blindness can tell apart; the letter says the same again without colour.
 */
public enum OutcomeStyle {
  EXACT(Outcome.EXACT, 0x009E73, "E"),
  WITHIN_BOUND(Outcome.WITHIN_BOUND, 0x56B4E9, "B"),
  // Tol's teal: weaker than EXACT, and its neighbour.
  PASSED(Outcome.PASSED, 0x44AA99, "P"),
  WRONG_RESULT(Outcome.WRONG_RESULT, 0xD55E00, "W"),
  MISROUTED(Outcome.MISROUTED, 0xE69F00, "M"),
  // Paul Tol's wine and, below, dark green: the palette has no tenth colour.
  MISUSE(Outcome.MISUSE, 0x882255, "U"),
  ERROR(Outcome.ERROR, 0xCC79A7, "X"),
  CRASH(Outcome.CRASH, 0x000000, "C"),
  HANG(Outcome.HANG, 0x0072B2, "H"),
  LEAK(Outcome.LEAK, 0xF0E442, "L"),
  // "Not possible".
  EXCLUDED(Outcome.EXCLUDED, 0x117733, "N"),
  NOT_APPLICABLE(Outcome.NOT_APPLICABLE, 0xBBBBBB, "–");

  final Outcome outcome;
  final Color color;
  final String letter;

  OutcomeStyle(Outcome outcome, int rgb, String letter) {
    this.outcome = outcome;
    this.color = new Color(rgb);
    this.letter = letter;
  }

  /** That of an outcome. */
  public static OutcomeStyle of(Outcome outcome) {
    return valueOf(outcome.name());
  }

  /** One character, the outcome's mark in plots. */
  public String letter() {
    return letter;
  }

  /** As CSS has it: {@code #009e73}. */
  public String cssColor() {
    return css(color);
  }

  /** Colour of what is written on it, as CSS has it. */
  public String cssInk() {
    return css(ink());
  }

  private static String css(Color color) {
    return String.format("#%06x", color.getRGB() & 0xFFFFFF);
  }

  /** Black or white, whichever reads better on {@link #color}. */
  Color ink() {
    return ChartFrame.inkOn(color);
  }
}
