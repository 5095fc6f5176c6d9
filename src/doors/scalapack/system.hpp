// What the routines that factor and solve share: the matrices of A X = B as ScaLAPACK wants them, and small steps.
#pragma once

#include <limits>
#include <vector>

#include "cairn/factor.hpp"
#include "doors/scalapack/call.hpp"

namespace cairn::scalapack {

// A matrix argument, as it comes.
struct Argument {
  const int *i, *j, *descriptor;
};

// A, which is factored or inverted, and the right-hand sides, of an operation that has them.
struct System {
  ProcessGrid processes;
  std::optional<SubMatrix> a = {}, b = {};
  bool is_sound = false;
};
// ScaLAPACK factors matrices of square blocks, from the first element of a block on; right-hand sides have blocks of as
// many rows, and begin on the same process row.
System system_of(const ProcessGrid& processes, const Argument& a, Index m, Index n);
System system_of(const ProcessGrid& processes, const Argument& a, Index n, const Argument& b, Index columns);

FactorOptions factor_options(Grid& grid);

// A job of this system that asks the others. What tells calls apart is the same where they are not sound.
template <class Predict, class Run>
std::optional<Job> system_job(const System& s, const Request& r, Predict predict, Run run) {
  if (r.shape.m < 1 || r.shape.n < 1) return {};
  Grid::Question question{r.shape.m, r.shape.n, r.shape.k, r.block};
  return Job{.processes = s.processes,
             .question = std::move(question),
             .predict = std::move(predict),
             .run = std::move(run),
             .is_sound = s.is_sound,
             .ask_others = true};
}

template <Scalar T>
Request request_of(const int* descriptor, const Shape& shape) {
  return {descriptor[1], block_of(descriptor), shape, weight_of<T>()};
}

// Entries of ipiv of this process for the swaps of all rows, and back. Collective: the number of swaps in words.
void write_swaps(const SubMatrix& a, const ProcessGrid& processes, const std::vector<Index>& swaps,
                 int* ipiv);
std::vector<Index> read_permutation(const SubMatrix& a, const ProcessGrid& processes, Index n,
                                    const int* ipiv);

// 0, or the first i + 1 for which element (i, i) is zero. Collective.
template <Scalar T>
int first_zero(const Matrix<T>& x, int context) {
  int first = std::numeric_limits<int>::max();
  x.for_each_strip([&](Index row, Index column, Index count, const T* data, Index stride) {
    if (column < row || column >= row + count || data[(column - row) * stride] != T(0)) return;
    first = std::min(first, static_cast<int>(column) + 1);
  });
  least_of_all(context, {&first, 1});
  return first == std::numeric_limits<int>::max() ? 0 : first;
}

// Local. The triangle of `from` to `to`, which lies in the same layout; the other one is left as it is.
template <Scalar T>
void copy_triangle(Triangle triangle, const Matrix<T>& from, const Matrix<T>& to) {
  std::vector<std::pair<const T*, Index>> strips;
  from.for_each_strip(
      [&](Index, Index, Index, const T* data, Index stride) { strips.emplace_back(data, stride); });
  auto next = strips.begin();
  to.for_each_strip([&](Index row, Index column, Index count, T* data, Index stride) {
    const auto [source, step] = *next++;
    const Index diagonal = std::clamp<Index>(column - row, 0, count);  // of this strip
    const bool below = triangle == Triangle::lower;
    const Index end = below ? count : std::min(count, column >= row ? column - row + 1 : Index{0});
    for (Index i = below ? diagonal : 0; i < end; ++i) data[i * stride] = source[i * step];
  });
}

}  // namespace cairn::scalapack
