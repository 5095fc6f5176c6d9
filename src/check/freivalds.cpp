#include "check/freivalds.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"

namespace cairn::check {
namespace {

using layout::LocalBlocks;

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

// Nothing of it is read.
template <Scalar T>
bool vanishes(const Term<T>& term) {
  if (term.factor == T(0)) return true;
  return std::ranges::any_of(term.matrices, [](const Operand<T>& x) { return x.cols() == 0; });
}

template <Scalar T>
void check_shape(const LocalBlocks<T>& x, std::string_view matrix, Index rows, Index cols) {
  require(x.rows == rows && x.cols == cols, "{} is {} x {}, expected {} x {}", matrix, x.rows, x.cols, rows,
          cols);
}

template <Scalar T>
void check_operand(const Operand<T>& x, Index rows, Index cols) {
  check_shape(x.blocks, x.name, x.op == Op::none ? rows : cols, x.op == Op::none ? cols : rows);
}

template <Scalar T>
Index total_depth(std::span<const Term<T>> terms) {
  Index sum = 0;
  for (const Term<T>& term : terms) sum += term.depth();
  return sum;
}

template <Scalar T>
Factors factors_of(std::span<const Term<T>> terms) {
  Factors f{0, 1};
  for (const Term<T>& term : terms) {
    const double size = std::abs(std::complex<double>(term.factor));
    f.largest += size;
    if (size > 0) f.least = std::min(f.least, size);
  }
  return f;
}

template <class X>
void append_bits(const X& value, std::vector<Index>& words) {
  std::array<Index, (sizeof(X) + sizeof(Index) - 1) / sizeof(Index)> bits{};
  std::memcpy(bits.data(), &value, sizeof(X));
  words.insert(words.end(), bits.begin(), bits.end());
}

}  // namespace

template <Scalar T>
Index Term<T>::depth() const {
  Index sum = 0;
  for (std::size_t i = 1; i < matrices.size(); ++i) sum += matrices[i].rows();
  return sum;
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
void Freivalds<T>::check_arguments(std::span<const Term<T>> terms, const LocalBlocks<T>& c, T beta) const {
  for (const Term<T>& term : terms) {
    require(!term.matrices.empty(), "a term has no matrix, expected one or more");
    Index rows = m_;
    for (std::size_t i = 0; i < term.matrices.size(); ++i) {
      const Operand<T>& x = term.matrices[i];
      const bool last = i + 1 == term.matrices.size();
      check_operand(x, rows, last ? n_ : x.cols());
      rows = x.cols();
    }
  }
  check_shape(c, "C", m_, n_);
  require(beta == T(0) || has_saved_, "beta is not 0 and C was not saved before the product");
}

template <Scalar T>
Index Freivalds<T>::bits_of(std::span<const Term<T>> terms, T beta) const {
  std::vector<Index> words{options_.rounds, static_cast<Index>(options_.seed),
                           std::bit_cast<Index>(options_.growth)};
  append_bits(beta, words);
  for (const Term<T>& term : terms) {
    append_bits(term.factor, words);
    for (const Operand<T>& x : term.matrices) words.push_back(static_cast<Index>(x.op));
  }
  return comm::fingerprint(words);
}

template <Scalar T>
typename Freivalds<T>::Vectors Freivalds<T>::vectors_for(std::span<const Term<T>> terms) const {
  const auto zeros = [this](Index length) { return VectorSet(length, options_.rounds, is_complex); };
  Vectors v{.inner = {}, .product = zeros(m_), .rows = zeros(m_)};
  for (const Term<T>& term : terms) {
    std::vector<VectorSet>& inner = v.inner.emplace_back();
    for (std::size_t i = 1; i < term.matrices.size(); ++i) inner.push_back(zeros(term.matrices[i].rows()));
  }
  return v;
}

// The exponents by which the matrices and all rows are scaled.
template <Scalar T>
typename Freivalds<T>::Scales Freivalds<T>::find_scales(std::span<const Term<T>> terms, T beta,
                                                        const LocalBlocks<T>& c) const {
  std::vector<double> largest{static_cast<double>(exponent_of(largest_part(c))),
                              static_cast<double>(beta != T(0) ? saved_exponent_ : no_exponent)};
  for (const Term<T>& term : terms)
    for (const Operand<T>& x : term.matrices)
      largest.push_back(vanishes(term) ? no_exponent : exponent_of(largest_part(x.blocks)));
  comm::allreduce(comm_.unchecked(), std::span<const double>(largest), std::span<double>(largest),
                  comm::ReduceOp::max);
  auto next = largest.begin();
  const auto taken = [&next] { return static_cast<int>(*next++); };
  Scales scales;
  scales.rows = std::max(least_exponent, taken());
  scales.rows = std::max(scales.rows, ScaledScalar(beta).exponent + taken());
  for (const Term<T>& term : terms) {
    std::vector<int>& exponents = scales.matrices.emplace_back();
    int product = ScaledScalar(term.factor).exponent;
    for (std::size_t i = 0; i < term.matrices.size(); ++i) product += exponents.emplace_back(taken());
    scales.rows = std::max(scales.rows, product);
  }
  return scales;
}

// Rows of M1 (M2 (... x)). Partial sums of M1 stay on their ranks; they are added up with those of C.
template <Scalar T>
void Freivalds<T>::subtract_term(const Term<T>& term, std::span<const int> exponents, int rows_exponent,
                                 std::span<VectorSet> inner, Vectors& v) const {
  const VectorSet* from = &x_;
  int exponent = 0;
  for (std::size_t i = term.matrices.size(); i-- > 0;) {
    const Operand<T>& x = term.matrices[i];
    VectorSet& to = i == 0 ? v.product : inner[i - 1];
    accumulate(x.blocks, x.op, scale_of(exponents[i]), *from, to);
    if (i > 0) sum_over_ranks(comm_, to);
    exponent += exponents[i];
    from = &to;
  }
  const ScaledScalar factor(term.factor);
  subtract(factor.times_two_to(factor.exponent + exponent - rows_exponent), v.product, v.rows);
  std::ranges::fill(v.product.all(), 0.0);
}

// C x less all terms of all ranks, beside the sums of absolute values of the terms.
template <Scalar T>
void Freivalds<T>::compare(std::span<const Term<T>> terms, T beta, const LocalBlocks<T>& c,
                           const Scales& scales, Vectors& v) const {
  accumulate(c, Op::none, std::ldexp(1.0, -scales.rows), x_, v.rows);
  std::fill_n(v.rows.absolute(), m_, 0.0);  // a wrong C must not widen its own tolerance
  for (std::size_t t = 0; t < terms.size(); ++t)
    if (!vanishes(terms[t])) subtract_term(terms[t], scales.matrices[t], scales.rows, v.inner[t], v);
  if (beta != T(0)) {
    const ScaledScalar factor(beta);
    subtract(factor.times_two_to(factor.exponent + saved_exponent_ - scales.rows), saved_, v.rows);
  }
  sum_over_ranks(comm_, v.rows);
}

template <Scalar T>
Verdict Freivalds<T>::check(std::span<const Term<T>> terms, T beta, const LocalBlocks<T>& c) const {
  const comm::Phase phase(comm_.traffic(), "verify");
  Vectors v;
  comm::agree(comm_, "verify",
              [&] {
                check_arguments(terms, c, beta);
                v = vectors_for(terms);
              },
              {{"m", m_},
               {"n", n_},
               {"k", total_depth(terms)},
               {"fingerprint of alpha, beta, ops and options", bits_of(terms, beta)}});
  if (m_ == 0 || n_ == 0) return {};
  const Scales scales = find_scales(terms, beta, c);
  compare(terms, beta, c, scales, v);
  const Tolerance tolerance =
      tolerance_of<T>(n_, total_depth(terms), options_.growth, factors_of(terms), scales.rows);
  return judge(v.rows, tolerance, scales.rows);
}

template <Scalar T>
Verdict Freivalds<T>::check(T alpha, const Operand<T>& a, const Operand<T>& b, T beta,
                            const LocalBlocks<T>& c) const {
  const Term<T> product{alpha, {{a.op, a.blocks, "A"}, {b.op, b.blocks, "B"}}};
  return check(std::span(&product, 1), beta, c);
}

template <Scalar T>
double infinity_norm(comm::CommView comm, const LocalBlocks<T>& x) {
  const VectorSet ones = signs(0, x.cols, 0, false);
  VectorSet rows(x.rows, 0, false);
  accumulate(x, Op::none, 1, ones, rows);
  sum_over_ranks(comm, rows);
  double largest = 0;
  for (const double sum : rows.all()) largest = std::isnan(sum) ? INFINITY : std::max(largest, sum);
  return largest;
}

#define CAIRN_INSTANTIATE(T)   \
  template struct Term<T>;     \
  template class Freivalds<T>; \
  template double infinity_norm(comm::CommView, const LocalBlocks<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::check
