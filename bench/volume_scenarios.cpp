#include "bench/volume_scenarios.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::bench {
namespace {

constexpr double word_bytes = 8;
constexpr double node_bytes = 64.0 * (1 << 30), node_cores = 36;  // of the paper's machine

Index whole(double x) { return std::max<Index>(1, static_cast<Index>(std::llround(x))); }

// Solves f(x) = y for a growing f.
double inverse(const std::function<double(double)>& f, double y) {
  double low = 0, high = 1;
  while (f(high) < y) high *= 2;
  for (int i = 0; i < 200; ++i) ((f((low + high) / 2) < y) ? low : high) = (low + high) / 2;
  return high;
}

// The matrices of a shape that have this many words together. Tall ones are those of w water molecules, m = n =
// 136 w and k = 228 w^2; flat ones a rank-256 update.
Product square(double words) {
  const Index n = whole(std::sqrt(words / 3));
  return {n, n, n};
}
Product tall(double words, bool in_k) {
  const auto size = [](double w) { return 136 * w * 136 * w + 2 * 136 * w * 228 * w * w; };
  const double w = inverse(size, words);
  const Index narrow_side = whole(136 * w), length = whole(228 * w * w);
  return in_k ? Product{narrow_side, narrow_side, length} : Product{length, narrow_side, narrow_side};
}
Product flat(double words) {
  const Index n = whole(inverse([](double x) { return x * x + 512 * x; }, words));
  return {n, n, 256};
}

using Shape = std::function<Product(double words)>;

Scenario strong(const char* shape, const Product& p, int fewest, const Figures& paper) {
  return {shape, "strong scaling", paper, fewest, [p](int) {
            return Setting{p, node_bytes / node_cores / word_bytes};
          }};
}

// PS / I = 2: a rank has room for its own parts and as much again. The input grows with P.
Scenario limited(const char* shape, const Shape& make, double words_per_core, const Figures& paper) {
  return {shape, "limited memory", paper, 1, [=](int ranks) {
            return Setting{make(words_per_core * ranks), 2 * words_per_core};
          }};
}

// P^(2/3) S / I = 2: P^(1/3) copies of the input fit beside the input itself. It grows with P^(2/3).
Scenario extra(const char* shape, const Shape& make, double words_per_core, const Figures& paper) {
  return {shape, "extra memory", paper, 1, [=](int ranks) {
            return Setting{make(words_per_core * std::pow(ranks, 2.0 / 3)), 2 * words_per_core};
          }};
}

}  // namespace

std::vector<Scenario> volume_scenarios(Index words_per_core) {
  const auto words = static_cast<double>(words_per_core);
  const Shape large_k = [](double w) { return tall(w, true); },
              large_m = [](double w) { return tall(w, false); };
  return {strong("square", {16384, 16384, 16384}, 1, {203, 222, 195, 107}),
          limited("square", square, words, {816, 986, 799, 424}),
          extra("square", square, words, {303, 350, 291, 151}),
          strong("largeK", {17408, 17408, 3735552}, 2048, {2636, 2278, 659, 545}),
          limited("largeK", large_k, words, {368, 541, 128, 88}),
          extra("largeK", large_k, words, {133, 152, 48, 35}),
          strong("largeM", {3735552, 17408, 17408}, 2048, {3507, 2024, 541, 410}),
          limited("largeM", large_m, words, {989, 672, 399, 194}),
          extra("largeM", large_m, words, {122, 77, 77, 29}),
          strong("flat", {131072, 131072, 512}, 1, {134, 68, 10, 7}),
          limited("flat", flat, words, {47, 101, 26, 8}),
          extra("flat", flat, words, {15, 15, 10, 3})};
}

}  // namespace cairn::bench
