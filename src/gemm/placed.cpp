#include "gemm/placed.hpp"

#include <algorithm>

#include "layout/relabel.hpp"

namespace cairn::gemm {

using layout::IndexMap;
using layout::Layout;
using layout::Order;

IndexMap Cut::of_range(Index begin, Index count) const {
  return map ? map->sub(begin, count) : IndexMap::balanced(count, parts);
}

namespace {

// The range of a dimension in one round. Rounds of a dealt dimension end where a whole turn ends, so that all
// parts have as much of each round, unless there are too few turns.
struct Range {
  Index begin = 0;
  Index count = 0;
};

Range range_of(const Placed& p, Dim d, Index round) {
  const Index size = p.problem.size(d);
  if (p.rounds.along != d || p.rounds.count == 1) return {0, size};
  const Cut& cut = p.cuts[index(d)];
  const Index turn = cut.map ? std::max<Index>(1, cut.map->block()) * cut.parts : 1;
  const Index unit = turn <= size / p.rounds.count ? turn : 1;
  const auto units = comm::Partition::balanced(static_cast<int>(p.rounds.count), ceil_div(size, unit));
  const auto start = [&](Index r) { return std::min(size, units.offset(static_cast<int>(r)) * unit); };
  return {start(round), start(round + 1) - start(round)};
}

bool has_rounds(const Placed& p, Matrix x) { return p.rounds.count > 1 && p.rounds.along != missing(x); }

// What BLAS is told of a matrix that is wanted as op(S), if memory holds S by columns, or by rows (which is S
// transposed by columns), and C is written by columns, or by rows (which transposes everything).
bool is_flipped(Order memory, Order c) { return (memory == Order::row_major) != (c == Order::row_major); }
bool conjugates(const Placed& p, Op op) { return op == Op::adjoint && is_complex(p.problem.type); }

// Faces lie in the order of the user's matrix, which packs fastest, unless BLAS has no name for what they
// then are: conjugated and not transposed.
Order face_order(const Placed& p, Matrix x) {
  const Order user = p.of(x).order(), c = p.of(Matrix::c).order();
  if (x == Matrix::c) return c;
  const Op op = x == Matrix::a ? p.problem.op_a : p.problem.op_b;
  return conjugates(p, op) && is_flipped(user, c) ? flipped(user) : user;
}

layout::Mesh bricks(const Placed& p) {
  const Grid g = p.grid();
  return layout::Mesh({g.pm, g.pn, g.pk}).on_ranks(p.ranks);
}

layout::Mesh bricks_of_layer(const Placed& p, int layer) {
  const Grid g = p.grid();
  const auto first = p.ranks.begin() + std::ptrdiff_t{layer} * g.pm * g.pn;
  return layout::Mesh({g.pm, g.pn}).on_ranks({first, first + std::ptrdiff_t{g.pm} * g.pn});
}

layout::Axis axis(const Placed& p, Dim d, Index round) {
  const Range r = range_of(p, d, round);
  return {p.cuts[index(d)].of_range(r.begin, r.count), {static_cast<int>(index(d))}};
}

// Every rank of the bricks holds just the cell of its face, and nobody else holds any of the matrix.
bool same_cells(const Layout& user, const Layout& faces) {
  const auto alike = [](const IndexMap& x, const IndexMap& y) {
    return x == y || (x.parts() == 1 && y.parts() == 1);  // all of it, however it was dealt
  };
  if (user.mesh() == nullptr || user.order() != faces.order() || !alike(user.row_map(), faces.row_map()) ||
      !alike(user.column_map(), faces.column_map()) || user.mesh()->positions() != faces.mesh()->positions())
    return false;
  for (int q = 0; q < faces.mesh()->positions(); ++q) {
    const int rank = faces.mesh()->rank_at(q);
    if (!user.mesh()->position_of(rank) || user.row_part_of(rank) != faces.row_part_of(rank) ||
        user.column_part_of(rank) != faces.column_part_of(rank))
      return false;
  }
  return true;
}

}  // namespace

void check(const Placed& p, int ranks) {
  const Problem& q = p.problem;
  for (const Dim d : all_dims) {
    require(q.size(d) >= 0, "{} is {}, expected 0 or more", name(d), q.size(d));
    const Cut& cut = p.cuts[index(d)];
    require(cut.parts >= 1, "{} is cut into {} parts, expected 1 or more", name(d), cut.parts);
    require(!cut.map || (cut.map->parts() == cut.parts && cut.map->size() == q.size(d)),
            "the cut of {} is a map of {} indices to {} parts, expected {} to {}", name(d),
            cut.map ? cut.map->size() : 0, cut.map ? cut.map->parts() : 0, q.size(d), cut.parts);
  }
  for (const Matrix x : all_matrices) {
    const Layout& l = p.of(x);
    require(l.rows() == q.size(row_dim(q, x)) && l.columns() == q.size(col_dim(q, x)),
            "the layout of {} is {} x {}, expected {} x {}", name(x), l.rows(), l.columns(),
            q.size(row_dim(q, x)), q.size(col_dim(q, x)));
    require(l.last_rank() < ranks, "the layout of {} names rank {}, expected ranks below {}", name(x),
            l.last_rank(), ranks);
  }
  require(std::cmp_equal(p.ranks.size(), p.grid().ranks()), "{} ranks for the {} bricks of {}",
          p.ranks.size(), p.grid().ranks(), describe(p.grid()));
  require(bricks(p).last_rank() < ranks, "a brick on rank {}, expected ranks below {}", bricks(p).last_rank(),
          ranks);
  require(p.rounds.count >= 1 && p.rounds.count <= std::max<Index>(1, q.size(p.rounds.along)),
          "{} rounds along {}, expected 1 to {}", p.rounds.count, name(p.rounds.along),
          q.size(p.rounds.along));
}

std::string describe(const Placed& p) {
  std::string text = describe(p.grid());
  for (const Matrix x : all_matrices)
    if (stays(p, x)) text += fmt::format(", {} in place", name(x));
  if (p.rounds.count > 1) text += fmt::format(", {} rounds along {}", p.rounds.count, name(p.rounds.along));
  return text;
}

Layout part_of_round(const Placed& p, Matrix x, Index round) {
  if (!has_rounds(p, x)) return p.of(x);
  const Range rows = range_of(p, row_dim(p.problem, x), round);
  const Range columns = range_of(p, col_dim(p.problem, x), round);
  return p.of(x).sub_matrix(rows.begin, columns.begin, rows.count, columns.count);
}

Layout faces_of_round(const Placed& p, Matrix x, Index round, int layer) {
  const layout::Mesh mesh = x == Matrix::c ? bricks_of_layer(p, layer) : bricks(p);
  return Layout::on_mesh(mesh, axis(p, row_dim(p.problem, x), round), axis(p, col_dim(p.problem, x), round),
                         face_order(p, x))
      .packed();
}

bool stays(const Placed& p, Matrix x) {
  if (x == Matrix::c && p.grid().pk > 1) return false;
  // A contiguous cut is made anew in every round.
  const Cut& cut = p.cuts[index(p.rounds.along)];
  if (has_rounds(p, x) && cut.parts > 1 && !cut.map) return false;
  return same_cells(part_of_round(p, x, 0), faces_of_round(p, x, 0));
}

std::vector<layout::Move> gathers_of_round(const Placed& p, Index round) {
  std::vector<layout::Move> moves;
  for (const Matrix x : {Matrix::a, Matrix::b})
    if (!stays(p, x) && (round == 0 || has_rounds(p, x)))
      moves.push_back({part_of_round(p, x, round), faces_of_round(p, x, round)});
  return moves;
}

std::vector<layout::Move> combines_of_round(const Placed& p, Index round) {
  std::vector<layout::Move> moves;
  const bool complete = has_rounds(p, Matrix::c) || round + 1 == p.rounds.count;
  if (!complete || stays(p, Matrix::c)) return moves;
  for (int layer = 0; layer < p.grid().pk; ++layer)
    moves.push_back({faces_of_round(p, Matrix::c, round, layer), part_of_round(p, Matrix::c, round)});
  return moves;
}

namespace {

// The layer along k that a rank's brick belongs to; none for a rank without a brick.
std::optional<int> layer_of(const Placed& p, int rank) {
  const auto at = std::ranges::find(p.ranks, rank);
  if (at == p.ranks.end()) return {};
  return static_cast<int>((at - p.ranks.begin()) / (Index{p.grid().pm} * p.grid().pn));
}

// The largest face of a matrix over the rounds: the first range has the most turns, but a remainder may give
// a later one more of a part.
Index face_elements(const Placed& p, Matrix x, int rank) {
  const std::optional<int> layer = layer_of(p, rank);
  if (!layer || stays(p, x)) return 0;
  Index most = 0;
  for (Index r = 0; r < (has_rounds(p, x) ? p.rounds.count : 1); ++r)
    most = std::max(most, faces_of_round(p, x, r, *layer).elements(rank));
  return most;
}

Index bytes_each_way(const layout::RedistributeOptions& o) {
  return checked_mul(o.pieces_under_way, o.piece_bytes, "bytes of pieces under way");
}

Index exchange_bytes(const layout::ExchangePlan& plan, Index element_bytes,
                     const layout::RedistributeOptions& o) {
  const Index each_way = bytes_each_way(o);
  return std::min(each_way, plan.words_sent() * element_bytes) +
         std::min(each_way, plan.words_received() * element_bytes);
}

}  // namespace

Index most_work_bytes(const Placed& p, int rank) {
  Index faces = 0;
  for (const Matrix x : all_matrices) faces += face_elements(p, x, rank) * bytes(p.problem.type);
  return faces + 2 * bytes_each_way(p.exchange);
}

PlacedCounts count(const Placed& p, int rank, int ranks) {
  PlacedCounts counts;
  if (!p.problem.multiplies()) return counts;
  const Index element = bytes(p.problem.type);
  const auto add = [&](std::vector<layout::Move> moves, comm::Counters& sum) {
    if (moves.empty()) return;
    const layout::ExchangePlan plan(std::move(moves), rank, ranks);
    sum += layout::count(plan, element, p.exchange);
    counts.exchange_bytes = std::max(counts.exchange_bytes, exchange_bytes(plan, element, p.exchange));
  };
  for (Index r = 0; r < p.rounds.count; ++r) {
    add(gathers_of_round(p, r), counts.gathered);
    add(combines_of_round(p, r), counts.combined);
  }
  for (const Matrix x : all_matrices)
    counts.face_bytes += checked_mul(face_elements(p, x, rank), element, "bytes of the faces");
  return counts;
}

Index words_of_all(const Placed& placed) {
  Placed p = placed;
  p.rounds = {};
  if (!p.problem.multiplies()) return 0;
  Index words = 0;
  for (const auto& moves : {gathers_of_round(p, 0), combines_of_round(p, 0)})
    for (const layout::Move& m : moves) words += layout::words_moved(m.from, m.to, m.op);
  return words;
}

namespace {

Op told_to_blas(Op op, bool flip, bool conjugate) {
  if (!flip) return op == Op::none || conjugate ? op : Op::transpose;
  return op == Op::none ? Op::transpose : Op::none;
}

template <Scalar T>
class PlacedRun {
 public:
  PlacedRun(const Placed& p, comm::CommView comm, T alpha, const layout::MatrixView<const T>& a,
            const layout::MatrixView<const T>& b, T beta, const layout::MatrixView<T>& c)
      : p_(p),
        comm_(comm),
        alpha_(alpha),
        beta_(beta),
        a_(a),
        b_(b),
        c_(c),
        layer_(layer_of(p, comm.rank())) {
    for (const Matrix x : all_matrices) {
      stays_[index(x)] = stays(p, x);
      faces_[index(x)] = comm.pool().lease(face_elements(p, x, comm.rank()) * static_cast<Index>(sizeof(T)));
    }
  }

