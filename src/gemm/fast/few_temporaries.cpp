// Winograd's form with few temporaries. Blocks are numbered by rows: 0, 1, 2, 3 are 11, 12, 21, 22.
//
//   S1 = A21 + A22   T1 = B12 - B11   P1 = A11 B11  P5 = S1 T1   C11 = P1 + P2
//   S2 = S1 - A11    T2 = B22 - T1    P2 = A12 B21  P6 = S2 T2   U2 = P1 + P6, U3 = U2 + P7, U4 = U2 + P5
//   S3 = A11 - A21   T3 = B22 - B12   P3 = S4 B22   P7 = S3 T3   C12 = U4 + P3
//   S4 = A12 - S2    T4 = T2 - B21    P4 = A22 T4                C21 = U3 - P4,  C22 = U3 + P5
#include "gemm/fast/recipe.hpp"

namespace cairn::gemm::fast {
namespace {

using Role = BlockPlace::Role;

BlockPlace a(int i) { return {Role::a, i}; }
BlockPlace b(int i) { return {Role::b, i}; }
BlockPlace c(int i) { return {Role::c, i}; }
constexpr BlockPlace x{Role::temporary, 0}, y{Role::temporary, 1}, z{Role::temporary, 2};

// to := p + q, or p - q.
SumPassStep sum(Matrix shape, BlockPlace to, BlockPlace p, Index sign, BlockPlace q) {
  return {shape, {2, {{0, 1, 1, sign}}, {2}}, {p, q}, {to}};
}
SumPassStep left(BlockPlace p, Index sign, BlockPlace q) { return sum(Matrix::a, x, p, sign, q); }
SumPassStep right(BlockPlace p, Index sign, BlockPlace q) { return sum(Matrix::b, y, p, sign, q); }

// P1 in X, P6 in C12, P7 in C21, P5 in C22, P3 in C11 -> C12 and C22 as they end, U3 in C21, P1 in C11.
SumPassStep five_additions() {
  const Sums sums{5,
                  {{0, 1, 1, 1},   // 5: U2 = P1 + P6
                   {5, 2, 1, 1},   // 6: U3 = U2 + P7
                   {5, 3, 1, 1},   // 7: U4 = U2 + P5
                   {6, 3, 1, 1},   // 8: U3 + P5
                   {7, 4, 1, 1}},  // 9: U4 + P3
                  {0, 9, 6, 8}};
  return {Matrix::c, sums, {x, c(1), c(2), c(3), c(0)}, {c(0), c(1), c(2), c(3)}};
}

Recipe two_temporaries() {
  return {2,
          2,
          2,
          {{true, false, true}, {false, true, false}},
          {left(a(0), -1, a(2)), right(b(3), -1, b(1)), ProductStep{x, y, c(2)},  // S3, T3, P7
           left(a(2), 1, a(3)), right(b(1), -1, b(0)), ProductStep{x, y, c(3)},   // S1, T1, P5
           left(x, -1, a(0)), right(b(3), -1, y), ProductStep{x, y, c(1)},        // S2, T2, P6
           left(a(1), -1, x), ProductStep{x, b(3), c(0)},                         // S4, P3
           ProductStep{a(0), b(0), x},                                            // P1
           five_additions(), right(y, -1, b(2)),                                  // T4
           ProductStep{a(3), y, c(2), -1, 1},                                     // C21 -= P4
           ProductStep{a(1), b(2), c(0), 1, 1}}};                                 // C11 += P2
}

// to := beta to + p for each `to`.
SumPassStep add_to_kept(const std::vector<BlockPlace>& to, BlockPlace p) {
  SumPassStep pass{.shape = Matrix::c, .inputs = to, .outputs = to, .keeps = true};
  const int last = static_cast<int>(to.size());
  pass.inputs.push_back(p);
  pass.sums.inputs = last + 1;
  for (int i = 0; i < last; ++i) {
    pass.sums.steps.push_back({i, last, 1, 1});
    pass.sums.outputs.push_back(last + 1 + i);
  }
  return pass;
}

// U3 in Z: C21 := U3 - C21, C22 := U3 + C22.
SumPassStep last_additions() {
  return {Matrix::c, {3, {{0, 1, 1, -1}, {0, 2, 1, 1}}, {3, 4}}, {z, c(2), c(3)}, {c(2), c(3)}};
}

Recipe three_temporaries() {
  return {2,
          2,
          2,
          {{true, false, false}, {false, true, false}, {false, false, true}},
          {left(a(2), 1, a(3)), right(b(1), -1, b(0)), ProductStep{x, y, z},     // S1, T1, P5
           add_to_kept({c(1), c(3)}, z),                                         // C12, C22 := beta C + P5
           left(x, -1, a(0)), right(b(3), -1, y), ProductStep{a(0), b(0), z},    // S2, T2, P1
           add_to_kept({c(0)}, z), ProductStep{x, y, z, 1, 1},                   // U2 = P1 + P6
           ProductStep{a(1), b(2), c(0), 1, 1},                                  // C11 += P2
           left(a(1), -1, x), right(y, -1, b(2)),                                // S4, T4
           ProductStep{x, b(3), c(1), 1, 1},                                     // C12 += P3
           sum(Matrix::c, c(1), z, 1, c(1)),                                     // C12 += U2
           ProductStep{.a = a(3), .b = y, .c = c(2), .keep = -1, .beta = true},  // P4 - beta C21
           left(a(0), -1, a(2)), right(b(3), -1, b(1)),                          // S3, T3
           ProductStep{x, y, z, 1, 1}, last_additions()}};                       // U3 = U2 + P7
}

}  // namespace

Recipe few_temporaries(bool keeps) { return keeps ? three_temporaries() : two_temporaries(); }

}  // namespace cairn::gemm::fast
