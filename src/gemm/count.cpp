#include "gemm/count.hpp"

#include <algorithm>

#include "gemm/compile.hpp"
#include "gemm/native.hpp"
#include "gemm/tree_count.hpp"
#include "program/count.hpp"

namespace cairn::gemm {
namespace {

// How many rounds of a rank are like round 0, and how many like the last: balanced rounds have two sizes.
struct RoundKind {
  Index round;
  Index times;
};

std::array<RoundKind, 2> round_kinds(const NativeLayout& layout, const Coordinates& at) {
  const Index rounds = layout.rounds();
  const Piece first = layout.face(at, 0), last = layout.face(at, rounds - 1);
  if (first.rows == last.rows && first.cols == last.cols) return {{{0, rounds}, {0, 0}}};
  Index low = 0, high = rounds - 1;  // first kind at low, second at high
  while (high - low > 1) {
    const Piece middle = layout.face(at, (low + high) / 2);
    (middle.rows == first.rows && middle.cols == first.cols ? low : high) = (low + high) / 2;
  }
  return {{{0, high}, {rounds - 1, rounds - high}}};
}

comm::Volume scaled(comm::Volume v, Index times) {
  return {v.messages * times, v.words * times, v.bytes * times};
}

}  // namespace

comm::Counters moved(const Schedule& s, Matrix matrix, const Coordinates& at) {
  comm::Counters sum;
  if (!s.problem.multiplies() || s.grid.extent(missing(matrix)) == 1) return sum;
  const NativeLayout layout(s, matrix);
  for (const RoundKind& kind : round_kinds(layout, at)) {
    const comm::Partition slices = layout.slices(at, kind.round);
    if (kind.times == 0 || slices.total() == 0) continue;
    const comm::Counters one = comm::closed_count(collective_of(s, matrix, slices), at[missing(matrix)]);
    sum += {scaled(one.sent, kind.times), scaled(one.received, kind.times)};
  }
  return sum;
}

comm::Counters moved_of(const program::Program& program, Matrix x) {
  return program::moved_in(program, phase_of(x));
}

std::vector<int> extreme_positions(const Schedule& s, Matrix matrix, const Coordinates& at, int split) {
  const int p = s.grid.extent(missing(matrix));
  const NativeLayout layout(s, matrix);
  std::vector<int> positions;
  const auto add_around = [&](int corner) {
    for (int x = corner - 1; x <= corner + 1; ++x) positions.push_back(((x % p) + p) % p);
  };
  add_around(split);
  for (const Index round : {Index{0}, layout.rounds() - 1})
    for (const int corner : comm::corners(collective_of(s, matrix, layout.slices(at, round))))
      add_around(corner);
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

namespace {

// The largest of each figure on its own.
struct Largest {
  Index sent_words = 0, sent_messages = 0, received_words = 0, received_messages = 0;

  void take(const comm::Counters& c) {
    sent_words = std::max(sent_words, c.sent.words);
    sent_messages = std::max(sent_messages, c.sent.messages);
    received_words = std::max(received_words, c.received.words);
    received_messages = std::max(received_messages, c.received.messages);
  }
  Largest operator+(const Largest& o) const {
    return {sent_words + o.sent_words, sent_messages + o.sent_messages, received_words + o.received_words,
            received_messages + o.received_messages};
  }
};

// The two kinds of parts of a dimension: the longer ones [0, split) and the shorter ones [split, p).
struct Kinds {
  int split = 0;
  int parts = 1;

  bool has(int kind) const { return kind == 0 ? split > 0 : split < parts; }
  int first(int kind) const { return kind == 0 ? 0 : split; }
  int end(int kind) const { return kind == 0 ? split : parts; }
};

Kinds kinds_of(const Schedule& s, Dim d) {
  const int p = s.grid.extent(d);
  return {static_cast<int>(s.problem.size(d) % p), p};
}

// Elements of the landing places of combines that are under way at the same time: as many as C has slots, or
// parts.
Index landing(const Schedule& s, const Coordinates& at) {
  const NativeLayout layout(s, Matrix::c);
  const Index slots = s.combines > 1 ? s.combines : std::min<Index>(layout.rounds(), s.lookahead + 1);
  const auto of_round = [&](Index r) {
    const comm::Partition slices = layout.slices(at, r);
    return slices.total() == 0
               ? 0
               : comm::closed_work(collective_of(s, Matrix::c, slices), at[missing(Matrix::c)]);
  };
  if (!s.problem.multiplies()) return 0;
  // Rounds of the one kind come first, so what is held is largest where a window of `slots` rounds has as many of one
  // kind as it can.
  const auto [first, last] = round_kinds(layout, at);
  const Index of_first = of_round(first.round), of_last = last.times > 0 ? of_round(last.round) : 0;
  const auto held = [&](Index firsts) {
    return firsts * of_first + std::min(slots - firsts, last.times) * of_last;
  };
  return std::max(held(std::min(slots, first.times)),
                  held(std::clamp<Index>(slots - last.times, 0, first.times)));
}

// What the ranks of one kind move at most. With the kind of all three dimensions given, what a rank moves of
// A depends on its position in the n-fibre only, of B on that in the m-fibre, of C on that in the k-fibre:
// the largest sum is the sum of the largest.
class ByKind {
 public:
  explicit ByKind(const Schedule& s) : s_(s) {
    for (const Dim d : all_dims) kinds_[index(d)] = kinds_of(s, d);
  }

  // Calls f for each kind of which there are ranks.
  template <class F>
  void for_each(F&& f) const {
    for (int number = 0; number < 8; ++number) {
      const std::array<int, 3> kind{number & 1, number >> 1 & 1, number >> 2};
      if (std::ranges::all_of(all_dims, [&](Dim d) { return kinds(d).has(kind[index(d)]); })) f(kind);
    }
  }
  Largest most(const std::array<int, 3>& kind) const {
    return most(Matrix::a, kind) + most(Matrix::b, kind) + most(Matrix::c, kind);
  }
  // The rank of this kind that receives most words.
  Coordinates busiest(const std::array<int, 3>& kind) const {
    Coordinates busiest = corner(kind);
    for (const Matrix x : all_matrices) {
      Index most = 0;
      for_positions(x, kind, [&](const Coordinates& at) {
        const Index words = moved(s_, x, at).received.words;
        if (words > most) busiest = busiest.with(missing(x), at[missing(x)]);
        most = std::max(most, words);
      });
    }
    return busiest;
  }
  // Most work memory of the ranks of this kind: it differs in the landing places of the combines.
  Index most_work(const std::array<int, 3>& kind) const {
    Index most = 0;
    if (s_.grid.pk > 1)
      for_positions(Matrix::c, kind, [&](const Coordinates& at) { most = std::max(most, landing(s_, at)); });
    return (work_count(s_) + most) * bytes(s_.problem.type);
  }
  // The first rank of this kind.
  Coordinates corner(const std::array<int, 3>& kind) const {
    Coordinates at;
    for (const Dim d : all_dims) at.at[index(d)] = kinds(d).first(kind[index(d)]);
    return at;
  }

 private:
  const Kinds& kinds(Dim d) const { return kinds_[index(d)]; }

  template <class F>
  void for_positions(Matrix x, const std::array<int, 3>& kind, F&& f) const {
    const Dim d = missing(x);
    const Coordinates at = corner(kind);
    const int mine = kind[index(d)];
    for (const int position : extreme_positions(s_, x, at, kinds(d).split))
      if (position >= kinds(d).first(mine) && position < kinds(d).end(mine)) f(at.with(d, position));
  }

  Largest most(Matrix x, const std::array<int, 3>& kind) const {
    Largest largest;
    if (s_.grid.extent(missing(x)) > 1)
      for_positions(x, kind, [&](const Coordinates& at) { largest.take(moved(s_, x, at)); });
    return largest;
  }

  const Schedule& s_;
  std::array<Kinds, 3> kinds_;
};

}  // namespace

double brick_flops(const Schedule& s) {
  return s.problem.multiplies() ? flops_per_voxel(s.problem.type) * largest_brick(s) : 0;
}

Index native_work_bytes(const Schedule& s) {
  const ByKind by_kind(s);
  Index most = 0;
  by_kind.for_each([&](const std::array<int, 3>& kinds) { most = std::max(most, by_kind.most_work(kinds)); });
  return most;
}

Index native_work_bytes_of_first(const Schedule& s) {
  return (work_count(s) + (s.grid.pk > 1 ? landing(s, {}) : 0)) * bytes(s.problem.type);
}

Totals totals(const Schedule& s) {
  if (s.tree) return tree_totals(s);
  Totals t{.ranks = s.grid.ranks(), .words_total = words_of_all<Index>(s.problem, s.grid)};
  const ByKind by_kind(s);
  by_kind.for_each([&](const std::array<int, 3>& kinds) {
    const Largest most = by_kind.most(kinds);
    t.words_received = std::max(t.words_received, most.received_words);
    t.words_sent = std::max(t.words_sent, most.sent_words);
    t.messages_received = std::max(t.messages_received, most.received_messages);
    t.messages_sent = std::max(t.messages_sent, most.sent_messages);
    t.work_bytes = std::max(t.work_bytes, by_kind.most_work(kinds));
  });
  t.flops = brick_flops(s);
  return t;
}

int busiest_rank(const Schedule& s) {
  if (s.tree) return busiest_rank_of_tree(s);
  const ByKind by_kind(s);
  Index most = 0;
  int busiest = 0;
  by_kind.for_each([&](const std::array<int, 3>& kinds) {
    const Index words = by_kind.most(kinds).received_words;
    if (words > most) busiest = rank_at(s.grid, by_kind.busiest(kinds));
    most = std::max(most, words);
  });
  return busiest;
}

}  // namespace cairn::gemm
