#include "sparse/local/shuffle.hpp"

#include "sparse/local/random_bits.hpp"

namespace cairn::sparse {
namespace {

constexpr int feistel_rounds = 4;

}  // namespace

Shuffle::Shuffle(Index length, std::uint64_t seed)
    : length_(require_not_negative(length, "length of a permutation")), seed_(mix(seed + 1)) {
  while (half_ < 31 && (Index{1} << (2 * half_)) < length) ++half_;
}

std::uint64_t Shuffle::round(int number, std::uint64_t half) const {
  return mix(half + seed_ * static_cast<std::uint64_t>(2 * number + 1)) & ((std::uint64_t{1} << half_) - 1);
}

std::uint64_t Shuffle::scrambled(std::uint64_t x) const {
  std::uint64_t left = x >> half_, right = x & ((std::uint64_t{1} << half_) - 1);
  for (int r = 0; r < feistel_rounds; ++r) {
    const std::uint64_t next = left ^ round(r, right);
    left = right;
    right = next;
  }
  return left << half_ | right;
}

std::uint64_t Shuffle::unscrambled(std::uint64_t x) const {
  std::uint64_t left = x >> half_, right = x & ((std::uint64_t{1} << half_) - 1);
  for (int r = feistel_rounds; r-- > 0;) {
    const std::uint64_t before = right ^ round(r, left);
    right = left;
    left = before;
  }
  return left << half_ | right;
}

Index Shuffle::operator()(Index i) const {
  if (!moves()) return i;
  auto x = static_cast<std::uint64_t>(i);
  do x = scrambled(x);
  while (x >= static_cast<std::uint64_t>(length_));
  return static_cast<Index>(x);
}

Index Shuffle::back(Index i) const {
  if (!moves()) return i;
  auto x = static_cast<std::uint64_t>(i);
  do x = unscrambled(x);
  while (x >= static_cast<std::uint64_t>(length_));
  return static_cast<Index>(x);
}

}  // namespace cairn::sparse
