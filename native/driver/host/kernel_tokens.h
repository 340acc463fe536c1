// Splits C++ text into tokens that know where they stand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hiplab::driver::host {

struct Token {
  enum class Kind { identifier, literal, punctuation };
  Kind kind;
  std::string_view text;  // of literals: with their quotes
  int file;               // index into Tokens::files
  int line;
};

struct Tokens {
  std::vector<std::string> files;
  std::vector<Token> tokens;
};

// Comments and preprocessor directives are left out; line markers ('# 3 "name"', '#line 3 "name"')
// say where the next line belongs. The views live as long as `text`.
Tokens tokenize(const std::string& text, const std::string& file);

}  // namespace hiplab::driver::host
