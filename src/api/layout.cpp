#include "cairn/layout.hpp"

#include "api/layout_state.hpp"
#include "comm/agreement.hpp"
#include "gemm/native_view.hpp"
#include "layout/kinds.hpp"

namespace cairn {
namespace {

Layout made(layout::Layout general) {
  return Layout(std::make_shared<const detail::LayoutState>(std::move(general)));
}

}  // namespace

const layout::Layout& detail::LayoutState::general() const {
  std::call_once(once_, [this] {
    if (!general_) general_ = gemm::general_layout(native->schedule, native->matrix);
  });
  return *general_;
}

int detail::LayoutState::last_rank() const {
  return native ? static_cast<int>(native->schedule.grid.ranks()) - 1 : general().last_rank();
}

Index detail::LayoutState::fingerprint() const {
  if (!native) return general().fingerprint();
  const gemm::Problem& p = native->schedule.problem;
  return comm::fingerprint(std::array<Index, 5>{p.m, p.n, p.k, gemm::fingerprint(native->schedule),
                                                static_cast<Index>(native->matrix)});
}

Layout::Layout() : Layout(std::make_shared<const detail::LayoutState>(layout::Layout())) {}

Layout Layout::block_cyclic(Index rows, Index columns, const BlockCyclic& how) {
  return made(layout::block_cyclic(
      rows, columns,
      {.process_rows = how.process_rows,
       .process_columns = how.process_columns,
       .mb = how.mb,
       .nb = how.nb,
       .row_source = how.row_source,
       .column_source = how.column_source,
       .mesh_order = how.row_major ? layout::MeshOrder::row_major : layout::MeshOrder::column_major}));
}
Layout Layout::elemental(Index rows, Index columns, int d0, int d1) {
  return made(layout::elemental(rows, columns, d0, d1));
}
Layout Layout::blocked(Index rows, Index columns, int process_rows, int process_columns) {
  return made(layout::blocked(rows, columns, process_rows, process_columns));
}
Layout Layout::row_blocks(Index rows, Index columns, int ranks) {
  return made(layout::row_blocks(rows, columns, ranks));
}
Layout Layout::column_blocks(Index rows, Index columns, int ranks) {
  return made(layout::column_blocks(rows, columns, ranks));
}
Layout Layout::on_one_rank(Index rows, Index columns, int rank) {
  return made(layout::on_one_rank(rows, columns, rank));
}
Layout Layout::replicated(Index rows, Index columns, int ranks) {
  return made(layout::replicated(rows, columns, ranks));
}
Layout Layout::parse(std::string_view text, Index rows, Index columns) {
  return made(layout::parse_layout(text, rows, columns));
}

Index Layout::rows() const {
  return is_native() ? state_->native->layout().rows() : state_->general().rows();
}
Index Layout::columns() const {
  return is_native() ? state_->native->layout().cols() : state_->general().columns();
}
bool Layout::is_native() const { return state_->native.has_value(); }

Index Layout::local_elements(int rank) const {
  require(rank >= 0, "rank is {}, expected 0 or more", rank);
  return is_native() ? state_->native->layout().local_count(rank) : state_->general().memory_elements(rank);
}

int Layout::owner(Index i, Index j) const {
  require(i >= 0 && i < rows() && j >= 0 && j < columns(), "element ({}, {}) of a {} x {} matrix", i, j,
          rows(), columns());
  return is_native() ? state_->native->layout().owner(i, j).rank : state_->general().owner_of(i, j);
}

std::string Layout::text() const {
  if (!is_native()) return state_->general().text();
  constexpr std::array names{"A", "B", "C"};
  return fmt::format("native {} of {}", names[index(state_->native->matrix)],
                     gemm::describe(state_->native->schedule));
}

bool operator==(const Layout& x, const Layout& y) {
  if (x.state_ == y.state_ || (x.state_->native && x.state_->native == y.state_->native)) return true;
  return x.rows() == y.rows() && x.columns() == y.columns() && x.state_->general() == y.state_->general();
}

}  // namespace cairn
