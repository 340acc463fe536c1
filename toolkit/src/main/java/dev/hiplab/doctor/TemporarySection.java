package dev.hiplab.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Folders for what is not kept: kernels are compiled, and loaded, there. */
final class TemporarySection {
  /** More than a small kernel and its source. */
  private static final int BYTES = 1 << 18;

  private TemporarySection() {}

  static Section of(Box box) {
    String java = box.property("java.io.tmpdir");
    String said = box.variable("TMPDIR");
    String compile = said.isEmpty() ? "/tmp" : said;
    Check kernels =
        ForeignPath.of(compile)
            .map(folder -> folder(folder, box, "TMPDIR", true))
            .orElseGet(() -> Check.note("TMPDIR=" + compile + " " + ForeignPath.none()));
    if (compile.equals(java)) {
      return new Section("Temporary folder", List.of(kernels));
    }
    Check own =
        ForeignPath.of(java)
            .map(folder -> folder(folder, box, "-Djava.io.tmpdir", false))
            .orElseGet(
                () ->
                    Check.trouble(
                        "-Djava.io.tmpdir=" + java + " " + ForeignPath.none(),
                        "set -Djava.io.tmpdir to a writable folder with an ASCII name"));
    return new Section("Temporary folder", List.of(own, kernels));
  }

  private static Check folder(Path folder, Box box, String setting, boolean code) {
    String step = "set " + setting + " to a writable folder with room";
    if (!Files.isDirectory(folder)) {
      return Check.trouble(folder + " is no folder", step);
    }
    if (!Files.isWritable(folder)) {
      return Check.trouble(folder + " cannot be written", step);
    }
    try {
      write(folder);
    } catch (IOException e) {
      return Check.trouble(folder + " cannot be written: " + e.getMessage(), step);
    }
    if (code && Mounts.optionsOf(folder, box.mounts()).contains("noexec")) {
      return Check.trouble(
          folder + " is mounted noexec, so that kernels compiled there do not load",
          "set TMPDIR to a folder whose file system lets code run");
    }
    return Check.ok(folder + " can be written" + (code ? ", and code runs there" : ""));
  }

  /** Permission is not all that it takes: a file system may be full. */
  private static void write(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "hiplab-doctor", ".tmp");
    try {
      Files.write(file, new byte[BYTES]);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
