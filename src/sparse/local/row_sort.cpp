#include "sparse/local/row_sort.hpp"

#include <array>
#include <cstring>

// The same loop for several widths of vectors; the one that this processor has is taken when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CAIRN_FOR_EACH_VECTOR_WIDTH \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CAIRN_FOR_EACH_VECTOR_WIDTH
#endif

namespace cairn::sparse {

namespace {
// Sixteen columns; the compiler makes of it what the processor has.
using Lanes = Local __attribute__((vector_size(rank_lanes * sizeof(Local))));

// Not visible outside this file: the clones for each width would be exported from the library.
CAIRN_FOR_EACH_VECTOR_WIDTH
void rank_columns_in_lanes(const Local* columns, Index n, Local* rank) {
  for (Index block = 0; block < n; block += rank_lanes) {
    Lanes here, less = {};
    std::memcpy(&here, columns + block, sizeof(Lanes));
    for (Index q = 0; q < n; ++q) less -= columns[q] < here;  // true is -1
    std::memcpy(rank + block, &less, sizeof(Lanes));
  }
}

}  // namespace

void rank_columns(const Local* columns, Index n, Local* rank) { rank_columns_in_lanes(columns, n, rank); }

std::uint64_t* sort_pairs(std::uint64_t* keys, std::uint64_t* spare, Index n, int bits) {
  constexpr int digit_bits = 8;
  constexpr std::uint64_t digit_mask = (1U << digit_bits) - 1;
  for (int shift = 32; shift < 32 + bits; shift += digit_bits) {  // from the last digit on, each pass stable
    std::array<std::uint32_t, digit_mask + 1> place{};
    for (Index p = 0; p < n; ++p) ++place[(keys[p] >> shift) & digit_mask];
    std::uint32_t sum = 0;
    for (std::uint32_t& x : place) sum += std::exchange(x, sum);
    for (Index p = 0; p < n; ++p) spare[place[(keys[p] >> shift) & digit_mask]++] = keys[p];
    std::swap(keys, spare);
  }
  return keys;
}

}  // namespace cairn::sparse
