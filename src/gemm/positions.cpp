#include "gemm/positions.hpp"

#include <algorithm>

namespace cairn::gemm {
namespace {

// Distances of doubling (and the odd last one) for p ranks.
std::vector<int> window_lengths(int p) {
  std::vector<int> lengths{1, 2};  // a ring looks one and two behind
  for (int d = 1; d < p; d *= 2) {
    lengths.push_back(d);
    lengths.push_back(std::min(d, p - d));
    lengths.push_back(d + std::min(d, p - d));
  }
  return lengths;
}

void add_around(std::vector<int>& positions, int at, int p) {
  for (int x = at - 1; x <= at + 1; ++x) positions.push_back(((x % p) + p) % p);
}

}  // namespace

std::vector<int> extreme_positions(const Schedule& s, Matrix matrix, const Coordinates& at, int split) {
  const int p = s.grid.extent(missing(matrix));
  const NativeLayout layout(s, matrix);
  std::vector<int> corners{0, split};
  for (const Index round : {Index{0}, layout.rounds() - 1}) {
    const comm::Partition slices = layout.slices(at, round);
    const Index columns = layout.face(at, round).cols;
    corners.push_back(static_cast<int>(columns % p));
    if (way_of(s, slices) == comm::BlockWay::direct || s.transport == comm::Transport::one_sided) continue;
    for (const int length : window_lengths(p)) {
      corners.push_back(p - length);
      corners.push_back(static_cast<int>(columns % p) - length);
      corners.push_back(length);
    }
  }
  std::vector<int> positions;
  for (const int corner : corners) add_around(positions, corner, p);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

}  // namespace cairn::gemm
