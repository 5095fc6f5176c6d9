// An independent solver for the problem of section 3.2: an interior-point method in floating point.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

namespace cairn::daap {

// maximise sum_t y_t  subject to  log sum_j c_j exp(sum_{t in j} y_t) <= log_x,  y >= 0   (y = log of the
// tile)
class NumericOptimum {
 public:
  using Vector = std::vector<double>;
  using Matrix = std::vector<Vector>;

  NumericOptimum(Matrix incidence, Vector factors, double log_x)
      : a_(std::move(incidence)), c_(std::move(factors)), log_x_(log_x), n_(a_.at(0).size()) {}

  // log of the maximum; log_x must leave room for tiles of size e^0.01.
  double run() const {
    Vector y(n_, 1e-3);
    for (double weight = 1; weight < 1e11; weight *= 4)
      for (int i = 0; i < 60 && newton(y, weight); ++i) {
      }
    double sum = 0;
    for (const double v : y) sum += v;
    return sum;
  }

 private:
  double log_sum(const Vector& y, Vector& parts) const {
    double largest = -INFINITY;
    parts.assign(a_.size(), 0.0);
    for (std::size_t j = 0; j < a_.size(); ++j) {
      parts[j] = std::log(c_[j]);
      for (std::size_t t = 0; t < n_; ++t) parts[j] += a_[j][t] * y[t];
      largest = std::max(largest, parts[j]);
    }
    double sum = 0;
    for (double& part : parts) sum += (part = std::exp(part - largest));
    for (double& part : parts) part /= sum;
    return largest + std::log(sum);
  }

  // weight sum y + log(log_x - log_sum) + sum log y
  double merit(const Vector& y, double weight) const {
    Vector parts;
    const double room = log_x_ - log_sum(y, parts);
    if (!(room > 0)) return -INFINITY;
    double value = std::log(room);
    for (const double v : y) {
      if (!(v > 0)) return -INFINITY;
      value += weight * v + std::log(v);
    }
    return value;
  }

  bool newton(Vector& y, double weight) const {
    Vector parts;
    const double room = log_x_ - log_sum(y, parts);
    Vector grad_lse(n_, 0.0);
    for (std::size_t j = 0; j < a_.size(); ++j)
      for (std::size_t t = 0; t < n_; ++t) grad_lse[t] += parts[j] * a_[j][t];
    Vector g(n_);
    Matrix h(n_, Vector(n_, 0.0));  // minus the Hessian, positive definite
    for (std::size_t t = 0; t < n_; ++t) {
      g[t] = weight - grad_lse[t] / room + 1 / y[t];
      for (std::size_t s = 0; s < n_; ++s) {
        double second = -grad_lse[t] * grad_lse[s];
        for (std::size_t j = 0; j < a_.size(); ++j) second += parts[j] * a_[j][t] * a_[j][s];
        h[t][s] =
            second / room + grad_lse[t] * grad_lse[s] / (room * room) + (s == t ? 1 / (y[t] * y[t]) : 0);
      }
    }
    return line_search(y, solve(h, g), weight);
  }

  bool line_search(Vector& y, const Vector& move, double weight) const {
    const double before = merit(y, weight);
    for (double length = 1; length > 1e-12; length /= 2) {
      Vector next = y;
      for (std::size_t t = 0; t < n_; ++t) next[t] += length * move[t];
      if (!(merit(next, weight) > before)) continue;
      y = next;
      return true;
    }
    return false;
  }

  static Vector solve(Matrix a, Vector b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t r = i + 1; r < n; ++r) {
        const double f = a[r][i] / a[i][i];
        for (std::size_t k = i; k < n; ++k) a[r][k] -= f * a[i][k];
        b[r] -= f * b[i];
      }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[i][k] * b[k];
      b[i] /= a[i][i];
    }
    return b;
  }

  Matrix a_;
  Vector c_;
  double log_x_;
  std::size_t n_;
};

}  // namespace cairn::daap
