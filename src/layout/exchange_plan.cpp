#include "layout/exchange_plan.hpp"

#include <algorithm>
#include <map>

namespace cairn::layout {
namespace {

// Where a cell is among those of a rank; empty cells have no number.
std::map<std::pair<int, int>, int> numbers(const std::vector<Cell>& cells) {
  std::map<std::pair<int, int>, int> result;
  for (std::size_t i = 0; i < cells.size(); ++i)
    result[{cells[i].row_part, cells[i].column_part}] = static_cast<int>(i);
  return result;
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

Layout as_operand(const Layout& from, Op op) { return op == Op::none ? from : from.transposed(); }

int giver(const Layout& from, int row_part, int column_part, int receiver) {
  if (from.holds(receiver, row_part, column_part)) return receiver;
  return from.owner(row_part, column_part, receiver % from.copies(row_part, column_part));
}

ExchangePlan::ExchangePlan(std::vector<Move> moves, int rank, int ranks)
    : moves_(std::move(moves)), rank_(rank), ranks_(ranks) {
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const Layout from = as_operand(moves_[i].from, moves_[i].op);
    check_move(moves_[i].from, moves_[i].to, moves_[i].op, ranks);
    add_sends(static_cast<int>(i), from, moves_[i].to);
    add_receives(static_cast<int>(i), from, moves_[i].to);
  }
  sends_ = in_turn(std::move(sends_), +1);
  receives_ = in_turn(std::move(receives_), -1);
}

std::vector<ExchangePlan::Kept> ExchangePlan::keep_shared(const IndexMap& map, int part,
                                                          const IndexMap& other, bool reversed) {
  std::vector<Kept> kept;
  for (Shared& s : shared_by(map, part, other)) {
    stretches_.push_back(reversed ? s.stretches.reversed() : std::move(s.stretches));
    kept.push_back({s.part, static_cast<int>(stretches_.size()) - 1});
  }
  return kept;
}

Index ExchangePlan::words_of(const Box& box) const {
  return stretches(box.along).count() * stretches(box.across).count();
}

Message& ExchangePlan::message_to(std::vector<Message>& by_rank, int peer) const {
  const auto found = std::ranges::find(by_rank, peer, &Message::peer);
  if (found != by_rank.end()) return *found;
  return by_rank.emplace_back(Message{peer, {}, 0});
}

// For every cell of `from` here: the parts of the rows of `to` it meets, times those of the columns.
void ExchangePlan::add_sends(int move, const Layout& from, const Layout& to) {
  const std::vector<Cell> mine = from.cells_of(rank_);
  const auto my_place = numbers(to.cells_of(rank_));
  std::map<int, Message> by_rank;
  for (std::size_t c = 0; c < mine.size(); ++c) {
    const auto rows = keep_shared(from.row_map(), mine[c].row_part, to.row_map(), false);
    const auto columns = keep_shared(from.column_map(), mine[c].column_part, to.column_map(), false);
    for (const Kept& column : columns)
      for (const Kept& row : rows)
        for (int copy = 0; copy < to.copies(row.part, column.part); ++copy) {
          const int receiver = to.owner(row.part, column.part, copy);
          if (giver(from, mine[c].row_part, mine[c].column_part, receiver) != rank_) continue;
          const bool by_columns = to.order() == Order::column_major;
          Box box{move, static_cast<int>(c), 0, by_columns ? row.stretches : column.stretches,
                  by_columns ? column.stretches : row.stretches};
          if (receiver == rank_) {
            box.to_cell = my_place.at({row.part, column.part});
            kept_ += words_of(box);
            local_.push_back(box);
            continue;
          }
          Message& message = by_rank[receiver];
          message.boxes.push_back(box);
          message.words += words_of(box);
        }
  }
  for (auto& [peer, found] : by_rank) {
    Message& message = message_to(sends_, peer);
    message.boxes.insert(message.boxes.end(), found.boxes.begin(), found.boxes.end());
    message.words += found.words;
  }
}

// The same boxes from the other side, in the order in which the sender has them: by its cells, then by the
// parts of `to`.
void ExchangePlan::add_receives(int move, const Layout& from, const Layout& to) {
  struct Found {
    int sender, column_from, row_from, column_to, row_to;
    Box box;
  };
  std::vector<Found> all;
  const std::vector<Cell> mine = to.cells_of(rank_);
  for (std::size_t c = 0; c < mine.size(); ++c) {
    const auto rows = keep_shared(to.row_map(), mine[c].row_part, from.row_map(), true);
    const auto columns = keep_shared(to.column_map(), mine[c].column_part, from.column_map(), true);
    for (const Kept& column : columns)
      for (const Kept& row : rows) {
        const int sender = giver(from, row.part, column.part, rank_);
        if (sender == rank_) continue;
        const bool by_columns = to.order() == Order::column_major;
        all.push_back({sender, column.part, row.part, mine[c].column_part, mine[c].row_part,
                       Box{move, 0, static_cast<int>(c), by_columns ? row.stretches : column.stretches,
                           by_columns ? column.stretches : row.stretches}});
      }
  }
  std::ranges::sort(all, {}, [](const Found& f) {
    return std::tuple(f.sender, f.column_from, f.row_from, f.column_to, f.row_to);
  });
  for (const Found& f : all) {
    Message& message = message_to(receives_, f.sender);
    message.boxes.push_back(f.box);
    message.words += words_of(f.box);
  }
}

std::vector<Message> ExchangePlan::in_turn(std::vector<Message> by_rank, int direction) const {
  std::ranges::sort(by_rank, {},
                    [&](const Message& m) { return ((m.peer - rank_) * direction + ranks_) % ranks_; });
  return by_rank;
}

Index ExchangePlan::words_sent() const {
  Index sum = 0;
  for (const Message& m : sends_) sum += m.words;
  return sum;
}

Index ExchangePlan::words_received() const {
  Index sum = 0;
  for (const Message& m : receives_) sum += m.words;
  return sum;
}

std::vector<Piece> ExchangePlan::pieces(const Message& message, Index piece_words) const {
  std::vector<Piece> all;
  Piece piece;
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
  const auto add = [&](const std::vector<Message>& messages, comm::Volume& volume) {
    for (const Message& m : messages) {
      volume.words += m.words;
      volume.bytes += m.words * element_bytes;
      volume.messages += static_cast<Index>(pieces(m, piece_words).size());
    }
  };
  add(sends_, c.sent);
  add(receives_, c.received);
  return c;
}

}  // namespace cairn::layout
