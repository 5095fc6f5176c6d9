// The proof that a bilinear algorithm is the product, and the search for the coefficient that is wrong if it
// is not.
#include <cmath>
#include <optional>

#include "gemm/fast/bilinear.hpp"

namespace cairn::gemm::fast {
namespace {

// sum over terms of a_i b_j c_l, minus what the product wants: all zero for an algorithm that is right.
struct Residual {
  std::array<std::size_t, 3> size;
  std::vector<Rational> value;  // i, then j, then l, the last fastest

  Rational& at(std::size_t i, std::size_t j, std::size_t l) { return value[(i * size[1] + j) * size[2] + l]; }
  const Rational& at(std::size_t i, std::size_t j, std::size_t l) const {
    return value[(i * size[1] + j) * size[2] + l];
  }
};

std::size_t count_of(const Bilinear& x, Matrix y) { return static_cast<std::size_t>(x.blocks(y)); }

void add_term(Residual& r, const Term& t) {
  for (std::size_t i = 0; i < r.size[0]; ++i) {
    if (t.of[0][i].is_zero()) continue;
    for (std::size_t j = 0; j < r.size[1]; ++j) {
      if (t.of[1][j].is_zero()) continue;
      for (std::size_t l = 0; l < r.size[2]; ++l)
        if (!t.of[2][l].is_zero()) r.at(i, j, l) = r.at(i, j, l) + t.of[0][i] * t.of[1][j] * t.of[2][l];
    }
  }
}

Residual residual_of(const Bilinear& x) {
  Residual r{{count_of(x, Matrix::a), count_of(x, Matrix::b), count_of(x, Matrix::c)}, {}};
  r.value.assign(r.size[0] * r.size[1] * r.size[2], Rational(0));
  for (const Term& t : x.terms) add_term(r, t);
  for (int i = 0; i < x.m0; ++i)
    for (int j = 0; j < x.n0; ++j)
      for (int p = 0; p < x.k0; ++p) {
        Rational& one = r.at(static_cast<std::size_t>(i * x.k0 + p), static_cast<std::size_t>(p * x.n0 + j),
                             static_cast<std::size_t>(i * x.n0 + j));
        one = one - Rational(1);
      }
  return r;
}

std::string block_name(const Bilinear& x, Matrix y, std::size_t block) {
  const auto columns = static_cast<std::size_t>(x.columns(y));
  return fmt::format("{}({},{})", name(y), block / columns + 1, block % columns + 1);
}

std::string place_of(const Bilinear& x, std::size_t term) {
  const int line = x.terms[term].line;
  return line > 0 ? fmt::format("line {}, product {}", line, term + 1) : fmt::format("product {}", term + 1);
}

struct Suspect {
  std::size_t term = 0;
  Matrix matrix = Matrix::a;
  std::size_t block = 0;
  Rational excess;
};

// If the residual is `excess` in one block of one matrix times what the term has in the other two.
std::optional<Rational> excess_of(const Residual& r, const Term& t, std::size_t mode, std::size_t block) {
  std::optional<Rational> excess;
  std::array<std::size_t, 3> i{};
  for (i[0] = 0; i[0] < r.size[0]; ++i[0])
    for (i[1] = 0; i[1] < r.size[1]; ++i[1])
      for (i[2] = 0; i[2] < r.size[2]; ++i[2]) {
        const Rational& value = r.at(i[0], i[1], i[2]);
        const std::size_t y = (mode + 1) % 3, z = (mode + 2) % 3;
        const Rational weight = i[mode] == block ? t.of[y][i[y]] * t.of[z][i[z]] : Rational(0);
        if (weight.is_zero() && !value.is_zero()) return std::nullopt;
        if (weight.is_zero()) continue;
        if (!excess) excess = value / weight;
        if (!(value == *excess * weight)) return std::nullopt;
      }
  return excess;
}

Rational expected_of(const Bilinear& x, const Suspect& s) {
  return x.terms[s.term][s.matrix][s.block] - s.excess;
}

// Several may explain it where the term is a product of single blocks: the plainest number is the likeliest.
std::optional<Suspect> find_suspect(const Bilinear& x, const Residual& r) {
  std::optional<Suspect> best;
  const auto odd = [&](const Suspect& s) {
    return std::abs(expected_of(x, s).numerator()) + expected_of(x, s).denominator();
  };
  for (std::size_t term = 0; term < x.terms.size(); ++term)
    for (const Matrix y : all_matrices)
      for (std::size_t block = 0; block < count_of(x, y); ++block)
        if (const auto excess = excess_of(r, x.terms[term], index(y), block); excess && !excess->is_zero())
          if (const Suspect s{term, y, block, *excess}; !best || odd(s) < odd(*best)) best = s;
  return best;
}

[[noreturn]] void refuse(const Bilinear& x, const Residual& r) {
  if (const auto s = find_suspect(x, r)) {
    const Rational& now = x.terms[s->term][s->matrix][s->block];
    fail("{} {} is not the product: {}: the coefficient of {} is {}, expected {}", x.name, x.shape(),
         place_of(x, s->term), block_name(x, s->matrix, s->block), now.text(), expected_of(x, *s).text());
  }
  for (std::size_t i = 0; i < r.size[0]; ++i)
    for (std::size_t j = 0; j < r.size[1]; ++j)
      for (std::size_t l = 0; l < r.size[2]; ++l)
        if (const Rational& v = r.at(i, j, l); !v.is_zero())
          fail("{} {} is not the product: {} {} appears in {} with a coefficient that is off by {}", x.name,
               x.shape(), block_name(x, Matrix::a, i), block_name(x, Matrix::b, j),
               block_name(x, Matrix::c, l), v.text());
  fail("{} is not the product", x.name);
}

}  // namespace

void verify(const Bilinear& x) {
  require(x.m0 >= 1 && x.k0 >= 1 && x.n0 >= 1, "{}: the blocks are {} x {} x {}, expected 1 or more each",
          x.name, x.m0, x.k0, x.n0);
  for (std::size_t term = 0; term < x.terms.size(); ++term)
    for (const Matrix y : all_matrices)
      require(x.terms[term][y].size() == count_of(x, y), "{}: {}: {} has {} coefficients, expected {} for {}",
              x.name, place_of(x, term), name(y), x.terms[term][y].size(), x.blocks(y), x.shape());
  const Residual r = residual_of(x);
  for (const Rational& v : r.value)
    if (!v.is_zero()) refuse(x, r);
}

}  // namespace cairn::gemm::fast
