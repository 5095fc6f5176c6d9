// An operation on this rank's data, ready to be run again and again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/verdict.hpp"
#include "cli/planned.hpp"
#include "program/trace.hpp"

namespace cairn::cli {

// Is the result right?
struct WorkVerdict {
  check::Verdict found = {};
  std::string how = {};      // "with 2 random vectors"
  std::string problem = {};  // what is wrong, for an error message; empty: what `found` says
  nlohmann::json fields = nlohmann::json::object();

  check::Outcome outcome() const { return check::outcome(found); }
  bool right() const { return outcome() == check::Outcome::right || outcome() == check::Outcome::partly; }
};
// Of a check with random vectors.
WorkVerdict verdict_of(const check::Verdict& found, int rounds,
                       const nlohmann::json& fields = nlohmann::json::object());

// All members are collective. What is moved outside a comm::Phase is not counted as the operation's.
class Work {
 public:
  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // Before each run, not timed: the input as it was. `last`: the result of this one is checked.
  virtual void prepare(bool /*last*/) {}
  // Timed and counted. Records into `trace`, if there is one.
  virtual void run(program::Trace* trace) = 0;
  // The same once more, recorded; called right after a barrier.
  virtual std::vector<program::TraceEvent> run_traced() {
    program::Trace trace;
    trace.start();
    run(&trace);
    return trace.events();
  }
  // The local work alone, as if words moved in no time. False: there is none.
  virtual bool run_local() { return false; }
  virtual std::optional<WorkVerdict> check() { return {}; }
  // After a result that is not wrong: writes files.
  virtual void finish() {}
  // What only the run has shown: more fields and lines of the report, "read" and "write" seconds.
  virtual std::vector<PhaseTime> more_seconds() const { return {}; }
  virtual nlohmann::json more_fields() const { return nlohmann::json::object(); }
  virtual std::string more_text() const { return {}; }
  virtual std::string more_pictures() const { return {}; }  // SVG, for the page
};

}  // namespace cairn::cli
