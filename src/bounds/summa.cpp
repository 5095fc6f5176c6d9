#include "bounds/summa.hpp"

#include <cmath>
#include <limits>

#include "bounds/collectives.hpp"

namespace cairn::bounds::summa {
namespace {

using collectives::all_to_all;
using collectives::allgather;
using collectives::broadcast;
using collectives::gather;
using collectives::permute;
using collectives::reduce;
using collectives::reduce_scatter;
using collectives::scatter;

// Sizes as real numbers: a layer has k/h, n/h or m/h of them.
struct Sizes {
  double m, n, k;
};
struct Sides {
  double d0, d1, h;
};

Sizes sizes(const Product& p) { return {as_real(p.m), as_real(p.n), as_real(p.k)}; }
Sides sides(const Mesh& mesh) { return {as_real(mesh.d0), as_real(mesh.d1), as_real(mesh.h)}; }

void require_valid(const Mesh& mesh) {
  require_positive(mesh.d0, "d0");
  require_positive(mesh.d1, "d1");
  require_positive(mesh.h, "h");
}

// The same words in `panels` collectives instead of one.
Cost in_panels(double panels, Cost cost) {
  cost.messages *= panels;
  return cost;
}

Cost multiply(const Sizes& s, const Sides& d) { return {.flops = 2 * s.m * s.n * s.k / (d.d0 * d.d1)}; }

Cost stationary_c(const Sizes& s, const Sides& d, double block) {
  return in_panels(s.k / block, allgather(d.d1, s.m * s.k / d.d0) + allgather(d.d0, s.n * s.k / d.d1)) +
         multiply(s, d);
}

// B[(1,0),()] from B[(0,1),()]: the same distribution where the mesh has one row or one column.
Cost exchange_order(const Sides& d, double words) { return d.d0 > 1 && d.d1 > 1 ? permute(words) : Cost{}; }

Cost stationary_a(const Sizes& s, const Sides& d, double block) {
  const double b_per_rank = s.n * s.k / (d.d0 * d.d1);
  const Cost b =
      all_to_all(d.d1, b_per_rank) + exchange_order(d, b_per_rank) + allgather(d.d0, s.n * s.k / d.d1);
  return in_panels(s.n / block, b + reduce_scatter(d.d1, s.m * s.n / d.d0)) + multiply(s, d);
}

// Stationary B is stationary A of C^T = B^T A^T on the transposed mesh.
Sizes transposed(const Sizes& s) { return {s.n, s.m, s.k}; }
Sides transposed(const Sides& d) { return {d.d1, d.d0, d.h}; }

Cost layered_c(const Sizes& s, const Sides& d, double block) {
  const double layer = d.d0 * d.d1;
  return scatter(d.h, (s.m + s.n) * s.k / layer) + stationary_c({s.m, s.n, s.k / d.h}, d, block) +
         reduce(d.h, s.m * s.n / layer);
}

Cost layered_a(const Sizes& s, const Sides& d, double block) {
  const double layer = d.d0 * d.d1;
  return broadcast(d.h, s.m * s.k / layer) + scatter(d.h, (s.m + s.k) * s.n / layer) +
         stationary_a({s.m, s.n / d.h, s.k}, d, block) + gather(d.h, s.m * s.n / layer);
}

void check(const Product& p, const Mesh& mesh, double block) {
  bounds::require_valid(p);
  require_valid(mesh);
  require_positive(block, "block");
}

}  // namespace

Cost gemv(Index m, Index n, const Mesh& mesh) {
  check({m, n, 1}, mesh, 1);
  const double rows = as_real(ceil_div(m, mesh.d0)), columns = as_real(ceil_div(n, mesh.d1));
  return Cost{.flops = 2 * rows * columns} + allgather(as_real(mesh.d0), columns) +
         reduce_scatter(as_real(mesh.d1), rows);
}

Cost gemv_transposed(Index m, Index n, const Mesh& mesh) { return gemv(n, m, {mesh.d1, mesh.d0, mesh.h}); }

Cost ger(Index m, Index n, const Mesh& mesh) {
  check({m, n, 1}, mesh, 1);
  const double rows = as_real(ceil_div(m, mesh.d0)), columns = as_real(ceil_div(n, mesh.d1));
  return Cost{.flops = 2 * rows * columns} + allgather(as_real(mesh.d1), rows) +
         allgather(as_real(mesh.d0), columns);
}

Cost summa_2d(Stationary x, const Product& p, const Mesh& mesh, double block) {
  require(mesh.h == 1, "h is {}, expected 1 in two dimensions", mesh.h);
  return summa_3d(x, p, mesh, block);
}

Cost summa_3d(Stationary x, const Product& p, const Mesh& mesh, double block) {
  check(p, mesh, block);
  if (x == Stationary::c) return layered_c(sizes(p), sides(mesh), block);
  if (x == Stationary::a) return layered_a(sizes(p), sides(mesh), block);
  return layered_a(transposed(sizes(p)), transposed(sides(mesh)), block);
}

double best_layers_square(Index ranks, double gamma_over_beta) {
  require_positive(ranks, "ranks");
  return std::cbrt(as_real(ranks)) / std::pow(3 + gamma_over_beta, 2.0 / 3);
}

Choice best(const Product& p, Index ranks, double block, const Machine& machine) {
  require_positive(ranks, "ranks");
  Choice choice;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](Stationary x, const Mesh& mesh) {
    const Cost cost = summa_3d(x, p, mesh, block);
    if (seconds(cost, machine) >= least) return;
    least = seconds(cost, machine);
    choice = {x, mesh, cost};
  };
  for (Index h = 1; h <= ranks; ++h)
    for (Index d0 = 1; ranks % h == 0 && d0 <= ranks / h; ++d0)
      if (ranks / h % d0 == 0)
        for (Stationary x : {Stationary::c, Stationary::a, Stationary::b})
          consider(x, {d0, ranks / h / d0, h});
  return choice;
}

}  // namespace cairn::bounds::summa
