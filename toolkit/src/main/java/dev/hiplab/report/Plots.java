package dev.hiplab.report;

import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;

/** XChart charts as images and files. */
public final class Plots {
  private Plots() {}

  /** The chart in its own size, in pixels. */
  public static BufferedImage image(Chart<?, ?> chart) {
    requireFonts();
    return BitmapEncoder.getBufferedImage(chart);
  }

  /** Writes a PNG and returns its path; folders are made as needed. */
  public static Path png(Chart<?, ?> chart, Path file) {
    return write(file, pngBytes(chart));
  }

  /**
   * Writes an SVG and returns its path. Without XML prolog and DOCTYPE, which break pages that
   * embed it.
   */
  public static Path svg(Chart<?, ?> chart, Path file) {
    return write(file, svg(chart).getBytes(StandardCharsets.UTF_8));
  }

  /** The chart as an {@code <svg>} element. */
  public static String svg(Chart<?, ?> chart) {
    requireFonts();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      VectorGraphicsEncoder.saveVectorGraphic(chart, bytes, VectorGraphicsFormat.SVG);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // memory does not fail as a file does
    }
    String text = bytes.toString(StandardCharsets.UTF_8);
    return text.substring(text.indexOf("<svg"));
  }

  static String base64(Chart<?, ?> chart) {
    return Base64.getEncoder().encodeToString(pngBytes(chart));
  }

  /**
   * The chart as a {@code data:} URI of a PNG, packed as small as the JDK can.
   *
   * @param scale pixels of the image for one of the chart, in each direction: 2 is sharp on paper
   *     and on a phone
   */
  public static String dataUri(Chart<?, ?> chart, int scale) {
    requireFonts();
    BufferedImage image =
        new BufferedImage(
            chart.getWidth() * scale, chart.getHeight() * scale, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.scale(scale, scale);
    chart.paint(g, chart.getWidth(), chart.getHeight());
    g.dispose();
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
      ImageWriteParam param = writer.getDefaultWriteParam();
      param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      param.setCompressionQuality(0); // small, not quick: PNG loses nothing
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), param);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } finally {
      writer.dispose();
    }
    return "data:image/png;base64," + Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static byte[] pngBytes(Chart<?, ?> chart) {
    requireFonts();
    try {
      return BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static Path write(Path file, byte[] bytes) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      Files.createDirectories(folder);
      return Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The plot could not be written to " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * On a machine without fonts the JDK fails with an Error deep inside AWT, and differently the
   * second time; this says what is missing.
   */
  private static void requireFonts() {
    try {
      if (GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames().length
          > 0) {
        return;
      }
    } catch (RuntimeException | Error unusable) {
      throw new IllegalStateException(noFonts(), unusable);
    }
    throw new IllegalStateException(noFonts());
  }

  private static String noFonts() {
    return "No plot can be drawn because Java finds no font on this machine; install fontconfig"
        + " and a font (Debian: fontconfig and fonts-dejavu-core), then start Java again.";
  }
}
