#include "check/rounding.hpp"

namespace cairn::check {
namespace {

// g(q) = q u / (1 - q u); 2 q u where q u is not small, which is more than q u, a bound for sums of any
// length.
double growth_of(double terms, double u) {
  const double q = terms * u;
  return q < 0.5 ? q / (1 - q) : 2 * q;
}

double residual_of(const VectorSet& x, int round, Index row) {
  return x.complex() ? std::hypot(x.re(round)[row], x.im(round)[row]) : std::abs(x.re(round)[row]);
}

// A NaN is the largest.
double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

}  // namespace

template <Scalar T>
double relative_tolerance(Index n, Index k, double growth) {
  const double c = ScalarTraits<T>::is_complex ? 4 : 1, u = ScalarTraits<double>::roundoff;
  const auto columns = static_cast<double>(n), depth = static_cast<double>(k);
  const double product = growth_of(c * (depth + 4), static_cast<double>(ScalarTraits<T>::roundoff));
  const double ours = growth_of(c * (3 * columns + depth + 8), u);
  return 1.01 * (growth * product + 2 * ours);
}

// The least normal number stands for the error of an operation that underflows, because some processors flush to zero.
template <Scalar T>
Tolerance tolerance_of(Index n, Index k, double growth, const Factors& factors, int exponent) {
  using Limits = std::numeric_limits<Real<T>>;
  const auto columns = static_cast<double>(n), depth = static_cast<double>(k);
  const double tiny = std::ldexp(static_cast<double>(Limits::min()) * (1 + factors.largest), -exponent);
  // BLAS may overflow before it multiplies by a small factor.
  const double largest_product = factors.least > 0 && factors.least < 1 ? factors.least : 1;
  const double ours = std::numeric_limits<double>::min();
  return {.relative = relative_tolerance<T>(n, k, growth),
          .absolute = 8 * columns * (depth + 2) * tiny + 32 * (columns * depth + 3 * columns + depth) * ours,
          .overflow = std::ldexp(static_cast<double>(Limits::max()) / 8 * largest_product, -exponent)};
}

Verdict judge(const VectorSet& rows, const Tolerance& tolerance, int exponent, Index first) {
  Verdict verdict;
  for (Index i = 0; i < rows.length(); ++i) {
    const double sum = rows.absolute()[i];
    double residual = 0;
    for (int t = 0; t < rows.rounds(); ++t) residual = larger(residual, residual_of(rows, t, i));
    if (!std::isfinite(sum) || (!std::isfinite(residual) && sum >= tolerance.overflow)) {
      skip_row(verdict);
      continue;
    }
    const double allowed = tolerance.relative * sum + tolerance.absolute;
    compare_row(verdict, first + i, residual, allowed);
  }
  for (double* scaled : {&verdict.residual, &verdict.tolerance, &verdict.largest_residual})
    *scaled = std::ldexp(*scaled, exponent);
  return verdict;
}

#define CAIRN_INSTANTIATE(T)                                   \
  template double relative_tolerance<T>(Index, Index, double); \
  template Tolerance tolerance_of<T>(Index, Index, double, const Factors&, int);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::check
