#include "driver/host/kernel_tokens.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace hiplab::driver::host {
namespace {

bool starts_identifier(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool continues_identifier(char c) {
  return starts_identifier(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Tokenizer {
 public:
  Tokenizer(const std::string& text, const std::string& file) : text_(text) {
    out_.files.push_back(file);
  }

  Tokens run() {
    bool line_start = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
        line_start = true;
      } else if (c == '#' && line_start) {
        directive();
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else if (looking_at("//")) {
        skip_line();
      } else if (looking_at("/*")) {
        skip_to("*/");
      } else {
        line_start = false;
        token();
      }
    }
    return std::move(out_);
  }

 private:
  bool looking_at(std::string_view what) const {
    return std::string_view(text_).substr(at_).starts_with(what);
  }

  void advance_to(std::size_t end) {
    end = std::min(end, text_.size());
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_ + 2);
    advance_to(found == std::string::npos ? text_.size() : found + end.size());
  }

  // To the end of the line, which a backslash continues; the newline itself stays.
  void skip_line() {
    std::size_t end = text_.find('\n', at_);
    while (end != std::string::npos && end > at_ && text_[end - 1] == '\\') {
      end = text_.find('\n', end + 1);
    }
    advance_to(end == std::string::npos ? text_.size() : end);
  }

  void directive() {
    const std::size_t begin = at_;
    skip_line();
    std::string_view line = std::string_view(text_).substr(begin + 1, at_ - begin - 1);
    const auto trim = [&] {
      while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) {
        line.remove_prefix(1);
      }
    };
    trim();
    if (line.starts_with("line")) line.remove_prefix(4);
    trim();
    int number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc{}) return;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    trim();
    if (line.starts_with('"')) {
      const std::size_t close = line.find('"', 1);
      if (close == std::string_view::npos) return;
      set_file(std::string(line.substr(1, close - 1)));
    }
    line_ = number - 1;  // the newline behind the marker counts
  }

  void set_file(const std::string& name) {
    const auto found = std::find(out_.files.begin(), out_.files.end(), name);
    file_ = static_cast<int>(found - out_.files.begin());
    if (found == out_.files.end()) out_.files.push_back(name);
  }

  void add(Token::Kind kind, std::size_t end) {
    end = std::min(end, text_.size());
    out_.tokens.push_back({kind, std::string_view(text_).substr(at_, end - at_), file_, line_});
    advance_to(end);
  }

  // From the opening quote at `quote`; a literal ends at the same quote or at the line's end.
  void literal(std::size_t quote) {
    std::size_t end = quote + 1;
    while (end < text_.size() && text_[end] != text_[quote] && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    add(Token::Kind::literal, end + 1);
  }

  void raw_literal(std::size_t quote) {
    const std::size_t open = text_.find('(', quote);
    if (open == std::string::npos) return add(Token::Kind::literal, text_.size());
    const std::string close = ")" + text_.substr(quote + 1, open - quote - 1) + "\"";
    const std::size_t end = text_.find(close, open);
    add(Token::Kind::literal, end == std::string::npos ? text_.size() : end + close.size());
  }

  void token() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return literal(at_);
    if (starts_identifier(c)) {
      std::size_t end = at_ + 1;
      while (end < text_.size() && continues_identifier(text_[end])) ++end;
      const bool quoted = end < text_.size() && (text_[end] == '"' || text_[end] == '\'');
      const std::string_view word = std::string_view(text_).substr(at_, end - at_);
      if (quoted && text_[end] == '"' && word.ends_with('R') && word.size() <= 3) {
        return raw_literal(end);
      }
      if (quoted && (word == "L" || word == "u" || word == "U" || word == "u8"))
        return literal(end);
      return add(Token::Kind::identifier, end);
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      std::size_t end = at_ + 1;
      while (end < text_.size() &&
             (continues_identifier(text_[end]) || text_[end] == '.' || text_[end] == '\'')) {
        ++end;
      }
      return add(Token::Kind::literal, end);
    }
    add(Token::Kind::punctuation, at_ + 1);
  }

  const std::string& text_;
  Tokens out_;
  std::size_t at_ = 0;
  int line_ = 1;
  int file_ = 0;
};

}  // namespace

Tokens tokenize(const std::string& text, const std::string& file) {
  return Tokenizer(text, file).run();
}

}  // namespace hiplab::driver::host
