package dev.hiplab.report;

import dev.hiplab.Timeline.Entry;
import java.awt.Color;
import java.util.Locale;

/**
 * Colour and letter of what a call or a run does. Colours are Okabe and Ito's, as those of
 * outcomes; a wait is hatched, and everything has its letter where there is room.
 */
enum LaneStyle {
  GEMM("G", "GEMM", 0x0072B2),
  KERNEL("K", "kernel", 0x009E73),
  GRAPH("R", "graph launch", 0xE69F00),
  COPY("C", "copy, fill", 0x56B4E9),
  CALLBACK("H", "host callback", 0xCC79A7),
  EVENT("E", "event", 0xF0E442),
  BIND("B", "bind stream", 0x000000),
  // Paul Tol's wine and teal: the palette has no more that differ.
  COMPILE("J", "compile, load", 0x882255),
  HANDLE("N", "create, destroy", 0x44AA99),
  WAIT("W", "host waits", 0xDDDDDD),
  OTHER("O", "other", 0x999999);

  final String letter;
  final String words;
  final Color color;

  LaneStyle(String letter, String words, int rgb) {
    this.letter = letter;
    this.words = words;
    this.color = new Color(rgb);
  }

  static LaneStyle of(Entry entry) {
    String name = entry.label();
    if (name.contains("gemm") || name.equals("hipblasLtMatmul")) {
      return GEMM;
    }
    switch (name) {
      case "hipModuleLaunchKernel":
        return KERNEL;
      case "hipGraphLaunch":
        return GRAPH;
      case "hipLaunchHostFunc":
        return CALLBACK;
      case "rocblas_set_stream":
        return BIND;
      case "hiprtcCompileProgram":
      case "hipModuleLoadData":
        return COMPILE;
      case "hipFree": // waits for the device
      case "hipHostFree":
        return WAIT;
      default:
        return byWord(name);
    }
  }

  private static LaneStyle byWord(String name) {
    if (name.contains("Synchronize")) {
      return WAIT;
    }
    if (name.startsWith("hipMem")) {
      return COPY;
    }
    if (name.contains("Event") || name.equals("graph-wait")) {
      return EVENT;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.contains("create") || lower.contains("destroy") ? HANDLE : OTHER;
  }

  /** Whether it is what a workload is about, and not what surrounds it. */
  boolean isWork() {
    return this == GEMM || this == KERNEL || this == GRAPH || this == CALLBACK;
  }

  /** Black or white, whichever reads better on {@link #color}. */
  Color ink() {
    return ChartFrame.inkOn(color);
  }
}
