#include "driver/host/kernel_scan.h"

#include "driver/host/kernel_tokens.h"

namespace hiplab::driver::host {
namespace {

struct Refusal {
  std::string_view name;
  bool prefix;  // every name that begins like this
  const char* reason;
};

constexpr const char* kBarrier =
    "the threads of a block run one after the other, so none can wait for another";
constexpr const char* kShared =
    "a block has no memory of its own here; use device memory, or write the kernel without it";
constexpr const char* kWarp = "there is no warp: threads run one after the other";
constexpr const char* kAssembly = "instructions of a GPU do not run on this machine";

// The software device runs a kernel's threads in turn on one thread of this machine (its own rule).
constexpr Refusal kRefusals[] = {
    {"__syncthreads", true, kBarrier},
    {"__syncwarp", false, kBarrier},
    {"cooperative_groups", false, kBarrier},
    {"__shared__", false, kShared},
    {"__shfl", true, kWarp},
    {"__ballot", true, kWarp},
    {"__any", true, kWarp},
    {"__all", true, kWarp},
    {"__activemask", false, kWarp},
    {"__match_", true, kWarp},
    {"__reduce_", true, kWarp},
    {"__lane_id", false, kWarp},
    {"__managed__", false, "host and device do not share a module's variables here"},
    {"__builtin_amdgcn_", true, kAssembly},
    {"asm", false, kAssembly},
    {"__asm", true, kAssembly},
};

const Refusal* refusal_of(std::string_view name) {
  for (const Refusal& refusal : kRefusals) {
    if (refusal.prefix ? name.starts_with(refusal.name) : name == refusal.name) return &refusal;
  }
  return nullptr;
}

class Scanner {
 public:
  explicit Scanner(const Tokens& tokens) : files_(tokens.files), tokens_(tokens.tokens) {}

  Scan run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) look();
    scan_.balanced = scan_.balanced && scopes_.empty();
    scan_.files = files_;
    return std::move(scan_);
  }

 private:
  struct Scope {
    enum class Kind { extern_c, space, other } kind;
    std::string name;
  };

  std::string_view text(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }

  void refuse(const Token& token, const std::string& what) {
    constexpr int kMost = 20;
    if (++refused_ > kMost) return;
    scan_.refused += files_[static_cast<std::size_t>(token.file)] + ":" +
                     std::to_string(token.line) + ": error: " + what + "\n";
  }

  void look() {
    const Token& token = tokens_[at_];
    if (token.text == "{") {
      scopes_.push_back(opening());
      return;
    }
    if (token.text == "}") {
      if (scopes_.empty()) {
        scan_.balanced = false;
      } else {
        scopes_.pop_back();
      }
      return;
    }
    if (token.text == "__global__") return kernel();
    if (token.kind != Token::Kind::identifier) return;
    if (const Refusal* refusal = refusal_of(token.text)) {
      refuse(token, std::string(token.text) +
                        " is not honoured by the software device: " + refusal->reason);
    }
  }

  // What the brace at at_ opens.
  Scope opening() const {
    const auto before = [&](std::size_t n) {
      return at_ >= n ? tokens_[at_ - n].text : std::string_view();
    };
    if (before(1) == "\"C\"" && before(2) == "extern") return {Scope::Kind::extern_c, ""};
    if (before(1) == "namespace") return {Scope::Kind::space, ""};
    // namespace a::b::c {
    std::size_t back = 1;
    std::string name;
    while (at_ >= back &&
           (before(back) == ":" || tokens_[at_ - back].kind == Token::Kind::identifier)) {
      if (before(back) == "namespace") return {Scope::Kind::space, name};
      name = std::string(before(back)) + name;
      ++back;
    }
    return {Scope::Kind::other, ""};
  }

  // At __global__: notes the function when it is one of C linkage.
  void kernel() {
    const Token& where = tokens_[at_];
    bool c_linkage = false;
    std::string qualified = "::";
    for (const Scope& scope : scopes_) {
      if (scope.kind == Scope::Kind::other) return;
      if (scope.kind == Scope::Kind::extern_c) c_linkage = true;
      if (!scope.name.empty()) qualified += scope.name + "::";
    }
    // extern "C" may stand before or behind it, with other words between.
    bool is_void = false;
    for (std::size_t back = at_; back-- > 0;) {
      const std::string_view word = text(back);
      if (word == ";" || word == "}" || word == "{") break;
      if (word == "\"C\"" && back > 0 && text(back - 1) == "extern") c_linkage = true;
      is_void = is_void || word == "void";
    }
    std::string_view name;
    for (std::size_t i = at_ + 1; i < tokens_.size(); ++i) {
      const std::string_view word = text(i);
      if (word == "\"C\"" && text(i - 1) == "extern") c_linkage = true;
      if (word == "(") {
        if (!takes_arguments(name)) break;
        i = closing(i);
        continue;
      }
      if (word == ";" || word == "{") return;
      is_void = is_void || word == "void";
      name = word;
    }
    if (!c_linkage || name.empty()) return;
    if (!is_void) {
      refuse(where, "kernel " + std::string(name) + " must return void");
      return;
    }
    for (const FoundKernel& known : scan_.kernels) {
      if (known.name == name) return;  // declared before
    }
    scan_.kernels.push_back({std::string(name), qualified + std::string(name)});
  }

  // Words that carry parentheses before a function's name.
  static bool takes_arguments(std::string_view word) {
    return word == "__launch_bounds__" || word == "__attribute__" || word == "alignas" ||
           word == "__declspec";
  }

  std::size_t closing(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (text(i) == "(") ++depth;
      if (text(i) == ")" && --depth == 0) return i;
    }
    return i;
  }

  const std::vector<std::string>& files_;
  const std::vector<Token>& tokens_;
  std::vector<Scope> scopes_;
  std::size_t at_ = 0;
  int refused_ = 0;
  Scan scan_;
};

}  // namespace

Scan scan_kernels(const std::string& text, const std::string& file) {
  const Tokens tokens = tokenize(text, file);
  return Scanner(tokens).run();
}

}  // namespace hiplab::driver::host
