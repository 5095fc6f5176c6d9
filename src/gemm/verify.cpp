#include "gemm/verify.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"

namespace cairn::gemm {
namespace {

// All sums are made of scaled numbers, so that rows near overflow can be compared as well: X is multiplied by
// 2^-exponent(X), which brings its largest element near 1.
constexpr int no_exponent = -100000;  // of a matrix of zeros
constexpr int least_exponent = -1000, greatest_exponent = 1022;

int exponent_of(double largest) {
  if (largest == 0) return no_exponent;
  return std::clamp(std::ilogb(largest) + 1, least_exponent, greatest_exponent);
}
double scale_of(int exponent) { return exponent == no_exponent ? 1 : std::ldexp(1.0, -exponent); }

// A scalar as factor * 2^exponent; one that is not finite stays as it is.
struct ScaledScalar {
  std::complex<double> factor;
  int exponent = 0;

  explicit ScaledScalar(std::complex<double> value) : factor(value) {
    const double largest = std::max(std::abs(value.real()), std::abs(value.imag()));
    if (largest == 0 || !std::isfinite(largest)) return;
    exponent = exponent_of(largest);
    factor = value * scale_of(exponent);
  }
  std::complex<double> times_two_to(int power) const {
    return {std::ldexp(factor.real(), power), std::ldexp(factor.imag(), power)};
  }
};

// g(q) = q u / (1 - q u); 2 q u where q u is not small, which is more than q u, a bound for sums of any
// length.
double growth_of(double terms, double u) {
  const double q = terms * u;
  return q < 0.5 ? q / (1 - q) : 2 * q;
}

// to := to - factor from, absolute values added.
void subtract(std::complex<double> factor, const VectorSet& from, VectorSet& to) {
  const double magnitude = std::abs(factor.real()) + std::abs(factor.imag());
  for (int t = 0; t < to.rounds(); ++t)
    for (Index i = 0; i < to.length(); ++i) {
      to.re(t)[i] -= factor.real() * from.re(t)[i];
      if (!to.complex()) continue;
      to.re(t)[i] += factor.imag() * from.im(t)[i];
      to.im(t)[i] -= factor.real() * from.im(t)[i] + factor.imag() * from.re(t)[i];
    }
  for (Index i = 0; i < to.length(); ++i) to.absolute()[i] += magnitude * from.absolute()[i];
}

void sum_over_ranks(comm::CommView comm, const VectorSet& x) {
  comm::allreduce(comm, std::span<const double>(x.all()), x.all(), comm::ReduceOp::sum);
}

double residual_of(const VectorSet& x, int round, Index row) {
  return x.complex() ? std::hypot(x.re(round)[row], x.im(round)[row]) : std::abs(x.re(round)[row]);
}

// A NaN is the largest.
double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

struct Tolerance {
  double relative = 0;  // of the sum of absolute values
  double absolute = 0;  // underflow
  double overflow = 0;  // a row with larger sums may rightly be infinite
};

// Residuals and sums of absolute values of all rows, scaled by 2^-exponent.
Verdict judge(const VectorSet& rows, const Tolerance& tolerance, int exponent) {
  Verdict verdict{.rows = rows.length()};
  double worst = -1;
  for (Index i = 0; i < rows.length(); ++i) {
    const double sum = rows.absolute()[i];
    double residual = 0;
    for (int t = 0; t < rows.rounds(); ++t) residual = larger(residual, residual_of(rows, t, i));
    if (!std::isfinite(sum) || (!std::isfinite(residual) && sum >= tolerance.overflow)) {
      ++verdict.unchecked_rows;
      continue;
    }
    const double allowed = tolerance.relative * sum + tolerance.absolute;
    verdict.passed = verdict.passed && residual <= allowed;
    const double ratio = std::isfinite(residual) ? residual / allowed : INFINITY;
    if (ratio <= worst) continue;
    worst = ratio;
    verdict.row = i;
    verdict.residual = std::ldexp(residual, exponent);
    verdict.tolerance = std::ldexp(allowed, exponent);
  }
  return verdict;
}

template <Scalar T>
void check_shape(const LocalBlocks<T>& x, std::string_view matrix, Index rows, Index cols) {
  require(x.rows == rows && x.cols == cols, "{} is {} x {}, expected {} x {}", matrix, x.rows, x.cols, rows,
          cols);
}

template <Scalar T>
Index bits_of(T alpha, T beta, const VerifyOptions& options) {
  std::array<Index, 7> words{};
  std::memcpy(words.data(), &alpha, sizeof(T));
  std::memcpy(words.data() + 2, &beta, sizeof(T));
  words[4] = options.rounds;
  words[5] = static_cast<Index>(options.seed);
  words[6] = std::bit_cast<Index>(options.growth);
  return comm::fingerprint(words);
}

}  // namespace

std::string describe(const Verdict& v) {
  if (v.nothing_checked())
    return fmt::format("none of the {} rows of C could be checked: numbers there are not finite", v.rows);
  if (v.row < 0) return "nothing to compare";
  return fmt::format("row {} differs by {:.3g}, rounding explains {:.3g}", v.row, v.residual, v.tolerance);
}

template <Scalar T>
double relative_tolerance(Index n, Index k, double growth) {
  const double c = ScalarTraits<T>::is_complex ? 4 : 1, u = ScalarTraits<double>::roundoff;
  const auto columns = static_cast<double>(n), depth = static_cast<double>(k);
  const double product = growth_of(c * (depth + 4), static_cast<double>(ScalarTraits<T>::roundoff));
  const double ours = growth_of(c * (3 * columns + depth + 8), u);
  return 1.01 * (growth * product + 2 * ours);
}

// What underflow may add to a row, and from which sum on it may overflow, scaled by 2^-exponent. The least
// normal number stands for the error of an operation that underflows, because some processors flush to zero.
template <Scalar T>
static Tolerance tolerance_of(Index n, Index k, double alpha, int exponent) {
  using Limits = std::numeric_limits<Real<T>>;
  const auto columns = static_cast<double>(n), depth = static_cast<double>(k);
  const double tiny = std::ldexp(static_cast<double>(Limits::min()) * (1 + alpha), -exponent);
  // BLAS may overflow before it multiplies by a small alpha.
  const double largest_product = alpha > 0 && alpha < 1 ? alpha : 1;
  const double ours = std::numeric_limits<double>::min();
  return {.absolute = 8 * columns * (depth + 2) * tiny + 32 * (columns * depth + 3 * columns + depth) * ours,
          .overflow = std::ldexp(static_cast<double>(Limits::max()) / 8 * largest_product, -exponent)};
}

template <Scalar T>
Freivalds<T>::Freivalds(comm::CommView comm, Index m, Index n, const VerifyOptions& options)
    : comm_(comm), m_(m), n_(n), options_(options) {
  require(options.rounds >= 1 && options.rounds <= options.most_rounds,
          "rounds of the check is {}, expected 1 to {}", options.rounds, options.most_rounds);
  require(options.growth >= 1, "growth of the check is {}, expected 1 or more", options.growth);
  require_not_negative(m, "m");
  require_not_negative(n, "n");
  x_ = signs(options.seed, n, options.rounds, is_complex);
}

template <Scalar T>
void Freivalds<T>::save(const LocalBlocks<T>& c0) {
  check_shape(c0, "C", m_, n_);
  saved_ = VectorSet(m_, options_.rounds, is_complex);
  saved_exponent_ = exponent_of(largest_part(c0));
  accumulate(c0, Op::none, scale_of(saved_exponent_), x_, saved_);
  has_saved_ = true;
}

template <Scalar T>
void Freivalds<T>::check_arguments(const Side<T>& a, const Side<T>& b, const LocalBlocks<T>& c, Index k,
                                   T beta) const {
  check_shape(a.blocks, "A", a.op == Op::none ? m_ : k, a.op == Op::none ? k : m_);
  check_shape(b.blocks, "B", b.op == Op::none ? k : n_, b.op == Op::none ? n_ : k);
  check_shape(c, "C", m_, n_);
  require(beta == T(0) || has_saved_, "beta is not 0 and C was not saved before the product");
}

// The exponents by which A, B and all rows are scaled.
template <Scalar T>
typename Freivalds<T>::Scales Freivalds<T>::find_scales(T alpha, const Side<T>& a, const Side<T>& b, T beta,
                                                        const LocalBlocks<T>& c) const {
  std::array<double, 4> largest{no_exponent, no_exponent, 0, no_exponent};
  if (alpha != T(0)) largest[0] = exponent_of(largest_part(a.blocks));
  if (alpha != T(0)) largest[1] = exponent_of(largest_part(b.blocks));
  largest[2] = exponent_of(largest_part(c));
  if (beta != T(0)) largest[3] = saved_exponent_;
  comm::allreduce(comm_.unchecked(), std::span<const double>(largest), std::span<double>(largest),
                  comm::ReduceOp::max);
  const auto of = [&](std::size_t i) { return static_cast<int>(largest[i]); };
  const int product = ScaledScalar(alpha).exponent + of(0) + of(1);
  return {of(0), of(1), std::max({product, of(2), ScaledScalar(beta).exponent + of(3), least_exponent})};
}

// C x - alpha op(A) (op(B) x) - beta C0 x of all ranks, beside |alpha| |op A| |op B| 1 + |beta| |C0| 1.
template <Scalar T>
void Freivalds<T>::compare(T alpha, const Side<T>& a, const Side<T>& b, T beta, const LocalBlocks<T>& c,
                           const Scales& scales, Vectors& v) const {
  accumulate(c, Op::none, std::ldexp(1.0, -scales.rows), x_, v.rows);
  std::fill_n(v.rows.absolute(), m_, 0.0);  // a wrong C must not widen its own tolerance
  if (alpha != T(0) && v.y.length() > 0) {
    accumulate(b.blocks, b.op, scale_of(scales.b), x_, v.y);
    sum_over_ranks(comm_.unchecked(), v.y);
    accumulate(a.blocks, a.op, scale_of(scales.a), v.y, v.product);
    const ScaledScalar factor(alpha);
    subtract(factor.times_two_to(factor.exponent + scales.a + scales.b - scales.rows), v.product, v.rows);
  }
  if (beta != T(0)) {
    const ScaledScalar factor(beta);
    subtract(factor.times_two_to(factor.exponent + saved_exponent_ - scales.rows), saved_, v.rows);
  }
  sum_over_ranks(comm_.unchecked(), v.rows);
}

template <Scalar T>
Verdict Freivalds<T>::check(T alpha, const Side<T>& a, const Side<T>& b, T beta,
                            const LocalBlocks<T>& c) const {
  const comm::Phase phase(comm_.traffic(), "verify");
  const Index k = a.op == Op::none ? a.blocks.cols : a.blocks.rows;
  Vectors v;
  comm::agree(comm_, "verify",
              [&] {
                check_arguments(a, b, c, k, beta);
                v.y = VectorSet(k, options_.rounds, is_complex);
                v.rows = VectorSet(m_, options_.rounds, is_complex);
                v.product = VectorSet(m_, options_.rounds, is_complex);
              },
              {{"m", m_},
               {"n", n_},
               {"k", k},
               {"op of A", static_cast<Index>(a.op)},
               {"op of B", static_cast<Index>(b.op)},
               {"alpha, beta and options", bits_of(alpha, beta, options_), [&] {
                  return std::vector<comm::Argument>{{"alpha", comm::scalar_text(alpha)},
                                                     {"beta", comm::scalar_text(beta)},
                                                     {"rounds", std::to_string(options_.rounds)},
                                                     {"seed", std::to_string(options_.seed)},
                                                     {"growth", comm::scalar_text(options_.growth)}};
                }}});
  if (m_ == 0 || n_ == 0) return {};
  const Scales scales = find_scales(alpha, a, b, beta, c);
  compare(alpha, a, b, beta, c, scales, v);
  Tolerance tolerance = tolerance_of<T>(n_, k, std::abs(std::complex<double>(alpha)), scales.rows);
  tolerance.relative = relative_tolerance<T>(n_, k, options_.growth);
  return judge(v.rows, tolerance, scales.rows);
}

#define CAIRN_INSTANTIATE(T)                                   \
  template double relative_tolerance<T>(Index, Index, double); \
  template class Freivalds<T>;
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::gemm
