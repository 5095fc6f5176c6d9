#include "cairn/matrix.hpp"

#include <new>

#include "api/checks.hpp"
#include "api/context_state.hpp"
#include "api/matrix_view.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn {
namespace {

void check_ranks(const Layout& layout, const Context& context) {
  require(layout.state().last_rank() < context.size(), "layout {} names rank {}, expected at most {}",
          layout.text(), layout.state().last_rank(), context.size() - 1);
}

template <Scalar T>
void agree_on(const Context& context, const Layout& layout, const std::function<void()>& check) {
  comm::agree(context.state().comm(), "matrix", check,
              {{"rows", layout.rows()},
               {"columns", layout.columns()},
               {"scalar type", static_cast<Index>(ScalarTraits<T>::type)},
               {"layout", layout.state().fingerprint(), [&] {
                  return std::vector<comm::Argument>{{"layout", layout.text()}};
                }}});
}

template <Scalar T>
std::unique_ptr<T[]> zeros(Index count) {
  checked_mul(count, sizeof(T), "bytes of a matrix");
  std::unique_ptr<T[]> memory(new (std::nothrow) T[static_cast<std::size_t>(count)]());
  require<MemoryError>(memory != nullptr, "no memory for {} elements of {} bytes", count, sizeof(T));
  return memory;
}

// Where element (i, j) lies on its first owner.
gemm::NativeLayout::Owner find(const Layout& layout, Index i, Index j, Index leading_dimension) {
  if (const auto& native = layout.state().native) return native->layout().owner(i, j);
  const layout::Layout& general = layout.state().general();
  const layout::Run row = general.row_map().run_at(i), column = general.column_map().run_at(j);
  const int rank = general.owner(row.part, column.part);
  for (const layout::Cell& c : general.cells_of(rank, leading_dimension))
    if (c.row_part == row.part && c.column_part == column.part)
      return {rank, c.offset + row.local * c.row_stride + column.local * c.column_stride};
  fail("element ({}, {}) of {} has no place on rank {}", i, j, layout.text(), rank);
}

}  // namespace

template <Scalar T>
Matrix<T>::Matrix(const Context& context, Layout layout) : context_(context), layout_(std::move(layout)) {
  agree_on<T>(context_, layout_, [&] {
    check_ranks(layout_, context_);
    const Index count = layout_.local_elements(context_.rank());
    own_ = zeros<T>(count);
    memory_ = {own_.get(), static_cast<std::size_t>(count)};
  });
}

template <Scalar T>
Matrix<T>::Matrix(const Context& context, Layout layout, std::span<T> memory, Index leading_dimension)
    : context_(context), layout_(std::move(layout)), memory_(memory), leading_dimension_(leading_dimension) {
  agree_on<T>(context_, layout_, [&] {
    check_ranks(layout_, context_);
    const int rank = context_.rank();
    if (!layout_.is_native()) check_memory(detail::view_of(*this), rank, "the matrix");
    const Index needed = layout_.local_elements(rank, leading_dimension), given = std::ssize(memory);
    require(needed == 0 || memory.data() != nullptr,
            "memory of the matrix is null on rank {}, expected {} elements", rank, needed);
    require(given >= needed, "memory of the matrix has {} elements on rank {}, expected at least {}", given,
            rank, needed);
    memory_ = memory.first(static_cast<std::size_t>(needed));
  });
}

template <Scalar T>
void Matrix<T>::for_each_strip(const StripVisitor& f) const {
  detail::blocks_of(*this, layout::Copies::all).for_each([&](const layout::Block<T>& b) {
    T* data = memory_.data() + (b.data - memory_.data());
    for (Index j = 0; j < b.cols; ++j) f(b.row, b.col + j, b.rows, data + j * b.col_stride, b.row_stride);
  });
}

template <Scalar T>
std::vector<T> Matrix<T>::gather(int root) const {
  const comm::CommView comm = context_.state().comm();
  comm::agree(comm, "gather",
              [&] {
                require(root >= 0 && root < comm.size(), "root is {}, expected 0 <= root < {}", root,
                        comm.size());
              },
              {{"root", root}});
  return layout::gather_to<T>(comm, detail::view_of(*this), root);
}

template <Scalar T>
T Matrix<T>::at(Index i, Index j) const {
  const comm::CommView comm = context_.state().comm();
  comm::agree(comm, "at",
              [&] {
                require(i >= 0 && i < rows() && j >= 0 && j < columns(),
                        "element ({}, {}) of a {} x {} matrix", i, j, rows(), columns());
              },
              {{"row", i}, {"column", j}});
  const int owner = layout_.owner(i, j);
  T value{};
  if (owner == comm.rank())
    value = memory_[static_cast<std::size_t>(find(layout_, i, j, leading_dimension_).offset)];
  comm::broadcast(comm.unchecked(), std::span<T>(&value, 1), owner);
  return value;
}

template <Scalar T>
void redistribute(std::type_identity_t<T> alpha, Op op, const Matrix<T>& x, std::type_identity_t<T> beta,
                  Matrix<T>& y) {
  const comm::CommView comm = x.context().state().comm();
  comm::agree(comm, "redistribute", [&] {
    detail::check_op("op", op);
    require(x.context() == y.context(), "X and Y have different contexts, expected one");
  });
  layout::redistribute<T>(comm, alpha, op, detail::view_of(x), beta, detail::view_of(y));
}

#define CAIRN_INSTANTIATE(T)                                                                            \
  template class Matrix<T>;                                                                             \
  template void redistribute<T>(std::type_identity_t<T>, Op, const Matrix<T>&, std::type_identity_t<T>, \
                                Matrix<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
