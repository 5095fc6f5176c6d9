#include "layout/exchange/exchange_count.hpp"

#include <algorithm>

namespace cairn::layout {

void PieceCounter::add(Index line, Index lines) {
  words_ += line * lines;
  if (line == 0 || lines == 0) return;
  if (filled_ + line * lines <= piece_words_) {  // most messages are one piece: no divisions
    filled_ += line * lines;
    return;
  }
  if (filled_ > 0) {
    const Index taken = std::min(lines, std::max<Index>(0, piece_words_ - filled_) / line);
    filled_ += taken * line;
    lines -= taken;
    if (lines == 0) return;
    ++full_;
  }
  const Index in_a_piece = std::max<Index>(1, piece_words_ / line), full = (lines - 1) / in_a_piece;
  full_ += full;
  filled_ = (lines - full * in_a_piece) * line;
}

namespace {

// A move, prepared for counting.
class CountedMove {
 public:
  explicit CountedMove(const Move& move)
      : from_(as_operand(move.from, move.op)),
        to_(move.to),
        rows_(shared_table(from_.row_map(), to_.row_map())),
        columns_(shared_table(from_.column_map(), to_.column_map())) {
    require(!move.triangle, "a triangle cannot be counted without the plans of the ranks");
    if (from_.mesh() == nullptr || from_.is_replicated()) return;
    for (int column = 0; column < from_.column_map().parts(); ++column)
      for (int row = 0; row < from_.row_map().parts(); ++row) owners_.push_back(from_.owner(row, column));
  }

  // Elements that one receiver takes for a cell of `to` from one cell of `from`.
  struct Taken {
    int giver;
    int from_column, from_row, to_column, to_row;
    Index along, across;
  };

  // f(Taken) for whatever a rank receives, in the order of each giver's message.
  template <class F>
  void for_each_taken(int receiver, F&& f) const {
    const std::vector<Cell> mine = to_.cells_of(receiver);
    if (mine.size() == 1) return for_each_taken(receiver, mine.front(), f);
    std::vector<Taken> all;
    for (const Cell& cell : mine) for_each_taken(receiver, cell, [&](const Taken& t) { all.push_back(t); });
    std::ranges::sort(
        all, {}, [](const Taken& t) { return std::tuple(t.from_column, t.from_row, t.to_column, t.to_row); });
    std::ranges::for_each(all, f);
  }

  std::vector<int> takers(const Taken& t) const {
    return takers_from(t.giver, from_, t.from_row, t.from_column, to_, t.to_row, t.to_column);
  }
  // A box, cut into the boxes that a transposition makes of it: f(along, across).
  template <class F>
  void for_each_box(const Taken& t, F&& f) const {
    const Index most = from_.order() == to_.order() ? t.along : transposed_line;
    for (Index first = 0; first < t.along; first += most) f(std::min(most, t.along - first), t.across);
  }

 private:
  int giver_of(int row, int column, int receiver) const {
    if (owners_.empty()) return giver(from_, row, column, receiver);
    return owners_[static_cast<std::size_t>(row + column * from_.row_map().parts())];
  }
  template <class F>
  void for_each_taken(int receiver, const Cell& cell, F&& f) const {
    const bool by_columns = to_.order() == Order::column_major;
    for (const PartCount& column : columns_[static_cast<std::size_t>(cell.column_part)])
      for (const PartCount& row : rows_[static_cast<std::size_t>(cell.row_part)]) {
        if (owners_.empty() && from_.copies(row.part, column.part) == 0) continue;  // nobody has it
        const int from = giver_of(row.part, column.part, receiver);
        if (from == receiver) continue;
        f(Taken{.giver = from,
                .from_column = column.part,
                .from_row = row.part,
                .to_column = cell.column_part,
                .to_row = cell.row_part,
                .along = by_columns ? row.count : column.count,
                .across = by_columns ? column.count : row.count});
      }
  }

  Layout from_, to_;
  SharedTable rows_, columns_;
  std::vector<int> owners_;  // where every cell has one
};

class AllRanks {
 public:
  AllRanks(std::span<const Move> moves, int ranks, Index piece_words, Index element_bytes, PassOn pass_on)
      : relays_(moves, pass_on),
        piece_words_(piece_words),
        element_bytes_(element_bytes),
        counters_(static_cast<std::size_t>(ranks)),
        messages_(static_cast<std::size_t>(ranks), PieceCounter(piece_words)) {
    for (const Move& m : moves) moves_.emplace_back(m);
    for (int rank = 0; rank < ranks; ++rank) once_.push_back(relays_.gives_once(rank));
  }

