// Which layer applies which step: whole steps, in a rotation that meets every class of columns on every layer.
#pragma once

#include <numeric>

#include "base/size.hpp"

namespace cairn::factor {

// t mod c would meet a class of columns (t mod period) always on the same layers where c and the period have a
// common factor, and the ranks there would carry up to 1.5 times the mean: shifted by one every lcm steps.
inline int layer_of_step(Index step, int period, int layers) {
  return static_cast<int>((step + step / std::lcm<Index, Index>(period, layers)) % layers);
}

}  // namespace cairn::factor
