#include "bounds/symmetric.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::bounds::symmetric {
namespace {

double pairs(double n) { return n * (n - 1) / 2; }

}  // namespace

// V = n (n - 1) k / (2P) multiplications below the diagonal. With t elements of the triangle and p of each panel:
// symmetric 2V <= p sqrt(2t) (the rows of the panel serve both sides), else V^2 <= t p^2 (Loomis-Whitney). So p = s V /
// sqrt(t), s = sqrt(2) or 1, and t + m s V / sqrt(t) is least at t^(3/2) = m s V / 2, or where t or p meets its ends:
// an element of the triangle serves k multiplications and there are n (n - 1) / 2, a panel has n k.
double words_touched(const TriangleProduct& x, Index ranks) {
  require_positive(ranks, "ranks");
  const double n = as_real(x.n), k = as_real(x.k), q = as_real(ranks);
  const double v = pairs(n) * k / q, s = x.symmetric ? std::sqrt(2.0) : 1.0, m = x.panels;
  if (v <= 0) return 0;
  const double least = std::max(pairs(n) / q, std::pow(s * v / (n * k), 2));
  const double t = std::clamp(std::pow(m * s * v / 2, 2.0 / 3), least, std::max(least, pairs(n)));
  return t + m * s * v / std::sqrt(t);
}

double words(const TriangleProduct& x, Index ranks) {
  const double owned =
      (pairs(as_real(x.n) + 1) + x.panels_owned * as_real(x.n) * as_real(x.k)) / as_real(ranks);
  return std::max(0.0, words_touched(x, ranks) - owned);
}

}  // namespace cairn::bounds::symmetric
