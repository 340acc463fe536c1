// hiplab.h: schedules, and what a thread needs to take part in one.
#include <sstream>

#include "bindings/checks.h"
#include "bindings/hiplab.h"
#include "driver/listed.h"
#include "sync/lasting.h"
#include "sync/point.h"
#include "sync/recorder.h"
#include "sync/thread_info.h"
#include "sync/trace.h"

namespace hiplab::bindings {
namespace {

// What a schedule's text can name: a word that no ":" or "#" cuts.
void require_word(const std::string& text, const char* what) {
  const auto wrong = text.find_first_of(std::string(" \t\r\n\v\f:#/\0", 10));
  if (!text.empty() && wrong == text.npos) return;
  throw Error(std::string(what) + " is '" + text +
              "', allowed are names without blanks, ':', '#' and '/', such as A or pipe.enter");
}

}  // namespace

ScheduleRef* startSchedule(const std::string& text) {
  return new ScheduleRef{sync::ForcedRun(sync::Schedule::parse(text))};
}

std::string endSchedule(ScheduleRef* schedule) {
  const std::unique_ptr<ScheduleRef> ended(&required(schedule, "schedule"));
  sync::ForcedRun& run = ended->run;
  run.finish();
  std::ostringstream out;
  int n = 0;
  for (const sync::OrderResult& result : run.results()) {
    const std::string order = "order." + std::to_string(n++);
    out << order << '=' << result.order.text() << '\n'
        << order << ".status=" << sync::status_name(result.status) << '\n'
        << order << ".detail=" << result.detail << '\n'
        << order << ".locks=" << listed(result.locks) << '\n'
        << order << ".proved=" << (result.proved ? 1 : 0) << '\n'
        << order << ".waited=" << (result.waited ? 1 : 0) << '\n';
  }
  n = 0;
  for (const sync::Place& place : run.recorded()) {
    out << "recorded." << n++ << '=' << place.text() << '\n';
  }
  n = 0;
  for (const sync::Order& order : run.recorded_schedule().orders) {
    out << "replay." << n++ << '=' << order.text() << '\n';
  }
  return out.str();
}

void nameThread(const std::string& name) {
  require_word(name, "a thread's name");
  sync::name_thread(name);
}

void passPoint(const std::string& name) {
  require_word(name, "a point's name");
  // The recorder and a trace keep it; a director copies it.
  const bool kept = sync::recording() || sync::tracing();
  sync::point(kept ? sync::lasting(name) : name.c_str());
}

}  // namespace hiplab::bindings
