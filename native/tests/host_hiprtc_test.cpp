// hiprtc of the software device: what it compiles, what it refuses, and the real compiler's log.
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "driver/hiprtc_arch.h"
#include "driver/host/code_cache.h"
#include "driver/host/compiler.h"
#include "driver/host/compiler_folder.h"
#include "driver/host/compiler_process.h"
#include "driver/host/kernel_scan.h"
#include "driver/rocm/guards.h"
#include "host_test_tools.h"
#include "kernel_tools.h"

namespace hiplab::test {
namespace {

// Folders of compilations, in use or left behind.
int folders_in(const std::string& temporary) {
  int count = 0;
  std::error_code ignored;
  for (std::filesystem::directory_iterator it(temporary, ignored), end; it != end; ++it) {
    count += it->path().filename().string().starts_with("hiplab-kernel-");
  }
  return count;
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

class HostHiprtcFixed : public HostTest {
 protected:
  // Every compilation of these tests is a real one, in a temporary folder that must end empty.
  void TearDown() override { EXPECT_EQ(folders_in(temporary_.path()), 0) << "left behind"; }

  Folder temporary_;
  Variable tmpdir_{"TMPDIR", temporary_.path().c_str()};
  Variable cache_{"HIPLAB_KERNEL_CACHE", "off"};
  Variable no_own_{"HIPLAB_CXX", nullptr};
};

TEST_F(HostHiprtcFixed, CompilesWithHeadersMacrosAndOptions) {
  const std::string source =
      "#include \"scale.h\"\n"
      "#include <deep/offset.h>\n"
      "#if COUNT != 3 || !defined(FLAG) || defined(GONE)\n"
      "#error macros are not as given\n"
      "#endif\n"
      "extern \"C\" __launch_bounds__(256) __global__ void k(float* p) {\n"
      "  p[threadIdx.x] = kScale * sqrtf(p[threadIdx.x]) + OFFSET + T(warpSize);\n"
      "}\n";
  const Program made =
      compile(*t, source,
              {"--offload-arch=splitk", "-DCOUNT=3", "-D", "T=float", "-DFLAG", "-DGONE", "-UGONE",
               "-O3", "--std=c++20"},
              "dir/with space/k.hip", {"constexpr float kScale = 2;\n", "#define OFFSET 1\n"},
              {"scale.h", "deep/offset.h"});
  EXPECT_EQ(made.result, HIPRTC_SUCCESS) << made.log;
  EXPECT_FALSE(made.code.empty());
}

TEST_F(HostHiprtcFixed, TheLogIsTheCompilersInTheProgramsOwnNameAndLines) {
  const std::string source =
      "extern \"C\" __global__ void k(float* p) {\n"
      "\n"
      "  p[0] = undeclared_name;\n"
      "}\n";
  for (const char* name : {"mine.hip", "../up/mine.hip", "-o"}) {
    const Program made = compile(*t, source, {}, name);
    EXPECT_EQ(made.result, HIPRTC_ERROR_COMPILATION);
    expect_contains(made.log, std::string(name) + ":3:");
    expect_contains(made.log, "undeclared_name");
    EXPECT_EQ(made.log.find(temporary_.path()), std::string::npos) << made.log;
  }
  // Behind a directive, so that the preprocessor has been there first; and in a header.
  const Program header =
      compile(*t, "#include \"h.h\"\n" + source, {}, "mine.hip", {"\nint broken = ;\n"}, {"h.h"});
  expect_contains(header.log, "mine.hip:4:");
  expect_contains(header.log, "h.h:2:");
  EXPECT_EQ(header.log.find("headers/"), std::string::npos) << header.log;
  // What only the linker misses.
  const Program missing = compile(*t,
                                  "extern \"C\" void nowhere();\n"
                                  "extern \"C\" __global__ void k() { nowhere(); }\n");
  EXPECT_EQ(missing.result, HIPRTC_ERROR_COMPILATION);
  expect_contains(missing.log, "nowhere");
  EXPECT_EQ(missing.log.find(temporary_.path()), std::string::npos) << missing.log;
}

// As real hiprtc (measured on HIP 6.4): no header of the system is found.
TEST_F(HostHiprtcFixed, SystemHeadersAreNotFound) {
  for (const char* header : {"stdint.h", "math.h", "vector"}) {
    const Program made = compile(*t, "#include <" + std::string(header) + ">\n");
    EXPECT_EQ(made.result, HIPRTC_ERROR_COMPILATION);
    expect_contains(made.log, header);
  }
}

TEST_F(HostHiprtcFixed, WhatTheDeviceCannotHonourIsRefusedByNameAndLine) {
  const auto kernel = [](const std::string& body) {
    return "extern \"C\" __global__ void k(int* p) {\n" + body + "\n}\n";
  };
  const std::pair<const char*, const char*> cases[] = {
      {"__syncthreads();", "__syncthreads"},
      {"__shared__ int s[8];", "__shared__"},
      {"extern __shared__ int s[];", "__shared__"},
      {"p[0] = __shfl_down(p[0], 1);", "__shfl_down"},
      {"p[0] = __ballot(1);", "__ballot"},
      {"__asm__ volatile(\"s_nop 0\");", "__asm__"},
      {"p[0] = __builtin_amdgcn_workitem_id_x();", "__builtin_amdgcn_workitem_id_x"},
  };
  for (const auto& [body, name] : cases) {
    const Program made = compile(*t, kernel(body), {}, "why.hip");
    EXPECT_EQ(made.result, HIPRTC_ERROR_COMPILATION) << body;
    expect_contains(made.log, "why.hip:2: error: " + std::string(name) +
                                  " is not honoured by the software device: ");
  }
  // Behind a macro it is found as well, in a comment, a string or a dead branch it is none.
  EXPECT_EQ(compile(*t, "#define WAIT __syncthreads()\n" + kernel("WAIT;")).result,
            HIPRTC_ERROR_COMPILATION);
  const Program harmless = compile(*t, kernel("// __syncthreads()\n"
                                              "/* __shared__ */ const char* s = \"__shared__\";\n"
                                              "p[0] = s[0];\n"
                                              "#if 0\n"
                                              "__syncthreads();\n"
                                              "#endif"));
  EXPECT_EQ(harmless.result, HIPRTC_SUCCESS) << harmless.log;
}

TEST_F(HostHiprtcFixed, ParametersThatCannotBeCopiedAreRefused) {
  const Program reference = compile(*t, "extern \"C\" __global__ void k(int& x) { x = 1; }\n");
  EXPECT_EQ(reference.result, HIPRTC_ERROR_COMPILATION);
  expect_contains(reference.log, "may not be a reference");
  const Program value = compile(*t, "extern \"C\" __global__ int k() { return 1; }\n");
  EXPECT_EQ(value.result, HIPRTC_ERROR_COMPILATION);
  expect_contains(value.log, "must return void");
}

TEST_F(HostHiprtcFixed, WrongOptionsAreErrorsWithALog) {
  const std::pair<const char*, const char*> cases[] = {
      {"--no-such-option", "allowed are"},
      {"-fplugin=/tmp/x.so", "allowed are"},
      {"-DNOT-A-NAME", "is no macro"},
      {"-DTWO=1\nint x;", "is no macro"},
      {"-std=c++99", "c++17"},
      {"--offload-arch=gfx9999", "gfx9999"},
      {"--offload-arch=gfx1151:xnack-", "gfx1151:xnack-"},
  };
  for (const auto& [option, part] : cases) {
    const Program made = compile(*t, probe_source("k"), {option});
    EXPECT_EQ(made.result, HIPRTC_ERROR_COMPILATION) << option;
    expect_contains(made.log, std::string("error: option '"));
    expect_contains(made.log, part);
  }
}

TEST_F(HostHiprtcFixed, NoCompilerIsAClearError) {
  {
    const Variable own("HIPLAB_CXX", "no-such-compiler");
    const Program made = compile(*t, probe_source("k"));
    EXPECT_EQ(made.result, HIPRTC_ERROR_INTERNAL_ERROR);
    expect_contains(made.log, "HIPLAB_CXX is 'no-such-compiler'");
  }
  const Variable path("PATH", temporary_.path().c_str());
  const Variable cxx("CXX", nullptr);
  const Program made = compile(*t, probe_source("k"));
  EXPECT_EQ(made.result, HIPRTC_ERROR_INTERNAL_ERROR);
  expect_contains(made.log, "no C++ compiler found (looked for c++, g++, clang++ on PATH " +
                                temporary_.path() + ")");
  expect_contains(made.log, "install");
}

// Not passed off as an error of the program, of which nothing would be told.
TEST_F(HostHiprtcFixed, AProgramThatIsNoCompilerIsAClearError) {
  const auto log_of = [this](const char* variable, const char* program, const std::string& source) {
    const Variable set(variable, program);
    const Program made = compile(*t, source);
    EXPECT_EQ(made.result, HIPRTC_ERROR_INTERNAL_ERROR) << program;
    return made.log;
  };
  for (const std::string& source : {probe_source("k"), "#define N 1\n" + probe_source("k")}) {
    expect_contains(log_of("HIPLAB_CXX", "/bin/false", source),
                    "/bin/false ended with exit code 1 and wrote nothing: set HIPLAB_CXX to a C++ "
                    "compiler");
    expect_contains(log_of("CXX", "/bin/true", source),
                    "/bin/true ended with exit code 0 and did not write the file that -o names: "
                    "set HIPLAB_CXX to a C++ compiler");
  }
}

TEST_F(HostHiprtcFixed, NoRoomForFilesIsAClearError) {
  const Variable tmpdir("TMPDIR", "/nonexistent/folder");
  const Program made = compile(*t, probe_source("k"));
  EXPECT_EQ(made.result, HIPRTC_ERROR_INTERNAL_ERROR);
  expect_contains(made.log, "TMPDIR");
}

// A script in the compiler's place shows how it is called.
class HostHiprtcChildFixed : public HostHiprtcFixed {
 protected:
  void write_compiler(const std::string& body) {
    const std::string path = scripts_.at("cxx");
    std::ofstream(path) << "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n" << body;
    chmod(path.c_str(), 0700);
    compiler_ = path;
  }
  std::string compiler_;
  Folder scripts_;
};

TEST_F(HostHiprtcChildFixed, NoShellReadsNamesAndInputIsEmpty) {
  write_compiler("cat; for a in \"$@\"; do echo \"<$a>\"; done; exit 1\n");
  const Variable own("HIPLAB_CXX", compiler_.c_str());
  const Program made = compile(*t, probe_source("k"), {}, "$(touch injected);x.hip");
  EXPECT_EQ(made.result, HIPRTC_ERROR_COMPILATION);
  expect_contains(made.log, "<$(touch injected);x.hip>");
  EXPECT_FALSE(std::filesystem::exists("injected"));
}

TEST_F(HostHiprtcChildFixed, ACompilerThatHangsIsStoppedWithItsChildren) {
  write_compiler("sleep 1000 & echo $! > " + scripts_.at("pid") + "; wait\n");
  const Variable own("HIPLAB_CXX", compiler_.c_str());
  host::CompileJob job;
  job.source = probe_source("k");
  job.name = "k.hip";
  job.limit = std::chrono::milliseconds(500);
  const host::Compiled made = host::compile_kernels(job, host::CodeCache(""));
  EXPECT_EQ(made.result, host::Compiled::Result::failed);
  expect_contains(made.log, "was stopped after 500 ms");
  int pid = 0;
  std::ifstream(scripts_.at("pid")) >> pid;
  ASSERT_GT(pid, 0);
  // Gone, or a zombie that nobody has collected yet.
  std::string state;
  for (int i = 0; i < 200; ++i) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name;
    state.clear();
    if (!(stat >> number >> name >> state) || state == "Z") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(state.empty() || state == "Z") << state;
}

TEST_F(HostHiprtcChildFixed, ACompilerThatIsKilledIsAClearError) {
  write_compiler("kill -9 $$\n");
  const Variable own("HIPLAB_CXX", compiler_.c_str());
  const Program made = compile(*t, probe_source("k"));
  EXPECT_EQ(made.result, HIPRTC_ERROR_INTERNAL_ERROR);
  expect_contains(made.log, "signal 9");
}

// The linker's error is not the program's.
TEST_F(HostHiprtcChildFixed, AFullFolderIsNoErrorOfTheSource) {
  write_compiler(
      "echo '/usr/bin/ld: final link failed: No space left on device'\n"
      "echo 'collect2: error: ld returned 1 exit status'; exit 1\n");
  const Variable own("HIPLAB_CXX", compiler_.c_str());
  const Program made = compile(*t, probe_source("k"));
  EXPECT_EQ(made.result, HIPRTC_ERROR_INTERNAL_ERROR);
  expect_contains(made.log, "set TMPDIR to a writable folder with room");
  const Program own_words = compile(*t, "// No space left on device\n" + probe_source("k"));
  EXPECT_EQ(own_words.result, HIPRTC_ERROR_COMPILATION) << "words of the source";
}

// Then nobody can tell how the compiler ended; what it wrote tells.
TEST_F(HostHiprtcChildFixed, AProcessThatIgnoresChildrenCompiles) {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before {};
  ASSERT_EQ(sigaction(SIGCHLD, &ignore, &before), 0);
  for (const std::string first : {"", "#define N 1\n"}) {  // without and with a scan
    const Program made = compile(*t, first + probe_source("k"));
    EXPECT_EQ(made.result, HIPRTC_SUCCESS) << made.log;
    EXPECT_FALSE(made.code.empty());
    const Program broken = compile(*t, first + "int f() { return undeclared_name; }\n");
    EXPECT_EQ(broken.result, HIPRTC_ERROR_COMPILATION);
    expect_contains(broken.log, "undeclared_name");
  }
  {
    write_compiler("kill -9 $$\n");
    const Variable own("HIPLAB_CXX", compiler_.c_str());
    const Program killed = compile(*t, probe_source("k"));
    EXPECT_EQ(killed.result, HIPRTC_ERROR_INTERNAL_ERROR);
    expect_contains(killed.log, "ignores SIGCHLD");
    EXPECT_EQ(killed.log.find("signal 0"), std::string::npos);
  }
  sigaction(SIGCHLD, &before, nullptr);
}

TEST_F(HostHiprtcFixed, HandlesAreChecked) {
  hiprtcProgram none = nullptr;
  size_t bytes = 0;
  char byte = 0;
  EXPECT_EQ(t->hiprtcCompileProgram(none, 0, nullptr), HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(t->hiprtcGetProgramLogSize(none, &bytes), HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(t->hiprtcDestroyProgram(&none), HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(t->hiprtcDestroyProgram(nullptr), HIPRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(t->hiprtcCreateProgram(&none, nullptr, "", 0, nullptr, nullptr),
            HIPRTC_ERROR_INVALID_INPUT);
  const auto before = live_objects().at("programs");
  hiprtcProgram program = nullptr;
  ASSERT_EQ(t->hiprtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr), HIPRTC_SUCCESS);
  EXPECT_EQ(live_objects().at("programs"), before + 1);
  EXPECT_EQ(t->hiprtcGetCodeSize(program, &bytes), HIPRTC_ERROR_INVALID_PROGRAM)
      << "there is no code before a compilation";
  EXPECT_EQ(t->hiprtcGetCode(program, &byte), HIPRTC_ERROR_INVALID_PROGRAM);
  hiprtcProgram copy = program;
  EXPECT_EQ(t->hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
  EXPECT_EQ(t->hiprtcDestroyProgram(&copy), HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT_EQ(live_objects().at("programs"), before);
  EXPECT_STREQ(t->hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION), "HIPRTC_ERROR_COMPILATION");
}

// What a killed process left behind is removed by the next one; what a living one uses stays.
TEST(HostHiprtcSweepFixed, LeftoversOfKilledProcessesAreRemoved) {
  // The child runs this test anew up to here: leftovers are swept once in a process.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Variable cache("HIPLAB_KERNEL_CACHE", "off");
  EXPECT_EXIT(
      {
        int left = -1;
        {
          const Folder temporary;
          const Variable tmpdir("TMPDIR", temporary.path().c_str());
          std::filesystem::create_directory(temporary.at("hiplab-kernel-killed"));
          std::ofstream(temporary.at("hiplab-kernel-killed/code.so")) << "half";
          const host::CompilerFolder living;
          left = folders_in(temporary.path());
        }
        std::exit(left);  // the living one
      },
      ::testing::ExitedWithCode(1), "");
}

// A compiler that counts its compilations, and a cache folder of its own.
class CodeCacheFixed : public HostTest {
 protected:
  CodeCacheFixed() {
    const std::string path = scripts_.at("cxx");
    std::ofstream(path) << "#!/bin/sh\n[ \"$1\" = --version ] || echo x >> " << scripts_.at("calls")
                        << "\nexec c++ \"$@\"\n";
    chmod(path.c_str(), 0700);
    own_.emplace("HIPLAB_CXX", path.c_str());
  }
  int calls() const {
    std::ifstream in(scripts_.at("calls"));
    int lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    return lines;
  }
  std::vector<std::string> entries() const {
    std::vector<std::string> all;
    std::error_code ignored;
    for (std::filesystem::directory_iterator it(cache_.at("hiplab/kernels"), ignored), end;
         it != end; ++it) {
      all.push_back(it->path());
    }
    return all;
  }

  Folder scripts_;
  Folder cache_;
  Variable on_{"HIPLAB_KERNEL_CACHE", nullptr};
  Variable where_{"HIPLAB_CACHE", cache_.path().c_str()};
  std::optional<Variable> own_;
};

TEST_F(CodeCacheFixed, TheSameIsCompiledOnceAndAnotherAnew) {
  const std::string source = probe_source("k") + "int f() { int x; }\n";  // with a warning
  const Program first = compile(*t, source, {"-Wall"});
  ASSERT_EQ(first.result, HIPRTC_SUCCESS) << first.log;
  EXPECT_EQ(calls(), 1);
  const Program again = compile(*t, source, {"-Wall"});
  EXPECT_EQ(calls(), 1);
  EXPECT_EQ(again.code, first.code);
  EXPECT_EQ(again.log, first.log);
  expect_contains(again.log, "warning");
  struct stat about {};
  ASSERT_EQ(stat(cache_.at("hiplab/kernels").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777u, 0700u);

  int before = calls();
  const auto compiles_anew = [&](const std::string& text, std::vector<const char*> options) {
    EXPECT_EQ(compile(*t, text, options).result, HIPRTC_SUCCESS);
    const bool anew = calls() > before;
    before = calls();
    return anew;
  };
  EXPECT_TRUE(compiles_anew(source + " ", {"-Wall"}));
  EXPECT_TRUE(compiles_anew(source, {}));
  EXPECT_TRUE(compiles_anew(source, {"-Wall", "-O1"}));
  EXPECT_TRUE(compiles_anew(source, {"-Wall", "-DX=1"}));
  EXPECT_TRUE(compiles_anew(source, {"-Wall", "-DX=2"}));
  EXPECT_FALSE(compiles_anew(source, {"-Wall", "-DX=1"}));
  // Another compiler: this one, touched.
  std::ofstream(scripts_.at("cxx"), std::ios::app) << "\n";
  EXPECT_TRUE(compiles_anew(source, {"-Wall"}));
}

TEST_F(CodeCacheFixed, OffKeepsNothing) {
  const Variable off("HIPLAB_KERNEL_CACHE", "off");
  for (int i = 1; i <= 2; ++i) {
    EXPECT_EQ(compile(*t, probe_source("k")).result, HIPRTC_SUCCESS);
    EXPECT_EQ(calls(), i);
  }
  EXPECT_TRUE(entries().empty());
}

TEST_F(CodeCacheFixed, OffHasOtherNamesInAnyCase) {
  const auto folder = [](const char* value) {
    const Variable set("HIPLAB_KERNEL_CACHE", value);
    return host::code_cache_of_environment().folder();
  };
  ::testing::internal::CaptureStderr();
  for (const char* off : {"off", "OFF", "no", "No", "0", "false", "FALSE"}) {
    EXPECT_EQ(folder(off), "") << off;
  }
  for (const char* on : {"", "on", "yes", "1", "True"}) EXPECT_NE(folder(on), "") << on;
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(CodeCacheFixed, AValueThatIsNotUnderstoodIsToldOnceAndKeepsTheCache) {
  const Variable bogus("HIPLAB_KERNEL_CACHE", "bogus");
  // Told once in a process: the child runs this test up to here anew.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::testing::internal::CaptureStderr();
        const bool kept = !host::code_cache_of_environment().folder().empty();
        const std::string first = ::testing::internal::GetCapturedStderr();
        ::testing::internal::CaptureStderr();
        host::code_cache_of_environment();
        const bool once = ::testing::internal::GetCapturedStderr().empty();
        std::fputs(first.c_str(), stderr);
        scripts_.remove();
        cache_.remove();
        std::_Exit(kept && once ? 0 : 1);
      },
      ::testing::ExitedWithCode(0),
      "HIPLAB_KERNEL_CACHE is 'bogus', allowed are off, no, 0 and false");
}

TEST_F(CodeCacheFixed, FailuresAndProgramsWithFilesOfTheMachineAreNotKept) {
  EXPECT_EQ(compile(*t, "broken").result, HIPRTC_ERROR_COMPILATION);
  const Folder includes;
  std::ofstream(includes.at("x.h")) << "#define VALUE 1\n";
  const std::string option = "-I" + includes.path();
  EXPECT_EQ(compile(*t, "#include <x.h>\nint value = VALUE;\n", {option.c_str()}).result,
            HIPRTC_SUCCESS);
  EXPECT_TRUE(entries().empty());
}

TEST_F(CodeCacheFixed, WhatHoldsTheTimeIsNotKept) {
  const std::string source = "extern \"C\" const char* f() { return WHEN; }\n";
  for (const char* word : {"__TIME__", "__DATE__", "__TIMESTAMP__"}) {
    const std::string option = std::string("-DWHEN=") + word;
    const Program of_option = compile(*t, source, {option.c_str()});
    EXPECT_EQ(of_option.result, HIPRTC_SUCCESS) << of_option.log;
    const std::string header = std::string("#define WHEN ") + word + "\n";
    const Program of_header =
        compile(*t, "#include \"when.h\"\n" + source, {}, "k.hip", {header.c_str()}, {"when.h"});
    EXPECT_EQ(of_header.result, HIPRTC_SUCCESS) << of_header.log;
  }
  EXPECT_TRUE(entries().empty());
}

TEST_F(CodeCacheFixed, ADamagedEntryIsCompiledAnew) {
  const std::string source = probe_source("k");
  const Program first = compile(*t, source);
  ASSERT_EQ(entries().size(), 1u);
  const std::string path = entries()[0];
  const auto bytes = std::filesystem::file_size(path);
  const auto damage = [&](int how) {
    if (how == 0) std::filesystem::resize_file(path, 10);
    if (how == 1) std::filesystem::resize_file(path, bytes / 2);
    if (how == 2) std::filesystem::resize_file(path, bytes + 1);
    if (how == 3) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(bytes - 100));
      file.put('\x5a');
      file.put('\xa5');
    }
    if (how == 4) std::ofstream(path, std::ios::trunc);
  };
  for (int how = 0; how < 5; ++how) {
    damage(how);
    const int before = calls();
    const Program again = compile(*t, source);
    EXPECT_EQ(again.result, HIPRTC_SUCCESS) << how;
    EXPECT_EQ(calls(), before + 1) << how;
    compile(*t, source);
    EXPECT_EQ(calls(), before + 1) << how << ": whole again";
    EXPECT_EQ(std::filesystem::file_size(path), bytes);
  }
}

TEST_F(CodeCacheFixed, AFolderThatOthersCanChangeIsNotUsedAndToldOnce) {
  std::filesystem::create_directories(cache_.at("hiplab"));
  chmod(cache_.at("hiplab").c_str(), 0777);
  // Told once in a process: the child runs this test up to here anew.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        compile(*t, probe_source("k"));
        compile(*t, probe_source("k"));
        const bool right = entries().empty() && calls() == 2;
        scripts_.remove();
        cache_.remove();
        std::exit(right ? 0 : 1);
      },
      ::testing::ExitedWithCode(0),
      "compiled kernels are not kept .*written by others.*HIPLAB_CACHE");
}

TEST(CodeCacheFilesFixed, OldEntriesMakeRoom) {
  const Folder folder;
  const host::CodeCache cache(folder.path(), 10000);
  const std::string code(1000, 'c');
  for (int i = 0; i < 20; ++i) {
    cache.store("key" + std::to_string(i), {code, "log"});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_TRUE(cache.find("key0").has_value()) << "used again and again, it stays";
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    bytes += entry.file_size();
  }
  EXPECT_LE(bytes, 10000u);
  EXPECT_GE(bytes, 8000u);
  EXPECT_TRUE(cache.find("key19").has_value());
  EXPECT_EQ(cache.find("key19")->code, code);
  EXPECT_EQ(cache.find("key19")->log, "log");
  EXPECT_FALSE(cache.find("key1").has_value());
  cache.store("too large", {std::string(20000, 'c'), ""});
  EXPECT_FALSE(cache.find("too large").has_value());
}

// Run by the test below, in processes of their own.
TEST(CodeCacheProcess, DISABLED_CompilesAndLoads) {
  const Provider& provider = host::open_host("splitk", 1);
  keep(&provider);
  keep(&host::machine());
  const Table& t = *provider.table;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "k" + std::to_string(i % 3);
    const Program made = compile(t, probe_source(name));
    ASSERT_EQ(made.result, HIPRTC_SUCCESS) << made.log;
    hipModule_t module = nullptr;
    ASSERT_EQ(t.hipModuleLoadData(&module, made.code.data()), hipSuccess);
    hipFunction_t function = nullptr;
    ASSERT_EQ(t.hipModuleGetFunction(&function, module, name.c_str()), hipSuccess);
    ASSERT_EQ(t.hipModuleUnload(module), hipSuccess);
  }
}

TEST_F(CodeCacheFixed, ProcessesShareItAtOnce) {
  const std::vector<std::string> command = {std::filesystem::canonical("/proc/self/exe").string(),
                                            "--gtest_also_run_disabled_tests",
                                            "--gtest_filter=CodeCacheProcess.*"};
  std::vector<std::future<host::Ended>> processes;
  for (int i = 0; i < 4; ++i) {
    processes.push_back(std::async(std::launch::async, [&] {
      return host::run_process(command, scripts_.path(), std::chrono::seconds(120));
    }));
  }
  for (auto& process : processes) {
    const host::Ended ended = process.get();
    EXPECT_EQ(ended.exit_code, 0) << ended.output;
  }
  EXPECT_EQ(entries().size(), 3u) << "no part of a file is left";
  EXPECT_GE(calls(), 3);
  EXPECT_LE(calls(), 12);
}

TEST(HiprtcArchFixed, OnlyKnownTargetsWithTheirOwnFeatures) {
  for (const char* arch : {"gfx1151", "gfx90a", "gfx90a:sramecc+:xnack-", "gfx942:xnack+"}) {
    EXPECT_TRUE(is_amd_target(arch)) << arch;
  }
  // Those that end the process (measured on HIP 6.4), and other misspellings.
  for (const char* arch : {"gfx9999", "gfx1250", "", "amdgcn", "gfx1151:xnack-", "gfx90a:",
                           "gfx90a:xnack+:xnack-", "gfx90a:sramecc", "GFX1151", " gfx1151"}) {
    EXPECT_FALSE(is_amd_target(arch)) << arch;
  }
}

int g_compiled = 0;

// The guard before the real library, which ends the process on what it does not know.
TEST(HiprtcGuardFixed, OnlyKnownArchitecturesReachTheLibrary) {
  Table table;
  table.hiprtcCompileProgram = [](hiprtcProgram, int, const char**) {
    ++g_compiled;
    return HIPRTC_SUCCESS;
  };
  rocm_provider::guard(table);
  g_compiled = 0;
  int source = 0;
  const auto compile = [&](std::vector<const char*> options) {
    return table.hiprtcCompileProgram(reinterpret_cast<hiprtcProgram>(&source),
                                      static_cast<int>(options.size()), options.data());
  };
  EXPECT_EQ(compile({"-O3", "--offload-arch=gfx1151"}), HIPRTC_SUCCESS);
  EXPECT_EQ(compile({"--gpu-architecture=gfx942:xnack-"}), HIPRTC_SUCCESS);
  EXPECT_EQ(g_compiled, 2);
  EXPECT_EQ(compile({}), HIPRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(compile({"-O3"}), HIPRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(compile({"--offload-arch="}), HIPRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(compile({"--offload-arch=gfx1151", "--offload-arch=gfx9999"}),
            HIPRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(g_compiled, 2);
}

TEST(KernelScanFixed, FindsKernelsOfCLinkage) {
  const auto names = [](const std::string& source) {
    std::string all;
    for (const auto& kernel : host::scan_kernels(source, "s").kernels) {
      all += kernel.name + "=" + kernel.qualified + " ";
    }
    return all;
  };
  EXPECT_EQ(names("extern \"C\" __global__ void a() {}"), "a=::a ");
  EXPECT_EQ(names("extern \"C\" { __global__ void a() {} void b(); __global__ void c(int) {} }"),
            "a=::a c=::c ");
  EXPECT_EQ(names("namespace n { namespace m::o { extern \"C\" __global__ void a() {} } }"),
            "a=::n::m::o::a ");
  EXPECT_EQ(names("namespace { extern \"C\" { __global__ void a() {} } }"), "a=::a ");
  EXPECT_EQ(names("extern \"C\" __global__ void a(); extern \"C\" __global__ void a() {}"),
            "a=::a ");
  EXPECT_EQ(names("__global__ void a() {} template <class T> __global__ void b() {}"), "");
  EXPECT_EQ(names("// extern \"C\" __global__ void a() {}\nauto s = R\"(extern \"C\" __global__ "
                  "void b() {})\";"),
            "");
  EXPECT_EQ(names("extern \"C\" __attribute__((used)) __global__ __launch_bounds__(64, 2) void "
                  "a(float (*f)(int)) {}"),
            "a=::a ");
  EXPECT_FALSE(host::scan_kernels("void f() {", "s").balanced);
}

}  // namespace
}  // namespace hiplab::test
