#include "driver/host/compiler_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <vector>

#include "driver/error.h"

namespace hiplab::driver::host {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "hiplab-kernel-";

std::string temporary_root() {
  const char* said = std::getenv("TMPDIR");
  return said != nullptr && *said == '/' ? said : "/tmp";
}

// A folder's lock belongs to the process that uses it; it is free when that has died.
int lock_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  if (flock(folder, LOCK_EX | LOCK_NB) == 0) return folder;
  close(folder);
  return -1;
}

// What killed processes left behind, this user's only.
void sweep(const std::string& root) {
  std::error_code ignored;
  std::vector<std::string> left;
  for (fs::directory_iterator it(root, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    if (it->path().filename().string().starts_with(kPrefix)) left.push_back(it->path());
  }
  for (const std::string& path : left) {
    struct stat about {};
    if (lstat(path.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != geteuid()) {
      continue;
    }
    const int folder = lock_folder(path);
    if (folder < 0) continue;
    fs::remove_all(path, ignored);
    close(folder);
  }
}

}  // namespace

CompilerFolder::CompilerFolder() {
  const std::string root = temporary_root();
  static std::once_flag swept;
  std::call_once(swept, [&] { sweep(root); });
  // Another process may sweep a folder between its making and its locking: then make another.
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::string name = root + "/" + kPrefix + "XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw Error("cannot make a folder in " + root + " (" + std::strerror(errno) +
                  "): set TMPDIR to a writable folder with room");
    }
    lock_ = lock_folder(name);
    struct stat about {};
    if (lock_ >= 0 && fstat(lock_, &about) == 0 && about.st_nlink > 0 &&
        access(name.c_str(), F_OK) == 0) {
      path_ = name;
      return;
    }
    if (lock_ >= 0) close(lock_);
    rmdir(name.c_str());
  }
  throw Error("cannot lock a folder in " + root +
              ": set TMPDIR to a folder of a local file system");
}

CompilerFolder::~CompilerFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

std::string CompilerFolder::write(const std::string& name, const std::string& content) const {
  const fs::path path = fs::path(path_) / name;
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700);
  bool written = file >= 0;
  for (std::size_t done = 0; written && done < content.size();) {
    const ssize_t n = ::write(file, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    written = n > 0;
    if (written) done += static_cast<std::size_t>(n);
  }
  const int error = errno;
  if (file >= 0) close(file);
  if (!written) {
    throw Error("cannot write " + std::to_string(content.size()) + " bytes to " + path.string() +
                " (" + std::strerror(error) + "): set TMPDIR to a writable folder with room");
  }
  return path.string();
}

std::string read_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) throw Error("cannot read " + path + " (" + std::strerror(errno) + ")");
  std::string content;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t n = read(file, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error = n < 0 ? errno : 0;
      close(file);
      if (error != 0) throw Error("cannot read " + path + " (" + std::strerror(error) + ")");
      return content;
    }
    content.append(chunk, static_cast<std::size_t>(n));
  }
}

}  // namespace hiplab::driver::host
