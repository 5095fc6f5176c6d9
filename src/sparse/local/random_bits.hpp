// Random numbers by counting: number k of a stream is a function of the stream and of k, so any rank makes any
// of them.
#pragma once

#include <cstdint>

namespace cairn::sparse {

// Every bit of x changes half of the bits of the result (the finalizer of SplitMix64).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

class Stream {
 public:
  constexpr Stream(std::uint64_t seed, std::uint64_t i, std::uint64_t j)
      : state_(mix(mix(mix(seed + 0x9e3779b97f4a7c15U) + i) + 0x632be59bd9b4e019U * (j + 1))) {}
  constexpr std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15U); }
  // In (0, 1], 53 bits.
  constexpr double uniform() { return static_cast<double>((next() >> 11) + 1) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace cairn::sparse
