#include "gemm/fast/bilinear.hpp"

#include <cmath>

namespace cairn::gemm::fast {
namespace {

Term empty_term(const Bilinear& x) {
  Term t;
  for (const Matrix y : all_matrices) t[y].assign(at_index(x.blocks(y)), Rational(0));
  return t;
}

// Blocks of an outer by blocks of an inner algorithm, as the blocks of the composed one are numbered.
std::vector<Rational> kronecker(const Bilinear& outer, const std::vector<Rational>& u, const Bilinear& inner,
                                const std::vector<Rational>& v, Matrix x) {
  std::vector<Rational> result(u.size() * v.size());
  const int columns = outer.columns(x) * inner.columns(x);
  for (int i = 0; i < outer.blocks(x); ++i)
    for (int j = 0; j < inner.blocks(x); ++j) {
      const int row = i / outer.columns(x) * inner.rows(x) + j / inner.columns(x);
      const int column = i % outer.columns(x) * inner.columns(x) + j % inner.columns(x);
      result[at_index(row * columns + column)] = u[at_index(i)] * v[at_index(j)];
    }
  return result;
}

std::vector<Rational> flip_blocks(const std::vector<Rational>& x, int rows, int columns) {
  std::vector<Rational> result(x.size());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) result[at_index(j * rows + i)] = x[at_index(i * columns + j)];
  return result;
}

// The terms of `part`, whose blocks begin at `first` of dimension d, as terms of the larger algorithm.
void embed(Bilinear& whole, const Bilinear& part, Dim d, int first) {
  for (const Term& t : part.terms) {
    Term wide = empty_term(whole);
    for (const Matrix x : all_matrices) {
      const bool by_row = d == (x == Matrix::b ? Dim::k : Dim::m);
      const bool by_column = d == (x == Matrix::a ? Dim::k : Dim::n);
      for (int i = 0; i < part.blocks(x); ++i) {
        const int row = i / part.columns(x) + (by_row ? first : 0);
        const int column = i % part.columns(x) + (by_column ? first : 0);
        wide[x][at_index(row * whole.columns(x) + column)] = t[x][at_index(i)];
      }
    }
    whole.terms.push_back(std::move(wide));
  }
}

}  // namespace

double Bilinear::exponent() const {
  const double volume = static_cast<double>(m0) * k0 * n0;
  return volume > 1 ? 3 * std::log(static_cast<double>(rank())) / std::log(volume) : 3;
}

std::string Bilinear::shape() const { return fmt::format("<{},{},{};{}>", m0, k0, n0, rank()); }

Bilinear classical(int m0, int k0, int n0) {
  require(m0 >= 1 && k0 >= 1 && n0 >= 1, "the blocks are {} x {} x {}, expected 1 or more each", m0, k0, n0);
  Bilinear x{fmt::format("classical-{}x{}x{}", m0, k0, n0), m0, k0, n0, {}};
  for (int i = 0; i < m0; ++i)
    for (int j = 0; j < n0; ++j)
      for (int p = 0; p < k0; ++p) {
        Term t = empty_term(x);
        t[Matrix::a][at_index(i * k0 + p)] = t[Matrix::b][at_index(p * n0 + j)] =
            t[Matrix::c][at_index(i * n0 + j)] = 1;
        x.terms.push_back(std::move(t));
      }
  return x;
}

Bilinear composed(const Bilinear& outer, const Bilinear& inner) {
  Bilinear x{
      outer.name + "*" + inner.name, outer.m0 * inner.m0, outer.k0 * inner.k0, outer.n0 * inner.n0, {}};
  for (const Term& u : outer.terms)
    for (const Term& v : inner.terms) {
      Term t;
      for (const Matrix y : all_matrices) t[y] = kronecker(outer, u[y], inner, v[y], y);
      x.terms.push_back(std::move(t));
    }
  return x;
}

Bilinear transposed(const Bilinear& x) {
  Bilinear y{x.name + "^T", x.n0, x.k0, x.m0, {}};
  for (const Term& t : x.terms)
    y.terms.push_back({{flip_blocks(t[Matrix::b], x.k0, x.n0), flip_blocks(t[Matrix::a], x.m0, x.k0),
                        flip_blocks(t[Matrix::c], x.m0, x.n0)},
                       0});
  return y;
}

// trace(A B C^T) = trace(B C^T A): with A' = B and B' = C^T, the block that A' B' adds to is that of A^T.
Bilinear rotated(const Bilinear& x) {
  Bilinear y{x.name + "^R", x.k0, x.n0, x.m0, {}};
  for (const Term& t : x.terms)
    y.terms.push_back(
        {{t[Matrix::b], flip_blocks(t[Matrix::c], x.m0, x.n0), flip_blocks(t[Matrix::a], x.m0, x.k0)}, 0});
  return y;
}

Bilinear joined(const Bilinear& x, const Bilinear& y, Dim d) {
  for (const Dim other : all_dims)
    require(other == d || x.parts(other) == y.parts(other),
            "{} and {} cannot be joined along {}: they differ in {}", x.shape(), y.shape(), name(d),
            name(other));
  Bilinear whole{x.name + "+" + y.name, x.m0, x.k0, x.n0, {}};
  (d == Dim::m ? whole.m0 : d == Dim::n ? whole.n0 : whole.k0) += y.parts(d);
  embed(whole, x, d, 0);
  embed(whole, y, d, x.parts(d));
  return whole;
}

Bilinear with_shape(const Bilinear& x, int m0, int k0, int n0) {
  Bilinear y = x;
  for (int turn = 0; turn < 3; ++turn, y = rotated(y))
    for (const Bilinear& z : {y, transposed(y)})
      if (z.m0 == m0 && z.k0 == k0 && z.n0 == n0) {
        Bilinear result = z;
        result.name = x.name;
        return result;
      }
  fail("no permutation of {} {} is <{},{},{}>", x.name, x.shape(), m0, k0, n0);
}

}  // namespace cairn::gemm::fast
