// A folder that only this user can enter, for the files of one compilation or one loaded module.
#pragma once

#include <string>

namespace hiplab::driver::host {

// Made under TMPDIR (else /tmp) and removed, with all in it, when this object dies. Locked while
// it is in use, so that a later process can tell what a killed one left behind, and removes it.
class CompilerFolder {
 public:
  // Throws hiplab::Error when there can be none, naming the next step.
  CompilerFolder();
  ~CompilerFolder();
  CompilerFolder(const CompilerFolder&) = delete;
  CompilerFolder& operator=(const CompilerFolder&) = delete;

  const std::string& path() const { return path_; }

  // Writes a new file, with its parent folders; returns its path. `name` is relative and stays
  // inside. Throws hiplab::Error.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
  int lock_ = -1;
};

// The whole file, or throws hiplab::Error.
std::string read_file(const std::string& path);

}  // namespace hiplab::driver::host
