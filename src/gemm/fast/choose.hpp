// Which fast schedule for a problem, a number of ranks and a machine: all interleavings of steps, judged by
// closed forms of what the compiled Programs move, compute and hold. Pure: no MPI, for any number of ranks.
#pragma once

#include <memory>
#include <vector>

#include "bounds/machine.hpp"
#include "gemm/fast/error_bound.hpp"
#include "gemm/fast/rates.hpp"

namespace cairn::gemm::fast {

// The algorithms of paper 001, section 4, as families of schedules.
enum class Family : std::uint8_t {
  any,
  caps,            // BFS steps, and DFS steps before, between and behind them
  strassen_2d,     // DFS steps, then bricks with pk = 1
  strassen_25d,    // DFS steps, then any bricks
  strassen_in_2d,  // bricks with pk = 1, fast levels inside ("2D-Strassen")
  strassen_in_25d  // any bricks, fast levels inside
};
std::string_view name(Family family);  // "caps", "strassen-2d", ..., "2d-strassen", "2.5d-strassen"
Family parse_family(std::string_view text);

struct FastOptions {
  Machine machine = {};
  FastRates rates = {};
  std::shared_ptr<const Bilinear> algorithm = {};  // of the steps; none: winograd
  Family family = Family::any;
  std::string order = "auto";  // of the steps, such as "BBD"
  double max_error_growth = 1e300;
  double memory_words = 0;  // per rank, A, B and C included; 0: no limit
  int most_steps = 6;
};

// What one rank does, the busiest.
struct FastCost {
  double words = 0;     // sent, and as many received
  double messages = 0;  // sent
  double flops = 0;     // multiplications and additions
  double memory_words = 0;
  double sum_seconds = 0;  // passes over memory
  double multiply_seconds = 0;
};

struct FastCandidate {
  FastSchedule schedule;
  FastCost cost;
  double seconds = 0;
  double growth = 1;  // of the error bound
};

// Closed forms, with the shares of all ranks taken as equal: exact where everything divides.
FastCost cost_of(const FastSchedule& schedule, const FastRates& rates);
double seconds_of(const FastCost& cost, const Machine& machine, ScalarType type);

// All that fit the options, fastest first; the classical one (no step, no level) is among them if the
// family is `any` and the order "auto". Throws ArgumentError if nothing fits, with what would.
std::vector<FastCandidate> candidates(const Problem& problem, int ranks, const FastOptions& options = {});
// The same, with none where nothing fits.
std::vector<FastCandidate> find_candidates(const Problem& problem, int ranks, const FastOptions& options);

// The rates with their largest product at the machine's gamma: measured elsewhere, or of other threads.
FastRates rates_at(FastRates rates, const Machine& machine);

}  // namespace cairn::gemm::fast
