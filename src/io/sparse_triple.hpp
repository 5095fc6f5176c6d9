// One entry of a sparse matrix by its place in the whole matrix.
#pragma once

#include "cairn/types.hpp"

namespace cairn::io {

template <class T>
struct Triple {
  Index row = 0;
  Index column = 0;
  T value = {};

  friend bool operator==(const Triple&, const Triple&) = default;
};

}  // namespace cairn::io
