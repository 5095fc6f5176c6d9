#include "doors/scalapack/call.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "cairn/error.hpp"
#include "doors/scalapack/original.hpp"

namespace cairn::scalapack {
namespace {

// Of a call that ScaLAPACK makes inside itself, each dimension at least: panels and blocks are never that large.
constexpr Index least_inside = 512;
// A call whose work memory is larger than this gives it back at once.
constexpr double most_kept_bytes = 1 << 28;

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Grid::Question question_of(const Job& job, const Routine& routine) {
  Grid::Question question = job.question;
  for (const char c : routine.name()) question.push_back(c);
  return question;
}

// What is known of calls like this one, or predicted now. Collective the first time.
Decision& decision(Grid& grid, const Job& job, const Routine& routine, const Request& r,
                   const Theirs& theirs) {
  const Grid::Question question = question_of(job, routine);
  if (Decision* known = grid.known(question)) return *known;
  const Model model(job.processes.rows, job.processes.columns, r.block, r.weight, grid.machine());
  Prediction ours = job.predict(grid, model);
  const Trial trial{.predicted = {ours.seconds, theirs(model).seconds}};
  return grid.remember(question, {routine.name(), trial, std::move(ours.plan)});
}

// Which way a call goes. Collective as long as that is not settled: then the call is timed, and all agree on what the last
// timed one took.
Way choose(Grid& grid, Decision& d) {
  ++d.trial.calls;
  if (d.trial.settled && d.trial.calls != d.trial.again) return d.trial.way;
  grid.agree_on_what_was_seen();
  grid.experience().choose(d.routine, d.trial);
  return d.trial.way;
}

// Calls like this one have been found to go to the original: nobody has to be asked. Null: they have not.
const Decision* passes_as_ever(const Routine& routine, const Request& r, const Job& job) {
  const std::shared_ptr<Grid> grid = known_grid(r.context, job.processes);
  Decision* const known = grid ? grid->known(question_of(job, routine)) : nullptr;
  if (known == nullptr || !known->trial.settled || known->trial.way == Way::ours) return nullptr;
  if (known->trial.calls + 1 == known->trial.again) return nullptr;
  ++known->trial.calls;
  return known;
}

[[noreturn]] void end_program(const Routine& routine, int context, const char* what) {
  std::fprintf(stderr, "cairn: %s: %s\n", routine.name().c_str(), what);
  abort_program(context, 1);
}

// Memory that a call may leave to the next one: what its plan says, or a copy of each matrix.
double held_bytes(const Request& r, const Job& job, const Decision& how) {
  if (how.plan) return static_cast<double>(how.plan->memory_bytes());
  const auto m = static_cast<double>(r.shape.m), n = static_cast<double>(r.shape.n),
             k = static_cast<double>(r.shape.k);
  return 16 * (m * n + (m + n) * k) / job.processes.processes();
}

// Collective where others are asked.
bool sound_on_all(const Request& r, const Job& job) {
  int fine = job.is_sound ? 1 : 0;
  if (job.ask_others) least_of_all(r.context, {&fine, 1});
  return fine == 1;
}

// What happened to a call.
struct Outcome {
  std::optional<double> words;  // received, of ours; none: passed on
  std::optional<std::array<double, 2>> expected =
      {};  // seconds of ours and theirs, where that was thought about
};

// Runs ours, or none: nothing has been changed, and the original is to do it.
std::optional<double> try_ours(const Routine& routine, const Request& r, const Job& job, Grid& grid,
                               const Decision& how) {
  try {
    const double words = job.run(grid, how);
    if (held_bytes(r, job, how) > most_kept_bytes) grid.context().trim();
    return words;
  } catch (const Error& e) {
    // Found on all ranks before anything was written: memory that overlaps, or that there is not enough of.
    if (e.kind() == ErrorKind::argument || e.kind() == ErrorKind::memory || e.kind() == ErrorKind::overflow)
      return {};
    end_program(routine, r.context, e.what());
  } catch (const std::exception& e) {
    end_program(routine, r.context, e.what());
  }
}

// The grid and the decision; none where Cairn refuses the call, on all ranks alike.
std::pair<std::shared_ptr<Grid>, Decision*> find_decision(const Routine& routine, const Request& r,
                                                          const Job& job, const Theirs& theirs) {
  try {
    std::shared_ptr<Grid> grid = grid_of(r.context, job.processes);
    Decision& how = decision(*grid, job, routine, r, theirs);
    return {std::move(grid), &how};
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::argument || e.kind() == ErrorKind::memory || e.kind() == ErrorKind::overflow)
      return {};
    end_program(routine, r.context, e.what());
  } catch (const std::exception& e) {
    end_program(routine, r.context, e.what());
  }
}

// A call that is not small, one way or the other; timed as long as that is not settled.
Outcome decide_and_run(const Routine& routine, const Request& r, const Job& job, const Theirs& theirs,
                       const std::function<void()>& pass, Mode now) {
  const auto [grid, how] = find_decision(routine, r, job, theirs);
  if (how == nullptr) return pass(), Outcome{};
  const Way way = now == Mode::on ? Way::ours : choose(*grid, *how);
  const Clock clock;
  Outcome outcome{{}, how->trial.predicted};
  if (way == Way::ours) outcome.words = try_ours(routine, r, job, *grid, *how);
  if (!outcome.words) pass();
  if (now != Mode::on && !how->trial.settled)
    grid->saw(*how, outcome.words ? Way::ours : Way::theirs, clock.seconds());
  return outcome;
}

}  // namespace

