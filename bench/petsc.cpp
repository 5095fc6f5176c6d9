#include "bench/petsc.hpp"

#include <dlfcn.h>

#include <array>
#include <vector>

namespace cairn::bench {
namespace {

// Numbers of its C interface: MAT_INITIAL_MATRIX, PETSC_DEFAULT, MAT_GLOBAL_SUM; the third of MatInfo's numbers is
// nz_used. Debian's indices have 32 bits.
constexpr int initial_matrix = 0, global_sum = 3;
constexpr double default_fill = -2;
constexpr std::size_t nz_used = 2;

void check_code(int code, const char* call) {
  require<IoError>(code == 0, "PETSc: {} returned {}", call, code);
}

}  // namespace

Petsc::Petsc() {
#ifdef OPEN_MPI  // Debian's is linked with Open MPI
  for (const char* const name : {"libpetsc_real.so.3.18", "libpetsc_real.so.3.19", "libpetsc_real.so"}) {
    library_ = name;
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) break;
  }
#endif
  require<IoError>(handle_ != nullptr,
                   "PETSc is not installed for this MPI (Debian: libpetsc-real3.18, Open MPI)");
  check_code(function<int()>("PetscInitializeNoArguments")(), "PetscInitializeNoArguments");
}

Petsc::~Petsc() { function<int()>("PetscFinalize")(); }

template <class F>
F* Petsc::function(const char* name) const {
  void* const found = dlsym(handle_, name);
  require<IoError>(found != nullptr, "{} has no {}", library_, name);
  return reinterpret_cast<F*>(found);
}

Petsc::Matrix::Matrix(const Petsc& library, comm::CommView comm, const sparse::Csr<double>& rows,
                      Index all_rows)
    : library_(library) {
  std::vector<int> starts;
  for (const Index s : rows.starts) starts.push_back(narrow<int>(s, "entries of PETSc's rows"));
  const std::vector<int> columns(rows.columns_of.begin(), rows.columns_of.end());
  using Create = int(MPI_Comm, int, int, int, int, const int*, const int*, const double*, void**);
  constexpr int decide = -1;
  check_code(
      library.function<Create>("MatCreateMPIAIJWithArrays")(
          comm.handle(), narrow<int>(rows.rows, "rows"), decide, narrow<int>(all_rows, "rows"),
          narrow<int>(rows.columns, "columns"), starts.data(), columns.data(), rows.values.data(), &handle_),
      "MatCreateMPIAIJWithArrays");
}

Petsc::Matrix::Matrix(const Petsc& library, const Matrix& a, const Matrix& b) : library_(library) {
  using Multiply = int(void*, void*, int, double, void**);
  check_code(
      library.function<Multiply>("MatMatMult")(a.handle_, b.handle_, initial_matrix, default_fill, &handle_),
      "MatMatMult");
}

Petsc::Matrix::~Matrix() { library_.function<int(void**)>("MatDestroy")(&handle_); }

Index Petsc::Matrix::entries() const {
  std::array<double, 16> info{};
  check_code(library_.function<int(void*, int, double*)>("MatGetInfo")(handle_, global_sum, info.data()),
             "MatGetInfo");
  return static_cast<Index>(info[nz_used]);
}

}  // namespace cairn::bench
