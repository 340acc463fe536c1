package dev.hiplab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unpacking small stand-in files: who may own the folder, and what is found in it. */
class NativeCacheTest {
  @TempDir Path temporary;
  private Path cache;
  private NativeFile.Bundle bundle;

  @BeforeEach
  void makeBundle() throws IOException {
    cache = temporary.resolve("cache");
    List<NativeFile> files = new ArrayList<>();
    files.add(file("liba.so", "first library"));
    files.add(file("native.properties", "files=liba.so\n"));
    bundle = new NativeFile.Bundle("0123abcd", files);
  }

  private NativeFile file(String name, String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    Path source = temporary.resolve("source-" + name);
    Files.write(source, bytes);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return new NativeFile(name, bytes.length, crc.getValue(), source.toUri().toURL());
  }

  private Path folder() {
    return cache.resolve("hiplab/0123abcd");
  }

  @Test
  void unpacksIntoAPrivateFolder() throws IOException {
    assertThat(NativeCache.unpackTo(cache, bundle)).isEqualTo(folder());
    assertThat(folder().resolve("liba.so")).hasContent("first library");
    for (Path made : new Path[] {folder(), cache.resolve("hiplab")}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
    }
    assertThat(folder().toFile().list()).doesNotContainNull().noneMatch(n -> n.startsWith(".part"));
  }

  @Test
  void whatIsWholeIsNotWrittenAgain() throws IOException {
    NativeCache.unpackTo(cache, bundle);
    Object before = Files.getAttribute(folder().resolve("liba.so"), "unix:ino");
    NativeCache.unpackTo(cache, bundle);
    assertThat(Files.getAttribute(folder().resolve("liba.so"), "unix:ino")).isEqualTo(before);
  }

  @Test
  void aDamagedFileIsReplaced() throws IOException {
    NativeCache.unpackTo(cache, bundle);
    Path library = folder().resolve("liba.so");
    for (String damage : new String[] {"first", "FIRST LIBRARY", ""}) {
      Files.writeString(library, damage);
      NativeCache.unpackTo(cache, bundle);
      assertThat(library).hasContent("first library");
    }
  }

  // A link could point at a file that someone else can write.
  @Test
  void aLinkInPlaceOfAFileIsReplaced() throws IOException {
    NativeCache.unpackTo(cache, bundle);
    Path library = folder().resolve("liba.so");
    Files.delete(library);
    Path elsewhere = Files.writeString(temporary.resolve("elsewhere"), "first library");
    Files.createSymbolicLink(library, elsewhere);
    NativeCache.unpackTo(cache, bundle);
    assertThat(Files.isSymbolicLink(library)).isFalse();
    assertThat(library).hasContent("first library");
  }

