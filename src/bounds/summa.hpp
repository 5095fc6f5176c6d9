// Matrix-vector operations and the stationary A, B and C families on 2D and 3D meshes: paper 003 ("Parallel
// Matrix Multiplication: A Systematic Journey"), sections 4, 6 and 7. Every cost is a sum of collectives;
// load imbalance is left out, as there.
#pragma once

#include "bounds/product.hpp"

namespace cairn::bounds::summa {

// A d0 x d1 x h mesh of ranks; h = 1 is 2D.
struct Mesh {
  Index d0 = 1;
  Index d1 = 1;
  Index h = 1;
};
constexpr Index ranks(const Mesh& mesh) { return mesh.d0 * mesh.d1 * mesh.h; }

// y := A x, section 4.4 and eq. (4.2), with the ceilings of its first line: allgather of x within columns,
// product, reduce-scatter of y within rows. A is m x n, elemental.
Cost gemv(Index m, Index n, const Mesh& mesh);

// x := A^T y: allgather of y within rows, product, reduce-scatter of x within columns. The paper prints
// (d1-1)/d1 n/d0 + (d0-1)/d0 m/d1, with m and n exchanged: y has m entries and its part in a row of ranks is
// m/d0 of them. It is gemv of the transposed matrix on the transposed mesh.
Cost gemv_transposed(Index m, Index n, const Mesh& mesh);

// A := A + y x^T, section 4.4: allgather of y within rows and of x within columns.
Cost ger(Index m, Index n, const Mesh& mesh);

enum class Stationary { a, b, c };

// eSUMMA2D-X, sections 6.1 and 6.2, in panels of width `block` (b_alg). C stays: A is gathered within rows,
// B within columns. A stays: B goes all-to-all within rows, permuted (if the mesh has rows and columns),
// gathered within columns; C is reduce-scattered within rows. B stays: the transpose of that, A(m,n,d0,d1) =
// B(n,m,d1,d0); left to the reader in section 6.4. The paper charges the all-to-all nk/d0 words per rank, what
// a whole row of ranks holds; a rank holds nk/(d0 d1), and that is charged here.
Cost summa_2d(Stationary x, const Product& p, const Mesh& mesh, double block);

// eSUMMA3D-X, sections 7.1 to 7.3: everything starts and ends on layer 0. C stays: A and B are scattered over
// the layers, C is reduced to layer 0 (eqs. 7.1 to 7.3). A (B) stays: it is broadcast to the layers, C and
// the other factor are scattered, C is gathered. h = 1 is summa_2d.
Cost summa_3d(Stationary x, const Product& p, const Mesh& mesh, double block);

// The h with the fewest words of eSUMMA3D-C for m = n = k and d0 = d1 = sqrt(p/h), latency left out:
// p^(1/3) / (3 + K)^(2/3), K = gamma / beta. Section 7.1.
double best_layers_square(Index ranks, double gamma_over_beta);

struct Choice {
  Stationary stationary = Stationary::c;
  Mesh mesh;
  Cost cost;
};
// The cheapest of all meshes d0 x d1 x h = ranks and all three families on this machine, by trying them all.
Choice best(const Product& p, Index ranks, double block, const Machine& machine);

}  // namespace cairn::bounds::summa
