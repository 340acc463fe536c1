#include "driver/host/compiler.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <iterator>
#include <mutex>

#include "driver/host/compiler_choice.h"
#include "driver/host/compiler_folder.h"
#include "driver/host/compiler_process.h"
#include "driver/host/kernel_prelude.h"
#include "driver/host/kernel_scan.h"
#include "sync/mutex.h"

namespace hiplab::driver::host {
namespace {

constexpr const char* kMacrosFile = "hiplab_macros.h";
// What these stand for does not come with the job.
constexpr const char* kNotTheJobs[] = {"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_include"};
constexpr const char* kRegistration = "hiplab kernels";

// Without any header a kernel needs libm, the C library (memset, printf) and the compiler's own.
// Contraction is off, as this machine's GEMMs have it, whatever instructions it has.
std::vector<std::string> fixed_flags() {
  return {"-std=gnu++17",
          "-O2",
          "-fPIC",
          "-nostdinc",
          "-fno-rtti",
          "-fvisibility=hidden",
          "-fno-exceptions",
          "-fno-threadsafe-statics",
          "-fmessage-length=0",
          "-ffp-contract=off",
          "-fno-math-errno"};
}

// A name that can be a file of the folder as it is, and no option of the compiler.
bool is_plain(const std::string& name) {
  if (name.empty() || name.size() > 100 || name[0] == '-' || name[0] == '.') return false;
  if (name == kPreludeFile || name == kMacrosFile || name == "code.so") return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
  });
}

