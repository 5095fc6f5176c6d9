#include "gemm/level2.hpp"

#include <optional>

#include "comm/agreement.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/moves/run_move.hpp"

namespace cairn::gemm {
namespace {

using layout::Cell;
using layout::Layout;
using layout::MatrixView;
using layout::MovePlan;
using layout::Update;

// The elements of a vector this rank has.
template <class T>
struct LocalVector {
  T* data = nullptr;
  Index count = 0;
  Index step = 1;

  LocalVector(const MatrixView<T>& column, int rank) {
    for (const Cell& c : column.cells(rank)) *this = {column.data + c.offset, c.rows, c.row_stride};
  }
  LocalVector(T* d, Index n, Index s) : data(d), count(n), step(s) {}
};

// The cell of A as BLAS sees it: a row-major cell is the column-major one of the transposed matrix.
template <class T>
struct LocalMatrix {
  T* data = nullptr;
  Index rows = 0, columns = 0;  // in memory
  Index leading_dimension = 1;
  bool transposed = false;

  LocalMatrix(const MatrixView<T>& a, int rank) : transposed(a.layout.order() == layout::Order::row_major) {
    for (const Cell& c : a.cells(rank)) {
      data = a.data + c.offset;
      rows = transposed ? c.columns : c.rows;
      columns = transposed ? c.rows : c.columns;
      leading_dimension = transposed ? c.row_stride : c.column_stride;
    }
  }
};

// The routes of one operation ready to be run on this rank, and the memory on the way.
template <Scalar T>
class Traveller {
 public:
  explicit Traveller(const comm::ProcessGrid& grid) : grid_(grid), rank_(grid.all().rank()) {}

  // Checks every move, before anything moves.
  static std::vector<MovePlan> plans(const Route& route, int rank) {
    std::vector<MovePlan> all;
    for (std::size_t i = 0; i < route.moves.size(); ++i)
      all.emplace_back(route.moves[i], route.layouts[i], route.layouts[i + 1], rank);
    return all;
  }

  // A vector where A needs it; v itself if it is there already.
  MatrixView<const T> bring(const Route& route, const std::vector<MovePlan>& plans, MatrixView<const T> v) {
    if (route.redistributed) {
      const MatrixView<T> there = room(route.layouts.front());
      redistribute<T>(grid_.all(), T(1), Op::none, v, T(0), there);
      return there;
    }
    for (std::size_t i = 0; i < plans.size(); ++i) v = step(plans[i], v, room(route.layouts[i + 1]), {});
    return v;
  }
  // v := sum of the contributions + beta v.
  void deliver(const Route& route, const std::vector<MovePlan>& plans, MatrixView<const T> contributions,
               T beta, const MatrixView<T>& v) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const bool last = i + 1 == plans.size() && !route.redistributed;
      contributions = step(plans[i], contributions, last ? v : room(route.layouts[i + 1]),
                           {T(1), last ? beta : T(0), false});
    }
    if (route.redistributed) redistribute<T>(grid_.all(), T(1), Op::none, contributions, beta, v);
  }

  MatrixView<T> room(const Layout& layout) {
    const Index elements = layout.memory_elements(rank_);
    return {layout, scratch(elements).data(), elements, 0};
  }
  std::span<T> scratch(Index elements) {
    leases_.push_back(grid_.all().pool().lease(elements * static_cast<Index>(sizeof(T))));
    return leases_.back().template as<T>();
  }
  LocalVector<const T> copied(const LocalVector<const T>& v, bool conjugate) {
    const std::span<T> copy = scratch(v.count);
    for (Index i = 0; i < v.count; ++i) {
      const T& x = v.data[i * v.step];
      copy[static_cast<std::size_t>(i)] = conjugate ? conj(x) : x;
    }
    return {copy.data(), v.count, 1};
  }

 private:
  MatrixView<const T> step(const MovePlan& plan, const MatrixView<const T>& from, const MatrixView<T>& to,
                           const Update<T>& update) {
    run<T>(plan, grid_, from, to, update);
    return to;
  }

  const comm::ProcessGrid& grid_;
  int rank_;
  std::vector<Pool::Lease> leases_;
};

// c := alpha op(A) x with what is here. The adjoint of a row-major A is the conjugate of what is in memory,
// which BLAS does not multiply: conj(B) x = conj(B conj(x)).
template <Scalar T>
void multiply_here(Traveller<T>& traveller, T alpha, Op op, const LocalMatrix<const T>& a,
                   LocalVector<const T> x, const LocalVector<T>& c) {
  const bool conjugate = a.transposed && op == Op::adjoint;
  if (conjugate) x = traveller.copied(x, true);
  const Op in_memory = !a.transposed ? op : op == Op::none ? Op::transpose : Op::none;
  if (a.data == nullptr)
    for (Index i = 0; i < c.count; ++i) c.data[i * c.step] = T(0);
  else
    blas::gemv(in_memory, a.rows, a.columns, conjugate ? conj(alpha) : alpha, a.data, a.leading_dimension,
               x.data, x.step, T(0), c.data, c.step);
  for (Index i = 0; conjugate && i < c.count; ++i) c.data[i * c.step] = conj(c.data[i * c.step]);
}

template <Scalar T>
void update_here(Traveller<T>& traveller, T alpha, const LocalVector<const T>& y, Op op,
                 LocalVector<const T> x, const LocalMatrix<T>& a) {
  if (a.data == nullptr) return;
  if (!a.transposed)
    return blas::ger(op, a.rows, a.columns, alpha, y.data, y.step, x.data, x.step, a.data,
                     a.leading_dimension);
  if (op == Op::adjoint) x = traveller.copied(x, true);
  blas::ger(Op::transpose, a.rows, a.columns, alpha, x.data, x.step, y.data, y.step, a.data,
            a.leading_dimension);
}