  void run() {
    for (Index r = 0; r < p_.rounds.count; ++r) {
      gather(r);
      if (layer_) multiply(r);
      combine(r);
    }
  }

 private:
  // The users' matrices in a round: the same memory, a part of the layout.
  template <class U>
  layout::MatrixView<U> part(const layout::MatrixView<U>& whole, Matrix x, Index r) const {
    return {part_of_round(p_, x, r), whole.data, whole.elements, least_ld(whole)};
  }
  // A part of a matrix keeps the leading dimension of the whole.
  template <class U>
  Index least_ld(const layout::MatrixView<U>& whole) const {
    return whole.leading_dimension > 0 ? whole.leading_dimension
                                       : whole.layout.least_leading_dimension(comm_.rank());
  }
  layout::MatrixView<T> face(Matrix x, Index r, int layer) const {
    const std::span<T> memory = faces_[index(x)].template as<T>();
    return {faces_of_round(p_, x, r, layer), memory.data(), static_cast<Index>(memory.size()), 0};
  }

  void gather(Index r) {
    std::vector<layout::Move> moves = gathers_of_round(p_, r);
    if (moves.empty()) return;
    std::vector<layout::MoveData<T>> data;
    for (const Matrix x : {Matrix::a, Matrix::b})
      if (!stays_[index(x)] && (r == 0 || has_rounds(p_, x)))
        data.push_back({T(1), Op::none, part(x == Matrix::a ? a_ : b_, x, r), T(0), face(x, r, 0)});
    exchange(std::move(moves), data, "gather");
  }

