#include "gemm/native_faces.hpp"

namespace cairn::gemm {
namespace {

NativeLayout layout_of_faces(Schedule s, Matrix x) {
  s.combines = 1;
  return {s, x};
}

}  // namespace

NativeFaces::NativeFaces(const Schedule& s, int rank)
    : s_(s),
      at_(coordinates(s.grid, rank)),
      layouts_{layout_of_faces(s, Matrix::a), layout_of_faces(s, Matrix::b), layout_of_faces(s, Matrix::c)},
      parts_of_c_(s, Matrix::c) {}

Index NativeFaces::slot_elements(Matrix x) const { return layout(x).face({}, 0).count(); }
Index NativeFaces::array_elements(Matrix x) const { return NativeLayout(s_, x).local_count(at_); }

program::Place NativeFaces::mine(Matrix x, Index r) const {
  return {array_of(x), layout(x).piece(at_, round_of(x, r)).offset};
}

Face NativeFaces::face(Matrix x, Index round, program::Place slot) const {
  const Piece p = layout(x).face(at_, round_of(x, round));
  const Op op = x == Matrix::a ? s_.problem.op_a : x == Matrix::b ? s_.problem.op_b : Op::none;
  return {stays(x) ? mine(x, round) : slot, p.rows, p.cols, p.rows, op};
}

program::Group NativeFaces::fibre(Matrix x) const {
  const Dim along = missing(x);
  const int stride = along == Dim::m ? 1 : along == Dim::n ? s_.grid.pm : s_.grid.pm * s_.grid.pn;
  return program::Group::strided(rank_at(s_.grid, at_.with(along, 0)), stride, s_.grid.extent(along));
}

program::Collective NativeFaces::collective(Matrix x, const comm::Partition& slices) const {
  const comm::BlockCollective c = collective_of(s_, x, slices);
  return {.kind = c.kind, .group = fibre(x), .blocks = slices, .way = c.way, .transport = c.transport};
}

// A: along the n-fibre, (1 - 1/pn) |A(i,l)| words; B: along the m-fibre, (1 - 1/pm) |B(l,j)|.
std::vector<FaceMove> NativeFaces::gathers(Index round, const std::array<program::Place, 3>& slots) const {
  std::vector<FaceMove> moves;
  for (const Matrix x : {Matrix::a, Matrix::b}) {
    if (stays(x) || (layout(x).rounds() == 1 && round > 0)) continue;
    const comm::Partition slices = layout(x).slices(at_, round);
    if (slices.total() == 0) continue;
    program::Collective gather = collective(x, slices);
    gather.from = mine(x, round);
    gather.to = slots[index(x)];
    moves.push_back({.what = std::move(gather), .of = {x}, .phase = phase_of(x)});
  }
  return moves;
}

FaceSource::Columns NativeFaces::columns_of_part(Index part) const {
  const Piece c = parts_of_c_.face(at_, part);
  return {c.col - parts_of_c_.face(at_, 0).col, c.cols};
}

// C, or a round or part of it: along the k-fibre, (1 - 1/pk) |C(i,j)| words. beta C is added by its owner, to
// its own contribution.
std::vector<FaceMove> NativeFaces::combines(Index round, Index part, program::Place slot) const {
  const Index number = parts_of_c_.rounds() == 1 ? 0 : s_.combines > 1 ? part : round;
  const comm::Partition slices = parts_of_c_.slices(at_, number);
  if (slices.total() == 0) return {};
  const Piece piece = parts_of_c_.face(at_, number),
              whole = layout(Matrix::c).face(at_, round_of(Matrix::c, round));
  program::Collective sum = collective(Matrix::c, slices);
  sum.from = slot + (piece.col - whole.col) * whole.rows;
  sum.to = {array_of(Matrix::c), parts_of_c_.piece(at_, number).offset};
  FaceMove move{.what = sum, .of = {Matrix::c}, .phase = phase_of(Matrix::c)};
  const int me = at_[missing(Matrix::c)];
  const Index mine = slices.count(me);
  if (s_.problem.beta != Coefficient::zero && mine > 0)
    move.before.push_back({.to = sum.from + slices.offset(me),
                           .rows = mine,
                           .columns = 1,
                           .ld = mine,
                           .keep = program::Factor::of(1),
                           .terms = {{beta_factor, sum.to, mine}}});
  return {std::move(move)};
}

std::vector<program::LinearCombination> NativeFaces::scale_c() const {
  const Index mine = array_elements(Matrix::c);
  if (mine == 0) return {};
  return {{.to = {array_of(Matrix::c), 0}, .rows = mine, .columns = 1, .ld = mine, .keep = beta_factor}};
}

}  // namespace cairn::gemm
