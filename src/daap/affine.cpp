#include "daap/affine.hpp"

#include <algorithm>
#include <cstdlib>

namespace cairn::daap {
namespace {

constexpr std::string_view affine_form = "affine form";

void append_term(std::string& text, Index factor, const std::string& variable) {
  if (factor < 0)
    text += '-';
  else if (!text.empty())
    text += '+';
  const Index size = std::abs(factor);
  if (variable.empty())
    text += std::to_string(size);
  else
    text += size == 1 ? variable : std::to_string(size) + "*" + variable;
}

}  // namespace

Affine& Affine::add(const std::string& variable, Index factor) {
  const auto place = coefficients_.try_emplace(variable, 0).first;
  place->second = checked_add(place->second, factor, affine_form);
  if (place->second == 0) coefficients_.erase(place);
  return *this;
}

Index Affine::coefficient(const std::string& variable) const {
  const auto place = coefficients_.find(variable);
  return place == coefficients_.end() ? 0 : place->second;
}

bool Affine::uses_any(const std::set<std::string>& names) const {
  return std::any_of(coefficients_.begin(), coefficients_.end(),
                     [&](const auto& term) { return names.contains(term.first); });
}

Affine Affine::operator+(const Affine& other) const {
  Affine sum = *this;
  sum.constant_ = checked_add(constant_, other.constant_, affine_form);
  for (const auto& [variable, factor] : other.coefficients_) sum.add(variable, factor);
  return sum;
}

Affine Affine::times(Index factor) const {
  Affine product(checked_mul(constant_, factor, affine_form));
  for (const auto& [variable, c] : coefficients_) product.add(variable, checked_mul(c, factor, affine_form));
  return product;
}

Affine Affine::renamed(const std::map<std::string, std::string>& names) const {
  Affine result(constant_);
  for (const auto& [variable, factor] : coefficients_) {
    const auto place = names.find(variable);
    result.add(place == names.end() ? variable : place->second, factor);
  }
  return result;
}

Index Affine::magnitude() const {
  Index largest = std::abs(constant_);
  for (const auto& term : coefficients_) largest = std::max(largest, std::abs(term.second));
  return largest;
}

Index Affine::value(const std::map<std::string, Index>& at) const {
  Index sum = constant_;
  for (const auto& [variable, factor] : coefficients_)
    sum = checked_add(sum, checked_mul(factor, at.at(variable), affine_form), affine_form);
  return sum;
}

std::string Affine::text() const {
  std::string text;
  for (const auto& [variable, factor] : coefficients_)
    if (factor > 0) append_term(text, factor, variable);
  for (const auto& [variable, factor] : coefficients_)
    if (factor < 0) append_term(text, factor, variable);
  if (constant_ != 0 || text.empty()) append_term(text, constant_, "");
  return text;
}

}  // namespace cairn::daap
