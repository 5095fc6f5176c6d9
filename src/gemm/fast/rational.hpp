// Exact fractions of 64-bit integers: the coefficients of bilinear algorithms, so that the identity they
// rest on is proved and not estimated. Every operation is checked for overflow.
#pragma once

#include <numeric>
#include <string>
#include <string_view>

#include "base/size.hpp"

namespace cairn::gemm::fast {

class Rational {
 public:
  constexpr Rational(Index numerator = 0) : numerator_(numerator) {}  // NOLINT: an integer is a fraction
  Rational(Index numerator, Index denominator);

  Index numerator() const { return numerator_; }
  Index denominator() const { return denominator_; }
  bool is_zero() const { return numerator_ == 0; }
  double value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }
  std::string text() const;  // "-1/2"

  friend Rational operator+(const Rational& x, const Rational& y);
  friend Rational operator*(const Rational& x, const Rational& y);
  friend Rational operator-(const Rational& x) { return x * Rational(-1); }
  friend Rational operator-(const Rational& x, const Rational& y) { return x + -y; }
  friend Rational operator/(const Rational& x, const Rational& y);
  friend bool operator==(const Rational&, const Rational&) = default;

 private:
  Index numerator_ = 0;
  Index denominator_ = 1;  // above 0, without common factor
};

// "3", "-1", "1/2"; throws ArgumentError for anything else.
Rational parse_rational(std::string_view text);

}  // namespace cairn::gemm::fast
