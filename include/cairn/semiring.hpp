// What stands for + and * in a product of sparse matrices.
#pragma once

#include "cairn/types.hpp"

namespace cairn {

// What + and * mean. or_and: anything but 0 is true. plus_pair: every pair counts 1, whatever its
// values (they are not sent). Complex numbers have plus_times alone.
enum class SparseSemiring { plus_times, min_plus, max_plus, or_and, plus_pair };

// A semiring of one's own: `add` associative and commutative with add(zero, x) = x. An entry that comes out as `zero`
// stays. The functions are called by several threads where there are several.
template <Scalar T>
struct OwnSemiring {
  T zero = {};
  T (*add)(T, T) = nullptr;
  T (*multiply)(T, T) = nullptr;

  // From a type with such functions: OwnSemiring<double>::of<MaxMin>().
  template <class S>
  static OwnSemiring of() {
    return {S::zero(), &S::add, &S::multiply};
  }
};

}  // namespace cairn