bool is_inside(const std::string& header) {
  return !header.empty() && header[0] != '/' && header.size() < 200 &&
         ("/" + header + "/").find("/../") == std::string::npos;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

std::string registration_of(const std::vector<FoundKernel>& kernels) {
  std::string text = std::string("\n#line 1 \"") + kRegistration + "\"\n" +
                     "extern \"C\" {\n"
                     "extern __attribute__((visibility(\"default\"))) const hiplab_kernel "
                     "hiplab_kernels[];\n"
                     "extern __attribute__((visibility(\"default\"))) const unsigned "
                     "hiplab_kernel_count;\n"
                     "const hiplab_kernel hiplab_kernels[] = {\n";
  for (const FoundKernel& kernel : kernels) {
    text += "HIPLAB_KERNEL(\"" + kernel.name + "\", " + kernel.qualified + ")\n";
  }
  return text + "{nullptr, 0, nullptr, nullptr}};\nconst unsigned hiplab_kernel_count = " +
         std::to_string(kernels.size()) + ";\n}\n";
}

class Compilation {
 public:
  Compilation(const CompileJob& job, const CompilerChoice& compiler)
      : job_(job), compiler_(compiler) {}

  // Also says whether the result depends on nothing but the job and the compiler.
  Compiled run(bool& reproducible) {
    if (!write_inputs()) return compiled_;
    const Scan scan = this->scan();
    if (compiled_.result != Compiled::Result::done) return compiled_;
    reproducible = own_files_only(scan);
    if (!scan.refused.empty()) {
      compiled_.result = Compiled::Result::refused;
      compiled_.log = scan.refused;
      return compiled_;
    }
    // With a brace left open the lines behind would only confuse the compiler's message.
    const std::string tail = scan.balanced ? registration_of(scan.kernels) : "";
    file_ = program_file();
    folder_.write(file_, job_.source + "\n" + tail);
    std::vector<std::string> arguments = {"-shared", "-o", "code.so"};
    add_inputs(arguments);
    arguments.insert(arguments.end(),
                     {"-x", "none", "-nodefaultlibs", "-lm", "-lc", "-lgcc", "-Wl,-z,defs"});
    if (call(arguments, "code.so")) compiled_.code = read_file(folder_.path() + "/code.so");
    reproducible = reproducible && ends_told_;
    return compiled_;
  }

 private:
  std::string program_file() const {
    const bool taken = std::any_of(job_.headers.begin(), job_.headers.end(),
                                   [&](const auto& header) { return header.first == job_.name; });
    return is_plain(job_.name) && !taken ? job_.name : "hiplab_program.hip";
  }

  bool write_inputs() {
    folder_.write(kPreludeFile, kKernelPrelude);
    folder_.write(kMacrosFile, "static const int warpSize = " + std::to_string(job_.warp_size) +
                                   ";\n" + job_.macros);
    for (const auto& [name, text] : job_.headers) {
      if (!is_inside(name)) {
        compiled_.result = Compiled::Result::refused;
        compiled_.log = "error: header name '" + name +
                        "': allowed are relative paths without '..', of at most 199 characters\n";
        return false;
      }
      folder_.write("headers/" + name, text);
    }
    return true;
  }

  // The source as the compiler will see it, without what #if leaves out and with macros expanded.
  Scan scan() {
    compiled_.result = Compiled::Result::done;
    // No directive, no macro: the preprocessor would change nothing.
    if (job_.source.find('#') == std::string::npos && job_.macros.empty()) {
      return scan_kernels(job_.source, job_.name);
    }
    file_ = "scan/" + program_file();
    folder_.write(file_, job_.source + "\n");
    std::vector<std::string> arguments = {"-E", "-DHIPLAB_SCAN"};
    add_inputs(arguments);
    arguments.insert(arguments.end(), {"-o", "scanned"});
    if (!call(arguments, "scanned")) return {};
    Scan found = scan_kernels(read_file(folder_.path() + "/scanned"), file_);
    found.refused = told(found.refused);
    return found;
  }

  void add_inputs(std::vector<std::string>& arguments) const {
    for (const std::string& flag : fixed_flags()) arguments.push_back(flag);
    arguments.push_back("-Iheaders");  // before the job's folders
    for (const std::string& flag : job_.flags) arguments.push_back(flag);
    arguments.insert(arguments.end(),
                     {"-include", kPreludeFile, "-include", kMacrosFile, "-x", "c++", file_});
  }

  // Whether everything that was read came with the job; the markers of what was scanned tell.
  bool own_files_only(const Scan& scan) const {
    const auto has = [](const std::string& text) {
      return std::any_of(std::begin(kNotTheJobs), std::end(kNotTheJobs),
                         [&](const char* word) { return text.find(word) != std::string::npos; });
    };
    if (has(job_.source) || has(job_.macros)) return false;
    if (std::any_of(job_.headers.begin(), job_.headers.end(),
                    [&](const auto& header) { return has(header.second); })) {
      return false;
    }
    return std::all_of(scan.files.begin(), scan.files.end(), [&](std::string file) {
      if (file.starts_with("./")) file.erase(0, 2);
      return file == job_.name || file == file_ || file == kPreludeFile || file == kMacrosFile ||
             file.starts_with("headers/") || file.starts_with("<");
    });
  }

  // The compiler's text in the program's terms.
  std::string told(std::string text) const {
    replace_all(text, folder_.path() + "/", "");
    replace_all(text, "headers/", "");
    replace_all(text, "scan/", "");
    if (program_file() != job_.name) replace_all(text, program_file(), job_.name);
    return text;
  }

  // Whether the machine has failed the compiler, which tells it as an error like any other.
  bool no_room(const std::string& output) const {
    for (const char* text : {"No space left on device", "Disk quota exceeded"}) {
      if (output.find(text) != std::string::npos && job_.source.find(text) == std::string::npos) {
        return true;
      }
    }
    return false;
  }

  // `result`: the file that it writes unless it fails.
  bool call(const std::vector<std::string>& arguments, const std::string& result) {
    std::vector<std::string> command = compiler_.command;
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Ended ended = run_process(command, folder_.path(), job_.limit);
    compiled_.log = told(ended.output);
    const bool wrote = access((folder_.path() + "/" + result).c_str(), R_OK) == 0;
    const bool untold = ended.started && !ended.timed_out && !ended.told;
    if (untold) ends_told_ = false;
    if (wrote && (ended.exit_code == 0 || untold)) return true;
    compiled_.result = Compiled::Result::failed;
    const std::string& program = compiler_.command[0];
    if (!ended.started) {
      compiled_.log += "error: " + program + " cannot be started (" + ended.trouble +
                       "): set HIPLAB_CXX to a C++ compiler\n";
    } else if (ended.timed_out) {
      compiled_.log += "error: " + program + " was stopped after " +
                       std::to_string(job_.limit.count()) + " ms: make the program smaller\n";
    } else if (no_room(ended.output)) {
      compiled_.log += "error: " + program + " found no room in " + folder_.path() +
                       ": set TMPDIR to a writable folder with room\n";
    } else if (untold && ended.output.empty()) {
      compiled_.log += "error: " + program +
                       " wrote nothing, and how it ended is not known, as this process ignores "
                       "SIGCHLD or waits for children of others: set SIGCHLD to its default\n";
    } else if (ended.signal != 0) {
      compiled_.log += "error: " + program + " was ended by signal " +
                       std::to_string(ended.signal) + ": it may have found no memory\n";
    } else if (ended.exit_code == 0 || ended.output.empty()) {
      // No compiler: one says what is wrong with a program.
      compiled_.log += "error: " + program + " ended with exit code " +
                       std::to_string(ended.exit_code) +
                       (ended.exit_code == 0 ? " and did not write the file that -o names"
                                             : " and wrote nothing") +
                       ": set HIPLAB_CXX to a C++ compiler\n";
    } else {
      compiled_.result = Compiled::Result::refused;
    }
    return false;
  }

  const CompileJob& job_;
  const CompilerChoice& compiler_;
  const CompilerFolder folder_;
  std::string file_;
  bool ends_told_ = true;  // how each run of the compiler ended
  Compiled compiled_;
};

// All that decides about the code. Lengths keep one part from passing for another.
std::string key_of(const CompileJob& job, const CompilerChoice& compiler) {
  std::string key;
  const auto add = [&](const std::string& part) {
    key += std::to_string(part.size()) + ":" + part + "\n";
  };
  add(compiler.identity);
  add(kKernelPrelude);
  for (const std::string& flag : fixed_flags()) add(flag);
  for (const std::string& flag : job.flags) add(flag);
  add(std::to_string(job.warp_size));
  add(job.macros);
  for (const auto& [name, text] : job.headers) add(name), add(text);
  add(job.name);
  add(job.source);
  return key;
}

sync::Mutex& one_at_a_time() {
  static auto* mutex = new sync::Mutex("hiprtc");  // leaked: compiles may run at exit
  return *mutex;
}

}  // namespace

Compiled compile_kernels(const CompileJob& job, const CodeCache& cache) {
  const std::lock_guard lock(one_at_a_time());
  try {
    const CompilerChoice compiler = choose_compiler();
    if (compiler.command.empty()) {
      return {Compiled::Result::failed, "", "error: " + compiler.missing + "\n"};
    }
    const std::string key = key_of(job, compiler);
    if (auto known = cache.find(key)) {
      return {Compiled::Result::done, std::move(known->code), std::move(known->log)};
    }
    bool reproducible = false;
    Compiled compiled = Compilation(job, compiler).run(reproducible);
    if (compiled.result == Compiled::Result::done && reproducible) {
      cache.store(key, {compiled.code, compiled.log});
    }
    return compiled;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {Compiled::Result::failed, "", std::string("error: ") + error.what() + "\n"};
  }
}

}  // namespace hiplab::driver::host
