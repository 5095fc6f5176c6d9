// What `cairn plan multiply` and `cairn multiply` have in common: their options, and the plan that follows.
#pragma once

#include "cli/arguments.hpp"
#include "cli/machine_file.hpp"
#include "plan/plan.hpp"

namespace cairn::cli {

// As given on the command line.
struct MultiplyOptions {
  ProductOptions product;
  std::optional<Index> ranks;
  std::string algorithm, grid, rounds;
  std::optional<Index> layers;
  std::string objective = "time", type, op_a = "N", op_b = "N";
  std::optional<double> memory;
  std::string machine;
  std::string overlap = "off", transport = "two-sided";
  bool json = false;
};
void add_multiply_options(Command app, MultiplyOptions& o);

// Of a given grid: rounds that are gathered ahead, and parts of C that are combined one after the other.
struct Overlap {
  int lookahead = 0;
  Index combines = 1;
};

// The same, read and checked as far as that can be without the number of ranks.
struct MultiplyRequest {
  gemm::Problem problem;
  std::string algorithm;  // "grid" where the grid was given
  std::optional<gemm::Grid> grid;
  gemm::Rounds rounds;         // of a given grid
  Overlap overlap;             // of a given grid
  gemm::NamedOptions options;  // of a named algorithm
  plan::Settings settings;
  std::string machine_source;
};
MultiplyRequest read_request(const MultiplyOptions& o);
// With sizes and a type that files have, not the options.
MultiplyRequest read_request(const MultiplyOptions& o, const bounds::Product& sizes, ScalarType type);
std::optional<ScalarType> given_type(const MultiplyOptions& o);

struct TimedPlan {
  plan::Plan plan;
  double seconds = 0;  // that planning took
};
// Throws MemoryError if the memory does not suffice.
TimedPlan make_plan(const MultiplyRequest& request, int ranks);

// One a core, at least 2.
int usual_ranks();

}  // namespace cairn::cli
