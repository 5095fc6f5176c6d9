#include "layout/layout.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "comm/agreement.hpp"

namespace cairn::layout {
namespace {

int extent_of(const Mesh& mesh, std::span<const int> dimensions) {
  int extent = 1;
  for (const int d : dimensions) extent *= mesh.extent(d);
  return extent;
}

void check_axis(const char* name, const Mesh& mesh, const Axis& axis) {
  for (const int d : axis.mesh_dimensions)
    require(d >= 0 && d < mesh.dimensions(),
            "{} are dealt over mesh dimension {}, expected 0 <= dimension < {}", name, d, mesh.dimensions());
  const int extent = extent_of(mesh, axis.mesh_dimensions);
  require(axis.map.parts() == extent, "{} have {} parts, expected {}: the extents of mesh dimensions ({})",
          name, axis.map.parts(), extent, fmt::join(axis.mesh_dimensions, ","));
}

}  // namespace

Layout::Layout()
    : rows_(IndexMap::whole(0)),
      columns_(IndexMap::whole(0)),
      order_(Order::column_major),
      grid_(std::make_shared<const Grid>(Grid{Mesh({1}), {}, {}, {0}})) {}

Layout Layout::on_mesh(Mesh mesh, Axis rows, Axis columns, Order order) {
  check_axis("rows", mesh, rows);
  check_axis("columns", mesh, columns);
  std::vector<int> uses(static_cast<std::size_t>(mesh.dimensions()), 0);
  for (const Axis* axis : {&rows, &columns})
    for (const int d : axis->mesh_dimensions)
      require(++uses[static_cast<std::size_t>(d)] == 1,
              "mesh dimension {} is named twice: some cells would have no owner", d);
  Grid grid{std::move(mesh), rows.mesh_dimensions, columns.mesh_dimensions, {}};
  for (int d = 0; d < grid.mesh.dimensions(); ++d)
    if (uses[static_cast<std::size_t>(d)] == 0) grid.free_dimensions.push_back(d);
  Layout layout(std::move(rows.map), std::move(columns.map), order);
  layout.grid_ = std::make_shared<const Grid>(std::move(grid));
  return layout;
}

Layout Layout::of_parts(IndexMap rows, IndexMap columns, std::span<const PartCell> cells, Order order) {
  require(std::ssize(cells) == Index{rows.parts()} * columns.parts(), "{} cells for {} x {} parts",
          cells.size(), rows.parts(), columns.parts());
  std::vector<Tile> tiles(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].owner != PartCell::nobody)
      tiles[i] = {{cells[i].owner, cells[i].offset, cells[i].leading_dimension}};
  return of_held_parts(std::move(rows), std::move(columns), std::move(tiles), order);
}

Layout Layout::of_held_parts(IndexMap rows, IndexMap columns, std::vector<std::vector<Holder>> cells,
                             Order order) {
  require(std::ssize(cells) == Index{rows.parts()} * columns.parts(), "{} cells for {} x {} parts",
          cells.size(), rows.parts(), columns.parts());
  Layout layout(std::move(rows), std::move(columns), order);
  layout.tiles_ = std::make_shared<const Tiles>(std::move(cells));
  return layout;
}

Layout::Tiles::Tiles(std::vector<Tile> tiles) : all(std::move(tiles)) {
  int last = 0;
  for (const Tile& tile : all)
    for (const Holder& h : tile) last = std::max(last, h.rank);
  of_rank.resize(static_cast<std::size_t>(last) + 1);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Holder& h : all[i]) of_rank[static_cast<std::size_t>(h.rank)].push_back(static_cast<int>(i));
}

const Layout::Tile& Layout::tile(int row_part, int column_part) const {
  return tiles_->all[static_cast<std::size_t>(Index{column_part} * rows_.parts() + row_part)];
}

int Layout::part_at(int position, std::span<const int> dimensions) const {
  int part = 0, stride = 1;
  for (const int d : dimensions) {
    part += grid_->mesh.coordinate(position, d) * stride;
    stride *= grid_->mesh.extent(d);
  }
  return part;
}

int Layout::row_part_of(int rank) const {
  return part_at(grid_->mesh.position_of(rank).value(), grid_->row_dimensions);
}

int Layout::column_part_of(int rank) const {
  return part_at(grid_->mesh.position_of(rank).value(), grid_->column_dimensions);
}

