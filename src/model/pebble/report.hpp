// One played schedule beside its bounds: what `cairn pebble` prints.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/pebble/game.hpp"
#include "model/pebble/problems.hpp"

namespace cairn::model::pebble {

struct Report {
  Kernel kernel = Kernel::multiply;
  std::array<Index, 3> size{};
  std::string order;
  Index red = 0;
  Index vertices = 0;
  Tally tally;
  double finite_bound = 0;  // proved for this size: no schedule is below (bounds.hpp)
  double paper_bound = 0;   // the papers' formula, which some schedules beat
  double ratio() const { return static_cast<double>(tally.cost()) / finite_bound; }
  double paper_ratio() const { return static_cast<double>(tally.cost()) / paper_bound; }
};

// Plays the order of that name (named_order) with `red` pebbles. `moves`, if given, receives the game.
// Example:
//   to_text(play_named(multiply_problem(60, 60, 60), "listing1", 120))
Report play_named(const Problem& problem, std::string_view order, Index red,
                  std::vector<Move>* moves = nullptr);

std::string to_text(const Report& report);

}  // namespace cairn::model::pebble
