#include "factor/lu.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "factor/tiles.hpp"
#include "program/run.hpp"

namespace cairn::factor {
namespace {

Index stored_elements(const LuShape& s, int rank) {
  const int q = rank % s.positions();
  return rank < s.ranks() ? s.leading_dimension(q) * s.local_columns(q) : 0;
}

template <Scalar T>
class LuRun {
 public:
  LuRun(comm::CommView comm, LuTiles<T>& tiles, PivotChoice pivoting, program::Trace* trace)
      : comm_(comm),
        tiles_(tiles),
        pivoting_(pivoting),
        trace_(trace),
        compiler_(tiles.shape(), comm.rank(), pivoting, tiles.leading_dimension()),
        work_(compiler_.work_elements()) {}

  LuResult<T> all_steps() {
    if (is_local(tiles_.shape(), pivoting_)) return at_once();
    LuResult<T> result;
    for (int t = 0; t < tiles_.shape().steps(); ++t) {
      result.firsts.push_back(compiler_.rows().taken());
      if (pivoting_ == PivotChoice::partial && compiler_.is_contested(t))
        choose_by_columns(t);
      else
        run(compiler_.choose(t));
      const std::vector<Index> pivots = compiler_.pivots(t, work_.data());
      if (compiler_.is_root(t)) keep_corner(t, result);
      run(compiler_.divide(t, pivots));
      result.order.insert(result.order.end(), pivots.begin(), pivots.end());
    }
    result.firsts.push_back(compiler_.rows().taken());
    run(compiler_.settle_left());
    for (Index i = 0; i < compiler_.rows().count(); ++i) result.at_home.push_back(compiler_.rows().row(i));
    return result;
  }

 private:
  void run(const program::Program& program) {
    const std::array<T*, 2> arrays = {work_.data(), tiles_.local().data()};
    program::run<T>(program, comm_, {arrays, {}}, {.trace = trace_});
  }
  void keep_corner(int t, LuResult<T>& result) {
    const Index w = tiles_.shape().width(t);
    std::vector<T> block(static_cast<std::size_t>(w * w));
    compiler_.read_corner(t, work_.data(), block.data(), w);
    keep_corner(t, std::move(block), result);
  }
  void keep_corner(int t, std::vector<T> block, LuResult<T>& result) {
    const Index w = tiles_.shape().width(t);
    for (Index i = 0; i < w && result.info == 0; ++i)
      if (block[static_cast<std::size_t>(i * (w + 1))] == T(0)) result.info = tiles_.shape().start(t) + i + 1;
    result.corners.push_back({t, std::move(block)});
  }

  void choose_by_columns(int t) {
    std::vector<Index> pivots;
    run(compiler_.begin_panel(t));
    for (Index j = 0; compiler_.plays(t) && j < tiles_.shape().width(t); ++j) {
      run(compiler_.elect(t, j));
      pivots.push_back(compiler_.elected(work_.data()));
      run(compiler_.eliminate(t, j, pivots.back()));
    }
    run(compiler_.end_panel(t, pivots));
  }

  // One rank: LAPACK's own, and its corners for the solves.
  LuResult<T> at_once() {
    const LuShape& s = tiles_.shape();
    const Index m = s.rows(), n = s.columns(), lead = tiles_.leading_dimension();
    std::vector<int> swaps(static_cast<std::size_t>(std::min(m, n)));
    program::Program program = compiler_.choose_all(swaps);
    run(program);
    LuResult<T> result;
    result.at_home = result.order = order_of_swaps(m, swaps);
    result.order.resize(swaps.size());
    for (int t = 0; t <= s.steps(); ++t) result.firsts.push_back(s.start(t));
    for (int t = 0; t < s.steps(); ++t) {
      const Index w = s.width(t), from = s.start(t) * (lead + 1);
      std::vector<T> block(static_cast<std::size_t>(w * w));
      for (Index j = 0; j < w; ++j)
        std::copy_n(tiles_.local().data() + from + j * lead, w, block.data() + j * w);
      keep_corner(t, std::move(block), result);
    }
    return result;
  }

