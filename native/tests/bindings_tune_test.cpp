// hiplab.h: f8 inputs and tuning.
#include <sstream>
#include <string>
#include <vector>

#include "bindings_tools.h"

namespace hiplab::bindings {
namespace {

class BindingsTuneFixed : public OneStream {};

TEST_F(BindingsTuneFixed, F8InputsGiveBf16) {
  BufferRef* a = filled(16 * 16, 2, 3, 1);
  BufferRef* b = filled(16 * 16, 3, 3, 1);
  BufferRef* c = allocate(backend_, 0, 16 * 16 * 2);
  gemm(stream_, 3, false, true, 16, 16, 16, 1, 1, a, b, 0, c);
  std::vector<float> got(16 * 16);
  copyOut(stream_, c, got.data(), 16 * 16, 2);
  EXPECT_EQ(got, std::vector<float>(16 * 16, 96));
  copyOut(stream_, a, got.data(), 16 * 16, 3);
  EXPECT_EQ(got, std::vector<float>(16 * 16, 2));
  BufferRef* small = allocate(backend_, 0, 16 * 16);
  EXPECT_NE(message_of([&] {
              gemm(stream_, 3, false, true, 16, 16, 16, 1, 1, a, b, 0, small);
            }).find("bf16 elements does not fit"),
            std::string::npos);
  EXPECT_NE(message_of([&] { copyIn(stream_, a, got.data(), 1, 4); }).find("3 (f8)"),
            std::string::npos);
  for (BufferRef* buffer : {a, b, c, small}) freeBuffer(buffer);
}

TEST_F(BindingsTuneFixed, TuneTellsACandidateALine) {
  BufferRef* a = filled(64 * 64, 1, 2, 2);
  BufferRef* b = filled(64 * 64, 1, 2, 2);
  BufferRef* c = filled(64 * 64, 7, 2, 2);
  std::istringstream lines(tune(stream_, 2, false, true, 64, 64, 64, 1, a, b, c, 3, 2));
  int count = 0;
  int chosen = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    std::istringstream fields(line);
    int index = -1;
    int best = -1;
    std::int64_t bytes = -1;
    double waves = -1;
    double millis = -2;
    double lower = -2;
    double upper = -2;
    int solution = -1;
    std::string name;
    EXPECT_TRUE(fields >> index >> bytes >> waves >> solution >> name >> millis >> lower >> upper >>
                best)
        << line;
    EXPECT_LE(lower, millis) << line;
    EXPECT_LE(millis, upper) << line;
    EXPECT_GE(solution, 0);
    EXPECT_EQ(name.rfind("bf16_MT", 0), 0u) << name;
    EXPECT_EQ(index, count);
    EXPECT_GE(millis, 0) << line;
    chosen += best;
  }
  EXPECT_EQ(count, 3);
  EXPECT_EQ(chosen, 1);
  std::vector<float> got(64 * 64);
  copyOut(stream_, c, got.data(), 64 * 64, 2);
  EXPECT_EQ(got, std::vector<float>(64 * 64, 7)) << "C was written";
  EXPECT_NE(message_of([&] {
              tune(stream_, 2, false, true, 64, 64, 64, 1, a, b, c, 0, 2);
            }).find("requested is 0"),
            std::string::npos);
  for (BufferRef* buffer : {a, b, c}) freeBuffer(buffer);
}

TEST_F(BindingsTuneFixed, TheLibraryTellsItsVersion) {
  EXPECT_EQ(std::to_string(blasLtVersion(backend_, 0)),
            read(providerInfo(backend_)).at("version.hipblaslt"));
}

TEST_F(BindingsTuneFixed, ABoundedTuneGoesCandidateByCandidate) {
  constexpr std::int64_t kBound = 60'000'000'000;
  TuneRef* tuning = beginTune(backend_, 0, 2, false, true, 64, 64, 64, 1, 3, 2, kBound, 32 << 20);
  EXPECT_NE(message_of([&] { closeBackend(backend_); }).find("1 candidate list"),
            std::string::npos);
  std::vector<std::string> lines;
  for (std::string line = tuneNext(tuning); !line.empty(); line = tuneNext(tuning)) {
    lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 3u);
  std::vector<std::int64_t> bytes(3);
  std::vector<int> solutions(3);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::istringstream fields(lines[i]);
    std::size_t index = 9;
    std::string name;
    double waves = 0;
    double millis = -2;
    double lower = 0;
    double upper = 0;
    int chosen = -1;
    EXPECT_TRUE(fields >> index >> bytes[i] >> waves >> solutions[i] >> name >> millis >> lower >>
                upper >> chosen)
        << lines[i];
    EXPECT_EQ(index, i);
    EXPECT_GE(millis, 0) << lines[i];
    EXPECT_EQ(chosen, 0) << "nothing is kept before keepFastest";
  }
  const auto winner = static_cast<std::size_t>(keepFastest(tuning));
  ASSERT_LT(winner, 3u);
  endTune(tuning);
  useWinner(backend_, 0, 2, false, true, 64, 64, 64, 1, 3, 32 << 20, solutions[winner], "",
            bytes[winner], true);
  EXPECT_NE(message_of([&] {
              useWinner(backend_, 0, 2, false, true, 64, 64, 64, 1, 3, 32 << 20, 4711, "", 0,
                        false);
            }).find("does not offer solution 4711 with 0 bytes"),
            std::string::npos);
  EXPECT_EQ(
      message_of([&] { beginTune(backend_, 0, 2, false, true, 64, 64, 64, 1, 3, 2, kBound, -1); }),
      "workspace cap is -1 bytes, at least 0 is allowed");
  EXPECT_NE(message_of([&] {
              beginTune(backend_, 0, 2, false, true, 64, 64, 64, 1, 3, 2, 0, 0);
            }).find("the bound is 0 ms"),
            std::string::npos);
}

}  // namespace
}  // namespace hiplab::bindings
