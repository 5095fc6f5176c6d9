#include "base/blas_detail.hpp"

#include <dlfcn.h>

#include <array>
#include <string_view>

#include "base/symbol.hpp"

namespace cairn::blas {

extern "C" {
void sgemm_(const char*, const char*, const Int*, const Int*, const Int*, const float*, const float*,
            const Int*, const float*, const Int*, const float*, float*, const Int*);
void dgemm_(const char*, const char*, const Int*, const Int*, const Int*, const double*, const double*,
            const Int*, const double*, const Int*, const double*, double*, const Int*);
void cgemm_(const char*, const char*, const Int*, const Int*, const Int*, const std::complex<float>*,
            const std::complex<float>*, const Int*, const std::complex<float>*, const Int*,
            const std::complex<float>*, std::complex<float>*, const Int*);
void zgemm_(const char*, const char*, const Int*, const Int*, const Int*, const std::complex<double>*,
            const std::complex<double>*, const Int*, const std::complex<double>*, const Int*,
            const std::complex<double>*, std::complex<double>*, const Int*);
Int idamax_(const std::int64_t* n, const double* x, const std::int64_t* incx);
}

namespace {

template <class T>
constexpr auto gemm_symbol = nullptr;
template <>
constexpr auto gemm_symbol<float> = &sgemm_;
template <>
constexpr auto gemm_symbol<double> = &dgemm_;
template <>
constexpr auto gemm_symbol<std::complex<float>> = &cgemm_;
template <>
constexpr auto gemm_symbol<std::complex<double>> = &zgemm_;

}  // namespace

template <Scalar T>
void gemm(Op op_a, Op op_b, Index m, Index n, Index k, T alpha, const T* a, Index lda, const T* b, Index ldb,
          T beta, T* c, Index ldc) {
  if (m == 0 || n == 0) return;
  const char ta = letter(op_a), tb = letter(op_b);
  const Int m_ = narrow<Int>(m, "gemm: m"), n_ = narrow<Int>(n, "gemm: n"), k_ = narrow<Int>(k, "gemm: k");
  const Int lda_ = leading(lda, "gemm: lda"), ldb_ = leading(ldb, "gemm: ldb"),
            ldc_ = leading(ldc, "gemm: ldc");
  gemm_symbol<T>(&ta, &tb, &m_, &n_, &k_, &alpha, a, &lda_, b, &ldb_, &beta, c, &ldc_);
}

template void gemm(Op, Op, Index, Index, Index, float, const float*, Index, const float*, Index, float,
                   float*, Index);
template void gemm(Op, Op, Index, Index, Index, double, const double*, Index, const double*, Index, double,
                   double*, Index);
template void gemm(Op, Op, Index, Index, Index, std::complex<float>, const std::complex<float>*, Index,
                   const std::complex<float>*, Index, std::complex<float>, std::complex<float>*, Index);
template void gemm(Op, Op, Index, Index, Index, std::complex<double>, const std::complex<double>*, Index,
                   const std::complex<double>*, Index, std::complex<double>, std::complex<double>*, Index);

namespace {

// A function that only some BLAS libraries have.
template <class F>
F* optional_symbol(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

// The library reads either 32 or 64 bits behind the pointer. As 64 bits this n is negative, so that it
// answers 0; as 32 bits (little-endian) it is 1, so that it answers 1.
int probe_integer_bits() {
  const std::int64_t n = -(std::int64_t{1} << 32) + 1;
  const std::int64_t inc = 1;
  const double x = 1.0;
  return static_cast<int>(idamax_(&n, &x, &inc)) == 0 ? 64 : 32;
}

void identify_vendor(Library& lib) {
  if (auto* config = optional_symbol<char*()>("openblas_get_config")) {
    lib.vendor = "OpenBLAS";
    lib.version = config();
  } else if (auto* blis = optional_symbol<const char*()>("bli_info_get_version_str")) {
    lib.vendor = "BLIS";
    lib.version = blis();
  } else if (auto* mkl = optional_symbol<void(char*, int)>("mkl_get_version_string")) {
    std::array<char, 256> text{};
    mkl(text.data(), static_cast<int>(text.size()) - 1);
    lib.vendor = "MKL";
    lib.version = text.data();
  } else {
    lib.vendor = vendor_by_path(lib.path);
  }
}

int current_threads() {
  if (auto* openblas = optional_symbol<int()>("openblas_get_num_threads")) return openblas();
  if (auto* blis = optional_symbol<Index()>("bli_thread_get_num_threads"))
    return std::max(1, static_cast<int>(blis()));  // it says -1 for "one"
  return 0;
}

}  // namespace

std::string vendor_by_path(std::string_view path) {
  const auto has = [&](std::string_view part) { return path.find(part) != std::string_view::npos; };
  return has("blis") ? "BLIS" : has("libblas.so") ? "reference" : "unknown";
}

Library library() {
  Library lib;
  lib.path = library_of(reinterpret_cast<const void*>(&dgemm_));
  identify_vendor(lib);
  lib.integer_bits = probe_integer_bits();
  lib.threads = current_threads();
  return lib;
}

bool set_threads(int threads) {
  require(threads >= 1, "threads is {}, expected 1 or more", threads);
  if (auto* openblas = optional_symbol<void(int)>("openblas_set_num_threads")) return openblas(threads), true;
  if (auto* blis = optional_symbol<void(Index)>("bli_thread_set_num_threads")) return blis(threads), true;
  return false;
}

}  // namespace cairn::blas
