// Compiled kernels kept on disk, for the next process that asks for the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hiplab::driver::host {

struct CachedCode {
  std::string code;
  std::string log;  // what the compiler said: warnings
};

// FNV-1a: finds files and damage, keeps nobody out.
std::uint64_t fnv1a(const std::string& bytes, std::uint64_t seed = 0xcbf29ce484222325u);

// <folder>/<hash of the key>, one file an entry. Processes may share the folder: an entry is
// written beside and renamed, so it is there whole or not at all, and one that is damaged or
// belongs to another key (all of the key is kept) counts as absent. Never throws.
class CodeCache {
 public:
  // `folder` must exist for this user only; "" is a cache that keeps nothing.
  explicit CodeCache(std::string folder, std::uint64_t most_bytes = std::uint64_t{64} << 20)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  std::optional<CachedCode> find(const std::string& key) const;
  // A failure costs the entry only. Over `most_bytes` the entries used longest ago are removed.
  void store(const std::string& key, const CachedCode& code) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string path_of(const std::string& key) const;
  void trim() const;

  std::string folder_;
  std::uint64_t most_bytes_;
};

// The cache that the environment asks for: none with HIPLAB_KERNEL_CACHE=off (or no, 0, false, in
// any case; a value that is not understood is told once on stderr, and is not off); else
// <cache>/hiplab/kernels, where <cache> is HIPLAB_CACHE, XDG_CACHE_HOME or ~/.cache. A folder that
// another user could change is not used: told once on stderr, and nothing is kept.
CodeCache code_cache_of_environment();

}  // namespace hiplab::driver::host
