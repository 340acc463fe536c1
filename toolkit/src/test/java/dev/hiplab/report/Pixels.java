package dev.hiplab.report;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

/** What a picture shows: how much of a colour, and its straight lines. */
final class Pixels {
  private Pixels() {}

  static long of(BufferedImage image, Color colour) {
    long count = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        count += (image.getRGB(x, y) & 0xFFFFFF) == (colour.getRGB() & 0xFFFFFF) ? 1 : 0;
      }
    }
    return count;
  }

  /** Where upright lines of at least this length stand that are as dark as ink, from the left. */
  static List<Double> uprights(BufferedImage image, int length) {
    List<Double> lines = new ArrayList<>();
    int from = -1;
    for (int x = 0; x <= image.getWidth(); x++) {
      boolean dark = x < image.getWidth() && darkest(image, x, length);
      if (dark && from < 0) {
        from = x;
      } else if (!dark && from >= 0) {
        lines.add((from + x) / 2.0);
        from = -1;
      }
    }
    return lines;
  }

  private static boolean darkest(BufferedImage image, int x, int length) {
    int run = 0;
    for (int y = 0; y < image.getHeight() && run < length; y++) {
      run = dark(image, x, y) ? run + 1 : 0;
    }
    return run >= length;
  }

  /** Lengths of the level lines of at least this length that are as dark as ink, from the top. */
  static List<Integer> levels(BufferedImage image, int length) {
    List<Integer> lines = new ArrayList<>();
    int above = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      int longest = 0;
      int run = 0;
      for (int x = 0; x < image.getWidth(); x++) {
        run = dark(image, x, y) ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
      if (longest < length) {
        above = 0;
      } else if (above == 0) {
        lines.add(above = longest);
      } else {
        above = Math.max(above, longest); // a line of more than a row, whose edges are blurred
        lines.set(lines.size() - 1, above);
      }
    }
    return lines;
  }

  private static boolean dark(BufferedImage image, int x, int y) {
    Color color = new Color(image.getRGB(x, y));
    return Math.max(color.getRed(), Math.max(color.getGreen(), color.getBlue())) < 150;
  }
}
