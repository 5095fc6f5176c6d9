#include "layout/exchange/exchange_plan.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace cairn::layout {
namespace {

// The most rows and columns a box may have.
std::pair<Index, Index> longest_stretches(const Layout& from, const Layout& to) {
  constexpr Index any = std::numeric_limits<Index>::max();
  if (from.order() == to.order()) return {any, any};
  return to.order() == Order::column_major ? std::pair(transposed_line, any)
                                           : std::pair(any, transposed_line);
}

// Where a cell is among those of a rank; empty cells have no number.
std::map<std::pair<int, int>, int> numbers(const std::vector<Cell>& cells) {
  std::map<std::pair<int, int>, int> result;
  for (std::size_t i = 0; i < cells.size(); ++i)
    result[{cells[i].row_part, cells[i].column_part}] = static_cast<int>(i);
  return result;
}

// The indices of the matrix that the stretches of a part stand for.
std::vector<Index> indices_of(const IndexMap& map, int part, const Stretches& list) {
  std::vector<Index> indices;
  indices.reserve(static_cast<std::size_t>(list.count()));
  for (const Stretch& s : list.all())
    for (Index k = 0; k < s.count; ++k) indices.push_back(map.global_of(part, s.from + k * s.from_step));
  return indices;
}

}  // namespace

void check_move(const Layout& a, const Layout& b, Op op, int ranks) {
  const Layout from = as_operand(a, op);
  require(from.rows() == b.rows() && from.columns() == b.columns(),
          "op(A) is {} x {} and B is {} x {}, expected the same", from.rows(), from.columns(), b.rows(),
          b.columns());
  for (const Layout* layout : {&a, &b})
    require(layout->last_rank() < ranks, "the layout of {} names rank {}, expected ranks below {}",
            layout == &a ? "A" : "B", layout->last_rank(), ranks);
}

ExchangePlan::ExchangePlan(std::vector<Move> moves, int rank, int ranks, PassOn pass_on)
    : moves_(std::move(moves)), rank_(rank), ranks_(ranks) {
  Making making{.relays = Relays(moves_, pass_on)};
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const Layout from = as_operand(moves_[i].from, moves_[i].op);
    check_move(moves_[i].from, moves_[i].to, moves_[i].op, ranks);
    require(!moves_[i].triangle || from.rows() == from.columns(),
            "a triangle of {} x {}, expected a square matrix", from.rows(), from.columns());
    add_sends(making, static_cast<int>(i), from, moves_[i].to);
    add_receives(making, static_cast<int>(i), from, moves_[i].to);
  }
  sends_ = in_turn(std::move(making.sends), Side::sender);
  receives_ = in_turn(std::move(making.receives), Side::receiver);
  passed_ = in_turn(std::move(making.passed), Side::receiver);
}

std::vector<ExchangePlan::Kept> ExchangePlan::keep_shared(const IndexMap& map, int part,
                                                          const IndexMap& other, Side side, Index longest,
                                                          bool with_indices) {
  std::vector<Kept> kept;
  for (const Shared& s : shared_by(map, part, other)) {
    kept.push_back({s.part, {}});
    for (Stretches& list : s.stretches.split(longest)) {
      if (with_indices) kept.back().indices.push_back(indices_of(map, part, list));
      stretches_.push_back(side == Side::receiver ? list.reversed() : std::move(list));
      kept.back().stretches.push_back(static_cast<int>(stretches_.size()) - 1);
    }
  }
  return kept;
}

std::vector<CommonBox> ExchangePlan::boxes(int move, int from_cell, int to_cell, const Kept& rows,
                                           const Kept& columns) {
  const Move& m = moves_[static_cast<std::size_t>(move)];
  const bool by_columns = m.to.order() == Order::column_major;
  const Kept &lines = by_columns ? rows : columns, &others = by_columns ? columns : rows;
  std::vector<CommonBox> all;
  for (std::size_t u = 0; u < lines.stretches.size(); ++u)
    for (std::size_t v = 0; v < others.stretches.size(); ++v) {
      const CommonBox box{move, from_cell, to_cell, lines.stretches[u], others.stretches[v]};
      // Of column j the lower triangle has the rows from j on: the tail of a line. So has the upper one of a row.
      if (m.triangle)
        add_cut(box, lines.indices[u], others.indices[v], by_columns == (m.triangle == Triangle::lower), all);
      else
        all.push_back(box);
    }
  return all;
}

int ExchangePlan::keep_slice(int number, Index first, Index count) {
  if (first == 0 && count == stretches(number).count()) return number;
  stretches_.push_back(stretches(number).slice(first, count));
  return static_cast<int>(stretches_.size()) - 1;
}