  comm::CommView comm_;
  LuTiles<T>& tiles_;
  PivotChoice pivoting_;
  program::Trace* trace_;
  LuCompiler<T> compiler_;
  Buffer<T> work_;
};

// The parts of the factors that layer x ends up with at one position, in an order that both sides know.
template <class F>
void for_each_part(const LuShape& s, int q, int x, std::span<const Index> firsts, F&& f) {
  for (int t = 0; t < s.steps(); ++t) {
    if (s.layer(t) != x) continue;
    const Index first = firsts[static_cast<std::size_t>(t)], next = firsts[static_cast<std::size_t>(t + 1)];
    const Index column = s.local_column(q, t), after = s.local_column(q, t + 1);
    if (after > column) f(first, s.local_rows(q) - first, column, after - column);
    f(first, next - first, after, s.local_columns(q) - after);
  }
}

}  // namespace

RowExchanges row_exchanges(Index rows, std::span<const Index> pivots) {
  RowExchanges x{{}, std::vector<Index>(static_cast<std::size_t>(rows))};
  std::iota(x.order.begin(), x.order.end(), Index{0});
  std::vector<Index> place = x.order;  // of each row
  for (std::size_t r = 0; r < pivots.size(); ++r) {
    const auto wanted = static_cast<std::size_t>(pivots[r]), other = static_cast<std::size_t>(x.order[r]);
    const Index from = place[wanted];
    x.swaps.push_back(from);
    std::swap(x.order[r], x.order[static_cast<std::size_t>(from)]);
    place[other] = from;
    place[wanted] = static_cast<Index>(r);
  }
  return x;
}

template <Scalar T>
LuTiles<T>::LuTiles(std::shared_ptr<const LuShape> shape, int rank)
    : shape_(std::move(shape)),
      memory_(stored_elements(*shape_, rank)),
      view_{lu_layout(*shape_), memory_.data(), memory_.size(), 0},
      leading_dimension_(shape_->leading_dimension(rank % shape_->positions())) {
  std::ranges::fill(local(), T(0));
}

template <Scalar T>
LuTiles<T>::LuTiles(std::shared_ptr<const LuShape> shape, int rank, const layout::MatrixView<T>& in_place)
    : shape_(std::move(shape)),
      view_(in_place),
      leading_dimension_(
          std::max<Index>({1, in_place.leading_dimension, in_place.layout.least_leading_dimension(rank)})) {
  const std::vector<layout::Cell> cells = view_.cells(rank);  // of a grid: one at most
  if (!cells.empty()) first_ = cells.front().offset;
}

template <Scalar T>
LuResult<T> run_lu(comm::CommView comm, LuTiles<T>& tiles, PivotChoice pivoting, program::Trace* trace) {
  const LuShape& shape = tiles.shape();
  LuResult<T> result;
  if (comm.rank() < shape.ranks()) result = LuRun<T>(comm, tiles, pivoting, trace).all_steps();
  const comm::Phase phase(comm.traffic(), comm::agreement_phase);
  if (comm.size() > shape.ranks()) {  // those that have no part are told the order
    result.order.resize(static_cast<std::size_t>(std::min(shape.rows(), shape.columns())));
    comm::broadcast(comm.unchecked(), std::span<Index>(result.order), 0);
  }
  result.order = row_exchanges(shape.rows(), result.order).order;
  constexpr Index none = std::numeric_limits<Index>::max();
  const Index info =
      comm::allreduce(comm.unchecked(), result.info == 0 ? none : result.info, comm::ReduceOp::min);
  result.info = info == none ? 0 : info;
  return result;
}

template <Scalar T>
Index lu_bytes(const LuShape& shape, int rank) {
  if (rank >= shape.ranks()) return 0;
  const LuCompiler<T> compiler(shape, rank, PivotChoice::tournament);
  return (compiler.work_elements() + compiler.matrix_elements()) * static_cast<Index>(sizeof(T));
}

template <Scalar T>
void collect_layers(comm::CommView comm, LuTiles<T>& tiles, const LuResult<T>& result) {
  const LuShape& s = tiles.shape();
  if (s.layers() == 1 || comm.rank() >= s.ranks()) return;
  const int q = comm.rank() % s.positions(), layer = comm.rank() / s.positions();
  const Index ld = tiles.leading_dimension();
  const comm::Phase phase(comm.traffic(), "collect");
  for (int x = 1; x < s.layers(); ++x) {
    if (layer != 0 && layer != x) continue;
    Index words = 0;
    for_each_part(s, q, x, result.firsts,
                  [&](Index, Index rows, Index, Index columns) { words += rows * columns; });
    std::vector<T> message(static_cast<std::size_t>(words));
    if (layer == 0) comm::receive(comm, std::span<T>(message), s.rank(x, q));
    T* at = message.data();
    for_each_part(s, q, x, result.firsts, [&](Index row, Index rows, Index column, Index columns) {
      for (Index j = column; j < column + columns; ++j, at += rows) {
        T* here = tiles.local().data() + row + j * ld;
        layer == 0 ? std::copy_n(at, rows, here) : std::copy_n(here, rows, at);
      }
    });
    if (layer == x) comm::send(comm, std::span<T>(message), s.rank(0, q));
  }
}

layout::Layout pivoted_layout(const LuShape& s, std::span<const Index> order) {
  if (s.rows() == 0 || s.columns() == 0) return {};
  std::vector<Index> cuts(order.size() + 1);
  std::iota(cuts.begin(), cuts.end(), Index{0});
  std::vector<int> owners;
  for (const Index row : order) owners.push_back(s.row_class(row));
  return lu_layout_of_rows(s, layout::IndexMap::of_intervals(cuts, owners, s.pattern().row_classes()));
}

template <Scalar T>
layout::DistMatrix<T> pivoted(const LuTiles<T>& tiles, const LuResult<T>& result, int rank) {
  const LuShape& s = tiles.shape();
  layout::DistMatrix<T> out(pivoted_layout(s, result.order), rank);
  if (rank >= s.positions()) return out;
  // Where each row lies: rows of a class one after the other in the order of the pivots.
  std::vector<Index> number(static_cast<std::size_t>(s.rows())), from(result.at_home.size());
  for (std::size_t r = 0; r < result.order.size(); ++r)
    number[static_cast<std::size_t>(result.order[r])] = static_cast<Index>(r);
  std::iota(from.begin(), from.end(), Index{0});
  std::ranges::sort(from, {}, [&](Index i) {
    const Index row = result.at_home[static_cast<std::size_t>(i)];
    return std::pair(s.row_class(row), number[static_cast<std::size_t>(row)]);
  });
  const Index ld = s.leading_dimension(rank), lead = tiles.leading_dimension();
  for (Index j = 0; j < s.local_columns(rank); ++j)
    for (Index i = 0; i < s.local_rows(rank); ++i)
      out.local()[static_cast<std::size_t>(i + j * ld)] =
          tiles.local()[static_cast<std::size_t>(from[static_cast<std::size_t>(i)] + j * lead)];
  return out;
}

#define CAIRN_INSTANTIATE(T)                                                              \
  template class LuTiles<T>;                                                              \
  template LuResult<T> run_lu(comm::CommView, LuTiles<T>&, PivotChoice, program::Trace*); \
  template Index lu_bytes<T>(const LuShape&, int);                                        \
  template void collect_layers(comm::CommView, LuTiles<T>&, const LuResult<T>&);          \
  template layout::DistMatrix<T> pivoted(const LuTiles<T>&, const LuResult<T>&, int);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
