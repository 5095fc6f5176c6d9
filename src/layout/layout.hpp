// A layout says which rank holds which elements of a matrix, and where they lie in that rank's memory. It is
// a value: no data, no communicator; it answers for any rank.
//
// Rows and columns are dealt to parts by two index maps. A row part and a column part make a cell: the
// elements in those rows and columns, which lie in the memory of its owner (or of each of its owners: a
// replicated layout) as one dense matrix. On a mesh every rank has at most one cell, and everything is closed
// form; in a free layout every rectangle has owners and a place of its own.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/index_map.hpp"
#include "layout/mesh.hpp"

namespace cairn::layout {

enum class Order { column_major, row_major };
constexpr Order flipped(Order o) { return o == Order::row_major ? Order::column_major : Order::row_major; }

// A cell of this rank. Element (i, j) of the cell, counted in local indices, lies at
// offset + i * row_stride + j * column_stride of the rank's memory.
struct Cell {
  int row_part = 0;
  int column_part = 0;
  Index rows = 0;
  Index columns = 0;
  Index offset = 0;
  Index row_stride = 1;
  Index column_stride = 1;
};

// A rectangle of a free layout, rows first_row .. end_row-1 and so on. All owners keep it at `offset` with
// `leading_dimension` in the order of the layout.
struct Rectangle {
  Index first_row = 0, end_row = 0;
  Index first_column = 0, end_column = 0;
  std::vector<int> owners;
  Index offset = 0;
  Index leading_dimension = 0;
};

// A cell of a layout of parts: the rank that has it (nobody: a matrix of which only a part is stored, a triangle
// for example) and where it lies there.
struct PartCell {
  static constexpr int nobody = -1;
  int owner = nobody;
  Index offset = 0;
  Index leading_dimension = 1;
};

// Who has a cell, and where it lies there: one of several that may hold it, each at a place of its own.
struct Holder {
  int rank = 0;
  Index offset = 0;
  Index leading_dimension = 1;
  friend bool operator==(const Holder&, const Holder&) = default;
};

// One dimension of a layout on a mesh: which mesh dimensions its parts run over, the first fastest. (0,1) is
// the paper's D(0,1): part s0 + s1 d0. The parts of the map are the product of their extents.
struct Axis {
  IndexMap map;
  std::vector<int> mesh_dimensions;
};

class Layout {
 public:
  Layout();  // of a matrix without elements, on rank 0

  // The cell of a mesh position is its part of the rows and its part of the columns; positions that differ
  // only in mesh dimensions that neither axis names hold the same cell.
  static Layout on_mesh(Mesh mesh, Axis rows, Axis columns, Order order = Order::column_major);
  // Any rectangles that cover rows x columns without overlap.
  static Layout of_rectangles(Index rows, Index columns, std::span<const Rectangle> rectangles,
                              Order order = Order::column_major);
  // A cell for each pair of a row part and a column part, row parts running fastest. What nobody has is neither
  // sent nor received.
  static Layout of_parts(IndexMap rows, IndexMap columns, std::span<const PartCell> cells,
                         Order order = Order::column_major);
  // The same with any number of holders of a cell.
  static Layout of_held_parts(IndexMap rows, IndexMap columns, std::vector<std::vector<Holder>> cells,
                              Order order = Order::column_major);

  Index rows() const noexcept { return rows_.size(); }
  Index columns() const noexcept { return columns_.size(); }
  Order order() const noexcept { return order_; }
  const IndexMap& row_map() const noexcept { return rows_; }
  const IndexMap& column_map() const noexcept { return columns_; }
  int last_rank() const;  // the highest rank that is named
  const Mesh* mesh() const noexcept { return grid_ ? &grid_->mesh : nullptr; }  // null: a free layout
  // On a mesh: the mesh dimensions of each axis, and the parts of a rank that sits there.
  std::span<const int> row_dimensions() const { return grid_->row_dimensions; }
  std::span<const int> column_dimensions() const { return grid_->column_dimensions; }
  int row_part_of(int rank) const;
  int column_part_of(int rank) const;

  // The ranks that hold a cell, in order; one unless the layout is replicated.
  int copies(int row_part, int column_part) const;
  int owner(int row_part, int column_part, int copy = 0) const;
  int owner_of(Index i, Index j) const { return owner(rows_.part_of(i), columns_.part_of(j)); }
  bool holds(int rank, int row_part, int column_part) const;
  bool is_replicated() const;

  // The cells a rank holds (empty ones left out) and where, if its memory has this leading dimension; 0: the
  // least possible. A free layout has its own leading dimensions.
  std::vector<Cell> cells_of(int rank, Index leading_dimension = 0) const;
  Index local_rows(int rank) const;  // of the cell on a mesh, 0 without one
  Index local_columns(int rank) const;
  Index least_leading_dimension(int rank) const;
  // Elements of memory a rank needs, up to the last one it holds.
  Index memory_elements(int rank, Index leading_dimension = 0) const;
  Index elements(int rank) const;  // it holds

  Layout transposed() const;           // of the transposed matrix in the same memory
  Layout in_order(Order order) const;  // the same cells, kept in another order. On a mesh.
  // Rows i .. i+m-1 and columns j .. j+n-1, where they are.
  Layout sub_matrix(Index i, Index j, Index m, Index n) const;
  Layout on_ranks(std::vector<int> ranks) const;  // the same cells on other ranks. On a mesh.
  // The same cells in memory of their own: those of a sub-matrix without what lay before them. On a mesh.
  Layout packed() const;

  std::string text() const;
  Index fingerprint() const;
  friend bool operator==(const Layout& a, const Layout& b);

 private:
  struct Grid {
    Mesh mesh;
    std::vector<int> row_dimensions, column_dimensions;
    std::vector<int> free_dimensions;  // those neither axis names: the copies
  };
  using Tile = std::vector<Holder>;  // a cell of a free layout
  struct Tiles {
    explicit Tiles(std::vector<Tile> tiles);
    std::vector<Tile> all;                  // row parts run fastest
    std::vector<std::vector<int>> of_rank;  // the numbers of those that it holds, in order
  };

  Layout(IndexMap rows, IndexMap columns, Order order)
      : rows_(std::move(rows)), columns_(std::move(columns)), order_(order) {}
  const Tile& tile(int row_part, int column_part) const;
  Cell cell_at(int row_part, int column_part, Index offset, Index leading_dimension) const;
  int part_at(int position, std::span<const int> dimensions) const;
  int position(int row_part, int column_part, int copy) const;

  IndexMap rows_, columns_;
  Order order_;
  bool packed_ = false;
  std::shared_ptr<const Grid> grid_;
  std::shared_ptr<const Tiles> tiles_;
};

}  // namespace cairn::layout