  // beta C, then the sum over the layers in their order: the same bits each time.
  void combine(Index r) {
    std::vector<layout::Move> moves = combines_of_round(p_, r);
    if (moves.empty()) return;
    const layout::MatrixView<T> c = part(c_, Matrix::c, r);
    const bool several = moves.size() > 1;
    if (several) layout::scale(c, beta_, comm_.rank());
    std::vector<layout::MoveData<T>> data;
    for (int layer = 0; layer < p_.grid().pk; ++layer)
      data.push_back({T(1), Op::none, face(Matrix::c, r, layer), several ? T(1) : beta_, c});
    exchange(std::move(moves), data, "combine C");
  }

  void exchange(std::vector<layout::Move> moves, const std::vector<layout::MoveData<T>>& data,
                const char* name) {
    const comm::Phase phase(comm_.traffic(), name);
    layout::run<T>(layout::ExchangePlan(std::move(moves), comm_.rank(), comm_.size()), comm_, data,
                   p_.exchange);
  }

  // A face, or the cell of the user's matrix that is one: as BLAS sees it.
  template <class U>
  struct Operand {
    U* data = nullptr;
    Index rows = 0, columns = 0;
    Index ld = 1;
  };
  template <class U>
  Operand<U> operand(const layout::MatrixView<U>& user, Matrix x, Index r) const {
    const int rank = comm_.rank();
    const Layout faces = faces_of_round(p_, x, r, *layer_);
    const auto cells = [&] {
      return stays_[index(x)] ? part(user, x, r).cells(rank) : faces.cells_of(rank);
    }();
    Operand<U> o{stays_[index(x)] ? user.data : faces_[index(x)].template as<T>().data(),
                 faces.row_map().count(faces.row_part_of(rank)),
                 faces.column_map().count(faces.column_part_of(rank)), 1};
    const bool by_columns = faces.order() == Order::column_major;
    o.ld = std::max<Index>(1, by_columns ? o.rows : o.columns);
    if (cells.empty()) return o;
    o.data += cells.front().offset;
    o.ld = by_columns ? cells.front().column_stride : cells.front().row_stride;
    return o;
  }