// Lines in groups: what all of a group have is one box, the rest of each line another. Pure in the indices, so
// that both sides cut alike.
void ExchangePlan::add_cut(const CommonBox& box, std::span<const Index> along, std::span<const Index> across,
                           bool tail, std::vector<CommonBox>& all) {
  constexpr Index group = 32;
  const auto length = std::ssize(along), lines = std::ssize(across);
  // How many elements of a line lie before its diagonal (tail), or up to it.
  const auto cut = [&](Index line) {
    const Index diagonal = across[static_cast<std::size_t>(line)];
    const auto end =
        tail ? std::ranges::lower_bound(along, diagonal) : std::ranges::upper_bound(along, diagonal);
    return static_cast<Index>(end - along.begin());
  };
  const auto add = [&](Index first, Index end, Index line, Index count) {
    if (end <= first || count == 0) return;
    CommonBox part = box;
    part.along = keep_slice(box.along, first, end - first);
    part.across = keep_slice(box.across, line, count);
    all.push_back(part);
  };
  if (length == 0 || lines == 0) return;
  const Index whole = tail ? cut(lines - 1) : length - cut(0), none = tail ? cut(0) : length - cut(lines - 1);
  if (whole == 0) return all.push_back(box);
  if (none == length) return;
  for (Index line = 0; line < lines; line += group) {
    const Index end = std::min(lines, line + group);
    const Index common = tail ? cut(end - 1) : cut(line);
    if (tail)
      add(common, length, line, end - line);
    else
      add(0, common, line, end - line);
    for (Index v = line; v < end; ++v) tail ? add(cut(v), common, v, 1) : add(common, cut(v), v, 1);
  }
}

Index ExchangePlan::words_of(const CommonBox& box) const {
  return stretches(box.along).count() * stretches(box.across).count();
}

// Slice i of every box: lines of it, or parts of all lines where there are too few. Empty ones are left out.
std::vector<CommonBox> ExchangePlan::slice(const std::vector<CommonBox>& boxes, int number, int slices) {
  std::vector<CommonBox> all;
  for (CommonBox box : boxes) {
    int& cut = slices_lines(stretches(box.along).count(), stretches(box.across).count(), slices) ? box.across
                                                                                                 : box.along;
    const Index count = stretches(cut).count(), first = slice_start(count, number, slices),
                end = slice_start(count, number + 1, slices);
    if (first == end) continue;
    cut = keep_slice(cut, first, end - first);
    all.push_back(box);
  }
  return all;
}

void ExchangePlan::keep_here(const std::vector<CommonBox>& boxes) {
  for (const CommonBox& box : boxes) {
    local_.push_back(box);
    kept_ += words_of(box);
  }
}

void ExchangePlan::append(Drafts& drafts, int peer, int giver, const Relay& relay,
                          const std::vector<CommonBox>& boxes) const {
  if (boxes.empty()) return;
  Message& message =
      drafts.try_emplace({peer, giver, relay}, Message{.peer = peer, .giver = giver, .relay = relay})
          .first->second;
  for (const CommonBox& box : boxes) {
    message.boxes.push_back(box);
    message.words += words_of(box);
  }
}

// For every cell of `from` here: the parts of the rows of `to` it meets, times those of the columns.
void ExchangePlan::add_sends(Making& making, int move, const Layout& from, const Layout& to) {
  const std::vector<Cell> mine = from.cells_of(rank_);
  const auto my_place = numbers(to.cells_of(rank_));
  const bool once = !mine.empty() && making.relays.gives_once(rank_);
  for (std::size_t c = 0; c < mine.size(); ++c) {
    const auto [row_limit, column_limit] = longest_stretches(from, to);
    const bool cuts = moves_[static_cast<std::size_t>(move)].triangle.has_value();
    const auto rows =
        keep_shared(from.row_map(), mine[c].row_part, to.row_map(), Side::sender, row_limit, cuts);
    const auto columns = keep_shared(from.column_map(), mine[c].column_part, to.column_map(), Side::sender,
                                     column_limit, cuts);
    for (const Kept& column : columns)
      for (const Kept& row : rows) {
        const auto found = my_place.find({row.part, column.part});
        const int to_cell = found == my_place.end() ? 0 : found->second;
        const std::vector<CommonBox> common = boxes(move, static_cast<int>(c), to_cell, row, column);
        if (found != my_place.end()) keep_here(common);
        const std::vector<int> takers =
            takers_from(rank_, from, mine[c].row_part, mine[c].column_part, to, row.part, column.part);
        const auto count = static_cast<int>(takers.size());
        if (once && count > 1)
          for (int i = 0; i < count; ++i)
            append(making.sends, takers[static_cast<std::size_t>(i)], rank_,
                   {move, column.part, row.part, takers}, slice(common, i, count));
        else
          for (const int taker : takers) append(making.sends, taker, rank_, {}, common);
      }
  }
}

