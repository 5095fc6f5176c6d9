#include "bench/graphblas.hpp"

#include <dlfcn.h>

#include <vector>

namespace cairn::bench {
namespace {

// Numbers of its C interface, version 7: GrB_NONBLOCKING, GxB_NTHREADS, GrB_CSR_FORMAT, GrB_MATERIALIZE.
constexpr int nonblocking = 0, threads_option = 5, csr_format = 0, materialize = 1;
using Unsigned = std::uint64_t;

void check_info(int info, const char* call) {
  require<IoError>(info == 0, "GraphBLAS: {} returned {}", call, info);
}

}  // namespace

GraphBlas::GraphBlas(int threads) {
  for (const char* const name : {"libgraphblas.so.7", "libgraphblas.so"}) {
    library_ = name;
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) break;
  }
  require<IoError>(handle_ != nullptr, "GraphBLAS is not installed (Debian: libgraphblas7)");
  check_info(function<int(int)>("GrB_init")(nonblocking), "GrB_init");
  check_info(function<int(int, ...)>("GxB_Global_Option_set")(threads_option, threads),
             "GxB_Global_Option_set");
}

GraphBlas::~GraphBlas() { function<int()>("GrB_finalize")(); }

void* GraphBlas::symbol(const char* name) const {
  void* const found = dlsym(handle_, name);
  require<IoError>(found != nullptr, "{} has no {}", library_, name);
  return found;
}

template <class F>
F* GraphBlas::function(const char* name) const {
  return reinterpret_cast<F*>(symbol(name));
}

GraphBlas::Matrix::Matrix(const GraphBlas& library, const sparse::Csr<double>& a) : library_(library) {
  const std::vector<Unsigned> starts(a.starts.begin(), a.starts.end());
  const std::vector<Unsigned> columns(a.columns_of.begin(), a.columns_of.end());
  using Import = int(void**, void*, Unsigned, Unsigned, const Unsigned*, const Unsigned*, const double*,
                     Unsigned, Unsigned, Unsigned, int);
  void* const type = *static_cast<void**>(library.symbol("GrB_FP64"));
  check_info(
      library.function<Import>("GrB_Matrix_import_FP64")(
          &handle_, type, static_cast<Unsigned>(a.rows), static_cast<Unsigned>(a.columns), starts.data(),
          columns.data(), a.values.data(), starts.size(), columns.size(), columns.size(), csr_format),
      "GrB_Matrix_import_FP64");
}

GraphBlas::Matrix::Matrix(const GraphBlas& library, Index rows, Index columns) : library_(library) {
  void* const type = *static_cast<void**>(library.symbol("GrB_FP64"));
  check_info(library.function<int(void**, void*, Unsigned, Unsigned)>("GrB_Matrix_new")(
                 &handle_, type, static_cast<Unsigned>(rows), static_cast<Unsigned>(columns)),
             "GrB_Matrix_new");
}

GraphBlas::Matrix::~Matrix() { library_.function<int(void**)>("GrB_Matrix_free")(&handle_); }

Index GraphBlas::Matrix::entries() const {
  Unsigned count = 0;
  check_info(library_.function<int(Unsigned*, void*)>("GrB_Matrix_nvals")(&count, handle_),
             "GrB_Matrix_nvals");
  return static_cast<Index>(count);
}

void GraphBlas::multiply(const Matrix& a, const Matrix& b, Matrix& c, bool finish) const {
  using Mxm = int(void*, void*, void*, void*, void*, void*, void*);
  void* const semiring = *static_cast<void**>(symbol("GrB_PLUS_TIMES_SEMIRING_FP64"));
  check_info(function<Mxm>("GrB_mxm")(c.handle_, nullptr, nullptr, semiring, a.handle_, b.handle_, nullptr),
             "GrB_mxm");
  if (finish)
    check_info(function<int(void*, int)>("GrB_Matrix_wait")(c.handle_, materialize), "GrB_Matrix_wait");
}

}  // namespace cairn::bench
