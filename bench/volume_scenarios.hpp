// The scenarios of paper 000's evaluation, sections 8 and 9: sizes and memory for a number of ranks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bounds/product.hpp"

namespace cairn::bench {

using bounds::Product;

struct Figures {
  double scalapack, ctf, carma, cosma;  // Table 3, MB per rank
};

struct Setting {
  Product product;
  double memory_words;  // per rank
};

struct Scenario {
  std::string shape, benchmark;
  Figures paper;
  int fewest_ranks;
  std::function<Setting(int ranks)> at;
};

// square, largeK, largeM and flat; strong scaling, limited and extra memory. `words_per_core`: input words a
// core with limited memory.
std::vector<Scenario> volume_scenarios(Index words_per_core);

}  // namespace cairn::bench
