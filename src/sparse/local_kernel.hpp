// What a distributed product does with blocks: the semiring, behind two functions. The algorithms are
// compiled once a scalar type; a user's own semiring brings its own two functions.
#pragma once

#include <functional>
#include <span>

#include "sparse/local/spgemm.hpp"

namespace cairn::sparse {

template <class T>
struct LocalKernel {
  std::function<Csr<T>(const Csr<T>& a, const Csr<T>& b, const Mask* mask)> multiply;  // sorted
  std::function<Csr<T>(std::span<const Csr<T>> parts)> merge;                          // sorted
  bool reads_values = true;  // false: values of A and B need not be sent
};

// Throws ArgumentError for complex numbers with a semiring other than plus-times. `workers` must outlive it.
template <Scalar T>
LocalKernel<T> make_kernel(Semiring semiring, Workers* workers = nullptr);

// The same over one's own: in one local product at a time of the process.
template <Scalar T>
LocalKernel<T> make_kernel(const OwnSemiring<T>& semiring, Workers* workers = nullptr);

}  // namespace cairn::sparse
