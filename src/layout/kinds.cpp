#include "layout/kinds.hpp"

#include <fmt/ranges.h>

namespace cairn::layout {
namespace {

Layout on_two_dimensions(const Mesh& mesh, IndexMap rows, IndexMap columns,
                         Order order = Order::column_major) {
  return Layout::on_mesh(mesh, {std::move(rows), {0}}, {std::move(columns), {1}}, order);
}

}  // namespace

Layout block_cyclic(Index rows, Index columns, const BlockCyclic& how) {
  return on_two_dimensions(Mesh({how.process_rows, how.process_columns}, how.mesh_order),
                           IndexMap::block_cyclic(rows, how.mb, how.process_rows, how.row_source),
                           IndexMap::block_cyclic(columns, how.nb, how.process_columns, how.column_source));
}

Layout from_descriptor(std::span<const int> descriptor, int process_rows, int process_columns, Index i,
                       Index j, Index m, Index n, MeshOrder mesh_order) {
  require(descriptor.size() == 9, "descriptor has {} entries, expected 9", descriptor.size());
  require(descriptor[0] == 1, "descriptor type is {}, expected 1 (dense)", descriptor[0]);
  const Layout whole = block_cyclic(descriptor[2], descriptor[3],
                                    {.process_rows = process_rows,
                                     .process_columns = process_columns,
                                     .mb = descriptor[4],
                                     .nb = descriptor[5],
                                     .row_source = descriptor[6],
                                     .column_source = descriptor[7],
                                     .mesh_order = mesh_order});
  require(i >= 0 && m >= 0 && i + m <= whole.rows(),
          "rows {} .. {} of the sub-matrix do not lie in the {} rows of the descriptor", i, i + m,
          whole.rows());
  require(j >= 0 && n >= 0 && j + n <= whole.columns(),
          "columns {} .. {} of the sub-matrix do not lie in the {} columns of the descriptor", j, j + n,
          whole.columns());
  return whole.sub_matrix(i, j, m, n);
}

Layout elemental(Index rows, Index columns, int d0, int d1) {
  return by_notation(rows, columns, "[(0),(1)]", Mesh({d0, d1}));
}

Layout by_notation(Index rows, Index columns, std::string_view notation, const Mesh& mesh, Index block) {
  const Notation parsed = parse_notation(notation);
  const auto axis = [&](Index n, const std::vector<int>& dimensions) {
    int parts = 1;
    for (const int d : dimensions) {
      require(d < mesh.dimensions(), "'{}' names mesh dimension {}, and the mesh {} has {}", notation, d,
              mesh.text(), mesh.dimensions());
      parts *= mesh.extent(d);
    }
    return Axis{IndexMap::block_cyclic(n, block, parts), dimensions};
  };
  return Layout::on_mesh(mesh, axis(rows, parsed.rows), axis(columns, parsed.columns));
}

Layout blocked(Index rows, Index columns, int process_rows, int process_columns) {
  return on_two_dimensions(Mesh({process_rows, process_columns}), IndexMap::balanced(rows, process_rows),
                           IndexMap::balanced(columns, process_columns));
}

Layout row_blocks(Index rows, Index columns, int ranks) {
  return on_two_dimensions(Mesh({ranks, 1}), IndexMap::balanced(rows, ranks), IndexMap::whole(columns),
                           Order::row_major);
}

Layout column_blocks(Index rows, Index columns, int ranks) { return blocked(rows, columns, 1, ranks); }

Layout on_one_rank(Index rows, Index columns, int rank, Order order) {
  return on_two_dimensions(Mesh({1, 1}).on_ranks({rank}), IndexMap::whole(rows), IndexMap::whole(columns),
                           order);
}

Layout replicated(Index rows, Index columns, int ranks) {
  return Layout::on_mesh(Mesh({ranks}), {IndexMap::whole(rows), {}}, {IndexMap::whole(columns), {}});
}

std::string Notation::text() const {
  return fmt::format("[({}),({})]", fmt::join(rows, ","), fmt::join(columns, ","));
}

}  // namespace cairn::layout
