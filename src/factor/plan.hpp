// Chooses pattern, layers and step of a factorization: by words or by predicted time, within a memory limit.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bounds/machine.hpp"
#include "cairn/pivoting.hpp"
#include "factor/cholesky_shape.hpp"
#include "factor/lu_shape.hpp"
#include "factor/moving.hpp"

namespace cairn::factor {

enum class Kind { lu, cholesky };
enum class Goal { time, words };

struct FactorProblem {
  Kind kind = Kind::lu;
  Index rows = 0;
  Index columns = 0;  // as many as rows for Cholesky
  ScalarType type = ScalarType::f64;
  friend bool operator==(const FactorProblem&, const FactorProblem&) = default;
};

struct FactorSettings {
  Goal goal = Goal::time;
  // auto; 2d: one layer on the best grid; conflux (LU), confchox (Cholesky): layers of square grids, as in paper 002
  std::string algorithm = "auto";
  std::optional<int> layers = {};
  std::optional<Index> step = {};
  std::optional<Index> memory_bytes = {};  // most that a rank may hold
  PivotChoice pivoting = PivotChoice::tournament;
  Machine machine = {};
  // Where A lies: what moving it costs counts, and staying there is one of the choices where it can be. For the upper
  // triangle of Cholesky the layout of A^H. `back`: the factors are wanted there, too.
  std::optional<layout::Layout> from = {};
  bool back = false;
  bool in_place = false;            // A is factored where it lies: the only choice is to stay there
  std::size_t most_candidates = 8;  // listed
  friend bool operator==(const FactorSettings&, const FactorSettings&) = default;
};

struct FactorCandidate {
  std::string pattern;
  int positions = 1, layers = 1;
  double across = 1, down = 1;  // positions in a row and in a column of the pattern
  Index step = 1;
  double mean_words = 0, busiest_words = 0;  // sent and received averaged
  Index most_sent = 0, most_received = 0, total_words = 0;
  double messages = 0;                                  // per rank
  Index most_messages = 0, most_messages_received = 0;  // of a rank
  Index chain_words = 0;                                // of Cholesky: that move one after another
  double flop_imbalance = 1;
  bool counted = true;      // word by word; else by leading terms
  double seconds = 0;       // moving included
  Moved in = {}, out = {};  // A, and the factors back; nothing where nobody said where A lies
  Index memory_bytes = 0;   // of the rank that holds most
  std::string why = {};

  int ranks() const { return positions * layers; }
  Index most_words() const { return std::max(most_sent, most_received); }
};

// Words a rank must send or receive, whatever the algorithm; see docs/internals/factor.md.
struct FactorBounds {
  double resident = 0;  // of any algorithm that starts and ends with a share of the matrix
  double cyclic = 0;    // the least of even cyclic layouts, any real number of layers
};
FactorBounds factor_bounds(const FactorProblem& problem, int ranks);

struct FactorPlan {
  FactorProblem problem;
  FactorSettings settings;
  int ranks = 1;  // of the communicator
  FactorCandidate best;
  std::vector<FactorCandidate> candidates;  // best first
  FactorBounds bounds;
  std::shared_ptr<const LuShape> lu;              // of the best
  std::shared_ptr<const CholeskyShape> cholesky;  // one of the two
};

// Pure. Throws ArgumentError for impossible arguments, MemoryError where nothing fits: it says the least that does.
FactorPlan plan_factor(const FactorProblem& problem, int ranks, const FactorSettings& settings = {});

double factor_flops(const FactorProblem& problem);

}  // namespace cairn::factor
