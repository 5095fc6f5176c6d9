// The names under which programs call the family. Each routine is one line of the tables at the end, for each scalar
// type that has it; its parameters and arguments are written down once, by kind of signature.
//
// cairn_pdgemm_ and its manglings are always ours; pdgemm_ and its manglings stand before those of ScaLAPACK where this
// library comes first: by the order of linking, or by LD_PRELOAD.
#include <mpi.h>

#include "cairn/export.hpp"
#include "cairn/scalapack.h"
#include "doors/scalapack/call.hpp"
#include "doors/scalapack/family.hpp"
#include "doors/scalapack/mode.hpp"
#include "doors/scalapack/original.hpp"
#include "doors/scalapack/report.hpp"

// clang-format off
#define CAIRN_MATRIX(T, x) T *x, const int *i##x, const int *j##x, const int *d##x
#define CAIRN_NAMES(x) x, i##x, j##x, d##x

// (parameters), (arguments) of each kind of signature.
#define CAIRN_PARAMETERS_GEMM(T) const char *op_a, const char *op_b, const int *m, const int *n, const int *k, const T *alpha, CAIRN_MATRIX(const T, a), CAIRN_MATRIX(const T, b), const T *beta, CAIRN_MATRIX(T, c)
#define CAIRN_ARGUMENTS_GEMM op_a, op_b, m, n, k, alpha, CAIRN_NAMES(a), CAIRN_NAMES(b), beta, CAIRN_NAMES(c)
#define CAIRN_PARAMETERS_GEADD(T) const char *op, const int *m, const int *n, const T *alpha, CAIRN_MATRIX(const T, a), const T *beta, CAIRN_MATRIX(T, c)
#define CAIRN_ARGUMENTS_GEADD op, m, n, alpha, CAIRN_NAMES(a), beta, CAIRN_NAMES(c)
#define CAIRN_PARAMETERS_TRAN(T) const int *m, const int *n, const T *alpha, CAIRN_MATRIX(const T, a), const T *beta, CAIRN_MATRIX(T, c)
#define CAIRN_ARGUMENTS_TRAN m, n, alpha, CAIRN_NAMES(a), beta, CAIRN_NAMES(c)
#define CAIRN_PARAMETERS_GEMR2D(T) const int *m, const int *n, CAIRN_MATRIX(const T, a), CAIRN_MATRIX(T, b), const int *context
#define CAIRN_ARGUMENTS_GEMR2D m, n, CAIRN_NAMES(a), CAIRN_NAMES(b), context
#define CAIRN_PARAMETERS_GEMR2DO(T) const int *m, const int *n, CAIRN_MATRIX(const T, a), CAIRN_MATRIX(T, b)
#define CAIRN_ARGUMENTS_GEMR2DO m, n, CAIRN_NAMES(a), CAIRN_NAMES(b)
#define CAIRN_PARAMETERS_TRSM(T) const char *side, const char *uplo, const char *op, const char *diag, const int *m, const int *n, const T *alpha, CAIRN_MATRIX(const T, a), CAIRN_MATRIX(T, b)
#define CAIRN_ARGUMENTS_TRSM side, uplo, op, diag, m, n, alpha, CAIRN_NAMES(a), CAIRN_NAMES(b)
#define CAIRN_PARAMETERS_SYMM(T) const char *side, const char *uplo, const int *m, const int *n, const T *alpha, CAIRN_MATRIX(const T, a), CAIRN_MATRIX(const T, b), const T *beta, CAIRN_MATRIX(T, c)
#define CAIRN_ARGUMENTS_SYMM side, uplo, m, n, alpha, CAIRN_NAMES(a), CAIRN_NAMES(b), beta, CAIRN_NAMES(c)
#define CAIRN_PARAMETERS_SYRK(T) const char *uplo, const char *op, const int *n, const int *k, const T *alpha, CAIRN_MATRIX(const T, a), const T *beta, CAIRN_MATRIX(T, c)
#define CAIRN_ARGUMENTS_SYRK uplo, op, n, k, alpha, CAIRN_NAMES(a), beta, CAIRN_NAMES(c)
#define CAIRN_PARAMETERS_HERK(T) const char *uplo, const char *op, const int *n, const int *k, const T::value_type *alpha, CAIRN_MATRIX(const T, a), const T::value_type *beta, CAIRN_MATRIX(T, c)
#define CAIRN_ARGUMENTS_HERK CAIRN_ARGUMENTS_SYRK
#define CAIRN_PARAMETERS_GETRF(T) const int *m, const int *n, CAIRN_MATRIX(T, a), int *ipiv, int *info
#define CAIRN_ARGUMENTS_GETRF m, n, CAIRN_NAMES(a), ipiv, info
#define CAIRN_PARAMETERS_GETRS(T) const char *op, const int *n, const int *nrhs, CAIRN_MATRIX(const T, a), const int *ipiv, CAIRN_MATRIX(T, b), int *info
#define CAIRN_ARGUMENTS_GETRS op, n, nrhs, CAIRN_NAMES(a), ipiv, CAIRN_NAMES(b), info
#define CAIRN_PARAMETERS_GETRI(T) const int *n, CAIRN_MATRIX(T, a), const int *ipiv, T *work, const int *lwork, int *iwork, const int *liwork, int *info
#define CAIRN_ARGUMENTS_GETRI n, CAIRN_NAMES(a), ipiv, work, lwork, iwork, liwork, info
#define CAIRN_PARAMETERS_GESV(T) const int *n, const int *nrhs, CAIRN_MATRIX(T, a), int *ipiv, CAIRN_MATRIX(T, b), int *info
#define CAIRN_ARGUMENTS_GESV n, nrhs, CAIRN_NAMES(a), ipiv, CAIRN_NAMES(b), info
#define CAIRN_PARAMETERS_POTRF(T) const char *uplo, const int *n, CAIRN_MATRIX(T, a), int *info
#define CAIRN_ARGUMENTS_POTRF uplo, n, CAIRN_NAMES(a), info
#define CAIRN_PARAMETERS_POTRS(T) const char *uplo, const int *n, const int *nrhs, CAIRN_MATRIX(const T, a), CAIRN_MATRIX(T, b), int *info
#define CAIRN_ARGUMENTS_POTRS uplo, n, nrhs, CAIRN_NAMES(a), CAIRN_NAMES(b), info
#define CAIRN_PARAMETERS_POSV(T) const char *uplo, const int *n, const int *nrhs, CAIRN_MATRIX(T, a), CAIRN_MATRIX(T, b), int *info
#define CAIRN_ARGUMENTS_POSV CAIRN_ARGUMENTS_POTRS
#define CAIRN_PARAMETERS_EXIT(T) const int *context
#define CAIRN_ARGUMENTS_EXIT context

