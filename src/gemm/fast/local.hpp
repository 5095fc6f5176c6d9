// C := alpha op(A) op(B) + beta C on one process by levels of fast products, BLAS at the end. Everything is
// decided before: the levels, what is peeled off so that the rest divides, the workspace.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/workers.hpp"
#include "gemm/fast/recipe.hpp"

namespace cairn::gemm::fast {

// One level: what is done where C is new and where it is kept.
struct Level {
  std::shared_ptr<const Bilinear> algorithm;
  std::shared_ptr<const Recipe> fresh;
  std::shared_ptr<const Recipe> kept;

  const Recipe& recipe(bool keeps) const { return keeps ? *kept : *fresh; }
};
// Temporaries: all sums at once, which passes over memory least; or few (one product at a time; Winograd's form
// has a schedule of its own).
enum class Temporaries : std::uint8_t { one_pass, few };
Level level_of(std::shared_ptr<const Bilinear> algorithm, Temporaries temporaries = Temporaries::one_pass);
// "winograd" with either temporaries, made once in a process.
const Level& winograd_level(Temporaries temporaries);

struct LocalProduct {
  Index m = 0;
  Index n = 0;
  Index k = 0;
  Op op_a = Op::none;
  Op op_b = Op::none;
  std::vector<Level> levels = {};  // outermost first; none: BLAS
};

// What the levels divide: m, n and k less the remainders by the product of the levels' parts. The rest is
// peeled: done by BLAS.
struct Core {
  Index m = 0, n = 0, k = 0;
};
Core core_of(const LocalProduct& p);

// Elements of workspace, for C that is new (beta = 0) or kept.
Index workspace_elements(const LocalProduct& p, bool keeps);
Index most_workspace(const LocalProduct& p);  // of both

// `workspace` has at least workspace_elements; `workers` do the additions, and the BLAS has threads of its
// own. alpha = 0 or k = 0: C := beta C. beta = 0 never reads C.
template <Scalar T>
void multiply(const LocalProduct& p, T alpha, const T* a, Index lda, const T* b, Index ldb, T beta, T* c,
              Index ldc, std::span<T> workspace, Workers& workers);

#define CAIRN_FAST_LOCAL(T)                                                                             \
  extern template void multiply(const LocalProduct&, T, const T*, Index, const T*, Index, T, T*, Index, \
                                std::span<T>, Workers&);
CAIRN_FAST_LOCAL(float)
CAIRN_FAST_LOCAL(double)
CAIRN_FAST_LOCAL(std::complex<float>)
CAIRN_FAST_LOCAL(std::complex<double>)
#undef CAIRN_FAST_LOCAL

}  // namespace cairn::gemm::fast
