#include "bench/scalapack.hpp"

#include <dlfcn.h>

#include <string_view>

#include "comm/library.hpp"

namespace cairn::bench {
namespace {

bool is_open_mpi() { return comm::mpi_library().version.find("Open MPI") != std::string::npos; }

int i32(Index value, std::string_view name) { return narrow<int>(value, name); }

}  // namespace

ScaLapack::ScaLapack() {
  const std::string flavour = is_open_mpi() ? "openmpi" : "mpich";
  for (const char* ending : {".so.2.2", ".so"}) {
    library_ = "libscalapack-" + flavour + ending;
    handle_ = dlopen(library_.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle_ != nullptr) return;
  }
  fail<IoError>("ScaLAPACK for this MPI is not installed (Debian: libscalapack-{}-dev): {}", flavour,
                dlerror());
}

void* ScaLapack::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  require<IoError>(found != nullptr, "{} has no {}", library_, name);
  return found;
}

int ScaLapack::grid(int process_rows, int process_columns) const {
  const auto get = reinterpret_cast<void (*)(int, int, int*)>(symbol("Cblacs_get"));
  const auto init = reinterpret_cast<void (*)(int*, const char*, int, int)>(symbol("Cblacs_gridinit"));
  const auto info = reinterpret_cast<void (*)(int, int*, int*, int*, int*)>(symbol("Cblacs_gridinfo"));
  int context = 0;
  get(-1, 0, &context);
  init(&context, "Col", process_rows, process_columns);
  if (context < 0) return -1;
  int rows = 0, columns = 0, row = -1, column = -1;
  info(context, &rows, &columns, &row, &column);
  return row < 0 ? -1 : context;
}

void ScaLapack::release(int context) const {
  if (context >= 0) reinterpret_cast<void (*)(int)>(symbol("Cblacs_gridexit"))(context);
}

Descriptor ScaLapack::descriptor(int context, Index m, Index n, const layout::BlockCyclic& blocks,
                                 Index leading_dimension) {
  return {1,
          context,
          i32(m, "rows"),
          i32(n, "columns"),
          i32(blocks.mb, "mb"),
          i32(blocks.nb, "nb"),
          blocks.row_source,
          blocks.column_source,
          i32(std::max<Index>(1, leading_dimension), "leading dimension")};
}

void ScaLapack::pdgemr2d(Index m, Index n, const double* a, const Descriptor& da, double* b,
                         const Descriptor& db, int all) const {
  using Call = void (*)(int, int, const double*, int, int, const int*, double*, int, int, const int*, int);
  reinterpret_cast<Call>(symbol("Cpdgemr2d"))(i32(m, "m"), i32(n, "n"), a, 1, 1, da.data(), b, 1, 1,
                                              db.data(), all);
}

void ScaLapack::pdtran(Index m, Index n, double alpha, const double* a, const Descriptor& da, double beta,
                       double* c, const Descriptor& dc) const {
  using Call = void (*)(const int*, const int*, const double*, const double*, const int*, const int*,
                        const int*, const double*, double*, const int*, const int*, const int*);
  const int one = 1, mi = i32(m, "m"), ni = i32(n, "n");
  reinterpret_cast<Call>(symbol("pdtran_"))(&mi, &ni, &alpha, a, &one, &one, da.data(), &beta, c, &one, &one,
                                            dc.data());
}

void ScaLapack::pdgemm(Op op_a, Op op_b, const bounds::Product& p, const Operand& a, const Operand& b,
                       const Operand& c) const {
  using Call = void (*)(const char*, const char*, const int*, const int*, const int*, const double*,
                        const double*, const int*, const int*, const int*, const double*, const int*,
                        const int*, const int*, const double*, double*, const int*, const int*, const int*);
  const int m = i32(p.m, "m"), n = i32(p.n, "n"), k = i32(p.k, "k");
  const int ia = i32(a.i + 1, "ia"), ja = i32(a.j + 1, "ja"), ib = i32(b.i + 1, "ib"),
            jb = i32(b.j + 1, "jb"), ic = i32(c.i + 1, "ic"), jc = i32(c.j + 1, "jc");
  const double alpha = 1, beta = 0;
  const auto letter = [](Op op) { return op == Op::none ? "N" : "T"; };
  reinterpret_cast<Call>(symbol("pdgemm_"))(letter(op_a), letter(op_b), &m, &n, &k, &alpha, a.data, &ia, &ja,
                                            a.matrix.data(), b.data, &ib, &jb, b.matrix.data(), &beta, c.data,
                                            &ic, &jc, c.matrix.data());
}

