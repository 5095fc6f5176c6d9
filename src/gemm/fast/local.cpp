#include "gemm/fast/local.hpp"

#include <algorithm>

#include "base/buffer.hpp"
#include "gemm/fast/block_sums.hpp"

namespace cairn::gemm::fast {
namespace {

using Role = BlockPlace::Role;
using Levels = std::span<const Level>;

constexpr Index alignment_elements = buffer_alignment / sizeof(float);  // of every scalar at most

Index padded(Index elements) { return ceil_div(elements, alignment_elements) * alignment_elements; }

struct Size {
  Index m = 0, n = 0, k = 0;

  Index of(Matrix x) const { return x == Matrix::a ? m * k : x == Matrix::b ? k * n : m * n; }
  Size part(const Recipe& r) const { return {m / r.m0, n / r.n0, k / r.k0}; }
};

Index temporary_elements(const std::array<bool, 3>& holds, const Size& block) {
  Index most = 0;
  for (const Matrix x : all_matrices)
    if (holds[index(x)]) most = std::max(most, block.of(x));
  return padded(most);
}

Index workspace_of(Levels levels, const Size& size, bool keeps) {
  if (levels.empty()) return 0;
  const Recipe& recipe = levels.front().recipe(keeps);
  const Size block = size.part(recipe);
  Index own = 0;
  for (const auto& t : recipe.temporaries) own = checked_add(own, temporary_elements(t, block), "workspace");
  bool fresh_below = false, kept_below = false;
  for (const auto& step : recipe.steps)
    if (const auto* p = std::get_if<ProductStep>(&step)) (p->keep != 0 ? kept_below : fresh_below) = true;
  const Levels below = levels.subspan(1);
  const Index fresh = fresh_below ? workspace_of(below, block, false) : 0;
  const Index kept = kept_below ? workspace_of(below, block, true) : 0;
  return checked_add(own, std::max(fresh, kept), "workspace");
}

// A matrix as it is stored: op of it has the rows and columns that the product speaks of.
template <class T>
struct Stored {
  T* data = nullptr;
  Index ld = 1;
  Op op = Op::none;

  Stored at(Index row, Index column) const {  // of op of it
    return {data + (op == Op::none ? row + column * ld : column + row * ld), ld, op};
  }
};

template <Scalar T>
void leaf(const Size& s, T alpha, const Stored<const T>& a, const Stored<const T>& b, T beta,
          const Stored<T>& c) {
  blas::gemm(a.op, b.op, s.m, s.n, s.k, alpha, a.data, std::max<Index>(a.ld, 1), b.data,
             std::max<Index>(b.ld, 1), beta, c.data, std::max<Index>(c.ld, 1));
}

template <Scalar T>
bool is_real(T x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return x.imag() == 0;
  else
    return true;
}

template <Scalar T>
double real_part(T x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return static_cast<double>(x.real());
  else
    return static_cast<double>(x);
}

template <Scalar T>
class Recursion {
 public:
  Recursion(std::span<T> workspace, Workers& workers) : workspace_(workspace), workers_(workers) {}

  // The size divides.
  void run(Levels levels, const Size& size, T alpha, const Stored<const T>& a, const Stored<const T>& b,
           T beta, const Stored<T>& c) {
    if (levels.empty()) return leaf(size, alpha, a, b, beta, c);
    if (!is_real(beta)) {  // passes over C have real factors
      scale(size, beta, c);
      beta = T(1);
    }
    const Recipe& recipe = levels.front().recipe(beta != T(0));
    const std::span<T> before = workspace_;
    Frame f{.recipe = recipe,
            .block = size.part(recipe),
            .a = a,
            .b = b,
            .c = c,
            .temporaries = {},
            .beta = real_part(beta)};
    for (const auto& t : recipe.temporaries) f.temporaries.push_back(take(temporary_elements(t, f.block)));
    for (const auto& step : recipe.steps) {
      if (const auto* pass = std::get_if<SumPassStep>(&step))
        sum(f, *pass);
      else
        product(f, std::get<ProductStep>(step), levels.subspan(1), alpha);
    }
    workspace_ = before;
  }

 private:
  struct Frame {
    const Recipe& recipe;
    Size block;
    Stored<const T> a, b;
    Stored<T> c;
    std::vector<T*> temporaries;
    double beta;
  };

  T* take(Index elements) {
    T* const at = workspace_.data();
    workspace_ = workspace_.subspan(static_cast<std::size_t>(elements));
    return at;
  }

  // The block as stored: a temporary lies like the matrix it stands for, without gaps.
  Stored<const T> read(const Frame& f, const BlockPlace& p, Matrix shape) const {
    const Size& s = f.block;
    const Recipe& r = f.recipe;
    switch (p.role) {
      case Role::a:
        return f.a.at(p.index / r.k0 * s.m, p.index % r.k0 * s.k);
      case Role::b:
        return f.b.at(p.index / r.n0 * s.k, p.index % r.n0 * s.n);
      default: {
        const Stored<T> x = write(f, p, shape);
        return {x.data, x.ld, x.op};
      }
    }
  }
  Stored<T> write(const Frame& f, const BlockPlace& p, Matrix shape) const {
    const Size& s = f.block;
    if (p.role == Role::c) return f.c.at(p.index / f.recipe.n0 * s.m, p.index % f.recipe.n0 * s.n);
    const auto [rows, columns] = stored_size(f, shape);
    const Op op = shape == Matrix::a ? f.a.op : shape == Matrix::b ? f.b.op : Op::none;
    return {f.temporaries[static_cast<std::size_t>(p.index)], rows, op};
  }
  std::pair<Index, Index> stored_size(const Frame& f, Matrix shape) const {
    const Size& s = f.block;
    if (shape == Matrix::c) return {s.m, s.n};
    const auto [rows, columns] = shape == Matrix::a ? std::pair(s.m, s.k) : std::pair(s.k, s.n);
    const Op op = shape == Matrix::a ? f.a.op : f.b.op;
    return op == Op::none ? std::pair(rows, columns) : std::pair(columns, rows);
  }

