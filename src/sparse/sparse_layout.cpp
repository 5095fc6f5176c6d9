#include "sparse/sparse_layout.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "comm/agreement.hpp"

namespace cairn::sparse {
namespace {

std::vector<int> stepped(int count, int step) {
  std::vector<int> offsets(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) offsets[static_cast<std::size_t>(i)] = i * step;
  return offsets;
}

int read_count(std::string_view text, std::string_view whole) {
  int value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && stop == text.data() + text.size() && value >= 0,
          "sparse layout is '{}', expected rows, columns, 2d PRxPC or on RANK", whole);
  return value;
}

SparseLayout parse_2d(std::string_view shape, std::string_view whole, Index rows, Index columns, int ranks) {
  const std::size_t x = shape.find('x');
  require(x != std::string_view::npos, "sparse layout is '{}', expected 2d PRxPC", whole);
  const int pr = read_count(shape.substr(0, x), whole), pc = read_count(shape.substr(x + 1), whole);
  require(pr >= 1 && pc >= 1 && pr <= ranks && pc <= ranks / pr,
          "sparse layout is '{}', expected at most {} ranks", whole, ranks);
  return SparseLayout::grid(rows, columns, pr, pc);
}

}  // namespace

SparseLayout::SparseLayout(Cut rows, Cut columns, std::string text)
    : rows_(std::move(rows)), columns_(std::move(columns)), text_(std::move(text)) {}

SparseLayout SparseLayout::grid(Index rows, Index columns, int pr, int pc) {
  require_not_negative(rows, "rows");
  require_not_negative(columns, "columns");
  require(pr >= 1 && pc >= 1, "grid is {} x {}, expected 1 x 1 or more", pr, pc);
  return {Cut::ranges(rows, stepped(pr, 1)), Cut::ranges(columns, stepped(pc, pr)),
          fmt::format("2d {}x{}", pr, pc)};
}

SparseLayout SparseLayout::row_blocks(Index rows, Index columns, int ranks) {
  SparseLayout layout = grid(rows, columns, ranks, 1);
  layout.text_ = "rows";
  return layout;
}

SparseLayout SparseLayout::column_blocks(Index rows, Index columns, int ranks) {
  SparseLayout layout = grid(rows, columns, 1, ranks);
  layout.text_ = "columns";
  return layout;
}

SparseLayout SparseLayout::parse(std::string_view text, Index rows, Index columns, int ranks) {
  if (text == "rows") return row_blocks(rows, columns, ranks);
  if (text == "columns") return column_blocks(rows, columns, ranks);
  if (text.starts_with("2d ")) return parse_2d(text.substr(3), text, rows, columns, ranks);
  require(text.starts_with("on "), "sparse layout is '{}', expected rows, columns, 2d PRxPC or on RANK",
          text);
  const int rank = read_count(text.substr(3), text);
  require(rank < ranks, "sparse layout is '{}', expected a rank below {}", text, ranks);
  return {Cut::ranges(rows, {rank}), Cut::ranges(columns, {0}), std::string(text)};
}

std::optional<Position> SparseLayout::position_of(int rank) const {
  for (int r = 0; r < rows_.places(); ++r)
    for (int c = 0; c < columns_.places(); ++c)
      if (rank_at({r, c}) == rank) return Position{r, c};
  return std::nullopt;
}

int SparseLayout::last_rank() const {
  const auto largest = [](const Cut& cut) {
    int most = 0;
    for (int p = 0; p < cut.places(); ++p) most = std::max(most, cut.offset(p));
    return most;
  };
  return largest(rows_) + largest(columns_);
}

Index SparseLayout::fingerprint() const {
  const Index both[] = {rows_.fingerprint(), columns_.fingerprint()};
  return comm::fingerprint(both);
}

}  // namespace cairn::sparse