  @Test
  void aFolderThatOthersCanWriteIsRefused() throws IOException {
    NativeCache.unpackTo(cache, bundle);
    for (String mode : new String[] {"rwxrwx---", "rwx---rwx"}) {
      for (Path made : new Path[] {folder(), cache.resolve("hiplab")}) {
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(mode));
        assertThatThrownBy(() -> NativeCache.unpackTo(cache, bundle))
            .isInstanceOf(HiplabException.class)
            .hasMessageContaining(made.toString())
            .hasMessageContaining(mode)
            .hasMessageContaining("HIPLAB_CACHE");
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
      }
    }
  }

  @Test
  void aFolderOfAnotherUserIsRefused() throws IOException {
    NativeCache.unpackTo(cache, bundle);
    assumeTrue(isRoot(), "only root can give a folder away");
    Files.setAttribute(folder(), "unix:uid", 54321);
    assertThatThrownBy(() -> NativeCache.unpackTo(cache, bundle))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("54321");
  }

  // Whoever owns the link can point it elsewhere later.
  @Test
  void aLinkInPlaceOfAFolderIsRefused() throws IOException {
    NativeCache.unpackTo(cache, bundle);
    for (Path made : new Path[] {folder(), cache.resolve("hiplab")}) {
      Path moved = Files.move(made, temporary.resolve("moved-" + made.getFileName()));
      Files.createSymbolicLink(made, moved);
      assertThatThrownBy(() -> NativeCache.unpackTo(cache, bundle))
          .isInstanceOf(HiplabException.class)
          .hasMessageContaining(made + ": it is a symbolic link")
          .hasMessageContaining("HIPLAB_CACHE");
      Files.delete(made);
      Files.move(moved, made);
    }
  }

  @Test
  void aCacheInWhichOthersCanSwapFoldersIsNotUsed() throws IOException {
    Files.createDirectory(cache);
    for (String mode : new String[] {"rwxrwx---", "rwx---rwx"}) {
      Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> NativeCache.unpackTo(cache, bundle))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(mode);
      assertThat(cache.resolve("hiplab")).doesNotExist();
    }
    Files.setAttribute(cache, "unix:mode", 01777); // sticky, as /tmp
    assertThat(NativeCache.unpackTo(cache, bundle)).isEqualTo(folder());
  }

  @Test
  void theCacheMayBeALinkOfThisUser() throws IOException {
    Files.createSymbolicLink(cache, Files.createDirectory(temporary.resolve("disk")));
    NativeCache.unpackTo(cache, bundle);
    assertThat(temporary.resolve("disk/hiplab/0123abcd/liba.so")).hasContent("first library");
  }

  @Test
  void aLinkOfAnotherUserIsNotFollowed() throws IOException {
    assumeTrue(isRoot(), "only root can give a link away");
    Files.createSymbolicLink(cache, Files.createDirectory(temporary.resolve("disk")));
    Files.setAttribute(cache, "unix:uid", 54321, LinkOption.NOFOLLOW_LINKS);
    assertThatThrownBy(() -> NativeCache.unpackTo(cache, bundle))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("54321");
  }

  @Test
  void aCacheThatIsMadeIsPrivate() throws IOException {
    cache = temporary.resolve("new/cache");
    NativeCache.unpackTo(cache, bundle);
    for (Path made : new Path[] {cache, cache.getParent()}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aFolderInPlaceOfAFileIsReplacedWhenItIsEmpty() throws IOException {
    NativeCache.unpackTo(cache, bundle);
    Path library = folder().resolve("liba.so");
    Files.delete(library);
    Files.createDirectory(library);
    NativeCache.unpackTo(cache, bundle);
    assertThat(library).hasContent("first library");
    Files.delete(library);
    Files.createDirectories(library.resolve("kept"));
    assertThatThrownBy(() -> NativeCache.unpackTo(cache, bundle))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining(library + " is a folder");
    assertThat(library.resolve("kept")).exists();
  }

  @Test
  void onlyAbandonedTemporaryFoldersAreSwept() throws IOException {
    Path own = Files.createDirectory(temporary.resolve("hiplab-1"));
    Path living = abandoned("hiplab-2");
    Path dead = abandoned("hiplab-3");
    Path young = abandoned("hiplab-4");
    Path foreign = abandoned("hiplab-x5");
    Path noLock = Files.createDirectory(temporary.resolve("hiplab-6"));
    Files.setLastModifiedTime(young.resolve(TemporaryFolders.LOCK), FileTime.from(Instant.now()));
    Path link = Files.createSymbolicLink(temporary.resolve("hiplab-7"), foreign);
    try (FileChannel held =
        FileChannel.open(living.resolve(TemporaryFolders.LOCK), StandardOpenOption.WRITE)) {
      assertThat(held.lock()).isNotNull();
      TemporaryFolders.sweep(own);
    }
    assertThat(dead).doesNotExist();
    for (Path kept : new Path[] {own, living, young, foreign, noLock, link}) {
      assertThat(kept).exists();
    }
    assertThat(foreign.resolve("liba.so")).exists();
  }

  private Path abandoned(String name) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve(name));
    Files.writeString(folder.resolve("liba.so"), "library");
    Path lock = Files.createFile(folder.resolve(TemporaryFolders.LOCK));
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(3600)));
    return folder;
  }

  private static boolean isRoot() throws IOException {
    return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
  }

  @Test
  void aDamagedJarIsNotUnpacked() throws IOException {
    NativeFile whole = bundle.files().get(0);
    NativeFile damaged = new NativeFile("liba.so", whole.size(), whole.crc() + 1, whole.url());
    NativeFile.Bundle bad = new NativeFile.Bundle("0123abcd", List.of(damaged));
    assertThatThrownBy(() -> NativeCache.unpackTo(cache, bad))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
    assertThat(folder().resolve("liba.so")).doesNotExist();
  }

  @Test
  void otherPlatformsAreNamed() {
    assertThatThrownBy(() -> NativeLibrary.requirePlatform("Linux", "aarch64"))
        .isInstanceOf(HiplabException.class)
        .hasMessageContaining("linux-x86_64")
        .hasMessageContaining("Linux aarch64");
    NativeLibrary.requirePlatform("Linux", "amd64");
  }
}
