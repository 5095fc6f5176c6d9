#include "daap/stationary.hpp"

namespace cairn::daap {
namespace {

// The one term without the variable.
std::optional<std::size_t> term_without(const std::string& variable, const std::vector<Term>& terms) {
  std::optional<std::size_t> found;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    if (terms[j].variables.contains(variable)) continue;
    if (found) return std::nullopt;
    found = j;
  }
  return found;
}

GiNaC::ex elements(const Term& term, const std::map<std::string, GiNaC::ex>& tiles) {
  GiNaC::ex product = 1;
  for (const std::string& variable : term.variables) product *= tiles.at(variable);
  return product;
}

}  // namespace

std::optional<StationaryTile> stationary_tile(const std::set<std::string>& variables,
                                              const std::vector<Term>& terms, const Symbols& symbols) {
  RationalMatrix rows;
  std::vector<GiNaC::ex> right;
  for (const std::string& variable : variables) {
    const std::optional<std::size_t> j = term_without(variable, terms);
    if (!j) return std::nullopt;
    rows.emplace_back();
    for (const std::string& other : variables)
      rows.back().push_back(terms[*j].variables.contains(other) ? 1 : 0);
    right.push_back(symbols.memory / terms[*j].factor);
  }
  if (independent_rows(rows).size() < variables.size() || variables.empty()) return std::nullopt;
  const RationalMatrix solve = inverse(rows);
  StationaryTile result;
  std::size_t t = 0;
  for (const std::string& variable : variables) {
    GiNaC::ex size = 1;
    for (std::size_t i = 0; i < right.size(); ++i) size *= factor_power(right[i], solve[t][i]);
    if (at_large_sizes(size, symbols) < 1) return std::nullopt;
    result.tiles.emplace(variable, size);
    ++t;
  }
  result.volume = 1;
  for (const auto& tile : result.tiles) result.volume *= tile.second;
  for (const Term& term : terms) {
    result.sizes.push_back(term.factor * elements(term, result.tiles));
    result.surface += result.sizes.back();
  }
  return result;
}

}  // namespace cairn::daap
