#include "check/verdict.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "comm/collectives.hpp"

namespace cairn::check {
namespace {

// How bad a row is: NaN and infinity are the worst.
double excess(double residual, double tolerance) {
  if (!std::isfinite(residual)) return INFINITY;
  return residual == 0 ? 0 : residual / tolerance;
}

}  // namespace

Outcome outcome(const Verdict& v) {
  if (!v.passed) return Outcome::wrong;
  if (v.nothing_checked()) return Outcome::unknown;
  return v.unchecked_rows > 0 ? Outcome::partly : Outcome::right;
}

std::string_view word(Outcome outcome) {
  constexpr std::array<std::string_view, 4> words{"right", "partly right", "NOT CHECKED", "WRONG"};
  return words[static_cast<std::size_t>(outcome)];
}

void compare_row(Verdict& v, Index row, double residual, double tolerance) {
  ++v.rows;
  v.passed = v.passed && residual <= tolerance;
  if (!(residual <= v.largest_residual)) v.largest_residual = std::isnan(residual) ? INFINITY : residual;
  if (v.row >= 0 && excess(residual, tolerance) <= excess(v.residual, v.tolerance)) return;
  v.row = row;
  v.residual = residual;
  v.tolerance = tolerance;
}

void skip_row(Verdict& v) {
  ++v.rows;
  ++v.unchecked_rows;
}

Verdict worst_of_all(comm::CommView comm, Verdict mine) {
  const comm::CommView plain = comm.unchecked();
  std::array<double, 2> most{mine.row < 0 ? -1 : excess(mine.residual, mine.tolerance),
                             mine.largest_residual};
  const double here = most[0];
  comm::allreduce(plain, std::span<const double>(most), std::span<double>(most), comm::ReduceOp::max);
  std::array<Index, 3> sums{mine.rows, mine.unchecked_rows, mine.passed ? 0 : 1};
  comm::allreduce(plain, std::span<const Index>(sums), std::span<Index>(sums), comm::ReduceOp::sum);
  const int owner = comm::allreduce(plain, here == most[0] ? comm.rank() : comm.size(), comm::ReduceOp::min);
  comm::broadcast(plain, std::span(&mine, 1), owner);
  mine.rows = sums[0];
  mine.unchecked_rows = sums[1];
  mine.passed = sums[2] == 0;
  mine.largest_residual = most[1];
  return mine;
}

std::string describe(const Verdict& v, std::string_view result) {
  if (v.passed && v.nothing_checked())
    return fmt::format("none of the {} rows of {} could be checked: numbers there are not finite", v.rows,
                       result);
  if (v.row < 0) return "nothing to compare";
  return fmt::format("row {} of {} differs by {:.3g}, rounding explains {:.3g}", v.row, result, v.residual,
                     v.tolerance);
}

void require_right(const Verdict& v, std::string_view operation) {
  const Outcome found = outcome(v);
  require<ResultError>(found == Outcome::right || found == Outcome::partly, "{}: {}", operation, describe(v));
}

}  // namespace cairn::check
