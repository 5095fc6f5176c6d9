// Fast products between ranks (paper 001, section 3): steps of a bilinear algorithm before the bricks.
//
// BFS: the ranks split into q groups, each of which does one of the q products: the sums of blocks are local,
// then one exchange among q ranks brings the factors of a product to its group, and one brings the products
// back. DFS: all ranks do the q products one after the other: nothing moves, and less memory is needed.
// After the steps each group does its product by bricks.
//
// paper: P ranks = q^k c, l DFS steps | here: ranks(), steps, base.ranks() = c
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gemm/fast/local.hpp"
#include "gemm/schedule.hpp"

namespace cairn::gemm::fast {

enum class StepKind : std::uint8_t { bfs, dfs };

struct FastStep {
  StepKind kind = StepKind::bfs;
  std::shared_ptr<const Bilinear> algorithm;
};

struct FastSchedule {
  Problem problem = {};
  std::vector<FastStep> steps = {};
  Grid base = {};                 // of the ranks that do one product in the end
  std::vector<Level> local = {};  // of the product that one rank does; none: BLAS
  comm::LinkCost link = {};       // by which the collectives of the bricks are chosen

  Index ranks() const;  // that work: those of the base times q for every BFS step
};

// "BBD" with one algorithm for all steps. Throws ArgumentError for other letters.
std::vector<FastStep> parse_steps(std::string_view text, const std::shared_ptr<const Bilinear>& algorithm);
std::string order_of(std::span<const FastStep> steps);       // "BBD"
std::string algorithms_of(std::span<const FastStep> steps);  // "winograd"
// "3584 x 3584 x 3584 double NN by winograd BB on 49 ranks, base [1, 1, 1]"
std::string describe(const FastSchedule& schedule);

// Throws ArgumentError for a grid below 1, more ranks than there are, steps without algorithm.
void check(const FastSchedule& schedule, int ranks);

}  // namespace cairn::gemm::fast
