#include "gemm/fast/rational.hpp"

#include <charconv>
#include <limits>

namespace cairn::gemm::fast {

Rational::Rational(Index numerator, Index denominator) {
  require(denominator != 0, "the denominator of {}/0 is 0", numerator);
  constexpr Index least = std::numeric_limits<Index>::min();  // has no negative
  require<OverflowError>(numerator != least && denominator != least, "a fraction exceeds 64 bits");
  const Index common = std::gcd(numerator, denominator);
  const Index sign = denominator < 0 ? -1 : 1;
  numerator_ = sign * numerator / common;
  denominator_ = sign * denominator / common;
}

std::string Rational::text() const {
  return denominator_ == 1 ? fmt::format("{}", numerator_) : fmt::format("{}/{}", numerator_, denominator_);
}

Rational operator+(const Rational& x, const Rational& y) {
  if (x.denominator_ == 1 && y.denominator_ == 1)
    return checked_add(x.numerator_, y.numerator_, "a sum of fractions");
  const Index left = checked_mul(x.numerator_, y.denominator_, "a sum of fractions");
  const Index right = checked_mul(y.numerator_, x.denominator_, "a sum of fractions");
  return {checked_add(left, right, "a sum of fractions"),
          checked_mul(x.denominator_, y.denominator_, "a sum of fractions")};
}

Rational operator*(const Rational& x, const Rational& y) {
  return {checked_mul(x.numerator_, y.numerator_, "a product of fractions"),
          checked_mul(x.denominator_, y.denominator_, "a product of fractions")};
}

Rational operator/(const Rational& x, const Rational& y) {
  return {checked_mul(x.numerator_, y.denominator_, "a quotient of fractions"),
          checked_mul(x.denominator_, y.numerator_, "a quotient of fractions")};
}

namespace {

Index parse_whole(std::string_view part, std::string_view whole) {
  Index value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  require(error == std::errc() && end == part.data() + part.size() && !part.empty(),
          "'{}' is not a coefficient, expected a whole number or a fraction such as -1/2", whole);
  return value;
}

}  // namespace

Rational parse_rational(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_whole(text, text);
  return {parse_whole(text.substr(0, slash), text), parse_whole(text.substr(slash + 1), text)};
}

}  // namespace cairn::gemm::fast