  void multiply(Index r) {
    const Problem& q = p_.problem;
    const auto a = operand<const T>(a_, Matrix::a, r);
    const auto b = operand<const T>(b_, Matrix::b, r);
    const auto c = operand<T>(c_, Matrix::c, r);
    const Index k = q.op_a == Op::none ? a.columns : a.rows;
    if (c.rows == 0 || c.columns == 0) return;
    const bool first = r == 0 || has_rounds(p_, Matrix::c);
    const T factor = !first ? T(1) : stays_[index(Matrix::c)] ? beta_ : T(0);
    const Order order = face_order(p_, Matrix::c);
    const Op op_a =
        told_to_blas(q.op_a, is_flipped(face_order(p_, Matrix::a), order), conjugates(p_, q.op_a));
    const Op op_b =
        told_to_blas(q.op_b, is_flipped(face_order(p_, Matrix::b), order), conjugates(p_, q.op_b));
    if (order == Order::column_major)
      blas::gemm(op_a, op_b, c.rows, c.columns, k, alpha_, a.data, a.ld, b.data, b.ld, factor, c.data, c.ld);
    else  // C transposed = op(B) transposed times op(A) transposed
      blas::gemm(op_b, op_a, c.columns, c.rows, k, alpha_, b.data, b.ld, a.data, a.ld, factor, c.data, c.ld);
  }

  const Placed& p_;
  comm::CommView comm_;
  T alpha_, beta_;
  const layout::MatrixView<const T>&a_, &b_;
  const layout::MatrixView<T>& c_;
  std::optional<int> layer_;
  std::array<bool, 3> stays_{};
  std::array<Pool::Lease, 3> faces_;
};

}  // namespace

template <Scalar T>
void multiply(const Placed& p, comm::CommView comm, T alpha, const layout::MatrixView<const T>& a,
              const layout::MatrixView<const T>& b, T beta, const layout::MatrixView<T>& c) {
  if (p.problem.empty()) return;
  if (p.problem.k == 0 || alpha == T(0)) return layout::scale(c, beta, comm.rank());
  PlacedRun<T>(p, comm.unchecked(), alpha, a, b, beta, c).run();
}

#define CAIRN_INSTANTIATE(T)                                                                   \
  template void multiply(const Placed&, comm::CommView, T, const layout::MatrixView<const T>&, \
                         const layout::MatrixView<const T>&, T, const layout::MatrixView<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::gemm
