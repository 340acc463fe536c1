package dev.hiplab.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.hiplab.HiplabException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An installed Java kernel.
 *
 * @param folder its kernelspec's
 * @param kind which one it is: the beginning of its environment variables' names says so too
 * @param spec its kernel.json
 */
record JavaKernel(Path folder, Kind kind, JsonObject spec) {
  enum Kind {
    JJAVA("JJava"),
    IJAVA("IJava");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** {@code CLASSPATH} becomes {@code JJAVA_CLASSPATH}. */
    String variable(String name) {
      return name() + "_" + name;
    }
  }

  /**
   * The kernel that {@code named} names (a folder, or a name in one of the folders); the first one
   * when it is null, with those that are named java before others of their folder.
   */
  static JavaKernel find(List<Path> folders, String named) {
    if (named != null && named.contains("/")) {
      return in(Path.of(named).toAbsolutePath().normalize()).orElseThrow(() -> unusable(named));
    }
    List<Path> looked = new ArrayList<>();
    for (Path folder : folders) {
      for (Path kernel : kernels(folder)) {
        if (named == null || kernel.getFileName().toString().equals(named)) {
          Optional<JavaKernel> found = in(kernel);
          if (found.isPresent()) {
            return found.get();
          }
          looked.add(kernel);
        }
      }
    }
    if (named != null && !looked.isEmpty()) {
      throw unusable(looked.get(0).toString());
    }
    throw new HiplabException(
        (named == null ? "no Java kernel" : "no kernel named " + named)
            + " is installed; install JJava with pip install jjava, or name the kernel's folder"
            + " with --java (looked in "
            + String.join(", ", folders.stream().map(Path::toString).toList())
            + ")");
  }

  private static HiplabException unusable(String kernel) {
    return new HiplabException(
        kernel + " is no kernelspec of JJava or IJava; name one with --java (pip install jjava)");
  }

  /** Kernelspecs in the folder, java first; what hiplab has made is none to build on. */
  private static List<Path> kernels(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder)) {
      entries.sorted().forEach(found::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    found.removeIf(kernel -> HiplabKernel.made(kernel));
    Path java = folder.resolve("java");
    if (found.remove(java)) {
      found.add(0, java);
    }
    return found;
  }

  private static Optional<JavaKernel> in(Path folder) {
    return spec(folder)
        .flatMap(
            spec -> {
              String told = (spec.get("argv") + " " + spec.get("env")).toLowerCase(Locale.ROOT);
              for (Kind kind : Kind.values()) {
                if (told.contains(kind.name().toLowerCase(Locale.ROOT)) && !argv(spec).isEmpty()) {
                  return Optional.of(new JavaKernel(folder, kind, spec));
                }
              }
              return Optional.empty();
            });
  }

  /** The folder's kernel.json; empty where there is none, or none that can be read. */
  static Optional<JsonObject> spec(Path folder) {
    try {
      JsonElement read = JsonParser.parseString(Files.readString(folder.resolve("kernel.json")));
      return read.isJsonObject() ? Optional.of(read.getAsJsonObject()) : Optional.empty();
    } catch (IOException | JsonParseException unreadable) {
      return Optional.empty();
    }
  }

  private static List<String> argv(JsonObject spec) {
    List<String> words = new ArrayList<>();
    if (spec.get("argv") instanceof JsonArray argv) {
      argv.forEach(
          word -> {
            if (word instanceof JsonPrimitive text) {
              words.add(text.getAsString());
            }
          });
    }
    return words;
  }

  /** Its command line, with its folder's name in place of {@code {resource_dir}}. */
  List<String> command() {
    return argv(spec).stream()
        .map(word -> word.replace("{resource_dir}", folder.toString()))
        .toList();
  }

  /** A variable of its environment; empty text when it sets none. */
  String environment(String name) {
    return spec.get("env") instanceof JsonObject env && env.get(name) instanceof JsonPrimitive text
        ? text.getAsString()
        : "";
  }

  /** {@code JJava: kernel java in FOLDER}. */
  @Override
  public String toString() {
    return kind.title + ": kernel " + folder.getFileName() + " in " + folder.getParent();
  }
}
