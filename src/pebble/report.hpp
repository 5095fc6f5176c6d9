// One played schedule beside its bounds: what `cairn pebble` prints.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pebble/game.hpp"
#include "pebble/parallel.hpp"
#include "pebble/problems.hpp"

namespace cairn::pebble {

// Moved words over a bound: 1 where nothing moves and nothing must.
constexpr double over(Index moved, double bound) {
  return moved == 0 && bound == 0 ? 1 : static_cast<double>(moved) / bound;
}

struct Report {
  Kernel kernel = Kernel::multiply;
  std::array<Index, 3> size{};
  std::string order;
  Index red = 0;
  Index vertices = 0;
  Tally tally;
  double finite_bound = 0;  // proved for this size: no schedule is below (bounds.hpp)
  double paper_bound = 0;   // the papers' formula, which some schedules beat
  double ratio() const { return over(tally.cost(), finite_bound); }
  double paper_ratio() const { return over(tally.cost(), paper_bound); }
};

// Plays the order of that name (named_order) with `red` pebbles; "optimal" is a game of least cost, for
// graphs of at most 32 vertices (optimal_pebbling). `moves`, if given, receives the game. Example:
//   to_text(play_named(multiply_problem(60, 60, 60), "listing1", 120))
Report play_named(const Problem& problem, std::string_view order, Index red,
                  std::vector<Move>* moves = nullptr);

std::string to_text(const Report& report);

// A game with several colours, processor by processor.
struct ParallelReport {
  Kernel kernel = Kernel::multiply;
  std::array<Index, 3> size{};
  std::string order;
  std::string grid;
  Index red = 0;  // pebbles of each colour
  Index vertices = 0;
  std::vector<Account> accounts;
  double finite_bound = 0;  // busiest_bound: some processor moves as many words, however the work is dealt
  double paper_bound = 0;
  Index busiest() const;  // the most words of one processor
  double mean() const;
  double ratio() const { return over(busiest(), finite_bound); }
  double paper_ratio() const { return over(busiest(), paper_bound); }
};

// How the work is dealt: bricks of a multiply, or elements in blocks of block x block on rows x columns.
struct Deal {
  std::vector<Index> grid;  // three extents for a multiply, two for the others; empty: a good one is chosen
  Index block = 1;
};

ParallelReport play_named(const Problem& problem, std::string_view order, Index red, Index ranks,
                          const Deal& deal);

std::string to_text(const ParallelReport& report);

}  // namespace cairn::pebble