using Complex32 = std::complex<float>;
using Complex64 = std::complex<double>;

// One routine: lower and upper case of its name, and what answers it.
#define CAIRN_SYMBOL(name, NAME, parameters, arguments, function)                                                    \
  extern "C" {                                                                                                      \
  CAIRN_EXPORT void cairn_##name##_(parameters) { function(arguments); }                                             \
  CAIRN_EXPORT __attribute__((alias("cairn_" #name "_"))) decltype(cairn_##name##_)                                  \
      cairn_##name, cairn_##name##__, CAIRN_##NAME, name##_, name, name##__, NAME;                                  \
  }

#define CAIRN_REAL(kind, name, NAME, function)                                                                       \
  CAIRN_SYMBOL(ps##name, PS##NAME, CAIRN_PARAMETERS_##kind(float), CAIRN_ARGUMENTS_##kind, function(float))          \
  CAIRN_SYMBOL(pd##name, PD##NAME, CAIRN_PARAMETERS_##kind(double), CAIRN_ARGUMENTS_##kind, function(double))
#define CAIRN_COMPLEX(kind, name, NAME, function)                                                                    \
  CAIRN_SYMBOL(pc##name, PC##NAME, CAIRN_PARAMETERS_##kind(Complex32), CAIRN_ARGUMENTS_##kind, function(Complex32))  \
  CAIRN_SYMBOL(pz##name, PZ##NAME, CAIRN_PARAMETERS_##kind(Complex64), CAIRN_ARGUMENTS_##kind, function(Complex64))
#define CAIRN_ALL(kind, name, NAME, function) CAIRN_REAL(kind, name, NAME, function) CAIRN_COMPLEX(kind, name, NAME, function)

// The C interface passes numbers by value; it has one mangling.
#define CAIRN_C_SYMBOL(name, parameters, arguments, function)                                                        \
  extern "C" {                                                                                                      \
  CAIRN_EXPORT void cairn_##name parameters { function arguments; }                                                  \
  CAIRN_EXPORT __attribute__((alias("cairn_" #name))) decltype(cairn_##name) name;                                  \
  }
#define CAIRN_C_MOVE(letter, T)                                                                                      \
  CAIRN_C_SYMBOL(Cp##letter##gemr2d, (int m, int n, const T *a, int ia, int ja, const int *da, T *b, int ib, int jb, \
                 const int *db, int context), (m, n, a, ia, ja, da, b, ib, jb, db, context), s::c_gemr2d)           \
  CAIRN_C_SYMBOL(Cp##letter##gemr2do, (int m, int n, const T *a, int ia, int ja, const int *da, T *b, int ib, int jb, \
                 const int *db), (m, n, a, ia, ja, da, b, ib, jb, db), s::c_gemr2do)

namespace s = cairn::scalapack;

#define CAIRN_GEMM(T) s::gemm<T>
#define CAIRN_GEADD(T) s::geadd<T>
#define CAIRN_TRAN(T) s::transpose<T, s::Tran::tran>
#define CAIRN_TRANU(T) s::transpose<T, s::Tran::tranu>
#define CAIRN_TRANC(T) s::transpose<T, s::Tran::tranc>
#define CAIRN_GEMR2D(T) s::gemr2d<T>
#define CAIRN_GEMR2DO(T) s::gemr2do<T>
#define CAIRN_TRSM(T) s::trsm<T>
#define CAIRN_TRMM(T) s::trmm<T>
#define CAIRN_SYMM(T) s::symm<T, false>
#define CAIRN_HEMM(T) s::symm<T, true>
#define CAIRN_SYRK(T) s::syrk<T>
#define CAIRN_HERK(T) s::herk<T>
#define CAIRN_GETRF(T) s::getrf<T>
#define CAIRN_GETRS(T) s::getrs<T>
#define CAIRN_GETRI(T) s::getri<T>
#define CAIRN_GESV(T) s::gesv<T>
#define CAIRN_POTRF(T) s::potrf<T>
#define CAIRN_POTRS(T) s::potrs<T>
#define CAIRN_POTRI(T) s::potri<T>
#define CAIRN_POSV(T) s::posv<T>

// ---- the family
CAIRN_ALL(GEMM, gemm, GEMM, CAIRN_GEMM)
CAIRN_ALL(GEADD, geadd, GEADD, CAIRN_GEADD)
CAIRN_REAL(TRAN, tran, TRAN, CAIRN_TRAN)
CAIRN_COMPLEX(TRAN, tranu, TRANU, CAIRN_TRANU)
CAIRN_COMPLEX(TRAN, tranc, TRANC, CAIRN_TRANC)
CAIRN_ALL(GEMR2D, gemr2d, GEMR2D, CAIRN_GEMR2D)
CAIRN_ALL(GEMR2DO, gemr2do, GEMR2DO, CAIRN_GEMR2DO)
CAIRN_C_MOVE(s, float)
CAIRN_C_MOVE(d, double)
CAIRN_C_MOVE(c, Complex32)
CAIRN_C_MOVE(z, Complex64)
CAIRN_ALL(TRSM, trsm, TRSM, CAIRN_TRSM)
CAIRN_ALL(TRSM, trmm, TRMM, CAIRN_TRMM)
CAIRN_ALL(SYMM, symm, SYMM, CAIRN_SYMM)
CAIRN_COMPLEX(SYMM, hemm, HEMM, CAIRN_HEMM)
CAIRN_ALL(SYRK, syrk, SYRK, CAIRN_SYRK)
CAIRN_COMPLEX(HERK, herk, HERK, CAIRN_HERK)
CAIRN_ALL(GETRF, getrf, GETRF, CAIRN_GETRF)
CAIRN_ALL(GETRS, getrs, GETRS, CAIRN_GETRS)
CAIRN_ALL(GETRI, getri, GETRI, CAIRN_GETRI)
CAIRN_ALL(GESV, gesv, GESV, CAIRN_GESV)
CAIRN_ALL(POTRF, potrf, POTRF, CAIRN_POTRF)
CAIRN_ALL(POTRS, potrs, POTRS, CAIRN_POTRS)
CAIRN_ALL(POTRF, potri, POTRI, CAIRN_POTRI)
CAIRN_ALL(POSV, posv, POSV, CAIRN_POSV)
// clang-format on

// ---- the end of a context: what is kept for it goes first
namespace {

void end_grid(const int* context) {
  static const s::Routine routine("blacs_gridexit");
  s::forget_grid(*context);
  s::call_original(routine.original(), context);
}
void end_c_grid(int context) {
  static const s::Routine routine("Cblacs_gridexit");
  s::forget_grid(context);
  s::call_original(routine.original(), context);
}
void end_blacs(const int* go_on) {
  static const s::Routine routine("blacs_exit");
  s::forget_all_grids();
  s::call_original(routine.original(), go_on);
}
void end_c_blacs(int go_on) {
  static const s::Routine routine("Cblacs_exit");
  s::forget_all_grids();
  s::call_original(routine.original(), go_on);
}

}  // namespace

CAIRN_SYMBOL(blacs_gridexit, BLACS_GRIDEXIT, const int* context, context, end_grid)
CAIRN_SYMBOL(blacs_exit, BLACS_EXIT, const int* go_on, go_on, end_blacs)
CAIRN_C_SYMBOL(Cblacs_gridexit, (int context), (context), end_c_grid)
CAIRN_C_SYMBOL(Cblacs_exit, (int go_on), (go_on), end_c_blacs)

// ---- include/cairn/scalapack.h
extern "C" {
CAIRN_EXPORT int cairn_scalapack_set_mode(const char* mode) {
  return mode != nullptr && s::set_mode(mode) ? 0 : 1;
}
CAIRN_EXPORT const char* cairn_scalapack_mode(void) { return s::mode_name().data(); }
CAIRN_EXPORT void cairn_scalapack_counts(long long* ours, long long* passed_on) {
  const s::Counts counts = s::counts();
  if (ours != nullptr) *ours = counts.ours;
  if (passed_on != nullptr) *passed_on = counts.passed_on;
}
}
