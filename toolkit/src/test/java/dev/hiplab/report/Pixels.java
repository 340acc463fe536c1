package dev.hiplab.report;

import java.awt.Color;
import java.awt.image.BufferedImage;

/** How much of a picture has a colour. */
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
}
