// hiplab.h: events that a static object destroys while the process exits (mlxcel 2197).
#include <csignal>
#include <cstdlib>

#include "bindings_tools.h"

namespace hiplab::bindings {
namespace {

class BindingsExit : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using BindingsExitFixed = BindingsExit;
using BindingsExitFiled = BindingsExit;

// The backend is never closed, as a process's own. One event has been recorded.
[[noreturn]] void exit_with_events(const std::string& form) {
  BackendRef* backend = open_host(1, "form.event-pool=" + form);
  StreamRef* stream = createStream(backend, 0);
  for (int i = 0; i < 8; ++i) {
    EventRef* event = createEvent(backend, 0, i % 2 == 0);
    if (i == 0) recordEvent(event, stream);
    keepEventUntilExit(event);
  }
  std::exit(0);
}

TEST_F(BindingsExitFixed, AnEventReleasedAtExitFindsItsPool) {
  EXPECT_EXIT(exit_with_events("FIXED"), ::testing::ExitedWithCode(0), "^$");
}

TEST_F(BindingsExitFiled, AnEventReleasedAtExitFindsADestroyedMap) {
  EXPECT_EXIT(exit_with_events("FILED"), ::testing::KilledBySignal(SIGABRT),
              "given back to the map that static teardown destroyed");
}

// In a process of its own, as the event stays open.
TEST_F(BindingsExitFixed, AKeptEventCountsAsOpen) {
  EXPECT_EXIT(
      {
        BackendRef* backend = open_host(1);
        keepEventUntilExit(createEvent(backend, 0, false));
        const std::string told = message_of([&] { closeBackend(backend); });
        std::exit(told.find("still open are 0 streams, 1 event") != told.npos ? 7 : 1);
      },
      ::testing::ExitedWithCode(7), "^$");
  EXPECT_EQ(message_of([] { keepEventUntilExit(nullptr); }),
            "event is null: pass one that is open");
}

}  // namespace
}  // namespace hiplab::bindings