// A vector may be in any layout on ranks of the grid.
template <class T>
void check_vector(const MatrixView<T>& v, const comm::ProcessGrid& grid, std::string_view name) {
  check_memory(v, grid.all().rank(), name);
  require(v.layout.last_rank() < grid.all().size(), "the layout of {} names rank {}, expected ranks below {}",
          name, v.layout.last_rank(), grid.all().size());
}

template <class T>
void check_matrix(const MatrixView<T>& a, const comm::ProcessGrid& grid) {
  check_on_grid(grid.shape(), a.layout, "A");
  check_memory(a, grid.all().rank(), "A");
}

Index of_layouts(std::initializer_list<const Layout*> layouts) {
  std::vector<Index> values;
  for (const Layout* l : layouts) values.push_back(l->fingerprint());
  return comm::fingerprint(values);
}

}  // namespace

template <Scalar T>
void gemv(const comm::ProcessGrid& grid, T alpha, Op op, const MatrixView<const T>& a,
          const MatrixView<const T>& x, T beta, const MatrixView<T>& y) {
  require(grid.member(), "gemv: this rank is not in the grid");
  const int rank = grid.all().rank();
  const comm::Phase phase(grid.all().traffic(), "gemv");
  Level2Plan plan;
  std::vector<MovePlan> in, out;
  comm::agree(grid.all(), "gemv",
              [&] {
                check_matrix(a, grid);
                check_vector(x, grid, "x");
                check_vector(y, grid, "y");
                plan = plan_gemv(op, a.layout, x.layout, y.layout);
                in = Traveller<T>::plans(plan.operands.front(), rank);
                out = Traveller<T>::plans(plan.result, rank);
              },
              {{"op", static_cast<Index>(op)},
               {"layouts", of_layouts({&a.layout, &x.layout, &y.layout}),
                [&] {
                  return std::vector<comm::Argument>{{"layout of A", a.layout.text()},
                                                     {"layout of x", x.layout.text()},
                                                     {"layout of y", y.layout.text()}};
                }},
               {"whether alpha is zero", alpha == T(0) ? 1 : 0}});
  const MatrixView<T> result = as_column(y);
  if (alpha == T(0) || (op == Op::none ? a.layout.columns() : a.layout.rows()) == 0) {
    for_each_element(result, rank, [&](Index, Index, T& e) { e = beta == T(0) ? T(0) : beta * e; });
    return;
  }
  Traveller<T> traveller(grid);
  // x: along figure 5.1 to [(1),()] (of A[(0),(1)]); (d0-1)/d0 n/d1 words for x in [(1,0),()].
  const MatrixView<const T> here = traveller.bring(plan.operands.front(), in, as_column(x));
  const MatrixView<T> contributions = traveller.room(plan.result.layouts.front());
  multiply_here(traveller, alpha, op, LocalMatrix<const T>(a, rank), LocalVector<const T>(here, rank),
                LocalVector<T>(contributions, rank));
  // y: summed along the fibres that share it; (d1-1)/d1 m/d0 words for y in [(0,1),()].
  traveller.deliver(plan.result, out, contributions, beta, result);
}

template <Scalar T>
void ger(const comm::ProcessGrid& grid, T alpha, const MatrixView<const T>& y, Op op,
         const MatrixView<const T>& x, const MatrixView<T>& a) {
  require(grid.member(), "ger: this rank is not in the grid");
  const int rank = grid.all().rank();
  const comm::Phase phase(grid.all().traffic(), "ger");
  Level2Plan plan;
  std::vector<MovePlan> of_y, of_x;
  comm::agree(grid.all(), "ger",
              [&] {
                require(op != Op::none, "op of x is none, expected transpose or adjoint");
                check_matrix(a, grid);
                check_vector(y, grid, "y");
                check_vector(x, grid, "x");
                plan = plan_ger(a.layout, y.layout, x.layout);
                of_y = Traveller<T>::plans(plan.operands[0], rank);
                of_x = Traveller<T>::plans(plan.operands[1], rank);
              },
              {{"op", static_cast<Index>(op)},
               {"layouts", of_layouts({&a.layout, &y.layout, &x.layout}),
                [&] {
                  return std::vector<comm::Argument>{{"layout of A", a.layout.text()},
                                                     {"layout of y", y.layout.text()},
                                                     {"layout of x", x.layout.text()}};
                }},
               {"whether alpha is zero", alpha == T(0) ? 1 : 0}});
  if (alpha == T(0)) return;
  Traveller<T> traveller(grid);
  // y within the rows of the mesh, x within its columns: (d1-1)/d1 m/d0 + (d0-1)/d0 n/d1 words.
  const MatrixView<const T> y_here = traveller.bring(plan.operands[0], of_y, as_column(y));
  const MatrixView<const T> x_here = traveller.bring(plan.operands[1], of_x, as_column(x));
  const auto apart_from_a = [&](const MatrixView<const T>& v) {
    const LocalVector<const T> here(v, rank);
    return share_memory(v, a, rank) ? traveller.copied(here, false) : here;
  };
  update_here(traveller, alpha, apart_from_a(y_here), op, apart_from_a(x_here), LocalMatrix<T>(a, rank));
}

#define CAIRN_INSTANTIATE(T)                                                                                 \
  template void gemv(const comm::ProcessGrid&, T, Op, const MatrixView<const T>&,                            \
                     const MatrixView<const T>&, T, const MatrixView<T>&);                                   \
  template void ger(const comm::ProcessGrid&, T, const MatrixView<const T>&, Op, const MatrixView<const T>&, \
                    const MatrixView<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::gemm
