#include "driver/host/compiler_choice.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>

#include "driver/host/compiler_process.h"
#include "sync/mutex.h"

namespace hiplab::driver::host {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A variable's words; quotes have no meaning, as no shell reads them.
std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

bool is_program(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

// The absolute path of a program as a shell would find it, or "".
std::string find_program(const std::string& name, const std::string& path) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos) {
    return is_program(name) ? std::filesystem::absolute(name, ignored).string() : "";
  }
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(candidate)) return std::filesystem::absolute(candidate, ignored).string();
  }
  return "";
}

// Leaked: a compile may run while the process exits.
struct Versions {
  sync::Mutex mutex{"compiler versions"};
  std::map<std::string, std::string> known;  // file as it is now -> first line of --version
};

void identify(CompilerChoice& choice) {
  const std::vector<std::string>& command = choice.command;
  std::error_code ignored;
  const std::string real = std::filesystem::canonical(command[0], ignored).string();
  struct stat about {};
  stat(real.c_str(), &about);
  std::ostringstream file;
  file << real << " " << about.st_size << " " << about.st_mtim.tv_sec << "."
       << about.st_mtim.tv_nsec;
  for (std::size_t i = 1; i < command.size(); ++i) file << " " << command[i];

  static auto* versions = new Versions;
  const std::lock_guard lock(versions->mutex);
  const auto [entry, fresh] = versions->known.try_emplace(file.str());
  if (fresh) {
    std::vector<std::string> ask = command;
    ask.push_back("--version");
    const Ended ended = run_process(ask, "/", std::chrono::seconds(20));
    entry->second = ended.output.substr(0, ended.output.find('\n'));
  }
  choice.version = entry->second;
  choice.identity = file.str() + " " + entry->second;
}

}  // namespace

CompilerChoice choose_compiler() {
  CompilerChoice choice;
  const std::string path = variable("PATH");
  std::string looked;
  const auto take = [&](const std::string& from, const std::vector<std::string>& command) {
    if (command.empty()) return false;
    looked += (looked.empty() ? "" : ", ") + from;
    const std::string program = find_program(command[0], path);
    if (program.empty()) return false;
    choice.command = command;
    choice.command[0] = program;
    identify(choice);
    return true;
  };
  const std::string own = variable("HIPLAB_CXX");
  if (!words(own).empty()) {
    if (!take("HIPLAB_CXX=" + own, words(own))) {
      choice.missing = "no C++ compiler found: HIPLAB_CXX is '" + own +
                       "', which is no program; set it to a C++ compiler, or unset it to let CXX, "
                       "c++, g++ and clang++ be tried";
    }
    return choice;
  }
  const std::string cxx = variable("CXX");
  if (take("CXX=" + cxx, words(cxx))) return choice;
  for (const char* name : {"c++", "g++", "clang++"}) {
    if (take(name, {name})) return choice;
  }
  choice.missing = "no C++ compiler found (looked for " + looked + " on PATH " + path +
                   "): install g++ or clang++, or set HIPLAB_CXX to a C++ compiler";
  return choice;
}

}  // namespace hiplab::driver::host
