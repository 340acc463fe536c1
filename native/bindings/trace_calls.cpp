// hiplab.h: a trace as text.
#include <algorithm>
#include <charconv>
#include <map>
#include <memory>

#include "bindings/checks.h"
#include "bindings/hiplab.h"
#include "driver/event_runs.h"
#include "driver/host/machine.h"
#include "driver/stream_numbers.h"
#include "sync/trace.h"

namespace hiplab::bindings {
namespace {

const char* kind_name(sync::Traced kind) {
  switch (kind) {
    case sync::Traced::call:
      return "call";
    case sync::Traced::run:
      return "run";
    default:
      return "point";
  }
}

void add(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
  out += '\t';
}

// A thread's name is whatever the process gave it.
void add(std::string& out, const char* text) {
  for (; *text != '\0'; ++text)
    out += *text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text;
  out += '\t';
}

void add(std::string& out, const sync::TraceEntry& entry) {
  out += kind_name(entry.kind);
  out += '\t';
  add(out, std::int64_t{entry.thread});
  add(out, entry.thread_name);
  add(out, entry.label);
  add(out, entry.begin);
  add(out, entry.end);
  add(out, std::int64_t{entry.stream});
  add(out, std::int64_t{entry.asked});
  out += std::to_string(entry.call) + "\n";
}

}  // namespace

TraceRef* startTrace(bool events) {
  auto ref = std::make_unique<TraceRef>();  // first: there may be one already
  if (events) ref->brackets.emplace();
  return ref.release();
}

std::string endTrace(TraceRef* trace) {
  const std::unique_ptr<TraceRef> ended(&required(trace, "trace"));
  sync::TraceEntries all = ended->trace.end();
  const bool events = ended->brackets || !driver::host::machine_is_open();
  if (events) {
    std::erase_if(all.entries, [](const auto& e) { return e.kind == sync::Traced::run; });
    driver::resolve_events(all);
  }
  std::string out = events ? "runs=events" : "runs=device steps";
  out += "\ndropped=" + std::to_string(all.dropped) + "\n";
  std::map<std::int32_t, std::string> streams;
  for (const sync::TraceEntry& entry : all.entries) {
    for (const std::int32_t stream : {entry.stream, entry.asked}) {
      if (stream != sync::no_stream) streams.try_emplace(stream, driver::stream_name(stream));
    }
  }
  for (const auto& [number, name] : streams) {
    out += "stream=" + std::to_string(number) + "\t" + name + "\n";
  }
  out += "entries=" + std::to_string(all.entries.size()) + "\n";
  for (const sync::TraceEntry& entry : all.entries) add(out, entry);
  return out;
}

}  // namespace hiplab::bindings
