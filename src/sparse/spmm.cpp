#include "sparse/spmm.hpp"

#include <complex>

#include "comm/agreement.hpp"
#include "comm/traffic.hpp"

namespace cairn::sparse {
namespace {

template <class S, class T = typename S::Value>
std::vector<T> local_rows(const Csr<T>& a, const std::vector<T>& x, Index r) {
  std::vector<T> y(static_cast<std::size_t>(r * a.rows), S::zero());
  for (Index i = 0; i < a.rows; ++i)
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p) {
      const T* from = x.data() + r * a.columns_of[p];
      T* to = y.data() + r * i;
      for (Index c = 0; c < r; ++c) to[c] = S::add(to[c], S::multiply(a.values[p], from[c]));
    }
  return y;
}

}  // namespace

template <class T>
std::vector<T> multiply_dense(comm::CommView comm, const DistSparse<T>& a, std::span<const T> x, Index r,
                              Semiring semiring) {
  const comm::Phase phase(comm.traffic(), "spmm");
  comm::agree(comm, "sparse times dense",
              [&] {
                require(r >= 1, "columns of X is {}, expected 1 or more", r);
                const Index expected =
                    checked_mul(r, dense_range(comm, a.layout.columns()).count, "elements of X");
                require(std::ssize(x) == expected, "X has {} elements on rank {}, expected {}", x.size(),
                        comm.rank(), expected);
                dispatch<T>(semiring, []<class S>() {});
              },
              {{"columns of X", r},
               {"semiring", static_cast<Index>(semiring)},
               {"A's layout", a.layout.fingerprint(), [&] {
                  return std::vector<comm::Argument>{{"layout of A", a.layout.text()}};
                }}});
  const std::vector<T> here = fetch_dense_rows(comm, a, x, r);
  return dispatch<T>(semiring, [&]<class S>() {
    const std::vector<T> partial = local_rows<S>(a.local, here, r);
    return reduce_dense_rows<T>(comm, a, partial, r, S::zero(), [](T u, T v) { return S::add(u, v); });
  });
}

#define CAIRN_SPMM(T)                                                                                        \
  template std::vector<T> multiply_dense<T>(comm::CommView, const DistSparse<T>&, std::span<const T>, Index, \
                                            Semiring);
CAIRN_FOR_EACH_SCALAR(CAIRN_SPMM)
#undef CAIRN_SPMM

}  // namespace cairn::sparse
