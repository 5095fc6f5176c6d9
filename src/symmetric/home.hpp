// What ranks already have of what the seats of a shape need, or may keep of what they produce.
#pragma once

#include <array>
#include <vector>

#include "layout/matching/assignment.hpp"
#include "symmetric/compile.hpp"

namespace cairn::symmetric {

// Words, by seat (position + positions * part) and rank. Of cells that the diagonal cuts their share.
std::vector<layout::Benefit> words_at_home(const Problem& problem, const Shape& shape,
                                           const std::array<layout::Layout, 3>& layouts);

// Words that a seat needs, and that it produces.
struct SeatWords {
  double in = 0, out = 0;
};
std::vector<SeatWords> words_of_seats(const Problem& problem, const Shape& shape);

}  // namespace cairn::symmetric
