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

Descriptor ScaLapack::descriptor(int context, Index m, Index n, Index mb, Index nb, Index leading_dimension) {
  return {1,
          context,
          i32(m, "rows"),
          i32(n, "columns"),
          i32(mb, "mb"),
          i32(nb, "nb"),
          0,
          0,
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

void ScaLapack::pdgemm(Index m, Index n, Index k, const double* a, const Descriptor& da, const double* b,
                       const Descriptor& db, double* c, const Descriptor& dc) const {
  using Call = void (*)(const char*, const char*, const int*, const int*, const int*, const double*,
                        const double*, const int*, const int*, const int*, const double*, const int*,
                        const int*, const int*, const double*, double*, const int*, const int*, const int*);
  const int one = 1, mi = i32(m, "m"), ni = i32(n, "n"), ki = i32(k, "k");
  const double alpha = 1, beta = 0;
  reinterpret_cast<Call>(symbol("pdgemm_"))("N", "N", &mi, &ni, &ki, &alpha, a, &one, &one, da.data(), b,
                                            &one, &one, db.data(), &beta, c, &one, &one, dc.data());
}

}  // namespace cairn::bench
