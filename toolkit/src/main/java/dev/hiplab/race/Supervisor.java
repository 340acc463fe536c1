package dev.hiplab.race;

import dev.hiplab.HiplabException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A small shell that runs a command in a session of its own, and ends everything in that session
 * when its standard input ends: however this process dies, the kernel closes the other end. (A
 * PR_SET_PDEATHSIG would follow the thread that started it, and not its grandchildren.)
 *
 * <p>Two sessions: its own, so that Ctrl-C in a terminal reaches neither, and the command's, so
 * that a {@code kill 0} in there does not reach it. What makes a session of its own (a daemon, such
 * as a compiler's cache server) is left alone.
 */
final class Supervisor {
  /** Begins the line on its standard error that tells the command's exit code. */
  static final String ENDED = "hiplab-exit ";

  // The command is no background job: a shell makes those ignore SIGINT and SIGQUIT for good. So a
  // second shell, whose number becomes the session's, first leaves a watcher behind that is
  // nobody's child and then turns into the command.
  //
  // What a process is of stands in /proc/N/stat behind its name, which may hold blanks and
  // brackets: state, parent, group, session. The command counts by its number too: it may not have
  // its session yet. A round that finds none ends it; a process that the kernel cannot end (one
  // that hangs in a driver) is given up after 100 rounds, 5 s.
  private static final String COMMAND =
      """
      session=$$
      end() {
        round=0
        found=yes
        while [ -n "$found" ] && [ "$round" -lt 100 ]; do
          found=
          for stat in /proc/[0-9]*/stat; do
            line=
            { read -r line < "$stat"; } 2>/dev/null
            set -- ${line##*) }
            process=${stat%/stat}
            process=${process#/proc/}
            if { [ "$4" = "$session" ] || [ "$process" = "$session" ]; } && [ "$1" != Z ]; then
              kill -KILL "$process"
              found=yes
            fi
          done
          round=$((round + 1))
          [ -z "$found" ] || [ "$round" -lt 2 ] || sleep 0.05
        done
      }
      ( { read -r line <&3; end; } >/dev/null & )
      exec 3<&-
      PATH=$2
      exec "$3" /bin/sh -c "$1" 4>&- 2>&1
      """;

  // The PATH of these shells is this process's, whatever an arm gives its command.
  //
  // Standard error (4) is open until the watcher has gone, too.
  private static final String SCRIPT =
      """
      exec 3<&0 4>&2 0</dev/null 2>/dev/null
      path=$PATH
      PATH=$3
      /bin/sh -c "$2" hiplab "$1" "$path" "$4"
      echo "hiplab-exit $?" >&4
      """;

  private Supervisor() {}

  /**
   * The command line that runs a text under supervision. Standard output is what the text prints;
   * standard error has the line that begins with {@link #ENDED}, and ends when everything has.
   */
  static List<String> command(String text) {
    String setsid = setsid().toString();
    return List.of(setsid, "/bin/sh", "-c", SCRIPT, "hiplab", text, COMMAND, path(), setsid);
  }

  private static String path() {
    return System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
  }

  /**
   * Checks that this machine has what it takes.
   *
   * @throws HiplabException naming what is missing
   */
  static void check() {
    setsid();
  }

  private static Path setsid() {
    for (String folder : path().split(File.pathSeparator)) {
      Path file = Path.of(folder, "setsid").toAbsolutePath();
      if (Files.isExecutable(file)) {
        return file;
      }
    }
    throw new HiplabException(
        "a command runs under setsid, which is not on the PATH; install util-linux");
  }
}
