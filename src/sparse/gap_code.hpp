// Ascending numbers written as the gaps between them. A gap is the difference to the number before, less one.
#pragma once

#include <algorithm>
#include <array>

#include "base/size.hpp"
#include "sparse/bits.hpp"

namespace cairn::sparse {

// Rice's code with `shift` low bits, or Elias' gamma code of the gap + 1.
struct GapCode {
  static constexpr int gamma = 62;
  int shift = 0;
  Index bytes = 0;  // what the gaps take
};

inline int width_of(std::uint64_t value) { return static_cast<int>(std::bit_width(value)); }

inline void put_count(Bytes& out, Index count) {
  auto left = static_cast<std::uint64_t>(count);
  for (; left >= 128; left >>= 7) out.push_back(static_cast<std::byte>(left | 128));
  out.push_back(static_cast<std::byte>(left));
}

inline Index take_count(std::span<const std::byte>& in) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    require<CommError>(!in.empty() && shift < 56, "a sparse message has no count");
    const auto byte = static_cast<std::uint64_t>(in[0]);
    in = in.subspan(1);
    value |= (byte & 127) << shift;
    if (byte < 128) return static_cast<Index>(value);
  }
}

// f(gap) for each of the `count` ascending numbers number(0), number(1), ...
template <class Number, class F>
void for_each_gap(Index count, const Number& number, F&& f) {
  Index before = -1;
  for (Index i = 0; i < count; ++i) {
    const Index at = number(i);
    f(static_cast<std::uint64_t>(at - before - 1));
    before = at;
  }
}

// The shorter of the gamma code and of Rice's with the shifts next to log2 of the mean gap.
template <class Number>
GapCode best_gap_code(Index count, const Number& number) {
  if (count == 0) return {};
  const Index mean = std::max<Index>(1, (number(count - 1) + 1) / count);
  const int middle = width_of(static_cast<std::uint64_t>(mean)) - 1;
  const int first = std::clamp(middle - 2, 0, GapCode::gamma - 4);
  std::array<Index, 4> rice{};
  Index gamma = 0;
  for_each_gap(count, number, [&](std::uint64_t gap) {
    for (std::size_t s = 0; s < rice.size(); ++s)
      rice[s] += static_cast<Index>(gap >> (static_cast<std::size_t>(first) + s));
    gamma += 2 * width_of(gap + 1) - 1;
  });
  GapCode best{GapCode::gamma, gamma};
  for (int s = 0; s < 4; ++s) {
    const Index bits = rice[static_cast<std::size_t>(s)] + count * (first + s + 1);
    if (bits < best.bytes) best = {first + s, bits};
  }
  best.bytes = ceil_div(best.bytes, 8);
  return best;
}

template <class Number>
void write_gaps(Bytes& out, const GapCode& code, Index count, const Number& number) {
  BitWriter bits(out);
  for_each_gap(count, number, [&](std::uint64_t gap) {
    if (code.shift == GapCode::gamma) {
      const int low = width_of(gap + 1) - 1;
      bits.put_unary(static_cast<std::uint64_t>(low));
      bits.put_wide((gap + 1) & ((std::uint64_t{1} << low) - 1), low);
    } else {
      bits.put_unary(gap >> code.shift);
      bits.put_wide(gap & ((std::uint64_t{1} << code.shift) - 1), code.shift);
    }
  });
  bits.finish();
}

// f(i, number) for each number; all must be below `limit`.
template <class F>
void read_gaps(std::span<const std::byte> in, int shift, Index count, Index limit, F&& f) {
  BitReader bits(in);
  Index before = -1;
  for (Index i = 0; i < count; ++i) {
    const std::uint64_t top = bits.get_unary();
    std::uint64_t gap = 0;
    if (shift == GapCode::gamma) {
      require<CommError>(top < 62, "a sparse message has a gap of more than 62 bits");
      gap = (std::uint64_t{1} << top | bits.get_wide(static_cast<int>(top))) - 1;
    } else {
      gap = top << shift | bits.get_wide(shift);
    }
    require<CommError>(gap < static_cast<std::uint64_t>(limit - before - 1),
                       "a sparse message has an entry beyond the {} places of its block", limit);
    before += static_cast<Index>(gap) + 1;
    f(i, before);
  }
}

}  // namespace cairn::sparse