int Layout::position(int row_part, int column_part, int copy) const {
  // Planning asks this millions of times: no memory, and no division where one dimension deals all parts.
  const std::span<const int> extents = grid_->mesh.extents();
  const auto spread = [&](std::span<const int> dimensions, int part) {
    int position = 0;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      const auto d = static_cast<std::size_t>(dimensions[i]);
      int coordinate = part;
      if (i + 1 < dimensions.size()) {
        coordinate = part % extents[d];
        part /= extents[d];
      }
      for (std::size_t before = 0; before < d; ++before) coordinate *= extents[before];
      position += coordinate;
    }
    return position;
  };
  return spread(grid_->row_dimensions, row_part) + spread(grid_->column_dimensions, column_part) +
         spread(grid_->free_dimensions, copy);
}

int Layout::last_rank() const {
  if (grid_) return grid_->mesh.last_rank();
  return static_cast<int>(tiles_->of_rank.size()) - 1;
}

int Layout::copies(int row_part, int column_part) const {
  if (grid_) return extent_of(grid_->mesh, grid_->free_dimensions);
  return static_cast<int>(tile(row_part, column_part).size());
}

int Layout::owner(int row_part, int column_part, int copy) const {
  if (grid_) return grid_->mesh.rank_at(position(row_part, column_part, copy));
  return tile(row_part, column_part)[static_cast<std::size_t>(copy)].rank;
}

bool Layout::holds(int rank, int row_part, int column_part) const {
  if (!grid_) return std::ranges::count(tile(row_part, column_part), rank, &Holder::rank) > 0;
  const std::optional<int> at = grid_->mesh.position_of(rank);
  return at && part_at(*at, grid_->row_dimensions) == row_part &&
         part_at(*at, grid_->column_dimensions) == column_part;
}

bool Layout::is_replicated() const {
  if (grid_) return extent_of(grid_->mesh, grid_->free_dimensions) > 1;
  return std::ranges::any_of(tiles_->all, [](const Tile& t) { return t.size() > 1; });
}

Cell Layout::cell_at(int row_part, int column_part, Index offset, Index leading_dimension) const {
  const bool by_columns = order_ == Order::column_major;
  const Index row_stride = by_columns ? 1 : leading_dimension,
              column_stride = by_columns ? leading_dimension : 1;
  // A sub-matrix begins where the indices before it end.
  const Index before =
      packed_ ? 0
              : rows_.first_local(row_part) * row_stride + columns_.first_local(column_part) * column_stride;
  return {.row_part = row_part,
          .column_part = column_part,
          .rows = rows_.count(row_part),
          .columns = columns_.count(column_part),
          .offset = offset + before,
          .row_stride = row_stride,
          .column_stride = column_stride};
}

std::vector<Cell> Layout::cells_of(int rank, Index leading_dimension) const {
  std::vector<Cell> cells;
  const auto add = [&](const Cell& cell) {
    if (cell.rows > 0 && cell.columns > 0) cells.push_back(cell);
  };
  if (grid_) {
    const std::optional<int> at = grid_->mesh.position_of(rank);
    if (!at) return cells;
    const int r = part_at(*at, grid_->row_dimensions), c = part_at(*at, grid_->column_dimensions);
    const Index ld = leading_dimension > 0 ? leading_dimension : least_leading_dimension(rank);
    add(cell_at(r, c, 0, ld));
    return cells;
  }
  if (std::cmp_greater_equal(rank, tiles_->of_rank.size())) return cells;
  for (const int number : tiles_->of_rank[static_cast<std::size_t>(rank)]) {
    const int r = number % rows_.parts(), c = number / rows_.parts();
    const Holder& mine = *std::ranges::find(tile(r, c), rank, &Holder::rank);
    add(cell_at(r, c, mine.offset, mine.leading_dimension));
  }
  return cells;
}

Index Layout::local_rows(int rank) const {
  const std::vector<Cell> cells = cells_of(rank, 1);
  return cells.empty() ? 0 : cells.front().rows;
}

Index Layout::local_columns(int rank) const {
  const std::vector<Cell> cells = cells_of(rank, 1);
  return cells.empty() ? 0 : cells.front().columns;
}

Index Layout::least_leading_dimension(int rank) const {
  if (!grid_) return 1;
  const std::optional<int> at = grid_->mesh.position_of(rank);
  if (!at) return 1;
  const bool by_columns = order_ == Order::column_major;
  const IndexMap& map = by_columns ? rows_ : columns_;
  const int part = part_at(*at, by_columns ? grid_->row_dimensions : grid_->column_dimensions);
  return std::max<Index>(1, (packed_ ? 0 : map.first_local(part)) + map.count(part));
}