  void sum(const Frame& f, const SumPassStep& pass) {
    std::vector<Block<const T>> inputs;
    std::vector<Block<T>> outputs;
    std::vector<double> factors;
    for (const BlockPlace& p : pass.inputs) {
      const Stored<const T> x = read(f, p, pass.shape);
      inputs.push_back({x.data, x.ld});
      if (pass.keeps) factors.push_back(p.role == Role::c ? f.beta : 1);
    }
    for (const BlockPlace& p : pass.outputs) {
      const Stored<T> x = write(f, p, pass.shape);
      outputs.push_back({x.data, x.ld});
    }
    const auto [rows, columns] = stored_size(f, pass.shape);
    block_sums<T>(pass.sums, inputs, outputs, rows, columns, factors, workers_);
  }

  void product(const Frame& f, const ProductStep& p, Levels below, T alpha) {
    const T keep = static_cast<T>(static_cast<Real<T>>(p.keep * (p.beta ? f.beta : 1)));
    run(below, f.block, alpha * static_cast<Real<T>>(p.factor), read(f, p.a, Matrix::a),
        read(f, p.b, Matrix::b), keep, write(f, p.c, Matrix::c));
  }

  static void scale(const Size& s, T beta, const Stored<T>& c) {
    for (Index j = 0; j < s.n; ++j)
      for (Index i = 0; i < s.m; ++i) c.data[i + j * c.ld] *= beta;
  }

  std::span<T> workspace_;  // what is left of it
  Workers& workers_;
};

// What the levels do not divide: the last k, then the last columns, then the last rows.
template <Scalar T>
void peel(const Size& whole, const Size& core, T alpha, const Stored<const T>& a, const Stored<const T>& b,
          T beta, const Stored<T>& c) {
  if (core.k < whole.k)
    leaf<T>({core.m, core.n, whole.k - core.k}, alpha, a.at(0, core.k), b.at(core.k, 0), T(1), c);
  if (core.n < whole.n)
    leaf<T>({whole.m, whole.n - core.n, whole.k}, alpha, a, b.at(0, core.n), beta, c.at(0, core.n));
  if (core.m < whole.m)
    leaf<T>({whole.m - core.m, core.n, whole.k}, alpha, a.at(core.m, 0), b, beta, c.at(core.m, 0));
}

Index multiple(Index size, Index part) { return size - size % part; }

}  // namespace

Core core_of(const LocalProduct& p) {
  Index m = 1, n = 1, k = 1;
  for (const Level& l : p.levels) {
    m = checked_mul(m, l.algorithm->m0, "parts of m");
    n = checked_mul(n, l.algorithm->n0, "parts of n");
    k = checked_mul(k, l.algorithm->k0, "parts of k");
  }
  return {multiple(p.m, m), multiple(p.n, n), multiple(p.k, k)};
}

Index workspace_elements(const LocalProduct& p, bool keeps) {
  const Core core = core_of(p);
  if (core.m == 0 || core.n == 0 || core.k == 0) return 0;
  return workspace_of(p.levels, {core.m, core.n, core.k}, keeps);
}

Index most_workspace(const LocalProduct& p) {
  return std::max(workspace_elements(p, false), workspace_elements(p, true));
}

template <Scalar T>
void multiply(const LocalProduct& p, T alpha, const T* a, Index lda, const T* b, Index ldb, T beta, T* c,
              Index ldc, std::span<T> workspace, Workers& workers) {
  const Stored<const T> left{a, lda, p.op_a}, right{b, ldb, p.op_b};
  const Stored<T> result{c, ldc, Op::none};
  const Core core = core_of(p);
  if (p.levels.empty() || core.m == 0 || core.n == 0 || core.k == 0 || alpha == T(0))
    return leaf<T>({p.m, p.n, p.k}, alpha, left, right, beta, result);
  const Size inner{core.m, core.n, core.k};
  const Index least = workspace_elements(p, beta != T(0));
  require(static_cast<Index>(workspace.size()) >= least, "the workspace has {} elements, expected {} or more",
          workspace.size(), least);
  Recursion<T>(workspace, workers).run(p.levels, inner, alpha, left, right, beta, result);
  peel<T>({p.m, p.n, p.k}, inner, alpha, left, right, beta, result);
}

#define CAIRN_FAST_LOCAL(T)                                                                      \
  template void multiply(const LocalProduct&, T, const T*, Index, const T*, Index, T, T*, Index, \
                         std::span<T>, Workers&);
CAIRN_FAST_LOCAL(float)
CAIRN_FAST_LOCAL(double)
CAIRN_FAST_LOCAL(std::complex<float>)
CAIRN_FAST_LOCAL(std::complex<double>)
#undef CAIRN_FAST_LOCAL

}  // namespace cairn::gemm::fast
