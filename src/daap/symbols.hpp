// The symbols of one analysis: fast memory M, ranks P, the partition's X, and one a size parameter.
#pragma once

#include <ginac/ginac.h>

#include <map>
#include <string>
#include <vector>

#include "daap/affine.hpp"
#include "daap/rational.hpp"

namespace cairn::daap {

// All symbols are positive, so that GiNaC may merge powers of them. `analyse` rejects size
// parameters called M, P or X.
class Symbols {
 public:
  explicit Symbols(const std::vector<std::string>& parameters);

  const GiNaC::possymbol memory{"M", "M"};
  const GiNaC::possymbol ranks{"P", "P"};
  const GiNaC::possymbol partition{"X", "X"};

  const GiNaC::possymbol& parameter(const std::string& name) const { return parameters_.at(name); }
  const std::map<std::string, GiNaC::possymbol>& parameters() const { return parameters_; }
  GiNaC::exset sizes() const;                      // the parameters as a set
  GiNaC::ex expression(const Affine& form) const;  // parameters only

  // Values for large sizes: M = 2^60, and the parameters as set (2^60 before).
  const GiNaC::exmap& large() const { return large_; }
  void set_large(const std::map<std::string, Rational>& sizes);

 private:
  std::map<std::string, GiNaC::possymbol> parameters_;
  GiNaC::exmap large_;
};

inline GiNaC::numeric number(const Rational& value) { return GiNaC::numeric(value); }

// base^exponent as a product of prime powers, so that equal numbers are equal expressions.
GiNaC::ex exact_power(const Rational& base, const Rational& exponent);

// The same for a positive expression: numbers and powers of symbols in a product are raised one by one.
GiNaC::ex factor_power(const GiNaC::ex& base, const Rational& exponent);

// The highest total degree in the given symbols among the summands of an expression.
Rational growth(const GiNaC::ex& expression, const GiNaC::exset& symbols);

// A number for the expression at large sizes and memory, to tell which of two expressions is larger there.
double at_large_sizes(const GiNaC::ex& expression, const Symbols& symbols);

}  // namespace cairn::daap
