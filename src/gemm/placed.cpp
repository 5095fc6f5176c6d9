#include "gemm/placed.hpp"

#include <algorithm>

#include "gemm/placed_faces.hpp"
#include "layout/matching/relabel.hpp"

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

// Faces lie in the order of the user's matrix, which packs fastest, unless BLAS has no name for what they
// then are: conjugated and not transposed.
Order face_order(const Placed& p, Matrix x) {
  const Order user = p.of(x).order(), c = p.of(Matrix::c).order();
  if (x == Matrix::c) return c;
  return conjugates(p, x) && is_flipped(user, c) ? flipped(user) : user;
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

const IndexMap& map_of(const Placed& p, Matrix x, Dim d) {
  return row_dim(p.problem, x) == d ? p.of(x).row_map() : p.of(x).column_map();
}

std::optional<Placed> in_place(const Problem& problem, const std::array<Layout, 3>& matrices, Matrix x) {
  Placed p{.problem = problem, .matrices = matrices};
  const Layout& l = p.of(x);
  const Dim rows = row_dim(problem, x), columns = col_dim(problem, x);
  if (l.mesh() == nullptr || l.is_replicated()) return {};
  for (const Dim d : {rows, columns}) p.cuts[index(d)] = Cut::by(map_of(p, x, d));
  for (int position = 0; position < p.grid().ranks(); ++position) {
    const Coordinates at = coordinates(p.grid(), position);
    p.ranks.push_back(l.owner(at[rows], at[columns]));
  }
  return stays(p, x) ? std::optional(p) : std::nullopt;
}

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
    require(l.rows() == stored_rows(q, x) && l.columns() == stored_columns(q, x),
            "the layout of {} is {} x {}, expected {} x {}", name(x), l.rows(), l.columns(),
            stored_rows(q, x), stored_columns(q, x));
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
  require(p.lookahead == 0 || p.lookahead == 1, "lookahead is {}, expected 0 or 1", p.lookahead);
}

