package dev.hiplab;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/**
 * A folder that only this user can change. Code is loaded from it: whoever can write there can run
 * code as this user.
 */
final class PrivateFolder {
  // Bits of st_mode, stat(2).
  private static final int TYPE = 0170000;
  private static final int IS_FOLDER = 0040000;
  private static final int IS_LINK = 0120000;
  private static final int STICKY = 01000;
  private static final int OTHERS_WRITE = 022; // group or others

  private static final String REMEDY = "set HIPLAB_CACHE to a folder of your own";

  private PrivateFolder() {}

  /**
   * Makes the folder with mode 0700, or checks the one that is there.
   *
   * @throws HiplabException when it is a link, or another user owns it or could write to it
   */
  static Path at(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, ownerOnly());
    } catch (FileAlreadyExistsException e) {
      // checked below, like one just made
    }
    // A link is refused whoever owns it: what it points at may lie where others can swap it.
    Map<String, Object> found = read(folder, LinkOption.NOFOLLOW_LINKS);
    int mode = mode(found);
    if ((mode & TYPE) == IS_LINK) {
      throw refused(folder, "it is a symbolic link; delete it, or " + REMEDY);
    }
    if ((mode & TYPE) != IS_FOLDER) {
      throw new HiplabException(
          folder
              + " is no folder, but the native libraries belong there; move it away, or set"
              + " HIPLAB_CACHE to another folder");
    }
    Object self = self();
    if (!found.get("uid").equals(self)) {
      throw refused(folder, ownerText(found.get("uid"), self) + "; " + REMEDY);
    }
    if ((mode & OTHERS_WRITE) != 0) {
      throw refused(
          folder, modeText(mode) + " lets other users write there; delete it, or " + REMEDY);
    }
    return folder;
  }

  /** Makes a folder for private ones unless it is there; closed to others whatever the umask. */
  static void makeParent(Path folder) throws IOException {
    // Asked first: a link to a folder will do, but createDirectories throws for one.
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, ownerOnly());
    }
  }

  /**
   * A folder in which a private one is safe from being renamed away and replaced.
   *
   * @throws IOException when other users could do that
   */
  static void requireSafeParent(Path folder) throws IOException {
    Object self = self();
    Map<String, Object> found = read(folder, LinkOption.NOFOLLOW_LINKS);
    Object owner = found.get("uid");
    if ((mode(found) & TYPE) == IS_LINK && isTrusted(owner, self)) {
      found = read(folder);
      owner = found.get("uid");
    }
    if (!isTrusted(owner, self)) {
      throw new IOException(ownerText(owner, self));
    }
    int mode = mode(found);
    if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
      throw new IOException(modeText(mode) + " lets other users replace folders in it");
    }
  }

  /**
   * A folder that the user named to load from. It may be root's, as that of an installation is. One
   * that is not there passes. Two or three system calls: each child process comes here.
   *
   * @throws HiplabException when another user owns it or could write to it
   */
  static void requireSafe(Path folder, String setting) {
    try {
      Object self = self();
      Map<String, Object> found = read(folder, LinkOption.NOFOLLOW_LINKS);
      Object owner = found.get("uid");
      if ((mode(found) & TYPE) == IS_LINK && isTrusted(owner, self)) {
        found = read(folder);
        owner = found.get("uid");
      }
      if (!isTrusted(owner, self)) {
        throw refused(folder, ownerText(owner, self) + leaveOut(setting));
      }
      if ((mode(found) & OTHERS_WRITE) != 0) {
        throw refused(
            folder, modeText(mode(found)) + " lets other users write there" + leaveOut(setting));
      }
    } catch (NoSuchFileException e) {
      // the one who reads from it says so
    } catch (IOException e) {
      throw new HiplabException("cannot look at " + folder + ": " + NativeCache.text(e));
    }
  }

  static boolean isOwnFolder(Path path) throws IOException {
    Map<String, Object> found = read(path, LinkOption.NOFOLLOW_LINKS);
    return (mode(found) & TYPE) == IS_FOLDER && found.get("uid").equals(self());
  }

  private static Map<String, Object> read(Path path, LinkOption... options) throws IOException {
    return Files.readAttributes(path, "unix:mode,uid", options);
  }

  private static int mode(Map<String, Object> found) {
    return (Integer) found.get("mode");
  }

  private static Object self() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  private static boolean isTrusted(Object owner, Object self) {
    return owner.equals(self) || owner.equals(0);
  }

  private static FileAttribute<Set<PosixFilePermission>> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  }

  private static HiplabException refused(Path folder, String why) {
    return new HiplabException("native libraries are not loaded from " + folder + ": " + why);
  }

  private static String leaveOut(String setting) {
    return "; leave " + setting + " out, or give a folder of your own";
  }

  private static String ownerText(Object owner, Object self) {
    return "it belongs to user id " + owner + ", this process runs as " + self;
  }

  private static String modeText(int mode) {
    StringBuilder text = new StringBuilder("its mode ");
    for (int bit = 8; bit >= 0; bit--) {
      text.append((mode >> bit & 1) == 1 ? "xwr".charAt(bit % 3) : '-');
    }
    return text.toString();
  }
}
