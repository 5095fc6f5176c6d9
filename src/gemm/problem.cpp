#include "gemm/problem.hpp"

#include <utility>

std::string_view cairn::name(Dimension d) { return d == Dimension::m ? "m" : d == Dimension::n ? "n" : "k"; }

namespace cairn::gemm {
namespace {

std::pair<Dim, Dim> stored(const Problem& p, Matrix x) {
  if (x == Matrix::c) return {Dim::m, Dim::n};
  const auto [op, rows, cols] =
      x == Matrix::a ? std::tuple(p.op_a, Dim::m, Dim::k) : std::tuple(p.op_b, Dim::k, Dim::n);
  return op == Op::none ? std::pair(rows, cols) : std::pair(cols, rows);
}

}  // namespace

std::string_view name(Matrix x) { return x == Matrix::a ? "A" : x == Matrix::b ? "B" : "C"; }

std::string_view name(Op op) { return op == Op::none ? "N" : op == Op::transpose ? "T" : "C"; }

std::string_view phase_of(Matrix x) {
  return x == Matrix::a ? "gather A" : x == Matrix::b ? "gather B" : "combine C";
}

double voxels(const Problem& p) {
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}

Dim row_dim(const Problem& p, Matrix x) { return stored(p, x).first; }
Dim col_dim(const Problem& p, Matrix x) { return stored(p, x).second; }
Index stored_rows(const Problem& p, Matrix x) { return p.size(row_dim(p, x)); }
Index stored_columns(const Problem& p, Matrix x) { return p.size(col_dim(p, x)); }

}  // namespace cairn::gemm
