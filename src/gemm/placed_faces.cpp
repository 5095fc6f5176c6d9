#include "gemm/placed_faces.hpp"

namespace cairn::gemm {

using layout::Layout;
using layout::Order;

PlacedFaces::PlacedFaces(const Schedule& s, int rank, int ranks, const std::array<Index, 3>& leading)
    : s_(s),
      rank_(rank),
      ranks_(ranks),
      brick_(brick_of(s, rank)),
      leading_(leading),
      stays_{stays_placed(s, Matrix::a), stays_placed(s, Matrix::b), stays_placed(s, Matrix::c)} {
  // A part of a matrix keeps the leading dimension of the whole.
  for (const Matrix x : all_matrices)
    if (leading_[index(x)] == 0) leading_[index(x)] = layout_of(s, x).least_leading_dimension(rank);
}

Index PlacedFaces::array_elements(Matrix x) const {
  return layout_of(s_, x).memory_elements(rank_, leading_[index(x)]);
}

// The user's matrix in a round: the same memory, a part of the layout.
program::Operand PlacedFaces::user(Matrix x, Index round) const {
  return {part_of_round(s_, x, round), {array_of(x), 0}, array_elements(x), leading_[index(x)]};
}

program::Operand PlacedFaces::in_slot(Matrix x, Index round, int layer, program::Place slot) const {
  return {faces_of_round(s_, x, round, layer), slot, slot_elements(x), 0};
}

program::Exchange PlacedFaces::exchange(std::vector<layout::Move> moves, layout::PassOn pass_on) const {
  return {.plan = std::make_shared<const layout::ExchangePlan>(std::move(moves), rank_, ranks_, pass_on),
          .options = s_.placement->exchange};
}

// A face less what the rank has of it, of A and of B.
std::vector<FaceMove> PlacedFaces::gathers(Index round, const std::array<program::Place, 3>& slots) const {
  std::vector<layout::Move> moves = gathers_of_round(s_, round);
  if (moves.empty()) return {};
  const std::vector<Matrix> of = gathered_in_round(s_, round);
  program::Exchange x = exchange(std::move(moves));
  for (const Matrix m : of)
    x.moves.push_back({.alpha = program::Factor::of(1),
                       .from = user(m, round),
                       .beta = program::Factor::of(0),
                       .to = in_slot(m, round, 0, slots[index(m)])});
  return {{.what = std::move(x), .of = of, .phase = "gather"}};
}

FaceSource::Columns PlacedFaces::columns_of_part(Index /*part*/) const { return {}; }

// The faces of one fibre along k into a slice each: (1 - 1/pk) |C(i,j)| words.
std::optional<FaceMove> PlacedFaces::sum(Index round, program::Place slot) const {
  if (!brick_) return {};
  const Face c = face(Matrix::c, round, slot);
  const comm::Partition slices = slices_of_sum(s_, c.rows, c.columns);
  if (slices.total() == 0) return {};
  const comm::BlockCollective how = collective_of(s_, Matrix::c, slices);
  std::vector<int> fibre;
  const Coordinates at = coordinates(s_.grid, *brick_);
  for (int layer = 0; layer < s_.grid.pk; ++layer)
    fibre.push_back(s_.placement->ranks[static_cast<std::size_t>(rank_at(s_.grid, at.with(Dim::k, layer)))]);
  return FaceMove{.what = program::Collective{.kind = how.kind,
                                              .group = program::Group::of(std::move(fibre)),
                                              .blocks = slices,
                                              .way = how.way,
                                              .from = slot,
                                              .to = place_of_sum(slot)},
                  .of = {Matrix::c},
                  .phase = phase_of(Matrix::c)};
}

// beta C, then the sum over the layers in their order: the same bits each time. Or the sum first, and once to C.
std::vector<FaceMove> PlacedFaces::combines(Index round, Index /*part*/, program::Place slot) const {
  std::vector<layout::Move> moves = combines_of_round(s_, round);
  if (moves.empty()) return {};
  std::vector<FaceMove> all;
  const bool several = moves.size() > 1, summed = sums_first(s_);
  if (summed)
    if (std::optional<FaceMove> first = sum(round, slot)) all.push_back(std::move(*first));
  const program::Operand c = user(Matrix::c, round);
  const layout::PassOn pass_on = pass_on_in(moves);
  program::Exchange x = exchange(std::move(moves), pass_on);
  for (int layer = 0; layer < (summed ? 1 : layers_of(s_)); ++layer)
    x.moves.push_back({.alpha = program::Factor::of(1),
                       .from = summed ? program::Operand{sums_of_round(s_, round), place_of_sum(slot),
                                                         sum_elements(s_, rank_), 0}
                                      : in_slot(Matrix::c, round, layer, slot),
                       .beta = several ? program::Factor::of(1) : beta_factor,
                       .to = c});
  FaceMove move{.what = std::move(x), .of = {Matrix::c}, .phase = phase_of(Matrix::c)};
  if (several && s_.problem.beta != Coefficient::one) move.before = scale(c);
  all.push_back(std::move(move));
  return all;
}

std::vector<program::LinearCombination> PlacedFaces::scale_c() const {
  return scale({layout_of(s_, Matrix::c),
                {array_of(Matrix::c), 0},
                array_elements(Matrix::c),
                leading_[index(Matrix::c)]});
}

std::vector<program::LinearCombination> PlacedFaces::scale(const program::Operand& c) const {
  std::vector<program::LinearCombination> all;
  const bool by_columns = c.layout.order() == Order::column_major;
  for (const layout::Cell& cell : c.layout.cells_of(rank_, c.leading_dimension))
    all.push_back({.to = c.at + cell.offset,
                   .rows = by_columns ? cell.rows : cell.columns,
                   .columns = by_columns ? cell.columns : cell.rows,
                   .ld = by_columns ? cell.column_stride : cell.row_stride,
                   .keep = beta_factor});
  return all;
}

Op PlacedFaces::told_to_blas(Matrix x, Order memory) const {
  const Op op = op_of(s_.problem, x);
  if (is_flipped(memory, order_of_c())) return op == Op::none ? Op::transpose : Op::none;
  return op == Op::none || conjugates(s_.problem, x) ? op : Op::transpose;
}

Face PlacedFaces::face(Matrix x, Index round, program::Place slot) const {
  const auto [rows, columns] = face_shape(s_, x, round, *brick_);
  const Order order = face_order(s_, x);
  const bool by_columns = order == Order::column_major;
  Face f{.at = slot,
         .rows = rows,
         .columns = columns,
         .ld = std::max<Index>(1, by_columns ? rows : columns),
         .op = told_to_blas(x, order)};
  if (!stays(x)) return f;
  const program::Operand at = user(x, round);
  const std::vector<layout::Cell> cells = at.layout.cells_of(rank_, at.leading_dimension);
  if (cells.empty()) return f;
  f.at = at.at + cells.front().offset;
  f.ld = by_columns ? cells.front().column_stride : cells.front().row_stride;
  return f;
}

}  // namespace cairn::gemm
