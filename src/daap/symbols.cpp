#include "daap/symbols.hpp"

#include <cln/integer.h>

namespace cairn::daap {
namespace {

// Numbers here are small (coefficients and denominators of exponents); what trial division up to a thousand
// leaves is kept whole.
void multiply_prime_powers(GiNaC::ex& product, cln::cl_I base, const Rational& exponent) {
  for (cln::cl_I prime = 2; prime * prime <= base && prime < 1000; prime = prime + 1) {
    Rational count = 0;
    for (; cln::zerop(cln::mod(base, prime)); base = cln::exquo(base, prime)) count = count + 1;
    if (!cln::zerop(count)) product *= GiNaC::power(number(prime), number(count * exponent));
  }
  if (base != 1) product *= GiNaC::power(number(base), number(exponent));
}

}  // namespace

Symbols::Symbols(const std::vector<std::string>& parameters) {
  const GiNaC::ex size = GiNaC::pow(GiNaC::ex(2), 60);
  large_[memory] = size;
  for (const std::string& name : parameters) {
    const auto place = parameters_.emplace(name, GiNaC::possymbol(name, name)).first;
    large_[place->second] = size;
  }
}

void Symbols::set_large(const std::map<std::string, Rational>& sizes) {
  for (const auto& [name, size] : sizes) large_[parameters_.at(name)] = number(size);
}

GiNaC::exset Symbols::sizes() const {
  GiNaC::exset sizes;
  for (const auto& parameter : parameters_) sizes.insert(parameter.second);
  return sizes;
}

GiNaC::ex Symbols::expression(const Affine& form) const {
  GiNaC::ex sum = GiNaC::numeric(static_cast<long>(form.constant()));
  for (const auto& [name, factor] : form.coefficients())
    sum += GiNaC::numeric(static_cast<long>(factor)) * parameter(name);
  return sum;
}

GiNaC::ex exact_power(const Rational& base, const Rational& exponent) {
  GiNaC::ex product = 1;
  multiply_prime_powers(product, cln::numerator(base), exponent);
  multiply_prime_powers(product, cln::denominator(base), -exponent);
  return product;
}

GiNaC::ex factor_power(const GiNaC::ex& base, const Rational& exponent) {
  if (GiNaC::is_a<GiNaC::mul>(base)) {
    GiNaC::ex product = 1;
    for (const GiNaC::ex& factor : base) product *= factor_power(factor, exponent);
    return product;
  }
  if (GiNaC::is_a<GiNaC::numeric>(base) && GiNaC::ex_to<GiNaC::numeric>(base).is_rational())
    return exact_power(cln::the<cln::cl_RA>(GiNaC::ex_to<GiNaC::numeric>(base).to_cl_N()), exponent);
  if (GiNaC::is_a<GiNaC::power>(base)) return GiNaC::power(base.op(0), base.op(1) * number(exponent));
  return GiNaC::power(base, number(exponent));
}

Rational growth(const GiNaC::ex& expression, const GiNaC::exset& symbols) {
  if (GiNaC::is_a<GiNaC::add>(expression)) {
    Rational highest = growth(expression.op(0), symbols);
    for (const GiNaC::ex& summand : expression) highest = cln::max(highest, growth(summand, symbols));
    return highest;
  }
  if (GiNaC::is_a<GiNaC::mul>(expression)) {
    Rational sum = 0;
    for (const GiNaC::ex& factor : expression) sum = sum + growth(factor, symbols);
    return sum;
  }
  if (GiNaC::is_a<GiNaC::power>(expression) && GiNaC::is_a<GiNaC::numeric>(expression.op(1))) {
    const cln::cl_N exponent = GiNaC::ex_to<GiNaC::numeric>(expression.op(1)).to_cl_N();
    return growth(expression.op(0), symbols) * cln::the<cln::cl_RA>(exponent);
  }
  return symbols.contains(expression) ? 1 : 0;
}

double at_large_sizes(const GiNaC::ex& expression, const Symbols& symbols) {
  return GiNaC::ex_to<GiNaC::numeric>(expression.subs(symbols.large()).evalf()).to_double();
}

}  // namespace cairn::daap
