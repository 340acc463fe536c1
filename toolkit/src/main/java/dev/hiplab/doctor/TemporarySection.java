package dev.hiplab.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Folders for what is not kept: kernels are compiled, and loaded, there. */
final class TemporarySection {
  private TemporarySection() {}

  static Section of(Box box) {
    Check java = folder(Path.of(box.property("java.io.tmpdir")), box, "-Djava.io.tmpdir", false);
    String said = box.variable("TMPDIR");
    Path compile = Path.of(said.isEmpty() ? "/tmp" : said);
    Check kernels = folder(compile, box, "TMPDIR", true);
    boolean same = compile.toString().equals(box.property("java.io.tmpdir"));
    return new Section("Temporary folder", same ? List.of(kernels) : List.of(java, kernels));
  }

  private static Check folder(Path folder, Box box, String setting, boolean code) {
    String step = "set " + setting + " to a writable folder with room";
    if (!Files.isDirectory(folder)) {
      return Check.trouble(folder + " is no folder", step);
    }
    if (!Files.isWritable(folder)) {
      return Check.trouble(folder + " cannot be written", step);
    }
    if (code && optionsOf(folder, box.mounts()).contains("noexec")) {
      return Check.trouble(
          folder + " is mounted noexec, so that kernels compiled there do not load",
          "set TMPDIR to a folder whose file system lets code run");
    }
    return Check.ok(folder + " can be written" + (code ? ", and code runs there" : ""));
  }

  /** Options of the file system that the folder lies on. */
  private static List<String> optionsOf(Path folder, Path mounts) {
    try (Stream<String> lines = Files.lines(mounts)) {
      Path real = folder.toRealPath();
      String[] best = {"", ""};
      lines
          .map(line -> line.split(" "))
          .filter(fields -> fields.length > 3 && real.startsWith(fields[1].replace("\\040", " ")))
          .filter(fields -> fields[1].length() >= best[0].length())
          .forEach(
              fields -> {
                best[0] = fields[1];
                best[1] = fields[3];
              });
      return List.of(best[1].split(","));
    } catch (IOException unknown) {
      return List.of();
    }
  }
}
