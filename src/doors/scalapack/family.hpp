// The routines, one template each over the scalar types. Arguments are ScaLAPACK's, in its order; symbols.cpp gives them
// their names. A matrix X is its memory, the first row IX and column JX, and the descriptor.
#pragma once

#include "cairn/types.hpp"

namespace cairn::scalapack {

// C := alpha op(A) op(B) + beta C
template <Scalar T>
void gemm(const char* op_a, const char* op_b, const int* m, const int* n, const int* k, const T* alpha,
          const T* a, const int* ia, const int* ja, const int* da, const T* b, const int* ib, const int* jb,
          const int* db, const T* beta, T* c, const int* ic, const int* jc, const int* dc);

// C := alpha op(A) + beta C
template <Scalar T>
void geadd(const char* op, const int* m, const int* n, const T* alpha, const T* a, const int* ia,
           const int* ja, const int* da, const T* beta, T* c, const int* ic, const int* jc, const int* dc);

// C := alpha A^T + beta C (tran, tranu), C := alpha A^H + beta C (tranc)
enum class Tran { tran, tranu, tranc };
template <Scalar T, Tran Kind>
void transpose(const int* m, const int* n, const T* alpha, const T* a, const int* ia, const int* ja,
               const int* da, const T* beta, T* c, const int* ic, const int* jc, const int* dc);

// B := A, of two contexts. The `o` variants, which name no context of both, give a null pointer.
template <Scalar T>
void gemr2d(const int* m, const int* n, const T* a, const int* ia, const int* ja, const int* da, T* b,
            const int* ib, const int* jb, const int* db, const int* context);
template <Scalar T>
void gemr2do(const int* m, const int* n, const T* a, const int* ia, const int* ja, const int* da, T* b,
             const int* ib, const int* jb, const int* db);
// The same for C, by value.
template <Scalar T>
void c_gemr2d(int m, int n, const T* a, int ia, int ja, const int* da, T* b, int ib, int jb, const int* db,
              int context);
template <Scalar T>
void c_gemr2do(int m, int n, const T* a, int ia, int ja, const int* da, T* b, int ib, int jb, const int* db);

// B := alpha op(A)^-1 B or alpha B op(A)^-1
template <Scalar T>
void trsm(const char* side, const char* uplo, const char* op, const char* diag, const int* m, const int* n,
          const T* alpha, const T* a, const int* ia, const int* ja, const int* da, T* b, const int* ib,
          const int* jb, const int* db);

// B := alpha op(A) B or alpha B op(A), A triangular
template <Scalar T>
void trmm(const char* side, const char* uplo, const char* op, const char* diag, const int* m, const int* n,
          const T* alpha, const T* a, const int* ia, const int* ja, const int* da, T* b, const int* ib,
          const int* jb, const int* db);

// C := alpha A B + beta C or alpha B A + beta C, A symmetric (symm) or Hermitian (hemm)
template <Scalar T, bool Hermitian>
void symm(const char* side, const char* uplo, const int* m, const int* n, const T* alpha, const T* a,
          const int* ia, const int* ja, const int* da, const T* b, const int* ib, const int* jb,
          const int* db, const T* beta, T* c, const int* ic, const int* jc, const int* dc);

// C := alpha op(A) op(A)^T + beta C (syrk); with ^H, alpha and beta real (herk)
template <Scalar T>
void syrk(const char* uplo, const char* op, const int* n, const int* k, const T* alpha, const T* a,
          const int* ia, const int* ja, const int* da, const T* beta, T* c, const int* ic, const int* jc,
          const int* dc);
template <Scalar T>
void herk(const char* uplo, const char* op, const int* n, const int* k,
          const typename ScalarTraits<T>::Real* alpha, const T* a, const int* ia, const int* ja,
          const int* da, const typename ScalarTraits<T>::Real* beta, T* c, const int* ic, const int* jc,
          const int* dc);

// P A = L U, and what is made of it.
template <Scalar T>
void getrf(const int* m, const int* n, T* a, const int* ia, const int* ja, const int* da, int* ipiv,
           int* info);
template <Scalar T>
void getrs(const char* op, const int* n, const int* nrhs, const T* a, const int* ia, const int* ja,
           const int* da, const int* ipiv, T* b, const int* ib, const int* jb, const int* db, int* info);
template <Scalar T>
void getri(const int* n, T* a, const int* ia, const int* ja, const int* da, const int* ipiv, T* work,
           const int* lwork, int* iwork, const int* liwork, int* info);
template <Scalar T>
void gesv(const int* n, const int* nrhs, T* a, const int* ia, const int* ja, const int* da, int* ipiv, T* b,
          const int* ib, const int* jb, const int* db, int* info);

// A = L L^H or U^H U, and what is made of it.
template <Scalar T>
void potrf(const char* uplo, const int* n, T* a, const int* ia, const int* ja, const int* da, int* info);
template <Scalar T>
void potrs(const char* uplo, const int* n, const int* nrhs, const T* a, const int* ia, const int* ja,
           const int* da, T* b, const int* ib, const int* jb, const int* db, int* info);
template <Scalar T>
void potri(const char* uplo, const int* n, T* a, const int* ia, const int* ja, const int* da, int* info);
template <Scalar T>
void posv(const char* uplo, const int* n, const int* nrhs, T* a, const int* ia, const int* ja, const int* da,
          T* b, const int* ib, const int* jb, const int* db, int* info);

}  // namespace cairn::scalapack