// The same boxes from the other side, in the order in which the sender has them: by its cells, then by the
// parts of `to`.
void ExchangePlan::add_receives(Making& making, int move, const Layout& from, const Layout& to) {
  struct Found {
    int sender, column_from, row_from, column_to, row_to;
    std::vector<CommonBox> boxes;
  };
  std::vector<Found> all;
  const std::vector<Cell> mine = to.cells_of(rank_);
  for (std::size_t c = 0; c < mine.size(); ++c) {
    const auto [row_limit, column_limit] = longest_stretches(from, to);
    const bool cuts = moves_[static_cast<std::size_t>(move)].triangle.has_value();
    const auto rows =
        keep_shared(to.row_map(), mine[c].row_part, from.row_map(), Side::receiver, row_limit, cuts);
    const auto columns = keep_shared(to.column_map(), mine[c].column_part, from.column_map(), Side::receiver,
                                     column_limit, cuts);
    for (const Kept& column : columns)
      for (const Kept& row : rows) {
        if (from.copies(row.part, column.part) == 0) continue;  // nobody has it
        const int sender = giver(from, row.part, column.part, rank_);
        if (sender == rank_) continue;
        all.push_back({.sender = sender,
                       .column_from = column.part,
                       .row_from = row.part,
                       .column_to = mine[c].column_part,
                       .row_to = mine[c].row_part,
                       .boxes = boxes(move, 0, static_cast<int>(c), row, column)});
      }
  }
  std::ranges::sort(all, {}, [](const Found& f) {
    return std::tuple(f.sender, f.column_from, f.row_from, f.column_to, f.row_to);
  });
  std::map<int, bool> once;
  for (const Found& f : all) {
    if (f.boxes.empty()) continue;
    if (!once.contains(f.sender)) once[f.sender] = making.relays.gives_once(f.sender);
    Relay relay{move, f.column_to, f.row_to, {}};
    if (once[f.sender])
      relay.takers = takers_from(f.sender, from, f.row_from, f.column_from, to, f.row_to, f.column_to);
    const auto count = static_cast<int>(relay.takers.size());
    if (count < 2) append(making.receives, f.sender, f.sender, {}, f.boxes);
    for (int i = 0; count > 1 && i < count; ++i) {
      const int taker = relay.takers[static_cast<std::size_t>(i)];
      const bool from_giver = taker == rank_;
      append(from_giver ? making.receives : making.passed, from_giver ? f.sender : taker, f.sender, relay,
             slice(f.boxes, i, count));
    }
  }
}

// By the distance from the giver to the first who has it from there; what is passed on comes in the order in
// which its giver sends it.
std::vector<Message> ExchangePlan::in_turn(Drafts&& drafts, Side side) const {
  std::vector<Message> all;
  for (auto& [key, message] : drafts) all.push_back(std::move(message));
  const auto key = [&](const Message& m) {
    const int first = side == Side::sender || m.peer != m.giver ? m.peer : rank_;
    return std::tuple<int, int, const Relay&>((first - m.giver + ranks_) % ranks_, m.giver, m.relay);
  };
  std::ranges::sort(all, [&](const Message& x, const Message& y) { return key(x) < key(y); });
  return all;
}

Index ExchangePlan::words_sent() const {
  Index sum = 0;
  for (const Message& m : sends_) sum += m.words;
  for (const Message& m : receives_) sum += m.words * m.times_passed_on();
  return sum;
}

Index ExchangePlan::words_received() const {
  Index sum = 0;
  for (const auto* messages : {&receives_, &passed_})
    for (const Message& m : *messages) sum += m.words;
  return sum;
}

std::vector<MessagePiece> ExchangePlan::pieces(const Message& message, Index piece_words) const {
  std::vector<MessagePiece> all;
  MessagePiece piece;
  const auto flush = [&] {
    if (piece.words > 0) all.push_back(std::exchange(piece, {}));
  };
  for (std::size_t b = 0; b < message.boxes.size(); ++b) {
    const Index line = stretches(message.boxes[b].along).count();
    const Index lines = stretches(message.boxes[b].across).count();
    for (Index first = 0; first < lines;) {
      const Index room = (piece_words - piece.words) / line;
      if (room < 1 && piece.words > 0) {
        flush();
        continue;
      }
      const Index end = std::min(lines, first + std::max<Index>(room, 1));
      piece.segments.push_back({static_cast<int>(b), first, end, (end - first) * line});
      piece.words += (end - first) * line;
      first = end;
    }
  }
  flush();
  return all;
}

comm::Counters ExchangePlan::count(Index piece_words, Index element_bytes) const {
  comm::Counters c;
  const auto add = [&](const Message& m, comm::Volume& volume, Index times) {
    if (times == 0) return;
    volume.words += m.words * times;
    volume.bytes += m.words * element_bytes * times;
    volume.messages += static_cast<Index>(pieces(m, piece_words).size()) * times;
  };
  for (const Message& m : sends_) add(m, c.sent, 1);
  for (const Message& m : receives_) add(m, c.received, 1);
  for (const Message& m : receives_) add(m, c.sent, m.times_passed_on());
  for (const Message& m : passed_) add(m, c.received, 1);
  return c;
}

}  // namespace cairn::layout
