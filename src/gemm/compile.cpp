#include <algorithm>

#include "gemm/program.hpp"

namespace cairn::gemm {
namespace {

// Where the faces of one matrix lie: in the user's memory where the fibre has one rank, else in slots of the
// work buffer, one a round that may be under way. Offsets are those of the longest parts, which rank 0 has,
// so that they are the same on all ranks: a rank can take words out of another's faces without asking where.
struct Faces {
  bool in_user_memory = true;
  Index slots = 0;
  Index slot_count = 0;
  Index base = 0;

  Index total() const { return slots * slot_count; }
};

// C has one face, however many parts of it are combined.
NativeLayout faces_layout(Schedule s, Matrix x) {
  s.combines = 1;
  return {s, x};
}

std::array<Faces, 3> place_faces(const Schedule& s) {
  std::array<Faces, 3> all;
  Index base = 0;
  for (const Matrix x : all_matrices) {
    Faces& f = all[index(x)];
    if (s.grid.extent(missing(x)) == 1) continue;
    const NativeLayout layout = faces_layout(s, x);
    f = {false, std::min<Index>(layout.rounds(), s.lookahead + 1), layout.face({}, 0).count(), base};
    base = checked_add(base, checked_mul(f.slots, f.slot_count, "words of the faces"), "words of the faces");
  }
  return all;
}

class Compiler {
 public:
  Compiler(const Schedule& s, Program& program)
      : s_(s),
        program_(program),
        layouts_{faces_layout(s, Matrix::a), faces_layout(s, Matrix::b), faces_layout(s, Matrix::c)},
        native_c_(s, Matrix::c),
        faces_(place_faces(s)) {
    for (const Matrix x : all_matrices) {
      program.work_count += faces_[index(x)].total();
      under_way_[index(x)].assign(static_cast<std::size_t>(faces_[index(x)].slots), Operation::none);
    }
  }

  void compile() {
    const Index rounds = s_.rounds.count;
    const Index in_parts = s_.combines > 1 ? std::min<Index>(rounds, s_.lookahead + 1) : 0;
    for (Index r = 0; r < rounds - in_parts; ++r) {
      gather_until(r + s_.lookahead);
      const Index columns = face_of(Matrix::c, r).cols;
      multiply(r, {0, columns});
      if (cuts_c() || r + 1 == rounds) combine(r);
    }
    if (in_parts > 0) finish_in_parts(rounds - in_parts);
  }

 private:
  struct Columns {
    Index first = 0;
    Index count = 0;
  };

  void gather_until(Index round) {
    for (; gathered_ <= std::min(round, s_.rounds.count - 1); ++gathered_) {
      gather(Matrix::a, gathered_);
      gather(Matrix::b, gathered_);
    }
  }

  // The rounds from `first` on, one part of C after the other.
  void finish_in_parts(Index first) {
    gather_until(s_.rounds.count - 1);
    for (Index part = 0; part < s_.combines; ++part) {
      const Piece c = native_c_.face(program_.at, part);
      for (Index r = first; r < s_.rounds.count; ++r)
        multiply(r, {c.col - native_c_.face(program_.at, 0).col, c.cols});
      combine(part);
    }
  }

  const NativeLayout& layout(Matrix x) const { return layouts_[index(x)]; }
  const Faces& faces(Matrix x) const { return faces_[index(x)]; }
  // The round of a matrix in round r of the brick: it has one only, or all of them.
  Index round_of(Matrix x, Index r) const { return layout(x).rounds() == 1 ? 0 : r; }
  Piece face_of(Matrix x, Index r) const { return layout(x).face(program_.at, round_of(x, r)); }
  bool cuts_c() const { return layout(Matrix::c).rounds() > 1; }
  Location user(Matrix x, Index r) const {
    return Location::user(x, layout(x).piece(program_.at, round_of(x, r)).offset);
  }
  Index slot(Matrix x, Index r) const { return round_of(x, r) % faces(x).slots; }
  Location face(Matrix x, Index r) const {
    if (faces(x).in_user_memory) return user(x, r);
    return Location::work(faces(x).base + slot(x, r) * faces(x).slot_count);
  }
  // The communication that last touched the slot of a face.
  int& under_way(Matrix x, Index r) { return under_way_[index(x)][static_cast<std::size_t>(slot(x, r))]; }
  int wait_for(Matrix x, Index r) { return faces(x).in_user_memory ? Operation::none : under_way(x, r); }

