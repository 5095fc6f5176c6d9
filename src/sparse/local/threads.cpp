#include "sparse/local/threads.hpp"

namespace cairn::sparse {

std::vector<Index> cut_rows(std::span<const Index> work, int threads) {
  const auto rows = static_cast<Index>(work.size());
  Index total = rows;
  for (const Index w : work) total += w;
  std::vector<Index> cuts{0};
  Index done = 0, row = 0;
  for (int t = 1; t < threads; ++t) {
    const Index goal = total / threads * t;
    for (; row < rows && done < goal; ++row) done += work[static_cast<std::size_t>(row)] + 1;
    cuts.push_back(row);
  }
  cuts.push_back(rows);
  return cuts;
}

}  // namespace cairn::sparse