int ScaLapack::pdgetrf(Index m, Index n, const Operand& a, std::vector<int>& ipiv) const {
  using Call = void (*)(const int*, const int*, double*, const int*, const int*, const int*, int*, int*);
  const int mi = i32(m, "m"), ni = i32(n, "n"), one = 1;
  int info = 0;
  reinterpret_cast<Call>(symbol("pdgetrf_"))(&mi, &ni, a.data, &one, &one, a.matrix.data(), ipiv.data(),
                                             &info);
  return info;
}

int ScaLapack::pdpotrf(Index n, const Operand& a) const {
  using Call = void (*)(const char*, const int*, double*, const int*, const int*, const int*, int*);
  const int ni = i32(n, "n"), one = 1;
  int info = 0;
  reinterpret_cast<Call>(symbol("pdpotrf_"))("L", &ni, a.data, &one, &one, a.matrix.data(), &info);
  return info;
}

void ScaLapack::pdgetrs(Index n, Index right_sides, const Operand& a, const std::vector<int>& ipiv,
                        const Operand& b) const {
  using Call = void (*)(const char*, const int*, const int*, const double*, const int*, const int*,
                        const int*, const int*, double*, const int*, const int*, const int*, int*);
  const int ni = i32(n, "n"), nrhs = i32(right_sides, "right sides"), one = 1;
  int info = 0;
  reinterpret_cast<Call>(symbol("pdgetrs_"))("N", &ni, &nrhs, a.data, &one, &one, a.matrix.data(),
                                             ipiv.data(), b.data, &one, &one, b.matrix.data(), &info);
}

void ScaLapack::pdpotrs(Index n, Index right_sides, const Operand& a, const Operand& b) const {
  using Call = void (*)(const char*, const int*, const int*, const double*, const int*, const int*,
                        const int*, double*, const int*, const int*, const int*, int*);
  const int ni = i32(n, "n"), nrhs = i32(right_sides, "right sides"), one = 1;
  int info = 0;
  reinterpret_cast<Call>(symbol("pdpotrs_"))("L", &ni, &nrhs, a.data, &one, &one, a.matrix.data(), b.data,
                                             &one, &one, b.matrix.data(), &info);
}

int ScaLapack::pdgesv(Index n, Index right_sides, const Operand& a, std::vector<int>& ipiv,
                      const Operand& b) const {
  using Call = void (*)(const int*, const int*, double*, const int*, const int*, const int*, int*, double*,
                        const int*, const int*, const int*, int*);
  const int ni = i32(n, "n"), nrhs = i32(right_sides, "right sides"), one = 1;
  int info = 0;
  reinterpret_cast<Call>(symbol("pdgesv_"))(&ni, &nrhs, a.data, &one, &one, a.matrix.data(), ipiv.data(),
                                            b.data, &one, &one, b.matrix.data(), &info);
  return info;
}

int ScaLapack::pdposv(Index n, Index right_sides, const Operand& a, const Operand& b) const {
  using Call = void (*)(const char*, const int*, const int*, double*, const int*, const int*, const int*,
                        double*, const int*, const int*, const int*, int*);
  const int ni = i32(n, "n"), nrhs = i32(right_sides, "right sides"), one = 1;
  int info = 0;
  reinterpret_cast<Call>(symbol("pdposv_"))("L", &ni, &nrhs, a.data, &one, &one, a.matrix.data(), b.data,
                                            &one, &one, b.matrix.data(), &info);
  return info;
}

}  // namespace cairn::bench
