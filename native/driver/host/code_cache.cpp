#include "driver/host/code_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <vector>

#include "driver/error.h"
#include "driver/host/compiler_folder.h"

namespace hiplab::driver::host {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'h', 'i', 'p', 'l', 'a', 'b', 'C', '1'};
constexpr const char* kPart = ".part-";

// What stands before an entry's key, log and code.
struct Head {
  char magic[8];
  std::uint64_t key_bytes;
  std::uint64_t log_bytes;
  std::uint64_t code_bytes;
  std::uint64_t checksum;  // of key, log and code
};

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

bool write_whole(const std::string& path, const std::string& content) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = write(file, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  // No fsync: what a power cut damages, the checksum finds.
  return close(file) == 0 && done == content.size();
}

}  // namespace

std::uint64_t fnv1a(const std::string& bytes, std::uint64_t seed) {
  for (const char c : bytes) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return seed;
}

std::string CodeCache::path_of(const std::string& key) const {
  return folder_ + "/" + hex(fnv1a(key)) + hex(fnv1a(key, 0x9e3779b97f4a7c15u)) + ".kernel";
}

std::optional<CachedCode> CodeCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const std::string path = path_of(key);
  struct stat about {};
  if (lstat(path.c_str(), &about) != 0) return std::nullopt;
  if (!S_ISREG(about.st_mode) || about.st_uid != geteuid()) return std::nullopt;
  std::string content;
  try {
    content = read_file(path);
  } catch (const std::exception&) {
    return std::nullopt;  // removed meanwhile, or no memory: compile instead
  }
  Head head{};
  const std::size_t rest = content.size() - std::min(content.size(), sizeof head);
  if (rest > 0) std::memcpy(&head, content.data(), sizeof head);
  const std::string body = rest > 0 ? content.substr(sizeof head) : "";
  const bool whole = std::memcmp(head.magic, kMagic, sizeof kMagic) == 0 &&
                     head.key_bytes <= rest && head.log_bytes <= rest && head.code_bytes <= rest &&
                     head.key_bytes + head.log_bytes + head.code_bytes == rest &&
                     fnv1a(body) == head.checksum;
  if (!whole) {
    unlink(path.c_str());
    return std::nullopt;
  }
  if (body.compare(0, head.key_bytes, key) != 0) return std::nullopt;
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // used now
  return CachedCode{body.substr(head.key_bytes + head.log_bytes),
                    body.substr(head.key_bytes, head.log_bytes)};
}

void CodeCache::store(const std::string& key, const CachedCode& code) const {
  if (folder_.empty()) return;
  const std::string body = key + code.log + code.code;
  Head head{{}, key.size(), code.log.size(), code.code.size(), fnv1a(body)};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  std::string content(sizeof head, '\0');
  std::memcpy(content.data(), &head, sizeof head);
  content += body;
  if (content.size() > most_bytes_) return;
  static std::atomic<unsigned> parts{0};
  const std::string part =
      folder_ + "/" + kPart + std::to_string(getpid()) + "-" + std::to_string(++parts);
  if (!write_whole(part, content) || rename(part.c_str(), path_of(key).c_str()) != 0) {
    unlink(part.c_str());
    return;
  }
  trim();
}

void CodeCache::trim() const {
  struct Entry {
    std::string path;
    std::uint64_t bytes;
    std::int64_t used;  // ns
  };
  std::vector<Entry> entries;
  std::uint64_t bytes = 0;
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::error_code failed;
  for (fs::directory_iterator it(folder_, failed), end; !failed && it != end;
       it.increment(failed)) {
    struct stat about {};
    const std::string path = it->path();
    if (lstat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) continue;
    const std::int64_t used = about.st_mtim.tv_sec * kSecond + about.st_mtim.tv_nsec;
    if (it->path().filename().string().starts_with(kPart)) {
      // Of a process that was killed while it wrote.
      if (std::time(nullptr) - about.st_mtim.tv_sec > 3600) unlink(path.c_str());
      continue;
    }
    entries.push_back({path, static_cast<std::uint64_t>(about.st_size), used});
    bytes += entries.back().bytes;
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (bytes <= most_bytes_) return;
    unlink(entry.path.c_str());
    bytes -= entry.bytes;
  }
}

}  // namespace hiplab::driver::host
