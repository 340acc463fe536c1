// docs/points.md, from which a schedule's author takes names, against the sources that have them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace hiplab {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = HIPLAB_ROOT;

// What the first group of `pattern` matches in the lines of a file; comments of C++ are left out.
std::vector<std::string> matches(const fs::path& file, const std::regex& pattern) {
  std::vector<std::string> found;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    line.resize(std::min(line.size(), line.find("//")));
    for (std::sregex_iterator it(line.begin(), line.end(), pattern), end; it != end; ++it) {
      found.push_back((*it)[1]);
    }
  }
  return found;
}

std::set<std::string> points_of_sources() {
  static const std::regex point(R"re(HIPLAB_POINT\("([^"]+)"\))re");
  std::set<std::string> names;
  for (const char* folder : {"backend", "bindings", "driver", "forms", "sync"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "native" / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h") continue;
      for (const std::string& name : matches(entry.path(), point)) names.insert(name);
    }
  }
  return names;
}

TEST(BindingsPoints, TheListIsThatOfTheSources) {
  static const std::regex row(R"re(^\| `([^`]+)` \|)re");
  const std::vector<std::string> rows = matches(kRoot / "docs" / "points.md", row);
  const std::set<std::string> listed(rows.begin(), rows.end());
  EXPECT_EQ(listed.size(), rows.size()) << "a point is listed twice";
  const std::set<std::string> points = points_of_sources();
  ASSERT_FALSE(points.empty()) << "no sources below " << kRoot;
  for (const std::string& name : points) {
    EXPECT_TRUE(listed.contains(name)) << "docs/points.md lacks " << name;
  }
  for (const std::string& name : listed) {
    EXPECT_TRUE(points.contains(name))
        << "no source has " << name << ", which docs/points.md lists";
  }
}

}  // namespace
}  // namespace hiplab
