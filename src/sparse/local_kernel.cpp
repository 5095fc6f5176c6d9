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

#define CAIRN_KERNEL(T) template LocalKernel<T> make_kernel<T>(Semiring, Workers*);
CAIRN_FOR_EACH_SCALAR(CAIRN_KERNEL)
#undef CAIRN_KERNEL

}  // namespace cairn::sparse
