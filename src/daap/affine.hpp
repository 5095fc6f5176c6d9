// Affine forms c + sum c_v v with integer coefficients: range ends and indices of the loop language.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/size.hpp"

namespace cairn::daap {

class Affine {
 public:
  Affine() = default;
  explicit Affine(Index constant) : constant_(constant) {}
  static Affine name(const std::string& variable) { return Affine().add(variable, 1); }

  Index constant() const noexcept { return constant_; }
  const std::map<std::string, Index>& coefficients() const noexcept { return coefficients_; }  // none is 0
  Index coefficient(const std::string& variable) const;
  bool is_constant() const noexcept { return coefficients_.empty(); }
  bool uses_any(const std::set<std::string>& names) const;

  Affine operator+(const Affine& other) const;
  Affine operator-(const Affine& other) const { return *this + other.times(-1); }
  Affine operator+(Index shift) const { return *this + Affine(shift); }
  Affine times(Index factor) const;
  Affine renamed(const std::map<std::string, std::string>& names) const;
  bool operator==(const Affine&) const = default;

  // The largest absolute value among constant and coefficients.
  Index magnitude() const;
  Index value(const std::map<std::string, Index>& at) const;  // every name must be in `at`
  std::string text() const;                                   // "k+1", "2*i-N", "0"

 private:
  Affine& add(const std::string& variable, Index factor);

  std::map<std::string, Index> coefficients_;
  Index constant_ = 0;
};

}  // namespace cairn::daap