  std::vector<comm::Counters> count() && {
    for (int rank = 0; std::cmp_less(rank, counters_.size()); ++rank) count_receiver(rank);
    return std::move(counters_);
  }

 private:
  // A message that takers pass on among themselves: who gives it, and its boxes.
  struct Relayed {
    int giver;
    Relay relay;
    std::vector<std::pair<Index, Index>> boxes;
  };

  void count_receiver(int receiver) {
    relayed_.clear();
    for (std::size_t i = 0; i < moves_.size(); ++i)
      moves_[i].for_each_taken(receiver,
                               [&](const CountedMove::Taken& t) { add(static_cast<int>(i), receiver, t); });
    for (const int giver : givers_) {
      PieceCounter& message = messages_[static_cast<std::size_t>(giver)];
      move(giver, receiver, message, 1);
      message = PieceCounter(piece_words_);
    }
    givers_.clear();
    for (const Relayed& r : relayed_) count(r);
  }

  void add(int number, int receiver, const CountedMove::Taken& t) {
    const CountedMove& move = moves_[static_cast<std::size_t>(number)];
    if (once_[static_cast<std::size_t>(t.giver)]) {
      std::vector<int> takers = move.takers(t);
      if (takers.size() > 1) {
        if (takers.front() != receiver) return;  // counted there for all of them
        Relayed& r = relayed_of(t.giver, {number, t.to_column, t.to_row, std::move(takers)});
        move.for_each_box(t, [&](Index along, Index across) { r.boxes.emplace_back(along, across); });
        return;
      }
    }
    PieceCounter& message = messages_[static_cast<std::size_t>(t.giver)];
    if (message.words() == 0) givers_.push_back(t.giver);
    move.for_each_box(t, [&](Index along, Index across) { message.add(along, across); });
  }

  Relayed& relayed_of(int giver, Relay relay) {
    const auto found = std::ranges::find_if(
        relayed_, [&](const Relayed& r) { return r.giver == giver && r.relay == relay; });
    return found != relayed_.end() ? *found : relayed_.emplace_back(Relayed{giver, std::move(relay), {}});
  }

  // Slice i to taker i, who passes it on to the others.
  void count(const Relayed& r) {
    const auto takers = static_cast<int>(r.relay.takers.size());
    comm::Volume all;
    for (int i = 0; i < takers; ++i) {
      PieceCounter slice(piece_words_);
      for (const auto& [along, across] : r.boxes) {
        const bool lines = slices_lines(along, across, takers);
        const Index count = lines ? across : along,
                    mine = slice_start(count, i + 1, takers) - slice_start(count, i, takers);
        slice.add(lines ? along : mine, lines ? mine : across);
      }
      const int taker = r.relay.takers[static_cast<std::size_t>(i)];
      move(r.giver, taker, slice, 1);
      counters_[static_cast<std::size_t>(taker)].sent += volume(slice, takers - 1);
      counters_[static_cast<std::size_t>(taker)].received -= volume(slice, 1);
      all += volume(slice, 1);
    }
    for (const int taker : r.relay.takers) counters_[static_cast<std::size_t>(taker)].received += all;
  }

  comm::Volume volume(const PieceCounter& message, Index times) const {
    return {message.pieces() * times, message.words() * times, message.words() * element_bytes_ * times};
  }
  void move(int from, int to, const PieceCounter& message, Index times) {
    counters_[static_cast<std::size_t>(from)].sent += volume(message, times);
    counters_[static_cast<std::size_t>(to)].received += volume(message, times);
  }

  Relays relays_;
  Index piece_words_, element_bytes_;
  std::vector<CountedMove> moves_;
  std::vector<bool> once_;
  std::vector<comm::Counters> counters_;
  std::vector<PieceCounter> messages_;  // to the receiver at hand, by giver
  std::vector<int> givers_;             // of which messages_ has something
  std::vector<Relayed> relayed_;
};

}  // namespace

std::vector<comm::Counters> count_all(std::span<const Move> moves, int ranks, Index piece_words,
                                      Index element_bytes, PassOn pass_on) {
  return AllRanks(moves, ranks, piece_words, element_bytes, pass_on).count();
}

}  // namespace cairn::layout
