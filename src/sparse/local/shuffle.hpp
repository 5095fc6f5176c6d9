// A random permutation of 0 .. n-1 that takes no memory: every rank knows where any index goes, and back.
#pragma once

#include <cstdint>

#include "base/size.hpp"

namespace cairn::sparse {

// A Feistel network of four rounds on the least even number of bits that holds n, walked until it ends below n:
// less than four steps on average. The default is the identity.
class Shuffle {
 public:
  Shuffle() = default;
  Shuffle(Index length, std::uint64_t seed);

  Index length() const { return length_; }
  bool moves() const { return half_ > 0; }
  Index operator()(Index i) const;
  Index back(Index i) const;

 private:
  std::uint64_t scrambled(std::uint64_t x) const;
  std::uint64_t unscrambled(std::uint64_t x) const;
  std::uint64_t round(int number, std::uint64_t half) const;

  Index length_ = 0;
  int half_ = 0;  // bits of a half; 0: nothing moves
  std::uint64_t seed_ = 0;
};

}  // namespace cairn::sparse
