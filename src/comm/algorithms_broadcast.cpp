// Broadcasts: down one tree for short data; in parts that the ranks exchange, or down several trees, for long
// data.
#include <optional>

#include "comm/algorithms.hpp"
#include "comm/blocks.hpp"

namespace cairn::comm {

// A rank at position v has as parent v without its lowest bit; its subtree is v .. v + lowest bit - 1.
RankSchedule broadcast_tree(const Seat& seat, Index n, int root) {
  const Circle circle = Circle::from(root, seat.ranks);
  const int p = seat.ranks, v = circle.position_of(seat.rank);
  ScheduleBuilder b(seat.message_elements);
  int bit = 1;
  while (bit < p && (v & bit) == 0) bit *= 2;
  if (v != 0) {
    b.receive(circle.rank_at(v - bit), out(0), n);
    b.next_round();
  }
  for (int d = bit / 2; d >= 1; d /= 2)
    if (v + d < p) b.send(circle.rank_at(v + d), out(0), n);
  return b.finish();
}

RankSchedule broadcast_scatter_allgather(const Seat& seat, Index n, int root) {
  if (seat.ranks <= 2) return broadcast_tree(seat, n, root);
  const Circle others = Circle::without(root, seat.ranks);
  const Partition parts = Partition::balanced(others.size(), n);
  ScheduleBuilder b(seat.message_elements);
  if (seat.rank == root) {
    for (int u = 0; u < others.size(); ++u) b.send(others.rank_at(u), out(parts.offset(u)), parts.count(u));
    return b.finish();
  }
  const int v = others.position_of(seat.rank);
  b.receive(root, out(parts.offset(v)), parts.count(v));
  b.next_round();
  append_allgather_doubling(b, others, v, parts);
  return b.finish();
}

// Each piece of a rank's part goes on to the others as soon as it is there.
RankSchedule broadcast_scatter_direct(const Seat& seat, Index n, int root) {
  if (seat.ranks <= 2) return broadcast_tree(seat, n, root);
  const Circle others = Circle::without(root, seat.ranks);
  const Partition parts = Partition::balanced(others.size(), n);
  // At least two pieces a block, so that one is passed on while the other comes, unless they would be very
  // short.
  const bool two = 3 * parts.count(0) >= seat.relay_elements;
  const Index part = std::max<Index>(1, ceil_div(parts.count(0), two ? 2 : 1));
  const Index piece = std::min({seat.message_elements, seat.relay_elements, part});
  ScheduleBuilder b(piece);
  if (seat.rank == root) {
    // Piece by piece round the ranks, so that all of them can start passing on.
    for (Index at = 0; at < parts.count(0); at += piece)
      for (int u = 0; u < others.size(); ++u)
        b.send(others.rank_at(u), out(parts.offset(u) + at),
               std::clamp<Index>(parts.count(u) - at, 0, piece));
    return b.finish();
  }
  const int v = others.position_of(seat.rank);
  for (int s = 1; s < others.size(); ++s) {
    const int from = others.wrap(v - s);
    b.receive_in_background(others.rank_at(from), out(parts.offset(from)), parts.count(from));
  }
  for (Index at = 0; at < parts.count(v); at += piece) {
    const Place place = out(parts.offset(v) + at);
    const Index count = std::min(piece, parts.count(v) - at);
    b.receive(root, place, count);
    b.next_round();
    for (int s = 1; s < others.size(); ++s) b.send_in_background(others.rank_at(v + s), place, count);
  }
  return b.finish();
}

namespace {

// One of several trees over the members of a circle, in breadth-first order: the root sends to the `tops`
// first, and the member at place x to those from tops + fanout * x on. Each tree starts at another member, so
// far from the others that nobody has children in two of them.
class OneOfTrees {
 public:
  OneOfTrees(int tree, int trees, int fanout, int members)
      : members_(members),
        tops_(std::min(members, fanout / trees + (tree >= trees - fanout % trees ? 1 : 0))),
        fanout_(fanout),
        start_(static_cast<int>(ceil_div(Index{tree} * members, trees))) {}

  // Positions of the parent (none: the root), and of the children.
  std::optional<int> parent(int position) const {
    const int x = place_of(position);
    if (x < tops_) return std::nullopt;
    return position_at((x - tops_) / fanout_);
  }
  bool has_children(int position) const { return first_child(place_of(position)) < members_; }
  template <class F>
  void for_each_child(int position, F&& f) const {
    const int x = place_of(position);
    for (int y = first_child(x); y < first_child(x + 1); ++y) f(position_at(y));
  }
  template <class F>
  void for_each_top(F&& f) const {
    for (int y = 0; y < tops_; ++y) f(position_at(y));
  }

 private:
  int place_of(int position) const { return (position - start_ + members_) % members_; }
  int position_at(int place) const { return (place + start_) % members_; }
  int first_child(int place) const {
    return static_cast<int>(std::min<Index>(members_, tops_ + Index{fanout_} * place));
  }

  int members_, tops_, fanout_, start_;
};

// Part j of the data goes down tree j, in pieces. Both sides take the trees in the same order, because a rank
// may get several parts from the root; what it does not pass on comes in the background.
RankSchedule broadcast_down_trees(const Seat& seat, Index n, int root, int trees, int fanout) {
  const Circle others = Circle::without(root, seat.ranks);
  const Partition parts = Partition::balanced(trees, n);
  const Index piece = std::min(seat.message_elements, seat.tree_elements);
  const int v = others.position_of(seat.rank);
  ScheduleBuilder b(piece);
  for (Index at = 0; at < parts.count(0); at += piece) {
    int passed_on = -1;
    const auto place = [&](int j) { return out(parts.offset(j) + at); };
    const auto count = [&](int j) { return std::clamp<Index>(parts.count(j) - at, 0, piece); };
    const auto send = [&](int j) {
      return [&, j](int to) { b.send_in_background(others.rank_at(to), place(j), count(j)); };
    };
    for (int j = 0; j < trees; ++j) {
      const OneOfTrees tree(j, trees, fanout, others.size());
      if (seat.rank == root) {
        tree.for_each_top(send(j));
        continue;
      }
      const std::optional<int> parent = tree.parent(v);
      const int from = parent ? others.rank_at(*parent) : root;
      if (!tree.has_children(v)) {
        b.receive_in_background(from, place(j), count(j));
        continue;
      }
      b.receive(from, place(j), count(j));
      passed_on = j;
    }
    if (passed_on < 0) continue;
    b.next_round();
    OneOfTrees(passed_on, trees, fanout, others.size()).for_each_child(v, send(passed_on));
  }
  return b.finish();
}

}  // namespace

RankSchedule broadcast_two_trees(const Seat& seat, Index n, int root) {
  if (seat.ranks <= 2) return broadcast_tree(seat, n, root);
  return broadcast_down_trees(seat, n, root, 2, 2);
}

RankSchedule broadcast_three_trees(const Seat& seat, Index n, int root) {
  const int p = seat.ranks;
  if (p <= 2) return broadcast_tree(seat, n, root);
  // The most thirds that are less than 2 (p-1)/p n; on three ranks it is just that, and the root sends the
  // longest once.
  const int fanout = p == 3 ? 4 : (6 * (p - 1) - 1) / p;
  return broadcast_down_trees(seat, n, root, 3, fanout);
}

}  // namespace cairn::comm
