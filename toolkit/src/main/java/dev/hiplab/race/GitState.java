package dev.hiplab.race;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Which commit a folder stands at, where git can tell. */
final class GitState {
  private static final int PATIENCE_SECONDS = 10;

  private record Told(int code, String text) {}

  private GitState() {}

  /**
   * {@code commit}, and {@code dirty}, {@code true} when a file that git tracks differs from it;
   * what git cannot tell is absent.
   */
  static Map<String, String> of(Path folder) throws InterruptedException {
    Map<String, String> state = new TreeMap<>();
    Told commit = git(folder, "rev-parse", "--verify", "HEAD");
    if (commit.code() == 0 && commit.text().matches("[0-9a-f]{40,64}")) {
      state.put("commit", commit.text());
      int differs = git(folder, "diff", "--quiet", "HEAD", "--").code();
      if (differs == 0 || differs == 1) {
        state.put("dirty", Boolean.toString(differs == 1));
      }
    }
    return state;
  }

  private static Told git(Path folder, String... arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("GIT_OPTIONAL_LOCKS", "0"); // the index is the owner's
    Process process;
    try {
      process = builder.start();
    } catch (IOException noGit) {
      return new Told(-1, "");
    }
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return new Told(-1, "");
      }
      byte[] text = process.getInputStream().readAllBytes(); // a line: it fits into the pipe
      return new Told(process.exitValue(), new String(text, StandardCharsets.UTF_8).strip());
    } catch (IOException closed) {
      return new Told(-1, "");
    } finally {
      process.destroyForcibly();
    }
  }
}
