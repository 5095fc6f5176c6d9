#include "daap/entropy.hpp"

#include <cln/integer.h>

#include <cmath>

namespace cairn::daap {
namespace {

using Vector = std::vector<double>;

constexpr int most_newton_steps = 100;
constexpr long most_denominator = 1000;

class Newton {
 public:
  Newton(const RationalVector& start, const RationalMatrix& basis, const RationalVector& factors)
      : start_(doubles(start)), factors_(doubles(factors)), s_(basis.size(), 0.0) {
    for (const RationalVector& direction : basis) basis_.push_back(doubles(direction));
  }

  Vector run() {
    for (int i = 0; i < most_newton_steps; ++i)
      if (!step()) break;
    return s_;
  }

 private:
  static Vector doubles(const RationalVector& values) {
    Vector result;
    for (const Rational& value : values) result.push_back(to_double(value));
    return result;
  }

  Vector weights(const Vector& s) const {
    Vector w = start_;
    for (std::size_t i = 0; i < s.size(); ++i)
      for (std::size_t j = 0; j < w.size(); ++j) w[j] += s[i] * basis_[i][j];
    return w;
  }

  bool moves(std::size_t j) const { return start_[j] > 0; }

  double value(const Vector& w) const {
    double sum = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (!moves(j)) continue;
      if (w[j] <= 0) return INFINITY;
      sum += w[j] * std::log(w[j] / factors_[j]);
    }
    return sum;
  }

  // One damped step; false when no step improves any more.
  bool step() {
    const Vector w = weights(s_);
    const Vector move = solve(hessian(w), gradient(w));
    const double before = value(w);
    double length = 1;
    for (int halvings = 0; halvings < 34; ++halvings, length /= 2) {
      Vector next = s_;
      for (std::size_t i = 0; i < s_.size(); ++i) next[i] -= length * move[i];
      if (!(value(weights(next)) < before)) continue;
      s_ = next;
      return true;
    }
    return false;
  }

  Vector gradient(const Vector& w) const {
    Vector g(basis_.size(), 0.0);
    for (std::size_t i = 0; i < basis_.size(); ++i)
      for (std::size_t j = 0; j < w.size(); ++j)
        if (moves(j)) g[i] += basis_[i][j] * (1 + std::log(w[j] / factors_[j]));
    return g;
  }

  std::vector<Vector> hessian(const Vector& w) const {
    std::vector<Vector> h(basis_.size(), Vector(basis_.size(), 0.0));
    for (std::size_t i = 0; i < basis_.size(); ++i)
      for (std::size_t k = 0; k < basis_.size(); ++k)
        for (std::size_t j = 0; j < w.size(); ++j)
          if (moves(j)) h[i][k] += basis_[i][j] * basis_[k][j] / w[j];
    return h;
  }

  // Gaussian elimination; the matrix is positive definite, so no pivoting is needed.
  static Vector solve(std::vector<Vector> a, Vector b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t row = i + 1; row < n; ++row) {
        const double factor = a[row][i] / a[i][i];
        for (std::size_t k = i; k < n; ++k) a[row][k] -= factor * a[i][k];
        b[row] -= factor * b[i];
      }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[i][k] * b[k];
      b[i] /= a[i][i];
    }
    return b;
  }

  Vector start_;
  Vector factors_;
  std::vector<Vector> basis_;
  Vector s_;
};

// The nearest fraction with a small denominator: convergents of the continued fraction.
Rational small_fraction(double value) {
  long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  double x = value;
  for (int i = 0; i < 20; ++i) {
    const long a = static_cast<long>(std::floor(x));
    const long p2 = a * p1 + p0;
    const long q2 = a * q1 + q0;
    if (q2 > most_denominator) break;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    const double rest = x - std::floor(x);
    if (rest < 1e-7) break;
    x = 1 / rest;
  }
  return Rational(p1) / Rational(q1);
}

cln::cl_I common_denominator(const RationalVector& values) {
  cln::cl_I common = 1;
  for (const Rational& value : values) common = cln::lcm(common, cln::denominator(value));
  return common;
}

bool stationary(const RationalVector& weights, const RationalMatrix& basis, const RationalVector& factors) {
  for (const RationalVector& direction : basis) {
    const cln::cl_I scale = common_denominator(direction);
    Rational product = 1;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const cln::cl_I exponent = cln::numerator(direction[j] * scale);
      if (cln::zerop(exponent)) continue;
      if (!cln::plusp(weights[j]) || cln::abs(exponent) > 1000) return false;
      product = product * cln::expt(weights[j] / factors[j], exponent);
    }
    if (product != 1) return false;
  }
  return true;
}

bool not_negative(const RationalVector& weights) {
  for (const Rational& w : weights)
    if (cln::minusp(w)) return false;
  return true;
}

}  // namespace

EntropyMinimum minimise_entropy(const RationalVector& start, const RationalMatrix& basis,
                                const RationalVector& factors) {
  const Vector s = Newton(start, basis, factors).run();
  RationalVector weights = start;
  for (std::size_t i = 0; i < basis.size(); ++i) {
    const Rational length = small_fraction(s[i]);
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = weights[j] + length * basis[i][j];
  }
  if (!not_negative(weights)) return {start, false};
  return {weights, stationary(weights, basis, factors)};
}

}  // namespace cairn::daap
