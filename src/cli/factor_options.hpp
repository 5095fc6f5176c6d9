// What `cairn lu`, `cairn cholesky` and `cairn solve` have in common: the problem, the plan, and matrices that are
// made from their indices.
#pragma once

#include <functional>
#include <string>

#include "cli/operation.hpp"
#include "factor/factored.hpp"

namespace cairn::cli {

struct FactorOptions {
  std::optional<Index> side, rows, columns;  // -N, or -m and -n
  Index right_sides = 1;                     // of solve
  std::string type = "d";
  std::string matrix;  // empty: the usual one of the operation
  Index seed = 1;
  std::string algorithm = "auto", objective = "time", pivoting = "tournament", triangle = "lower";
  std::optional<Index> layers, step;
  bool definite = false;  // solve by Cholesky
  std::string a, b, out;  // files
  std::string layout_a;   // where A lies; empty: where the plan wants it

  // Found by read() and look().
  factor::FactorProblem problem;
};

void add_factor_options(Command app, FactorOptions& o, factor::Kind kind);
// Throws what is wrong with the options; the sizes may come from a file later.
void read_factor_options(FactorOptions& o, factor::Kind kind);
factor::FactorSettings settings_of(const FactorOptions& o, const SharedOptions& shared);
PivotChoice pivoting_of(const FactorOptions& o);
Triangle triangle_of(const FactorOptions& o);

// Sizes, costs and candidates of a plan; `own` is a factor::FactorPlan.
Planned planned_factor(const FactorOptions& o, const factor::FactorPlan& plan, const SharedOptions& shared);

// uniform | hilbert | gfpp:C (growth (1 + C)^(n - 1) under partial pivoting) | spd (diagonally dominant)
template <Scalar T>
using Generated = std::function<T(Index i, Index j)>;
template <Scalar T>
Generated<T> generated_matrix(const std::string& name, Index n, Index seed);

}  // namespace cairn::cli