Index Layout::memory_elements(int rank, Index leading_dimension) const {
  Index end = 0;
  for (const Cell& c : cells_of(rank, leading_dimension)) {
    const Index down = checked_mul(c.rows - 1, c.row_stride, "memory of a matrix");
    const Index across = checked_mul(c.columns - 1, c.column_stride, "memory of a matrix");
    end = std::max(
        end,
        checked_add(checked_add(c.offset, down, "memory of a matrix"), across, "memory of a matrix") + 1);
  }
  return end;
}

Index Layout::elements(int rank) const {
  Index sum = 0;
  for (const Cell& c : cells_of(rank)) sum += checked_mul(c.rows, c.columns, "elements of a rank");
  return sum;
}

Layout Layout::transposed() const {
  Layout t(columns_, rows_, flipped(order_));
  t.packed_ = packed_;
  if (grid_) {
    t.grid_ = std::make_shared<const Grid>(
        Grid{grid_->mesh, grid_->column_dimensions, grid_->row_dimensions, grid_->free_dimensions});
    return t;
  }
  std::vector<Tile> tiles;
  for (int r = 0; r < rows_.parts(); ++r)
    for (int c = 0; c < columns_.parts(); ++c) tiles.push_back(tile(r, c));
  t.tiles_ = std::make_shared<const Tiles>(std::move(tiles));
  return t;
}

Layout Layout::in_order(Order order) const {
  require(grid_ != nullptr, "a free layout has an order of its own");
  Layout other = *this;
  other.order_ = order;
  return other;
}

Layout Layout::sub_matrix(Index i, Index j, Index m, Index n) const {
  Layout part(rows_.sub(i, m), columns_.sub(j, n), order_);
  part.grid_ = grid_;
  part.tiles_ = tiles_;
  require(!packed_, "a sub-matrix of a layout that was packed");
  return part;
}

Layout Layout::on_ranks(std::vector<int> ranks) const {
  require(grid_ != nullptr, "a free layout has ranks of its own");
  Layout moved(rows_, columns_, order_);
  moved.packed_ = packed_;
  moved.grid_ =
      std::make_shared<const Grid>(Grid{grid_->mesh.on_ranks(std::move(ranks)), grid_->row_dimensions,
                                        grid_->column_dimensions, grid_->free_dimensions});
  return moved;
}

Layout Layout::packed() const {
  require(grid_ != nullptr, "a free layout has cells with places of their own");
  Layout own = *this;
  own.packed_ = true;
  return own;
}

std::string Layout::text() const {
  const char* order = order_ == Order::row_major ? ", row-major" : "";
  if (!grid_)
    return fmt::format("free layout of {} x {} in {} x {} cells{}", rows(), columns(), rows_.parts(),
                       columns_.parts(), order);
  return fmt::format("[({}),({})] on {}, rows {}, columns {}{}", fmt::join(grid_->row_dimensions, ","),
                     fmt::join(grid_->column_dimensions, ","), grid_->mesh.text(), rows_.text(),
                     columns_.text(), order);
}

Index Layout::fingerprint() const {
  std::vector<Index> values{rows_.fingerprint(), columns_.fingerprint(), static_cast<Index>(order_),
                            static_cast<Index>(packed_)};
  if (grid_) {
    values.push_back(grid_->mesh.fingerprint());
    for (const auto* dimensions : {&grid_->row_dimensions, &grid_->column_dimensions}) {
      values.push_back(-1);
      values.insert(values.end(), dimensions->begin(), dimensions->end());
    }
  } else {
    for (const Tile& t : tiles_->all) {
      values.push_back(-1);
      for (const Holder& h : t) values.push_back(h.rank);
    }
  }
  return comm::fingerprint(values);
}

bool operator==(const Layout& a, const Layout& b) {
  if (!(a.rows_ == b.rows_ && a.columns_ == b.columns_ && a.order_ == b.order_ && a.packed_ == b.packed_))
    return false;
  if ((a.grid_ == nullptr) != (b.grid_ == nullptr)) return false;
  if (!a.grid_) return a.tiles_->all == b.tiles_->all;
  return a.grid_->mesh == b.grid_->mesh && a.grid_->row_dimensions == b.grid_->row_dimensions &&
         a.grid_->column_dimensions == b.grid_->column_dimensions;
}

}  // namespace cairn::layout
