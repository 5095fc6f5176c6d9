#include "cairn/layout.hpp"

#include <algorithm>
#include <numeric>

#include "api/plan_state.hpp"
#include "comm/agreement.hpp"
#include "gemm/native_view.hpp"
#include "layout/kinds.hpp"
#include "layout/strided_lines.hpp"

namespace cairn {
namespace {

Layout made(layout::Layout general) {
  return Layout(std::make_shared<const detail::LayoutState>(std::move(general)));
}

layout::MeshOrder mesh_order(bool row_major) {
  return row_major ? layout::MeshOrder::row_major : layout::MeshOrder::column_major;
}

layout::StridedLines memory_of(const Rectangle& r, bool row_major) {
  const Index rows = r.end_row - r.first_row, columns = r.end_column - r.first_column;
  return {.first = r.offset,
          .length = row_major ? columns : rows,
          .count = row_major ? rows : columns,
          .step = r.leading_dimension};
}

// What one rank holds twice at one place would be written twice.
void check_apart_in_memory(std::span<const Rectangle> rectangles, bool row_major) {
  std::vector<std::size_t> order(rectangles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t i) { return std::pair(rectangles[i].owner, rectangles[i].offset); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Rectangle& r = rectangles[order[i]];
    const layout::StridedLines mine = memory_of(r, row_major);
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Rectangle& other = rectangles[order[j]];
      if (other.owner != r.owner || other.offset >= mine.end()) break;
      require(!share_elements(mine, memory_of(other, row_major)),
              "rectangles {} and {} share memory on rank {}, expected each to have its own",
              std::min(order[i], order[j]), std::max(order[i], order[j]), r.owner);
    }
  }
}

// Blocks dealt round the parts, the first of them `first` long; 0: as the others.
layout::IndexMap dealt(Index n, Index first, Index block, int parts, int source) {
  require(first >= 0, "length of the first block is {}, expected 0 or more", first);
  const layout::IndexMap even = layout::IndexMap::block_cyclic(n, block, parts, source);
  if (first == 0 || first == block) return even;
  if (first >= n) return layout::IndexMap::block_cyclic(n, first, parts, source);
  std::vector<Index> cuts{0, first};
  std::vector<int> owners{source};
  while (cuts.back() < n) {
    cuts.push_back(n - cuts.back() > block ? cuts.back() + block : n);
    owners.push_back((owners.back() + 1) % parts);
  }
  return layout::IndexMap::of_intervals(cuts, owners, parts);
}

}  // namespace

const gemm::Schedule& detail::Native::schedule() const { return plan->schedule(); }

bool detail::same_places(const Native& x, const Native& y) {
  const auto key = [](const Native& n) {
    const gemm::Schedule& s = n.schedule();
    const gemm::Problem& p = s.problem;
    return std::tuple(n.matrix, s.grid.pm, s.grid.pn, s.grid.pk, s.tree ? s.tree->text() : std::string(),
                      s.rounds.along, s.rounds.count, s.combines, p.m, p.n, p.k, p.op_a, p.op_b);
  };
  return key(x) == key(y);
}

const layout::Layout& detail::LayoutState::general() const {
  std::call_once(once_, [this] {
    if (!general_) general_ = gemm::general_layout(native->schedule(), native->matrix);
  });
  return *general_;
}

int detail::LayoutState::last_rank() const {
  return native ? static_cast<int>(gemm::bricks_of(native->schedule())) - 1 : general().last_rank();
}

Index detail::LayoutState::fingerprint() const {
  if (!native) return general().fingerprint();
  const gemm::Problem& p = native->schedule().problem;
  return comm::fingerprint(std::array<Index, 5>{p.m, p.n, p.k, gemm::fingerprint(native->schedule()),
                                                static_cast<Index>(native->matrix)});
}

Layout::Layout() : Layout(std::make_shared<const detail::LayoutState>(layout::Layout())) {}

Layout Layout::block_cyclic(Index rows, Index columns, const BlockCyclic& how) {
  const layout::Mesh mesh({how.process_rows, how.process_columns}, mesh_order(how.row_major));
  return made(layout::Layout::on_mesh(
      mesh, {dealt(rows, how.first_rows, how.mb, how.process_rows, how.row_source), {0}},
      {dealt(columns, how.first_columns, how.nb, how.process_columns, how.column_source), {1}}));
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
Layout Layout::of_rectangles(Index rows, Index columns, std::span<const Rectangle> rectangles,
                             bool row_major) {
  std::vector<layout::Rectangle> all;
  for (const Rectangle& r : rectangles)
    all.push_back({.first_row = r.first_row,
                   .end_row = r.end_row,
                   .first_column = r.first_column,
                   .end_column = r.end_column,
                   .owners = {r.owner},
                   .offset = r.offset,
                   .leading_dimension = r.leading_dimension});
  layout::Layout layout = layout::Layout::of_rectangles(
      rows, columns, all, row_major ? layout::Order::row_major : layout::Order::column_major);
  check_apart_in_memory(rectangles, row_major);
  return made(std::move(layout));
}
Layout Layout::scalapack(std::span<const int> descriptor, int process_rows, int process_columns,
                         bool row_major_grid) {
  require(descriptor.size() == 9, "descriptor has {} entries, expected 9", descriptor.size());
  return made(layout::from_descriptor(descriptor, process_rows, process_columns, 0, 0, descriptor[2],
                                      descriptor[3], mesh_order(row_major_grid)));
}
Layout Layout::sub_matrix(Index i, Index j, Index rows, Index columns) const {
  const auto within = [](Index first, Index count, Index all) {
    return first >= 0 && count >= 0 && first <= all && count <= all - first;
  };
  require(within(i, rows, this->rows()) && within(j, columns, this->columns()),
          "sub-matrix of {} x {} from element ({}, {}) of a {} x {} matrix, expected within it", rows,
          columns, i, j, this->rows(), this->columns());
  return made(state_->general().sub_matrix(i, j, rows, columns));
}
Layout Layout::on_ranks(std::span<const int> ranks) const {
  require(!is_native() && state_->general().mesh() != nullptr, "layout {} is not one on a grid of ranks",
          text());
  const layout::Mesh& mesh = *state_->general().mesh();
  require(std::ssize(ranks) > mesh.last_rank(), "{} ranks for a layout that names rank {}, expected more",
          ranks.size(), mesh.last_rank());
  std::vector<int> at;
  for (int position = 0; position < mesh.positions(); ++position)
    at.push_back(ranks[static_cast<std::size_t>(mesh.rank_at(position))]);
  return made(state_->general().on_ranks(std::move(at)));
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

Index Layout::local_elements(int rank, Index leading_dimension) const {
  require(rank >= 0, "rank is {}, expected 0 or more", rank);
  if (!is_native()) return state_->general().memory_elements(rank, leading_dimension);
  require(leading_dimension == 0, "leading dimension is {}, expected 0: a native layout has its own",
          leading_dimension);
  return state_->native->layout().local_count(rank);
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
                     gemm::describe(state_->native->schedule()));
}

bool operator==(const Layout& x, const Layout& y) {
  if (x.state_ == y.state_) return true;
  const auto &a = x.state_->native, &b = y.state_->native;
  if (a && b && same_places(*a, *b)) return true;
  return x.rows() == y.rows() && x.columns() == y.columns() && x.state_->general() == y.state_->general();
}

}  // namespace cairn