  static Location after(Location at, Index elements) { return {at.space, at.offset + elements}; }

  int add(Operation operation) {
    program_.operations.push_back(std::move(operation));
    return static_cast<int>(program_.operations.size()) - 1;
  }

  // A: along the n-fibre, (1 - 1/pn) |A(i,l)| words; B: along the m-fibre, (1 - 1/pm) |B(l,j)|.
  void gather(Matrix x, Index r) {
    if (faces(x).in_user_memory || (layout(x).rounds() == 1 && r > 0)) return;
    const comm::Partition slices = layout(x).slices(program_.at, r);
    if (slices.total() == 0) return;
    // A rank with an empty brick multiplies nothing and so never waits: the slot may still be under way.
    const int earlier = under_way(x, r);
    under_way(x, r) =
        add({Gather{x, user(x, r), face(x, r), slices}, r, {earlier, Operation::none, Operation::none}});
  }

  // These columns of the face of C.
  void multiply(Index r, const Columns& columns) {
    const Piece a = face_of(Matrix::a, r), b = face_of(Matrix::b, r), c = face_of(Matrix::c, r);
    const bool first = cuts_c() || r == 0;
    const Index k = s_.problem.op_a == Op::none ? a.cols : a.rows;
    if (c.rows * columns.count == 0 || (k == 0 && !first)) return;
    const std::array<int, 3> waits{wait_for(Matrix::a, r), wait_for(Matrix::b, r),
                                   s_.combines > 1 ? Operation::none : wait_for(Matrix::c, r)};
    const Location to = after(face(Matrix::c, r), columns.first * c.rows);
    if (k == 0) {  // an empty part of k among others: this rank contributes zeros
      add({Clear{to, c.rows * columns.count}, r, waits});
      return;
    }
    const Location from =
        after(face(Matrix::b, r), columns.first * (s_.problem.op_b == Op::none ? b.rows : 1));
    const auto start = faces(Matrix::c).in_user_memory ? Multiply::Factor::beta : Multiply::Factor::zero;
    add({Multiply{c.rows, columns.count, k, face(Matrix::a, r), from, to, a.rows, b.rows, c.rows,
                  first ? start : Multiply::Factor::one},
         r, waits});
  }

  // C, or a round or part of it: along the k-fibre, (1 - 1/pk) |C(i,j)| words. beta C is added by its owner,
  // to its own contribution.
  void combine(Index r) {
    if (faces(Matrix::c).in_user_memory) return;
    const Index round = native_c_.rounds() == 1 ? 0 : r;
    const comm::Partition slices = native_c_.slices(program_.at, round);
    if (slices.total() == 0) return;
    const Piece part = native_c_.face(program_.at, round), whole = face_of(Matrix::c, r);
    const Location from = after(face(Matrix::c, r), (part.col - whole.col) * whole.rows),
                   to = Location::user(Matrix::c, native_c_.piece(program_.at, round).offset);
    const int me = program_.at[missing(Matrix::c)];
    if (s_.problem.beta != Coefficient::zero && slices.count(me) > 0)
      add({AddScaled{to, after(from, slices.offset(me)), slices.count(me)}, r});
    under_way(Matrix::c, r) = add({Combine{from, to, slices}, r});
  }

  const Schedule& s_;
  Program& program_;
  std::array<NativeLayout, 3> layouts_;  // of the faces
  NativeLayout native_c_;
  std::array<Faces, 3> faces_;
  std::array<std::vector<int>, 3> under_way_;
  Index gathered_ = 0;  // rounds
};

}  // namespace

Index work_count(const Schedule& s) {
  Index total = 0;
  if (s.problem.multiplies())
    for (const Faces& f : place_faces(s)) total += f.total();
  return total;
}

Program compile(const Schedule& s, int rank) {
  check(s, std::max<Index>(rank + 1, s.grid.ranks()));
  Program program{.schedule = s, .rank = rank, .at = {}, .operations = {}};
  program.idle = rank >= s.grid.ranks();
  if (program.idle) return program;
  program.at = coordinates(s.grid, rank);
  for (const Matrix x : all_matrices)
    program.local_counts[index(x)] = NativeLayout(s, x).local_count(program.at);
  const Index mine = program.local_count(Matrix::c);
  if (s.problem.multiplies())
    Compiler(s, program).compile();
  else if (s.problem.beta != Coefficient::one && mine > 0)
    program.operations.push_back({Scale{Location::user(Matrix::c, 0), mine}});
  return program;
}

}  // namespace cairn::gemm
