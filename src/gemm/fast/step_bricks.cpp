// What the steps leave: one product on the c ranks of the base, by bricks.
#include <algorithm>

#include "gemm/fast/step_compiler.hpp"

namespace cairn::gemm::fast {

using program::Place;

// The ranks of the base along the dimension that a matrix misses, and their slices of its face.
program::Collective StepCompiler::along(Matrix x, program::Collective::Kind kind) const {
  const Grid& grid = dealt_.schedule().base;
  const Coordinates at = coordinates(grid, position_.base);
  const Dim across = missing(x);
  Dealt::Position other = position_;
  std::vector<int> ranks;
  Index columns = 0;
  for (int i = 0; i < grid.extent(across); ++i) {
    other.base = rank_at(grid, at.with(across, i));
    ranks.push_back(dealt_.rank_of(other));
    columns += dealt_.piece(x, other.base).columns;
  }
  program::Collective c;
  c.kind = kind;
  c.group = program::Group::of(std::move(ranks));
  c.blocks = comm::Partition::balanced(grid.extent(across), columns, dealt_.piece(x, position_.base).rows);
  c.way = comm::choose_way(c.blocks, bytes(program_.type), dealt_.schedule().link);
  return c;
}

// (1 - 1/p) of the face.
Place StepCompiler::gather(Matrix x, Place mine, Waits waits) {
  if (dealt_.schedule().base.extent(missing(x)) == 1) return mine;
  program::Collective c = along(x, program::Collective::Kind::allgather);
  c.from = mine;
  c.to = take(c.blocks.total());
  const Place face = c.to;
  communicate(std::move(c), phase_of(x), waits);
  return face;
}

void StepCompiler::multiply(Place a, Place b, Place c) {
  const Grid& grid = dealt_.schedule().base;
  const Coordinates at = coordinates(grid, position_.base);
  const auto size = [&](Dim d) {
    return comm::Partition::balanced(grid.extent(d), dealt_.leaf(d)).count(at[d]);
  };
  const Index m = size(Dim::m), n = size(Dim::n), k = size(Dim::k);
  program::Multiply x;
  x.m = m;
  x.n = n;
  x.k = k;
  x.a = a;
  x.b = b;
  x.c = c;
  x.lda = x.ldc = std::max<Index>(1, m);
  x.ldb = std::max<Index>(1, k);
  x.beta = program::Factor::of(0);
  if (dealt_.schedule().local.empty()) return add(x, "multiply");
  const LocalProduct product{.m = m, .n = n, .k = k, .levels = dealt_.schedule().local};
  const Scope scope(*this);
  const Place work = take(workspace_elements(product, false));
  add(make_local_product(program_.type, product, x, work), "multiply");
}

void StepCompiler::bricks(const Places& at) {
  const Scope scope(*this);
  // The second gather need not wait for the first.
  const Place a = gather(Matrix::a, at[0], Waits::all);
  const bool first = dealt_.schedule().base.pn == 1;
  const Place b = gather(Matrix::b, at[1], first ? Waits::all : Waits::none);
  if (dealt_.schedule().base.pk == 1) return multiply(a, b, at[2]);
  program::Collective c = along(Matrix::c, program::Collective::Kind::reduce_scatter);
  c.from = take(c.blocks.total());
  c.to = at[2];
  multiply(a, b, c.from);
  communicate(std::move(c), phase_of(Matrix::c), Waits::all);
}

}  // namespace cairn::gemm::fast
