#include "factor/symmetric_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

namespace cairn::factor {
namespace {

// xorshift: the same numbers everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2654435761U + 88172645463325252ULL) {
    for (int i = 0; i < 20; ++i) next();
  }
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  int below(int n) { return static_cast<int>((next() >> 11) % static_cast<std::uint64_t>(n)); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

// Cells of unordered pairs, how often each position touches each class, and the energy that falls.
class Annealer {
 public:
  Annealer(int positions, int classes, double slack, std::uint64_t seed)
      : p_(positions),
        r_(classes),
        slack_(slack),
        even_(static_cast<double>(classes) * classes / positions),
        weight_(6.0 * classes / positions),
        dice_(seed),
        owner_(size(classes * classes)),
        touches_(size(positions * classes), 0),
        load_(size(positions), 0),
        reach_(size(positions), 0) {
    for (int a = 0; a < r_; ++a)
      for (int b = a; b < r_; ++b) put(a, b, dice_.below(p_));
  }

  void run(Index moves) {
    constexpr double hot = 1.5, cold = 0.04;
    const double factor = std::pow(cold / hot, 1.0 / static_cast<double>(std::max<Index>(moves, 1)));
    double temperature = hot;
    for (Index k = 0; k < moves; ++k, temperature *= factor) move(temperature);
  }

  double energy() const {
    double sum = 0;
    for (int q = 0; q < p_; ++q) sum += cost(q);
    return sum;
  }
  std::vector<int> cells() const { return owner_; }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
  int& owner(int a, int b) { return owner_[size(a * r_ + b)]; }

  void touch(int q, int a, int by) {
    int& count = touches_[size(q * r_ + a)];
    if (count == 0) ++reach_[size(q)];
    count += by;
    if (count == 0) --reach_[size(q)];
  }
  void lift(int a, int b) {
    const int q = owner(a, b);
    load_[size(q)] -= a == b ? 1 : 2;
    touch(q, a, -1);
    touch(q, b, -1);
  }
  void put(int a, int b, int q) {
    owner(a, b) = owner(b, a) = q;
    load_[size(q)] += a == b ? 1 : 2;
    touch(q, a, 1);
    touch(q, b, 1);
  }
  double cost(int q) const {
    const double over = load_[size(q)] / even_ - 1, reach = reach_[size(q)];
    const double uneven = weight_ * (3 * over * over + (over > slack_ ? 20 * (over - slack_) : 0));
    return reach + uneven + 0.02 * reach * reach;
  }

  // A cell goes to a position that has one of its classes already (mostly), or two cells change places.
  void move(double temperature) {
    const int a = dice_.below(r_), b = dice_.below(r_), from = owner(a, b);
    const int near = owner(dice_.below(2) == 0 ? a : b, dice_.below(r_));
    const int to = dice_.below(8) == 0 ? dice_.below(p_) : near;
    if (to == from) return;
    int c = -1, d = -1;
    if (dice_.below(4) == 0 && !find_cell(to, c, d)) return;
    const double before = cost(from) + cost(to);
    exchange(a, b, to, c, d, from);
    const double rise = cost(from) + cost(to) - before;
    if (rise > 0 && dice_.unit() >= std::exp(-rise / temperature)) exchange(a, b, from, c, d, to);
  }
  void exchange(int a, int b, int to, int c, int d, int from) {
    lift(a, b);
    put(a, b, to);
    if (c < 0) return;
    lift(c, d);
    put(c, d, from);
  }
  bool find_cell(int q, int& c, int& d) {
    for (int tries = 0; tries < 12; ++tries) {
      c = dice_.below(r_);
      d = dice_.below(r_);
      if (owner(c, d) == q) return true;
    }
    return false;
  }

  int p_, r_;
  double slack_, even_, weight_;
  Dice dice_;
  std::vector<int> owner_, touches_, load_, reach_;
};

constexpr double allowed_imbalance = 1.17;

// What is judged: words first; a load that is too uneven costs as much as it slows.
double badness(const SymmetricCells& cells) {
  return cells.positions_per_class() * std::max(1.0, cells.load_imbalance() / allowed_imbalance);
}

void give_diagonal_to_lightest(SymmetricCells& cells) {
  std::vector<int> load(static_cast<std::size_t>(cells.positions), 0);
  const int r = cells.classes;
  for (int a = 0; a < r; ++a) {
    int best = -1;
    for (int b = 0; b < r; ++b) {
      const int q = a == b ? -1 : cells.at(a, b);
      if (q >= 0 && (best < 0 || load[static_cast<std::size_t>(q)] < load[static_cast<std::size_t>(best)]))
        best = q;
    }
    ++load[static_cast<std::size_t>(best)];
    cells.owner[static_cast<std::size_t>(a * (r + 1))] = best;
  }
}

// The structured patterns that exist for this number of positions.
std::vector<SymmetricCells> known(int positions) {
  std::vector<SymmetricCells> all;
  for (int rows = 1; rows * rows <= positions; ++rows)
    if (positions % rows == 0) all.push_back(square_grid(rows, positions / rows));
  for (int r = 3; r * (r - 1) / 2 <= positions; ++r)
    if (r * (r - 1) / 2 == positions) all.push_back(triangle_pairs(r));
  for (const int q : {2, 3, 4, 5, 7})
    if (q * q + q + 1 == positions) all.push_back(projective_plane(q));
  return all;
}

}  // namespace

double SymmetricCells::positions_per_class() const {
  Index sum = 0;
  for (int a = 0; a < classes; ++a) {
    std::set<int> seen;
    for (int b = 0; b < classes; ++b) seen.insert({at(a, b), at(b, a)});
    sum += std::ssize(seen);
  }
  return static_cast<double>(sum) / classes;
}

double SymmetricCells::load_imbalance() const {
  std::vector<Index> load(static_cast<std::size_t>(positions), 0);
  for (const int q : owner) ++load[static_cast<std::size_t>(q)];
  return static_cast<double>(*std::ranges::max_element(load)) * positions / static_cast<double>(owner.size());
}

SymmetricCells anneal(int positions, int classes, Index moves, double slack, std::uint64_t seed) {
  Annealer annealer(positions, classes, slack, seed);
  annealer.run(moves);
  return {classes, positions, annealer.cells()};
}

SymmetricCells search_symmetric(int positions) {
  std::vector<SymmetricCells> all = known(positions);
  constexpr Index budget = 6'000'000;  // moves, about half a second
  const auto root = static_cast<int>(std::lround(std::sqrt(2.0 * positions)));
  const int least = std::max(2, root), most = std::min(26, 2 * root + 4);
  if (positions <= 256 && positions > 1)
    for (int r = least; r <= most; ++r)
      all.push_back(anneal(positions, r, budget / (most - least + 1), 0.12, static_cast<std::uint64_t>(r)));
  return *std::ranges::min_element(all, {}, badness);
}

SymmetricCells triangle_pairs(int r) {
  SymmetricCells cells{r, r * (r - 1) / 2, std::vector<int>(static_cast<std::size_t>(r * r), 0)};
  int next = 0;
  for (int a = 0; a < r; ++a)
    for (int b = 0; b < a; ++b, ++next)
      cells.owner[static_cast<std::size_t>(a * r + b)] = cells.owner[static_cast<std::size_t>(b * r + a)] =
          next;
  give_diagonal_to_lightest(cells);
  return cells;
}

// Line s has the points d + s, d of a perfect difference set: every two points are on one line.
SymmetricCells projective_plane(int order) {
  static const std::array<std::vector<int>, 8> differences = {{{},
                                                               {},
                                                               {0, 1, 3},
                                                               {0, 1, 3, 9},
                                                               {3, 6, 7, 12, 14},
                                                               {1, 5, 11, 24, 25, 27},
                                                               {},
                                                               {0, 1, 3, 13, 32, 36, 43, 52}}};
  const std::vector<int>& set = differences[static_cast<std::size_t>(order)];
  const int n = order * order + order + 1;
  SymmetricCells cells{n, n, std::vector<int>(static_cast<std::size_t>(n * n), 0)};
  for (int s = 0; s < n; ++s)
    for (const int x : set)
      for (const int y : set)
        if (x != y || x == set.front())
          cells.owner[static_cast<std::size_t>((x + s) % n * n + (y + s) % n)] = s;
  return cells;
}

SymmetricCells square_grid(int rows, int columns) {
  const int r = std::lcm(rows, columns);
  SymmetricCells cells{r, rows * columns, std::vector<int>(static_cast<std::size_t>(r * r))};
  for (int a = 0; a < r; ++a)
    for (int b = 0; b < r; ++b)
      cells.owner[static_cast<std::size_t>(a * r + b)] = a % rows + b % columns * rows;
  return cells;
}

SymmetricCells on_ranks(SymmetricCells cells, const std::vector<int>& owners) {
  for (int& q : cells.owner) q = owners[static_cast<std::size_t>(q)];
  return cells;
}

}  // namespace cairn::factor
