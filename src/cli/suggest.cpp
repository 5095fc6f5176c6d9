#include "cli/suggest.hpp"

#include <algorithm>
#include <numeric>

namespace cairn::cli {
namespace {

// Letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
std::size_t slips_between(std::string_view x, std::string_view y) {
  std::vector<std::size_t> before(y.size() + 1), above(y.size() + 1), row(y.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= x.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[y.size()];
}

std::string only_beginning(std::string_view word, const std::vector<std::string>& known) {
  const auto begins = [&](const std::string& k) { return k.starts_with(word); };
  return std::ranges::count_if(known, begins) == 1 ? *std::ranges::find_if(known, begins) : std::string();
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  if (std::string begun = only_beginning(word, known); !begun.empty()) return begun;
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& k : known) {
    const std::size_t slips = slips_between(word, k);
    if (slips < least) least = slips, best = k;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?";
}

}  // namespace cairn::cli
