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
    int solution = -1;
    std::string name;
    EXPECT_TRUE(fields >> index >> bytes >> waves >> solution >> name >> millis >> best) << line;
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

}  // namespace
}  // namespace hiplab::bindings
