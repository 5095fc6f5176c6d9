#include "gemm/compile.hpp"

#include <algorithm>

#include "gemm/fast/in_schedule.hpp"
#include "gemm/native_faces.hpp"
#include "gemm/placed_faces.hpp"
#include "gemm/tree_faces.hpp"

namespace cairn::gemm {
namespace {

using program::Action;
using program::Place;

// Faces that are not where the user has the matrix, one after the other in the work memory.
FacePlaces place_faces(const Schedule& s, const FaceSource& faces, Index& work) {
  FacePlaces places;
  for (const Matrix x : all_matrices) {
    if (faces.stays(x)) continue;
    places.base[index(x)] = {Place::work, work};
    places.slot_elements[index(x)] = faces.slot_elements(x);
    const Index slots = checked_mul(slots_of(s, x), faces.slot_elements(x), "words of the faces");
    work = checked_add(work, slots, "words of the faces");
  }
  return places;
}

class Compiler {
 public:
  Compiler(const Schedule& s, const FaceSource& faces, program::Program& program)
      : s_(s),
        faces_(faces),
        program_(program),
        places_(place_faces(s, faces, program.array_counts[0])),
        faces_end_(program.array_counts[0]) {
    for (const Matrix x : all_matrices)
      under_way_[index(x)].assign(static_cast<std::size_t>(slots_of(s, x)), none);
  }

  void compile() {
    const Index rounds = s_.rounds.count;
    const Index in_parts = s_.combines > 1 ? std::min<Index>(rounds, s_.lookahead + 1) : 0;
    for (Index r = 0; r < rounds - in_parts; ++r) {
      gather_until(r + s_.lookahead);
      if (faces_.has_brick()) multiply(r);
      if (has_rounds(s_, Matrix::c) || r + 1 == rounds) combine(r, 0);
    }
    if (in_parts > 0) finish_in_parts(rounds - in_parts);
  }

 private:
  static constexpr std::int32_t none = -1;
  using Columns = FaceSource::Columns;

  void gather_until(Index round) {
    for (; gathered_ <= std::min(round, s_.rounds.count - 1); ++gathered_) gather(gathered_);
  }

  // The rounds from `first` on, one part of C after the other.
  void finish_in_parts(Index first) {
    gather_until(s_.rounds.count - 1);
    for (Index part = 0; part < s_.combines; ++part) {
      for (Index r = first; r < s_.rounds.count; ++r) multiply(r, faces_.columns_of_part(part));
      combine(s_.rounds.count - 1, part);
    }
  }

  Index slot_number(Matrix x, Index r) const { return has_rounds(s_, x) ? r % slots_of(s_, x) : 0; }
  Place slot(Matrix x, Index r) const { return places_.slot(x, slot_number(x, r)); }
  // The communication that last touched the slot of a face.
  std::int32_t& under_way(Matrix x, Index r) {
    return under_way_[index(x)][static_cast<std::size_t>(slot_number(x, r))];
  }

  std::int32_t add(decltype(Action::what) what, std::string_view phase, Index round,
                   std::initializer_list<std::int32_t> waits) {
    Action action{.what = std::move(what), .phase = phase_number(program_, phase), .round = round};
    for (const std::int32_t w : waits)
      if (w != none) action.waits.push_back(w);
    program_.actions.push_back(std::move(action));
    return static_cast<std::int32_t>(program_.actions.size()) - 1;
  }

  // All ranks number their moves alike, whether they have a brick or not.
  std::int32_t communicate(FaceMove&& move, Index round, bool with_previous,
                           std::initializer_list<std::int32_t> waits) {
    const int channel = static_cast<int>(2 * round) + (move.of.front() == Matrix::a ? 0 : 1) +
                        (move.of.front() == Matrix::c ? combine_channels : 0);
    return add(program::Communicate{std::move(move.what), channel, with_previous}, move.phase, round, waits);
  }

  void gather(Index r) {
    bool with_previous = false;
    for (FaceMove& move : faces_.gathers(r, {slot(Matrix::a, r), slot(Matrix::b, r), {}})) {
      // A rank with an empty brick multiplies nothing and so never waits: the slot may still be under way. Pieces
      // of exchanges need memory: one gather at a time, and no combine beside it without lookahead.
      const std::vector<Matrix> of = move.of;
      const std::int32_t earlier = by_exchange(s_) ? last_gather_ : under_way(of.front(), r),
                         sum = by_exchange(s_) && s_.lookahead == 0 ? last_combine_ : none;
      last_gather_ = communicate(std::move(move), r, with_previous, {earlier, sum});
      for (const Matrix x : of) under_way(x, r) = last_gather_;
      with_previous = true;
    }
  }

  std::int32_t wait_for(Matrix x, Index r) { return faces_.stays(x) ? none : under_way(x, r); }

