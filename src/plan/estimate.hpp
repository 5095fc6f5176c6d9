// What grids cost in closed form: the words of the busiest rank exactly, and seconds from below. A grid costs
// a few nanoseconds, so that all of them can be looked at.
#pragma once

#include <vector>

#include "bounds/machine.hpp"
#include "gemm/schedule.hpp"

namespace cairn::plan {

// A problem with what the estimates need of it ready. `wanted` gives everything but the grid and the rounds.
class Estimates {
 public:
  Estimates(const gemm::Schedule& wanted, int ranks, const Machine& machine);

  // The most parts that are worth looking at: as many as indices, at least 1. More only adds empty bricks.
  int most_parts(gemm::Dim d) const { return static_cast<int>(parts_[index(d)].size()) - 1; }
  Index part(gemm::Dim d, int extent) const { return parts_[index(d)][static_cast<std::size_t>(extent)]; }

  // Voxels of the largest brick.
  double work(const gemm::Grid& grid) const;
  // Words received by the busiest rank in one round with Collectives::fewest_words: gemm::totals, exactly.
  Index words(const gemm::Grid& grid) const;
  // The same for the ranks with the longest parts only, so at most words().
  Index words_of_longest(const gemm::Grid& grid) const;
  // True only if gemm::phase_seconds in one round are more than `limit`. Looks as closely as it must.
  bool seconds_exceed(const gemm::Grid& grid, double limit) const;
  // At most gemm::phase_seconds in one round of any grid with these pm and pn and from fewest_pk to most_pk
  // parts of k.
  double least_seconds(int pm, int pn, int fewest_pk, int most_pk) const;
  // Words that all ranks together receive, in any number of rounds.
  double volume(const gemm::Grid& grid) const;
  // At most the words and the seconds in any number of rounds: the mean over the ranks of the grid, no
  // messages.
  double mean_words(const gemm::Grid& grid) const;
  double mean_seconds(const gemm::Grid& grid) const;
  // Bytes that rank 0 holds at least in one round without lookahead: A, B, C and the faces; and what no rank
  // can exceed, with the landing places of a combine.
  double least_bytes(const gemm::Grid& grid) const;
  double most_bytes(const gemm::Grid& grid) const;
  double own_bytes(const gemm::Grid& grid) const;  // A, B, C alone

 private:
  struct Face {
    Index rows = 0;
    Index cols = 0;
    int fibre = 1;
  };
  Face longest(const gemm::Grid& grid, gemm::Matrix x) const;
  double rough_collective(const Face& face, int messages) const;
  int rough_messages(const Face& face, gemm::Matrix x) const;
  double first_rank_seconds(const Face& face) const;
  double collective_seconds(const Face& face, gemm::Matrix x) const;
  Index words_of_kind(const gemm::Grid& grid, const std::array<int, 3>& kind) const;
  Index part(const gemm::Grid& grid, gemm::Dim d) const { return part(d, grid.extent(d)); }

  gemm::Schedule wanted_;
  Machine machine_;
  std::array<gemm::Dim, 3> row_, col_;
  std::array<std::vector<Index>, 3> parts_;  // the longest part, by dimension and number of parts
  std::vector<int> gather_messages_;         // of the last rank of a fibre at least, by its ranks
  std::vector<int> combine_messages_;
  double voxel_seconds_ = 0;
  double word_seconds_ = 0;
};

}  // namespace cairn::plan
