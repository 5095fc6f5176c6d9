#include "gemm/tree_faces.hpp"

#include <algorithm>

namespace cairn::gemm {
namespace {

using layout::IndexMap;
using layout::Layout;

// Each of the ranks has all of it.
Layout copied(const SharedCell& part) {
  return Layout::on_mesh(layout::Mesh({static_cast<int>(part.sharers.size())}).on_ranks(part.sharers),
                         {IndexMap::whole(part.rows.count), {}}, {IndexMap::whole(part.cols.count), {}});
}

Index rows_of_round(const Schedule& s, Matrix x, const Box& box, Index round) {
  return face_of(s, x, box_of_round(s, box, round)).rows.count;
}

}  // namespace

TreeFaces::TreeFaces(const Schedule& s, int rank, int ranks) : s_(s), rank_(rank), ranks_(ranks) {
  if (rank >= bricks_of(s)) return;
  box_ = box_of(s, rank);
  for (const Matrix x : all_matrices) cells_[index(x)] = own_cells_of(s, x, rank);
}

bool TreeFaces::stays(Matrix x) const {
  return cells(x).empty() || (cells(x).size() == 1 && cells(x).front().cell.sharers.size() == 1);
}

Index TreeFaces::slot_elements(Matrix x) const {
  return has_brick() ? face_of(s_, x, box_of_round(s_, box_, 0)).count()
                     : 0;  // the longest round comes first
}

Index TreeFaces::array_elements(Matrix x) const {
  return cells(x).empty() ? 0 : cells(x).back().mine.offset + cells(x).back().mine.count();
}

Face TreeFaces::face(Matrix x, Index round, program::Place slot) const {
  const SharedCell f = face_of(s_, x, box_of_round(s_, box_, round));
  const Op op = x == Matrix::a ? s_.problem.op_a : x == Matrix::b ? s_.problem.op_b : Op::none;
  if (!stays(x) || cells(x).empty()) return {slot, f.rows.count, f.cols.count, f.rows.count, op};
  const Piece& mine = cells(x).front().mine;
  const Index before = f.rows.begin - mine.row + (f.cols.begin - mine.col) * mine.rows;
  return {{array_of(x), before}, f.rows.count, f.cols.count, mine.rows, op};
}

SharedCell TreeFaces::needed(Matrix x, const SharedCell& cell, int sharer, Index round) const {
  if (!has_rounds(s_, x)) return {cell.rows, cell.cols, {sharer}};
  const SharedCell f = face_of(s_, x, box_of_round(s_, box_of(s_, sharer), round));
  return {common(cell.rows, f.rows), common(cell.cols, f.cols), {sharer}};
}

// A part of a cell as its sharers own it. A round leaves whole slices in the direction in which they are cut.
program::Operand TreeFaces::slices(Matrix x, const OwnCell& own, const SharedCell& part) const {
  const auto sharers = static_cast<int>(own.cell.sharers.size());
  const bool by_rows = sliced_by_rows(s_, x);
  const layout::Mesh mesh = layout::Mesh({sharers}).on_ranks(own.cell.sharers);
  const layout::Axis dealt{IndexMap::balanced((by_rows ? part.rows : part.cols).count, sharers), {0}},
      whole{IndexMap::whole((by_rows ? part.cols : part.rows).count), {}};
  const Index before = by_rows ? (part.cols.begin - own.cell.cols.begin) * own.mine.rows
                               : part.rows.begin - own.cell.rows.begin;
  return {Layout::on_mesh(mesh, by_rows ? dealt : whole, by_rows ? whole : dealt),
          {array_of(x), own.mine.offset + before},
          std::max<Index>(0, own.mine.count() - before),
          std::max<Index>(1, own.mine.rows)};
}

// The same part where it lies in the face of this rank in a round.
program::Operand TreeFaces::in_face(Matrix x, Index round, const SharedCell& part,
                                    program::Place slot) const {
  const SharedCell f = face_of(s_, x, box_of_round(s_, box_, round));
  const bool mine = std::ranges::binary_search(part.sharers, rank_);
  const Index at =
      mine ? part.rows.begin - f.rows.begin + (part.cols.begin - f.cols.begin) * f.rows.count : 0;
  return {copied(part), slot + at, mine ? f.count() - at : 0,
          std::max<Index>(1, rows_of_round(s_, x, box_, round))};
}

FaceMove TreeFaces::exchange(std::vector<program::ExchangeMove> moves, std::vector<Matrix> of,
                             std::string_view phase) const {
  std::vector<layout::Move> shapes;
  for (const program::ExchangeMove& m : moves) shapes.push_back({m.from.layout, m.to.layout});
  // A rank knows its own moves alone, so nothing is passed on.
  program::Exchange x{.plan = std::make_shared<const layout::ExchangePlan>(std::move(shapes), rank_, ranks_,
                                                                           layout::PassOn::never),
                      .moves = std::move(moves)};
  return {.what = std::move(x), .of = std::move(of), .phase = phase};
}

// A cell goes from the slices to all its sharers: (1 - 1/s) of it to each. In rounds each gets what it needs now;
// those that need the same share a move.
std::vector<FaceMove> TreeFaces::gathers(Index round, const std::array<program::Place, 3>& slots) const {
  std::vector<program::ExchangeMove> moves;
  for (const Matrix x : {Matrix::a, Matrix::b}) {
    if (stays(x) || (round > 0 && !has_rounds(s_, x))) continue;
    for (const OwnCell& own : cells(x)) {
      std::vector<SharedCell> parts;
      for (const int sharer : own.cell.sharers) {
        SharedCell part = needed(x, own.cell, sharer, round);
        if (!parts.empty() && parts.back().rows == part.rows && parts.back().cols == part.cols)
          parts.back().sharers.push_back(sharer);
        else if (part.count() > 0)
          parts.push_back(std::move(part));
      }
      for (const SharedCell& part : parts)
        moves.push_back({.alpha = program::Factor::of(1),
                         .from = slices(x, own, part),
                         .beta = program::Factor::of(0),
                         .to = in_face(x, round, part, slots[index(x)])});
    }
  }
  if (moves.empty()) return {};
  std::vector<FaceMove> all;
  // Of both on every rank, whichever of them stays here: all ranks name their exchanges alike.
  all.push_back(exchange(std::move(moves), {Matrix::a, Matrix::b}, "gather"));
  return all;
}

FaceSource::Columns TreeFaces::columns_of_part(Index /*part*/) const { return {}; }

// beta C, then what each sharer of a cell contributes, in the order of the ranks: (1 - 1/s) of the cell each.
std::vector<FaceMove> TreeFaces::combines(Index round, Index /*part*/, program::Place slot) const {
  std::vector<program::ExchangeMove> moves;
  for (const OwnCell& own : cells(Matrix::c))
    for (const int sharer : own.cell.sharers) {
      const SharedCell part = needed(Matrix::c, own.cell, sharer, round);
      if (part.count() > 0)
        moves.push_back({.alpha = program::Factor::of(1),
                         .from = in_face(Matrix::c, round, part, slot),
                         .beta = program::Factor::of(1),
                         .to = slices(Matrix::c, own, part)});
    }
  if (moves.empty()) return {};
  FaceMove move = exchange(std::move(moves), {Matrix::c}, phase_of(Matrix::c));
  const bool first = !has_rounds(s_, Matrix::c) || round == 0;
  if (first && s_.problem.beta != Coefficient::one) move.before = scale_c();
  return {std::move(move)};
}

std::vector<program::LinearCombination> TreeFaces::scale_c() const {
  const Index mine = array_elements(Matrix::c);
  if (mine == 0) return {};
  return {{.to = {array_of(Matrix::c), 0}, .rows = mine, .columns = 1, .ld = mine, .keep = beta_factor}};
}

}  // namespace cairn::gemm
