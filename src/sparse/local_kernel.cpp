#include "sparse/local_kernel.hpp"

#include "sparse/local/merge.hpp"

namespace cairn::sparse {
namespace {

template <class S, class T = typename S::Value>
Csr<T> multiply_blocks(const Csr<T>& a, const Csr<T>& b, const Mask* mask, Workers* workers) {
  SpgemmOptions options;
  options.workers = workers;
  if (mask != nullptr) options.mask = *mask;
  return spgemm<S>(a, b, options);
}

}  // namespace

template <Scalar T>
LocalKernel<T> make_kernel(Semiring semiring, Workers* workers) {
  return dispatch<T>(semiring, [&]<class S>() {
    LocalKernel<T> kernel;
    kernel.multiply = [workers](const Csr<T>& a, const Csr<T>& b, const Mask* mask) {
      return multiply_blocks<S>(a, b, mask, workers);
    };
    kernel.merge = [workers](std::span<const Csr<T>> parts) { return merge<S>(parts, workers); };
    kernel.reads_values = semiring != Semiring::plus_pair;
    return kernel;
  });
}

template <Scalar T>
LocalKernel<T> make_kernel(const OwnSemiring<T>& semiring, Workers* workers) {
  LocalKernel<T> kernel;
  kernel.multiply = [semiring, workers](const Csr<T>& a, const Csr<T>& b, const Mask* mask) {
    const typename Given<T>::Lock lock(semiring);
    return multiply_blocks<Given<T>>(a, b, mask, workers);
  };
  kernel.merge = [semiring, workers](std::span<const Csr<T>> parts) {
    const typename Given<T>::Lock lock(semiring);
    return merge<Given<T>>(parts, workers);
  };
  return kernel;
}

#define CAIRN_KERNEL(T)                                       \
  template LocalKernel<T> make_kernel<T>(Semiring, Workers*); \
  template LocalKernel<T> make_kernel<T>(const OwnSemiring<T>&, Workers*);
CAIRN_FOR_EACH_SCALAR(CAIRN_KERNEL)
#undef CAIRN_KERNEL

}  // namespace cairn::sparse