std::string describe(const Placed& p) {
  std::string text = describe(p.grid());
  for (const Matrix x : all_matrices)
    if (stays(p, x)) text += fmt::format(", {} in place", name(x));
  if (p.rounds.count > 1) text += fmt::format(", {} rounds along {}", p.rounds.count, name(p.rounds.along));
  if (p.rounds.count > 1 && p.lookahead > 0) text += ", overlapped";
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

std::vector<Matrix> gathered_in_round(const Placed& p, Index round) {
  std::vector<Matrix> all;
  for (const Matrix x : {Matrix::a, Matrix::b})
    if (!stays(p, x) && (round == 0 || has_rounds(p, x))) all.push_back(x);
  return all;
}

std::vector<layout::Move> gathers_of_round(const Placed& p, Index round) {
  std::vector<layout::Move> moves;
  for (const Matrix x : gathered_in_round(p, round))
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

std::optional<int> layer_of(const Placed& p, int rank) {
  const auto at = std::ranges::find(p.ranks, rank);
  if (at == p.ranks.end()) return {};
  return static_cast<int>((at - p.ranks.begin()) / (Index{p.grid().pm} * p.grid().pn));
}

double brick_voxels(const Placed& p, Index round, int rank) {
  const auto at = std::ranges::find(p.ranks, rank);
  if (at == p.ranks.end()) return 0;
  const Coordinates brick = coordinates(p.grid(), static_cast<int>(at - p.ranks.begin()));
  double voxels = 1;
  for (const Dim d : all_dims) voxels *= static_cast<double>(axis(p, d, round).map.count(brick[d]));
  return voxels;
}

namespace {

// Indices of every part, in the round in which it has most. Without looking at whole layouts: a planner asks
// this for many numbers of rounds.
std::vector<Index> longest_parts(const Placed& p, Dim d) {
  std::vector<Index> most(static_cast<std::size_t>(p.grid().extent(d)), 0);
  for (Index r = 0; r < (p.rounds.along == d ? p.rounds.count : 1); ++r) {
    const Range range = range_of(p, d, r);
    const IndexMap map = p.cuts[index(d)].of_range(range.begin, range.count);
    for (std::size_t part = 0; part < most.size(); ++part)
      most[part] = std::max(most[part], map.count(static_cast<int>(part)));
  }
  return most;
}

using LongestParts = std::array<std::vector<Index>, 3>;  // by dimension

LongestParts longest_parts(const Placed& p) {
  return {longest_parts(p, Dim::m), longest_parts(p, Dim::n), longest_parts(p, Dim::k)};
}

// Only one of its two dimensions has rounds.
Index longest_face(const Placed& p, const LongestParts& longest, Matrix x, const Coordinates& at) {
  const auto of = [&](Dim d) { return longest[index(d)][static_cast<std::size_t>(at[d])]; };
  return of(row_dim(p.problem, x)) * of(col_dim(p.problem, x));
}

// The gathers of the next round, and the sums of the last one.
int exchanges_at_once(const Placed& p) { return p.lookahead > 0 && has_rounds(p, Matrix::c) ? 2 : 1; }

// A piece has at least one line: what a part of the user's matrix and a face have in common along the lines
// of the one that is filled. Lines that are transposed are cut.
Index longest_line(const Placed& p, const LongestParts& longest, Matrix x) {
  const Order to = x == Matrix::c ? p.of(x).order() : face_order(p, x);
  const Dim along = to == Order::column_major ? row_dim(p.problem, x) : col_dim(p.problem, x);
  const IndexMap& user = map_of(p, x, along);
  Index of_user = 0;
  for (int part = 0; part < user.parts(); ++part) of_user = std::max(of_user, user.count(part));
  return std::min(of_user, std::ranges::max(longest[index(along)]));
}

// Pieces of all but the matrices that stay.
Index bytes_each_way(const Placed& p, const LongestParts& longest, const std::array<bool, 3>& stay) {
  Index piece = p.exchange.piece_bytes;
  for (const Matrix x : all_matrices)
    if (!stay[index(x)]) piece = std::max(piece, longest_line(p, longest, x) * bytes(p.problem.type));
  return checked_mul(p.exchange.pieces_under_way, piece, "bytes of pieces under way");
}

std::array<bool, 3> which_stay(const Placed& p) {
  return {stays(p, Matrix::a), stays(p, Matrix::b), stays(p, Matrix::c)};
}

}  // namespace

Index face_elements(const Placed& p, Matrix x, int rank) {
  const auto at = std::ranges::find(p.ranks, rank);
  if (at == p.ranks.end() || stays(p, x)) return 0;
  return longest_face(p, longest_parts(p), x, coordinates(p.grid(), static_cast<int>(at - p.ranks.begin())));
}

Index face_bytes(const Placed& p, Matrix x, int rank) {
  return checked_mul(face_slots(p, x) * face_elements(p, x, rank), bytes(p.problem.type),
                     "bytes of the faces");
}

std::vector<Index> most_work_bytes(const Placed& p, int ranks) {
  const std::array<bool, 3> stay = which_stay(p);
  const LongestParts longest = longest_parts(p);
  std::vector<Index> work(static_cast<std::size_t>(ranks),
                          2 * exchanges_at_once(p) * bytes_each_way(p, longest, stay));
  for (std::size_t q = 0; q < p.ranks.size(); ++q) {
    const Coordinates at = coordinates(p.grid(), static_cast<int>(q));
    Index elements = 0;
    for (const Matrix x : all_matrices)
      if (!stay[index(x)]) elements += face_slots(p, x) * longest_face(p, longest, x, at);
    work[static_cast<std::size_t>(p.ranks[q])] += elements * bytes(p.problem.type);
  }
  return work;
}

PlacedCounts count(const Placed& p, int rank, int ranks) {
  PlacedCounts counts;
  if (!p.problem.multiplies()) return counts;
  const Index element = bytes(p.problem.type);
  Index most = 0;
  const auto add = [&](std::vector<layout::Move> moves, comm::Counters& sum) {
    if (moves.empty()) return;
    const layout::ExchangePlan plan(std::move(moves), rank, ranks);
    sum += layout::count(plan, element, p.exchange);
    most = std::max(most, layout::slot_bytes(plan, element, p.exchange));
  };
  for (Index r = 0; r < p.rounds.count; ++r) {
    add(gathers_of_round(p, r), counts.gathered);
    add(combines_of_round(p, r), counts.combined);
  }
  counts.exchange_bytes = exchanges_at_once(p) * most;
  for (const Matrix x : all_matrices) counts.face_bytes += face_bytes(p, x, rank);
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

}  // namespace cairn::gemm