  // These columns of the face of C; none: all.
  void multiply(Index r, const std::optional<Columns>& columns = {}) {
    const Face a = faces_.face(Matrix::a, r, slot(Matrix::a, r)),
               b = faces_.face(Matrix::b, r, slot(Matrix::b, r));
    Face c = faces_.face(Matrix::c, r, slot(Matrix::c, r));
    Place from = b.at;
    if (columns) {
      c.at = c.at + columns->first * c.ld;
      from = from + columns->first * (s_.problem.op_b == Op::none ? b.ld : 1);
      c.columns = columns->count;
    }
    const bool first = has_rounds(s_, Matrix::c) || r == 0;
    const Index k = s_.problem.op_a == Op::none ? a.columns : a.rows;
    if (c.rows * c.columns == 0 || (k == 0 && !first)) return;
    const program::Factor start = faces_.stays(Matrix::c) ? beta_factor : program::Factor::of(0);
    const std::int32_t c_moves = s_.combines > 1 ? none : wait_for(Matrix::c, r);
    const auto waits = {wait_for(Matrix::a, r), wait_for(Matrix::b, r), c_moves};
    if (k == 0) {  // an empty part of k: this rank contributes zeros
      const bool flipped = faces_.computes_transposed();
      add(program::LinearCombination{.to = c.at,
                                     .rows = flipped ? c.columns : c.rows,
                                     .columns = flipped ? c.rows : c.columns,
                                     .ld = c.ld,
                                     .keep = start},
          "update C", r, waits);
      return;
    }
    const program::Multiply x = product(a, b, from, c, k, first ? start : program::Factor::of(1));
    if (s_.fast_levels == 0)
      add(x, "multiply", r, waits);
    else
      add(fast_product(x), "multiply", r, waits);
  }

  // All products share what lies behind the faces: they are done one after the other.
  program::Kernel fast_product(const program::Multiply& x) {
    const fast::LocalProduct p = fast::local_product_of(x, s_.fast_levels);
    Index& work = program_.array_counts[0];
    work = std::max(
        work,
        checked_add(faces_end_, x.beta.is(0) ? fast::workspace_elements(p, false) : fast::most_workspace(p),
                    "work memory"));
    return fast::make_local_product(s_.problem.type, p, x, {Place::work, faces_end_});
  }

  program::Multiply product(const Face& a, const Face& b, Place b_at, const Face& c, Index k,
                            const program::Factor& beta) const {
    if (faces_.computes_transposed())
      return {.op_a = b.op,
              .op_b = a.op,
              .m = c.columns,
              .n = c.rows,
              .k = k,
              .a = b_at,
              .b = a.at,
              .c = c.at,
              .lda = b.ld,
              .ldb = a.ld,
              .ldc = c.ld,
              .alpha = alpha_factor,
              .beta = beta};
    return {.op_a = a.op,
            .op_b = b.op,
            .m = c.rows,
            .n = c.columns,
            .k = k,
            .a = a.at,
            .b = b_at,
            .c = c.at,
            .lda = a.ld,
            .ldb = b.ld,
            .ldc = c.ld,
            .alpha = alpha_factor,
            .beta = beta};
  }

  void combine(Index r, Index part) {
    if (faces_.stays(Matrix::c)) return;
    for (FaceMove& move : faces_.combines(r, part, slot(Matrix::c, r))) {
      for (program::LinearCombination& x : move.before) add(std::move(x), "update C", r, {});
      // One combine at a time, and without lookahead no gather beside it.
      const std::int32_t sum = by_exchange(s_) ? last_combine_ : none,
                         gather = by_exchange(s_) && !ahead(r) ? last_gather_ : none;
      last_combine_ = communicate(std::move(move), s_.combines > 1 ? part : r, false, {sum, gather});
      under_way(Matrix::c, r) = last_combine_;
    }
  }
  // Whether the gather of a later round is under way.
  bool ahead(Index r) const { return s_.lookahead > 0 && r + 1 < s_.rounds.count; }

  static constexpr int combine_channels = 1024;

  const Schedule& s_;
  const FaceSource& faces_;
  program::Program& program_;
  FacePlaces places_;
  Index faces_end_;  // of the work memory
  std::array<std::vector<std::int32_t>, 3> under_way_;
  std::int32_t last_gather_ = none, last_combine_ = none;
  Index gathered_ = 0;  // rounds
};

void compile(const Schedule& s, const FaceSource& faces, program::Program& program) {
  for (const Matrix x : all_matrices) program.array_counts.push_back(faces.array_elements(x));
  if (s.problem.multiplies()) return Compiler(s, faces, program).compile();
  if (s.problem.empty() || s.problem.beta == Coefficient::one) return;
  const int phase = phase_number(program, "update C");
  for (program::LinearCombination& x : faces.scale_c())
    program.actions.push_back({.what = std::move(x), .phase = phase});
}

}  // namespace

Index work_count(const Schedule& s) {
  Index total = 0;
  if (s.problem.multiplies()) place_faces(s, NativeFaces(s, 0), total);
  return total;
}

program::Program compile(const Schedule& s, int rank, int ranks, const std::array<Index, 3>& leading) {
  const auto size =
      static_cast<int>(std::max<Index>({Index{ranks}, rank + 1, s.placement ? 0 : working_ranks(s)}));
  check(s, size);
  if (s.steps) return fast::compile_steps(s, rank, size, leading);
  program::Program program{
      .type = s.problem.type, .rank = rank, .ranks = size, .phases = {}, .array_counts = {0}, .actions = {}};
  for (const Matrix x : all_matrices) phase_number(program, phase_of(x));
  if (s.placement)
    compile(s, PlacedFaces(s, rank, size, leading), program);
  else if (s.tree)
    compile(s, TreeFaces(s, rank, size), program);
  else if (rank < s.grid.ranks())
    compile(s, NativeFaces(s, rank), program);
  else
    program.array_counts.resize(4, 0);
  return program;
}

}  // namespace cairn::gemm
