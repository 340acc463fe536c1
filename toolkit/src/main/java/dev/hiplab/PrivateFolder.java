package dev.hiplab;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A folder that only this user can change. Code is loaded from it: whoever can write there can run
 * code as this user.
 */
final class PrivateFolder {
  private PrivateFolder() {}

  /**
   * Makes the folder with mode 0700, or checks the one that is there.
   *
   * @throws HiplabException when another user owns it or could write to it
   */
  static Path at(Path folder) throws IOException {
    try {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      // checked below, like one just made
    }
    if (!Files.isDirectory(folder)) {
      throw new HiplabException(
          folder
              + " is no folder, but the native libraries belong there; move it away, or set"
              + " HIPLAB_CACHE to another folder");
    }
    Object owner = Files.getAttribute(folder, "unix:uid");
    Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (!owner.equals(self)) {
      throw new HiplabException(
          "native libraries are not loaded from "
              + folder
              + ": it belongs to user id "
              + owner
              + ", this process runs as "
              + self
              + "; set HIPLAB_CACHE to a folder of your own");
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(folder);
    if (mode.contains(PosixFilePermission.GROUP_WRITE)
        || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new HiplabException(
          "native libraries are not loaded from "
              + folder
              + ": its mode "
              + PosixFilePermissions.toString(mode)
              + " lets other users write there; delete it, or"
              + " set HIPLAB_CACHE to a folder of your own");
    }
    return folder;
  }
}
