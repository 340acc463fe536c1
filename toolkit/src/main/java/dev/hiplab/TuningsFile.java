package dev.hiplab;

import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The file of winners: JSON, read strictly, as a number that is misread is another algorithm. */
final class TuningsFile {
  private static final String FORMAT = "hiplab tunings";
  private static final int VERSION = 1;
  private static final long MOST_BYTES = 64L << 20;

  private TuningsFile() {}

  static List<Winner> read(Path file) {
    String text;
    try {
      requireFile(file);
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new HiplabException(
          "there is no file of winners " + file + "; tune and write one first", e);
    } catch (CharacterCodingException e) {
      throw new HiplabException(file + " is no text in UTF-8, as a file of winners is", e);
    } catch (IOException e) {
      throw new HiplabException("the winners " + file + " cannot be read: " + e, e);
    }
    try (JsonReader json = new JsonReader(new StringReader(text))) {
      json.setStrictness(Strictness.STRICT);
      return winners(json);
    } catch (MalformedJsonException | IllegalStateException | EOFException e) {
      String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new HiplabException(
          file + " is no file of winners: it is not the JSON that one is: " + first, e);
    } catch (JsonParseException | IOException e) {
      throw new HiplabException(file + ": " + e.getMessage(), e);
    } catch (HiplabException e) {
      throw new HiplabException(file + ": " + e.getMessage(), e);
    }
  }

  /** What is no plain file may never end, and no file of winners is that large. */
  private static void requireFile(Path file) throws IOException {
    requirePlain(file);
    long bytes = Files.size(file);
    if (bytes > MOST_BYTES) {
      throw new HiplabException(
          file + " has " + bytes + " bytes, a file of winners has at most " + MOST_BYTES);
    }
  }

  private static void requirePlain(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new HiplabException(file + " is no plain file; name the file of winners");
    }
  }

  private static List<Winner> winners(JsonReader json) throws IOException {
    json.beginObject();
    head(json, "format");
    String format = json.nextString();
    if (!format.equals(FORMAT)) {
      throw new HiplabException(
          "\"format\" is \"" + format + "\", allowed is \"" + FORMAT + "\": is it another file?");
    }
    head(json, "version");
    String version = json.nextString();
    if (!version.equals("" + VERSION)) {
      throw new HiplabException(
          "\"version\" of the format is "
              + version
              + ", this toolkit reads "
              + VERSION
              + ": use the toolkit that wrote it, or tune again");
    }
    head(json, "winners");
    List<Winner> winners = new ArrayList<>();
    Map<Winner.Key, Integer> seen = new HashMap<>();
    json.beginArray();
    while (json.hasNext()) {
      int entry = winners.size() + 1;
      Winner winner = entry(json, entry);
      Integer before = seen.put(winner.key(), entry);
      if (before != null) {
        throw new HiplabException(
            "entries "
                + before
                + " and "
                + entry
                + " are both of "
                + winner.key()
                + ", one is allowed: remove the one that is not meant");
      }
      winners.add(winner);
    }
    json.endArray();
    if (json.peek() == JsonToken.NAME) {
      throw new HiplabException(
          "\"" + json.nextName() + "\" is unknown; allowed are format, version and winners");
    }
    json.endObject();
    if (json.peek() != JsonToken.END_DOCUMENT) {
      throw new HiplabException("something follows the end of the winners: remove it");
    }
    return winners;
  }

  private static void head(JsonReader json, String expected) throws IOException {
    String name = json.peek() == JsonToken.NAME ? json.nextName() : "the end";
    if (!name.equals(expected)) {
      throw new HiplabException(
          "\""
              + expected
              + "\" is expected where \""
              + name
              + "\" stands; a file of winners has format, version and winners, in this order");
    }
  }

  private static Winner entry(JsonReader json, int entry) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    try {
      json.beginObject();
      while (json.hasNext()) {
        String name = json.nextName();
        TuningsField field = TuningsField.of(name);
        if (values.put(name, field.read(json)) != null) {
          throw new HiplabException("\"" + name + "\" stands there twice, once is allowed");
        }
      }
      json.endObject();
      return TuningsField.winner(values);
    } catch (HiplabException e) {
      throw new HiplabException(
          "entry " + entry + ": " + e.getMessage() + "; mend or remove the entry", e);
    }
  }

  /** Where the file is or will be: behind a link, whether or not there is something yet. */
  private static Path place(Path file) throws IOException {
    requirePlain(file);
    Path real = file.toAbsolutePath();
    if (Files.exists(real)) {
      real = real.toRealPath();
    } else if (Files.isSymbolicLink(real)) {
      real = real.resolveSibling(Files.readSymbolicLink(real)).normalize();
    }
    return real;
  }

  /** Looks whether the file could be written, without writing it. */
  static void requireWritable(Path file) {
    try {
      Path folder = place(file).getParent();
      while (folder != null && !Files.exists(folder)) {
        folder = folder.getParent();
      }
      if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
        throw new HiplabException(
            "the winners cannot be written to " + file + ": " + folder + " cannot be written");
      }
    } catch (IOException e) {
      throw new HiplabException("the winners cannot be written to " + file + ": " + e, e);
    }
  }

  static void write(List<Winner> winners, Path file) {
    String text = text(winners);
    try {
      Path real = place(file);
      Files.createDirectories(real.getParent());
      Path draft = real.resolveSibling(real.getFileName() + "." + UUID.randomUUID() + ".draft");
      try {
        // No channel: an interrupt would close it, and the winners be lost.
        try (FileOutputStream out = new FileOutputStream(draft.toFile())) {
          out.write(text.getBytes(StandardCharsets.UTF_8));
          out.getFD().sync();
        }
        if (Files.exists(real)) {
          Files.setPosixFilePermissions(draft, Files.getPosixFilePermissions(real));
        }
        Files.move(draft, real, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(draft); // there only when something failed
      }
    } catch (IOException e) {
      throw new HiplabException("the winners cannot be written to " + file + ": " + e, e);
    }
  }

  private static String text(List<Winner> winners) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      json.setIndent("  ");
      json.beginObject();
      json.name("format").value(FORMAT);
      json.name("version").value(VERSION);
      json.name("winners").beginArray();
      for (Winner winner : winners) {
        json.beginObject();
        for (TuningsField field : TuningsField.values()) {
          field.write(json, winner);
        }
        json.endObject();
      }
      json.endArray();
      json.endObject();
    } catch (IOException e) {
      throw new IllegalStateException("a text in memory cannot be written", e);
    }
    return text + "\n";
  }
}
