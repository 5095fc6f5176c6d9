#include "gemm/tree_count.hpp"

#include <algorithm>

#include "gemm/bricks.hpp"
#include "layout/exchange/exchange.hpp"

namespace cairn::gemm {
namespace {

// What one sharer of a cell moves of it.
void add_share(const Schedule& s, Matrix x, const SharedCell& cell, Index slice, BrickWords& to) {
  const auto others = static_cast<Index>(cell.sharers.size()) - 1;
  const Index rest = cell.count() - slice, copies = others * slice;
  (x == Matrix::c ? to.sent : to.received) += rest;
  (x == Matrix::c ? to.received : to.sent) += copies;
  (x == Matrix::c ? to.combine : to.gather) += std::max(rest, copies);
  const Index piece = layout::RedistributeOptions{}.piece_words(bytes(s.problem.type));
  const Index longest = ceil_div(cell.count(), others + 1);
  (x == Matrix::c ? to.combined : to.gathered_from) +=
      others * std::max(ceil_div(longest, piece), std::min(longest, has_rounds(s, x) ? s.rounds.count : 1));
  to.received_of[index(x)] += x == Matrix::c ? copies : rest;
  to.owned += slice;
}

// Places for the pieces under way, at most: as many as may be, each a piece or a line, or all that moves that way.
Index slot_bytes_of(const Schedule& s, const BrickWords& w) {
  const layout::RedistributeOptions options;
  Index longest = options.piece_words(bytes(s.problem.type));
  for (const Matrix x : all_matrices) longest = std::max(longest, stored_rows(s.problem, x));
  const Index at_once = s.lookahead > 0 && has_rounds(s, Matrix::c) ? 2 : 1;
  return at_once * options.pieces_under_way * (std::min(longest, w.received) + std::min(longest, w.sent)) *
         bytes(s.problem.type);
}

Index face_bytes(const Schedule& s, const Box& box) {
  Index elements = 0;
  for (const Matrix x : all_matrices)
    if (s.problem.multiplies() && !box.empty())
      elements += slots_of(s, x) * face_of(s, x, box_of_round(s, box, 0)).count();
  return elements * bytes(s.problem.type);
}

}  // namespace

std::vector<BrickWords> words_of_bricks(const Schedule& s) {
  std::vector<BrickWords> all(static_cast<std::size_t>(bricks_of(s)));
  for (const Matrix x : all_matrices)
    for (const SharedCell& cell : cells_of(s, x)) {
      const comm::Partition slices = slices_of(s, x, cell);
      const Index line = (sliced_by_rows(s, x) ? cell.cols : cell.rows).count;
      for (std::size_t i = 0; i < cell.sharers.size(); ++i)
        add_share(s, x, cell, slices.count(static_cast<int>(i)) * line,
                  all[static_cast<std::size_t>(cell.sharers[i])]);
    }
  return all;
}

Totals tree_totals(const Schedule& s) {
  Totals t{.ranks = bricks_of(s), .flops = brick_flops(s)};
  const std::vector<BrickWords> words = words_of_bricks(s);
  const std::vector<Box> boxes = boxes_of(s);
  if (!s.problem.multiplies()) return t;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const BrickWords& w = words[i];
    t.words_total += w.received;
    t.words_received = std::max(t.words_received, w.received);
    t.words_sent = std::max(t.words_sent, w.sent);
    t.messages_received = std::max(t.messages_received, w.gathered_from + w.combined);
    t.work_bytes = std::max(t.work_bytes, face_bytes(s, boxes[i]) + slot_bytes_of(s, w));
  }
  t.messages_sent = t.messages_received;
  return t;
}

int busiest_rank_of_tree(const Schedule& s) {
  const std::vector<BrickWords> words = words_of_bricks(s);
  return static_cast<int>(std::ranges::max_element(words, {}, &BrickWords::received) - words.begin());
}

PhaseSeconds tree_seconds(const Schedule& s, const Machine& machine) {
  PhaseSeconds most{.multiply = machine.gamma * brick_flops(s)};
  if (!s.problem.multiplies()) return most;
  // Exchanges pack and unpack where collectives along fibres deliver in place: a grid that moves about as many words
  // is done sooner.
  constexpr double packing = 1.25;
  const double word = packing * machine.beta * bytes(s.problem.type) / 8;
  for (const BrickWords& w : words_of_bricks(s)) {
    most.gather = std::max(most.gather, machine.alpha * static_cast<double>(w.gathered_from) +
                                            word * static_cast<double>(w.gather));
    most.combine_c = std::max(most.combine_c, machine.alpha * static_cast<double>(w.combined) +
                                                  word * static_cast<double>(w.combine));
  }
  return most;
}

Index most_owned_bytes(const Schedule& s) {
  Index most = 0;
  for (const BrickWords& w : words_of_bricks(s)) most = std::max(most, w.owned);
  return most * bytes(s.problem.type);
}

}  // namespace cairn::gemm
