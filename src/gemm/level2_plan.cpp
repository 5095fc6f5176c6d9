// Which way the vectors go.
#include "gemm/level2.hpp"

#include <algorithm>

namespace cairn::gemm {
namespace {

using layout::Distribution;
using layout::IndexMap;
using layout::Layout;
using layout::NamedMove;
using layout::Shape;

using Dimensions = std::vector<int>;
Dimensions list(std::span<const int> s) { return {s.begin(), s.end()}; }

// The rows of A, or its columns: a vector with one element for each lies with them where A is.
struct Side {
  const IndexMap* map;
  Dimensions dimensions;
};
Side rows_of(const Layout& a) { return {&a.row_map(), list(a.row_dimensions())}; }
Side columns_of(const Layout& a) { return {&a.column_map(), list(a.column_dimensions())}; }

// The projected vector: element i wherever row (column) i of A is.
Layout projected(const Layout& a, const Side& side) {
  return Layout::on_mesh(*a.mesh(), {*side.map, side.dimensions}, {IndexMap::whole(1), {}});
}

Distribution distribution_of(const Layout& v, Dimensions sum = {}) {
  return {{list(v.row_dimensions()), list(v.column_dimensions())}, std::move(sum)};
}

// Both deal the same blocks round the ranks of one mesh: then moves lead from one to the other.
bool on_the_diagram(const Layout& v, const Layout& needed) {
  if (v.mesh() == nullptr || !(*v.mesh() == *needed.mesh())) return false;
  const Index block = needed.row_map().block();
  return block > 0 && needed.row_map().deals(block) && v.row_map().deals(block);
}

// The mesh coordinate at which a column lies along a dimension that its layout names for columns; 0 for
// others.
int column_at(const Layout& v, int dimension) {
  const Index part = v.column_map().part_of(0);
  Index stride = 1;
  for (const int d : v.column_dimensions()) {
    const int extent = v.mesh()->extent(d);
    if (d == dimension) return static_cast<int>(part / stride % extent);
    stride *= extent;
  }
  return 0;
}

// A layout on the way to or from `v`: the paper's, with the same blocks, and a column that is in one place is
// where v has it.
Layout on_the_way(const Distribution& x, const Layout& v) {
  const layout::Mesh& mesh = *v.mesh();
  int parts = 1, source = 0;
  for (const int d : x.notation.columns) {
    source += column_at(v, d) * parts;
    parts *= mesh.extent(d);
  }
  const Layout rows =
      layout::by_notation(v.rows(), 1, x.notation.text(), mesh, std::max<Index>(1, v.row_map().block()));
  return Layout::on_mesh(mesh, {rows.row_map(), x.notation.rows},
                         {IndexMap::block_cyclic(1, 1, parts, source), x.notation.columns});
}

// Chain of moves from one layout to the other, one of which is that of `v`.
Route along(std::vector<NamedMove> moves, const Layout& from, const Layout& to, const Layout& v) {
  Route route{std::move(moves), {from}, false};
  for (std::size_t i = 0; i + 1 < route.moves.size(); ++i)
    route.layouts.push_back(on_the_way(route.moves[i].to, v));
  if (!route.moves.empty()) route.layouts.push_back(to);
  return route;
}

Route route_in(const Layout& v, const Layout& needed) {
  if (!on_the_diagram(v, needed)) return {{}, {needed}, true};
  return along(path(distribution_of(v), distribution_of(needed), Shape::column), v, needed, v);
}

// Contributions to `v`, along the dimensions `sum`.
Route route_out(const Layout& contributions, const Dimensions& sum, const Layout& v) {
  const Distribution from = distribution_of(contributions, sum);
  if (on_the_diagram(v, contributions)) {
    std::vector<NamedMove> moves = path(from, distribution_of(v), Shape::column);
    if (moves.empty())
      moves.push_back({layout::MoveKind::local, from, from, NamedMove::whole_mesh, std::nullopt});
    return along(std::move(moves), contributions, v, v);
  }
  // The sum on every rank that contributed, and from there to wherever it belongs.
  Route route{{}, {contributions}, true};
  for (Distribution at = from; !at.sum.empty(); at = route.moves.back().to) {
    const Distribution next{at.notation, {at.sum.begin() + 1, at.sum.end()}};
    route.moves.push_back(layout::find_move(at.text(), next.text(), Shape::column));
    route.layouts.push_back(contributions);
  }
  return route;
}

void check_vector_layout(const Layout& v, std::string_view name, Index expected, std::string_view what) {
  require(v.rows() == 1 || v.columns() == 1, "{} is {} x {}, expected a row or a column", name, v.rows(),
          v.columns());
  const Index n = v.columns() == 1 ? v.rows() : v.columns();
  require(n == expected, "{} has {} elements, expected {}: the {}", name, n, expected, what);
}

void check_matrix_layout(const Layout& a) {
  require(a.mesh() != nullptr && a.mesh()->dimensions() == 2,
          "A is {}, expected a layout on a mesh of two dimensions", a.text());
}

Layout as_column(const Layout& v) { return v.columns() == 1 ? v : v.transposed(); }

}  // namespace

double Route::words() const {
  double sum = 0;
  for (const NamedMove& m : moves) {
    const layout::Mesh& mesh = *layouts.front().mesh();
    sum += m.words(layouts.front().rows(), 1, mesh.extent(0), mesh.extent(1));
  }
  return sum;
}

double Level2Plan::words() const {
  double sum = result.words();
  for (const Route& r : operands) sum += r.words();
  return sum;
}

std::vector<std::string> Level2Plan::steps() const {
  std::vector<std::string> names;
  const auto add = [&](const Route& route, bool inwards) {
    if (route.redistributed && inwards) names.emplace_back("redistribute");
    for (const NamedMove& m : route.moves) names.push_back(m.name());
    if (route.redistributed && !inwards) names.emplace_back("redistribute");
  };
  for (const Route& r : operands) add(r, true);
  add(result, false);
  return names;
}

Level2Plan plan_gemv(Op op, const Layout& a, const Layout& x, const Layout& y) {
  check_matrix_layout(a);
  const bool straight = op == Op::none;
  const Side in = straight ? columns_of(a) : rows_of(a), out = straight ? rows_of(a) : columns_of(a);
  check_vector_layout(x, "x", in.map->size(), straight ? "columns of A" : "rows of A");
  check_vector_layout(y, "y", out.map->size(), straight ? "rows of A" : "columns of A");
  Dimensions sum = in.dimensions;
  std::ranges::sort(sum);
  return {{route_in(as_column(x), projected(a, in))}, route_out(projected(a, out), sum, as_column(y))};
}

Level2Plan plan_ger(const Layout& a, const Layout& y, const Layout& x) {
  check_matrix_layout(a);
  check_vector_layout(y, "y", a.rows(), "rows of A");
  check_vector_layout(x, "x", a.columns(), "columns of A");
  return {
      {route_in(as_column(y), projected(a, rows_of(a))), route_in(as_column(x), projected(a, columns_of(a)))},
      {}};
}

}  // namespace cairn::gemm