Routine::Routine(std::string name)
    : name_(std::move(name)), original_(name_[0] == 'C' ? find_exactly(name_) : find_original(name_)) {
  if (original_ != nullptr) return;
  std::fprintf(stderr, "cairn: %s is called, and there is no ScaLAPACK that has it\n", name_.c_str());
  std::abort();
}

bool is_small_inside(const Shape& s) {
  return depth() > 0 && std::min({s.m, s.n, s.k > 0 ? s.k : s.m}) < least_inside;
}

void answer_with_thought(const Routine& routine, const Request& r, const Theirs& theirs,
                         const std::function<void()>& pass, const MakeJob& make_job) {
  const Mode now = mode();
  const Clock clock;
  const bool small = now == Mode::on ? is_small_inside(r.shape) : is_small(r, theirs);
  const ProcessGrid processes = grid_info(r.context);
  std::optional<Job> job;
  if (!small && processes.has_me()) job = make_job(processes);
  Outcome outcome;
  if (const Decision* known = job && now != Mode::on ? passes_as_ever(routine, r, *job) : nullptr) {
    outcome.expected = known->trial.predicted;
    job.reset();
  }
  if (job && sound_on_all(r, *job))
    outcome = decide_and_run(routine, r, *job, theirs, pass, now);
  else
    pass();
  count_answer(outcome.words.has_value());
  if (now != Mode::report || depth() > 0 || !processes.has_me() || r.block < 1) return;
  Estimate estimate = theirs(Model(processes.rows, processes.columns, r.block, r.weight, Machine{}));
  if (outcome.expected) estimate.seconds = (*outcome.expected)[1];
  Answer answer{outcome.words.has_value(), outcome.words.value_or(0), clock.seconds(), {}};
  if (outcome.expected) answer.expected = (*outcome.expected)[0];
  keep_answer(routine.name(), r.shape, answer, estimate);
}

PlanOptions plan_options(Grid& grid) { return {.objective = Objective::words, .machine = grid.machine()}; }

std::optional<Triangle> triangle_of(const char* letter) {
  if (*letter == 'L' || *letter == 'l') return Triangle::lower;
  if (*letter == 'U' || *letter == 'u') return Triangle::upper;
  return {};
}
std::optional<Side> side_of(const char* letter) {
  if (*letter == 'L' || *letter == 'l') return Side::left;
  if (*letter == 'R' || *letter == 'r') return Side::right;
  return {};
}
std::optional<Diagonal> diagonal_of(const char* letter) {
  if (*letter == 'N' || *letter == 'n') return Diagonal::stored;
  if (*letter == 'U' || *letter == 'u') return Diagonal::unit;
  return {};
}

std::optional<SubMatrix> sound(const int* descriptor, const int* i, const int* j, Index m, Index n,
                               const ProcessGrid& processes) {
  const std::optional<Descriptor> whole = read_descriptor(descriptor);
  if (!whole) return {};
  const SubMatrix x{*whole, Index{*i} - 1, Index{*j} - 1, m, n};
  if (!is_sound(x, processes)) return {};
  return x;
}

void append_place(Grid::Question& question, const SubMatrix& x, const ProcessGrid& processes) {
  const Descriptor& d = x.whole;
  const Skipped skipped = whole_cycles(x, processes.rows, processes.columns);
  const Index row = x.i - skipped.rows * processes.rows, column = x.j - skipped.columns * processes.columns;
  question.insert(question.end(), {d.first_rows, d.first_columns, d.mb, d.nb, d.row_source, d.column_source,
                                   row, column, x.m, x.n});
}

}  // namespace cairn::scalapack
