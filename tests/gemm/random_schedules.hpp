// Random problems and schedules: sizes of every class (empty, one, prime, smaller and larger than the grid),
// all ops, grids, rounds, lookaheads, parts of C and ways to choose collectives.
#pragma once

#include <random>

#include "gemm/schedule.hpp"

namespace cairn::gemm::test {

class RandomSchedules {
 public:
  explicit RandomSchedules(std::uint64_t seed) : engine_(seed) {}

  Index number(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(engine_); }
  bool chance(double p) { return std::bernoulli_distribution(p)(engine_); }
  template <class List>
  auto pick(const List& list) {
    return *(std::begin(list) + number(0, static_cast<Index>(std::size(list)) - 1));
  }

  Index size(Index most) {
    if (chance(0.06)) return 0;
    if (chance(0.1)) return 1;
    if (chance(0.5)) return number(1, std::min<Index>(most, 20));
    return number(1, most);
  }

  Problem problem(Index most) {
    const std::array ops{Op::none, Op::transpose, Op::adjoint};
    const std::array types{ScalarType::f32, ScalarType::f64, ScalarType::c32, ScalarType::c64};
    Problem p{.m = size(most), .n = size(most), .k = size(most)};
    p.op_a = pick(ops);
    p.op_b = pick(ops);
    p.type = pick(types);
    return p;
  }

  Grid grid(int ranks) {
    const int x = static_cast<int>(number(1, ranks)), y = static_cast<int>(number(1, ranks / x)),
              z = static_cast<int>(chance(0.8) ? ranks / x / y : number(1, ranks / x / y));
    std::array<int, 3> extents{x, y, z};
    std::shuffle(extents.begin(), extents.end(), engine_);
    return {extents[0], extents[1], extents[2]};
  }

  void add_rounds(Schedule& s) {
    const Dim along = pick(all_dims);
    const Index most = std::max<Index>(1, s.problem.size(along));
    s.rounds = chance(0.5) ? Rounds{} : Rounds{along, number(1, std::min<Index>(most, 9))};
    s.lookahead = static_cast<int>(chance(0.5) ? 0 : number(1, 3));
    if (s.grid.pk > 1 && (s.rounds.count == 1 || s.rounds.along == Dim::k) && chance(0.5))
      s.combines = number(1, std::clamp<Index>(s.problem.n, 1, 5));
    s.collectives = chance(0.5) ? Collectives::fastest : Collectives::fewest_words;
    // Links that make every way of moving blocks the cheapest now and then.
    const std::array links{comm::LinkCost{}, comm::LinkCost{0, 1, 0}, comm::LinkCost{1, 0, 1},
                           comm::LinkCost{1e-6, 1e-7, 0}};
    s.link = pick(links);
  }

  Schedule schedule(Index most, int ranks) {
    Schedule s{.problem = problem(most), .grid = grid(ranks)};
    add_rounds(s);
    return s;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cairn::gemm::test
