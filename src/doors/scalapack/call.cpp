#include "doors/scalapack/call.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "cairn/error.hpp"
#include "doors/scalapack/mode.hpp"
#include "doors/scalapack/original.hpp"
#include "doors/scalapack/report.hpp"

namespace cairn::scalapack {
namespace {

// Below this ScaLAPACK is not thought about: a plan and a few agreements take as long.
constexpr double least_seconds = 3e-3;
// Of a call that ScaLAPACK makes inside itself, each dimension at least: panels and blocks are never that large.
constexpr Index least_inside = 512;
constexpr double margin = 0.9;
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

bool too_small(const Job& job, Mode mode) {
  const Shape& s = job.shape;
  const Index least = std::min({s.m, s.n, s.k > 0 ? s.k : s.m});
  if (depth() > 0 && least < least_inside) return true;
  return mode != Mode::on && job.theirs.seconds < least_seconds;
}

// The decision of all calls like this one.
Decision& decision(Grid& grid, const Job& job, const std::string& routine) {
  Grid::Question question = job.question;
  for (const char c : routine) question.push_back(c);
  if (Decision* known = grid.known(question)) return *known;
  return grid.remember(question, job.decide(grid));
}

[[noreturn]] void end_program(const Routine& routine, int context, const char* what) {
  std::fprintf(stderr, "cairn: %s: %s\n", routine.name().c_str(), what);
  abort_program(context, 1);
}

// Memory that a call may leave to the next one: what its plan says, or a copy of each matrix.
double held_bytes(const Job& job, const Decision& how) {
  if (how.plan) return static_cast<double>(how.plan->memory_bytes());
  const auto m = static_cast<double>(job.shape.m), n = static_cast<double>(job.shape.n),
             k = static_cast<double>(job.shape.k);
  return 16 * (m * n + (m + n) * k) / job.processes.processes();
}

// Collective where others are asked.
bool sound_on_all(const Job& job) {
  int fine = job.is_sound ? 1 : 0;
  if (job.ask_others) least_of_all(job.context, {&fine, 1});
  return fine == 1;
}

// The words received, or none: nothing has been changed, and the original is to do it.
std::optional<double> try_ours(const Routine& routine, const Job& job, Mode mode) {
  try {
    const std::shared_ptr<Grid> grid = grid_of(job.context, job.processes);
    const Decision& how = decision(*grid, job, routine.name());
    if (!how.ours && mode != Mode::on) return {};
    const double words = job.run(*grid, how);
    if (held_bytes(job, how) > most_kept_bytes) grid->context().trim();
    return words;
  } catch (const Error& e) {
    // Found on all ranks before anything was written: memory that overlaps, or that there is not enough of.
    if (e.kind() == ErrorKind::argument || e.kind() == ErrorKind::memory || e.kind() == ErrorKind::overflow)
      return {};
    end_program(routine, job.context, e.what());
  } catch (const std::exception& e) {
    end_program(routine, job.context, e.what());
  }
}

}  // namespace

Routine::Routine(std::string name)
    : name_(std::move(name)), original_(name_[0] == 'C' ? find_exactly(name_) : find_original(name_)) {
  if (original_ != nullptr) return;
  std::fprintf(stderr, "cairn: %s is called, and there is no ScaLAPACK that has it\n", name_.c_str());
  std::abort();
}

void answer(const Routine& routine, const std::function<void()>& pass, const MakeJob& make_job) {
  const Mode now = mode();
  if (now == Mode::off) return pass();
  const std::optional<Job> job = make_job();
  const Clock clock;
  std::optional<double> words;
  if (job && !too_small(*job, now) && sound_on_all(*job)) words = try_ours(routine, *job, now);
  if (!words) pass();
  count_answer(words.has_value());
  if (now == Mode::report && job && depth() == 0)
    keep_answer(routine.name(), job->shape, {words.has_value(), words.value_or(0), clock.seconds()},
                job->theirs);
}

const Machine& machine() {
  static const Machine known = [] {
    const char* file = std::getenv("CAIRN_MACHINE");
    if (file == nullptr || *file == '\0') return Machine{};
    try {
      return load_machine(file);
    } catch (const Error& e) {
      std::fprintf(stderr, "cairn: CAIRN_MACHINE: %s\n", e.what());
      return Machine{};
    }
  }();
  return known;
}

PlanOptions plan_options() { return {.objective = Objective::words, .machine = machine()}; }

bool gains(double ours, const Estimate& theirs) { return ours < margin * theirs.seconds; }

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
