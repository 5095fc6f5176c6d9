#include "gemm/placement.hpp"

#include <algorithm>

#include "comm/agreement.hpp"
#include "gemm/placed_tree.hpp"
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

Range range_of(const Schedule& p, Dim d, Index round) {
  const Index size = p.problem.size(d);
  if (p.rounds.along != d || p.rounds.count == 1) return {0, size};
  const Cut& cut = p.placement->cuts[index(d)];
  const Index turn = cut.map ? std::max<Index>(1, cut.map->block()) * cut.parts : 1;
  const Index unit = turn <= size / p.rounds.count ? turn : 1;
  const auto units = comm::Partition::balanced(static_cast<int>(p.rounds.count), ceil_div(size, unit));
  const auto start = [&](Index r) { return std::min(size, units.offset(static_cast<int>(r)) * unit); };
  return {start(round), start(round + 1) - start(round)};
}

layout::Mesh bricks(const Schedule& p) {
  const Grid g = p.grid;
  return layout::Mesh({g.pm, g.pn, g.pk}).on_ranks(p.placement->ranks);
}

layout::Mesh bricks_of_layer(const Schedule& p, int layer) {
  const Grid g = p.grid;
  const auto first = p.placement->ranks.begin() + std::ptrdiff_t{layer} * g.pm * g.pn;
  return layout::Mesh({g.pm, g.pn}).on_ranks({first, first + std::ptrdiff_t{g.pm} * g.pn});
}

layout::Axis axis(const Schedule& p, Dim d, Index round) {
  const Range r = range_of(p, d, round);
  return {p.placement->cuts[index(d)].of_range(r.begin, r.count), {static_cast<int>(index(d))}};
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

Order face_order(const Schedule& p, Matrix x) {
  const Order user = layout_of(p, x).order(), c = layout_of(p, Matrix::c).order();
  if (x == Matrix::c) return c;
  return conjugates(p.problem, x) && is_flipped(user, c) ? flipped(user) : user;
}

const IndexMap& map_of(const Schedule& p, Matrix x, Dim d) {
  return row_dim(p.problem, x) == d ? layout_of(p, x).row_map() : layout_of(p, x).column_map();
}

bool operator==(const Placement& x, const Placement& y) {
  return x.matrices == y.matrices && x.cuts == y.cuts && x.ranks == y.ranks && x.sums_first == y.sums_first &&
         x.exchange.piece_bytes == y.exchange.piece_bytes &&
         x.exchange.pieces_under_way == y.exchange.pieces_under_way;
}

Schedule schedule_on(const Problem& problem, Placement placement, std::shared_ptr<const Tree> tree) {
  Schedule s{.problem = problem, .grid = placement.grid(), .tree = std::move(tree)};
  s.placement = std::make_shared<const Placement>(std::move(placement));
  return s;
}

std::optional<Schedule> in_place(const Problem& problem, const std::array<Layout, 3>& matrices, Matrix x) {
  const Layout& l = matrices[index(x)];
  const Dim rows = row_dim(problem, x), columns = col_dim(problem, x);
  if (l.mesh() == nullptr || l.is_replicated()) return {};
  Placement p{.matrices = matrices};
  p.cuts[index(rows)] = Cut::by(l.row_map());
  p.cuts[index(columns)] = Cut::by(l.column_map());
  for (int position = 0; position < p.grid().ranks(); ++position) {
    const Coordinates at = coordinates(p.grid(), position);
    p.ranks.push_back(l.owner(at[rows], at[columns]));
  }
  Schedule s = schedule_on(problem, std::move(p));
  return stays_placed(s, x) ? std::optional(std::move(s)) : std::nullopt;
}

void check_placement(const Schedule& p, Index ranks) {
  const Problem& q = p.problem;
  for (const Matrix x : all_matrices) {
    const Layout& l = layout_of(p, x);
    require(l.rows() == stored_rows(q, x) && l.columns() == stored_columns(q, x),
            "the layout of {} is {} x {}, expected {} x {}", name(x), l.rows(), l.columns(),
            stored_rows(q, x), stored_columns(q, x));
    require(l.last_rank() < ranks, "the layout of {} names rank {}, expected ranks below {}", name(x),
            l.last_rank(), ranks);
  }
  if (p.steps) return;  // deal the matrices as they want
  for (const Dim d : all_dims) {
    const Cut& cut = p.placement->cuts[index(d)];
    require(cut.parts == p.grid.extent(d), "{} is cut into {} parts on a grid {}", name(d), cut.parts,
            describe(p.grid));
    require(!cut.map || (cut.map->parts() == cut.parts && cut.map->size() == q.size(d)),
            "the cut of {} is a map of {} indices to {} parts, expected {} to {}", name(d),
            cut.map ? cut.map->size() : 0, cut.map ? cut.map->parts() : 0, q.size(d), cut.parts);
  }
  require(std::cmp_equal(p.placement->ranks.size(), bricks_of(p)), "{} ranks for the {} bricks of {}",
          p.placement->ranks.size(), bricks_of(p), describe_bricks(p));
  const int last = layout::Mesh({static_cast<int>(bricks_of(p))}).on_ranks(p.placement->ranks).last_rank();
  require(last < ranks, "a brick on rank {}, expected ranks below {}", last, ranks);
  require(p.lookahead <= 1, "lookahead is {}, expected 0 or 1 for matrices where they are", p.lookahead);
  require(p.combines == 1, "C is combined in {} parts, expected 1 for matrices where they are", p.combines);
  require(p.transport == Transport::two_sided,
          "one-sided transport for matrices where they are, expected two-sided");
}

std::string describe_placement(const Schedule& p) {
  std::string text;
  for (const Matrix x : all_matrices)
    if (stays_placed(p, x)) text += fmt::format(", {} in place", name(x));
  if (sums_first(p)) text += ", C summed before it moves";
  return text;
}

Index fingerprint_of_placement(const Schedule& s) {
  const Placement& p = *s.placement;
  std::vector<Index> values{p.exchange.piece_bytes, p.exchange.pieces_under_way, p.sums_first ? 1 : 0};
  for (const Layout& l : p.matrices) values.push_back(l.fingerprint());
  for (const Cut& cut : p.cuts)
    values.insert(values.end(), {cut.parts, cut.map ? cut.map->fingerprint() : -1});
  values.insert(values.end(), p.ranks.begin(), p.ranks.end());
  return comm::fingerprint(values);
}

Layout part_of_round(const Schedule& p, Matrix x, Index round) {
  if (!has_rounds(p, x)) return layout_of(p, x);
  const Range rows = range_of(p, row_dim(p.problem, x), round);
  const Range columns = range_of(p, col_dim(p.problem, x), round);
  return layout_of(p, x).sub_matrix(rows.begin, columns.begin, rows.count, columns.count);
}

namespace {

std::array<Index, 3> sizes_of_round(const Schedule& p, Index round) {
  return {range_of(p, Dim::m, round).count, range_of(p, Dim::n, round).count,
          range_of(p, Dim::k, round).count};
}

std::vector<Box> boxes_of_round(const Schedule& p, Index round) {
  return boxes_of_part(p, sizes_of_round(p, round));
}

// Bricks without voxels have faces, too: in another round they may have some, and A or B is there from the first one on.
Layout faces_of_tree(const Schedule& p, Matrix x, Index round, int layer) {
  const std::vector<Box> boxes = boxes_of_round(p, round);
  const Layers layers = layers_of(*p.tree);
  std::vector<PlacedBox> bricks;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (x != Matrix::c || layers.of_brick[i] == layer) bricks.push_back({boxes[i], p.placement->ranks[i]});
  return faces_of_bricks(p.problem, x, sizes_of_round(p, round), bricks, face_order(p, x));
}

}  // namespace

Layout faces_of_round(const Schedule& p, Matrix x, Index round, int layer) {
  if (p.tree) return faces_of_tree(p, x, round, layer);
  const layout::Mesh mesh = x == Matrix::c ? bricks_of_layer(p, layer) : bricks(p);
  return Layout::on_mesh(mesh, axis(p, row_dim(p.problem, x), round), axis(p, col_dim(p.problem, x), round),
                         face_order(p, x))
      .packed();
}

// As the lines lie: columns of a face by columns, rows of one by rows.
Layout sums_of_round(const Schedule& p, Index round) {
  layout::Axis rows = axis(p, Dim::m, round), columns = axis(p, Dim::n, round);
  const Order order = face_order(p, Matrix::c);
  layout::Axis& lines = order == Order::column_major ? columns : rows;
  lines.map = lines.map.sliced(p.grid.pk);
  lines.mesh_dimensions.push_back(static_cast<int>(index(Dim::k)));
  return Layout::on_mesh(bricks(p), std::move(rows), std::move(columns), order).packed();
}

comm::Partition slices_of_sum(const Schedule& p, Index rows, Index columns) {
  const bool by_columns = face_order(p, Matrix::c) == Order::column_major;
  return comm::Partition::balanced(p.grid.pk, by_columns ? columns : rows, by_columns ? rows : columns);
}

namespace {

Index longest_part(const IndexMap& map) {
  Index most = 0;
  for (int part = 0; part < map.parts(); ++part) most = std::max(most, map.count(part));
  return most;
}

// By the rank that has most.
Index most_owned(const Layout& l) {
  if (l.mesh() != nullptr) return longest_part(l.row_map()) * longest_part(l.column_map());
  Index most = 0;
  for (int rank = 0; rank <= l.last_rank(); ++rank) most = std::max(most, l.elements(rank));
  return most;
}

}  // namespace

// Directly an owner receives what it has once a layer. Summed first a brick receives its slice of the sum once from
// each other layer, and an owner what it has once.
bool is_better_summed_first(const Schedule& p) {
  if (p.grid.pk == 1) return false;
  const auto owned = static_cast<double>(most_owned(layout_of(p, Matrix::c)));
  double face = 1;
  for (const Dim d : {Dim::m, Dim::n})
    face *= static_cast<double>(longest_part(p.placement->cuts[index(d)].of_range(0, p.problem.size(d))));
  return owned * p.grid.pk > 1.25 * (owned + face * (1 - 1.0 / p.grid.pk));
}

layout::PassOn pass_on_in(const std::vector<layout::Move>& combines) {
  return combines.size() > 1 ? layout::PassOn::never : layout::PassOn::allowed;
}

bool stays_placed(const Schedule& p, Matrix x) {
  if (p.tree) return false;
  if (x == Matrix::c && p.grid.pk > 1) return false;
  // A contiguous cut is made anew in every round.
  const Cut& cut = p.placement->cuts[index(p.rounds.along)];
  if (has_rounds(p, x) && cut.parts > 1 && !cut.map) return false;
  // The same in every round where it is the same in the whole: different maps may be alike within one round.
  Schedule whole = p;
  whole.rounds = {};
  return same_cells(layout_of(p, x), faces_of_round(whole, x, 0));
}

std::vector<Matrix> gathered_in_round(const Schedule& p, Index round) {
  std::vector<Matrix> all;
  for (const Matrix x : {Matrix::a, Matrix::b})
    if (!stays_placed(p, x) && (round == 0 || has_rounds(p, x))) all.push_back(x);
  return all;
}

std::vector<layout::Move> gathers_of_round(const Schedule& p, Index round) {
  std::vector<layout::Move> moves;
  for (const Matrix x : gathered_in_round(p, round))
    moves.push_back({part_of_round(p, x, round), faces_of_round(p, x, round)});
  return moves;
}

std::vector<layout::Move> combines_of_round(const Schedule& p, Index round) {
  std::vector<layout::Move> moves;
  const bool complete = has_rounds(p, Matrix::c) || round + 1 == p.rounds.count;
  if (!complete || stays_placed(p, Matrix::c)) return moves;
  if (sums_first(p)) return {{sums_of_round(p, round), part_of_round(p, Matrix::c, round)}};
  for (int layer = 0; layer < layers_of(p); ++layer)
    moves.push_back({faces_of_round(p, Matrix::c, round, layer), part_of_round(p, Matrix::c, round)});
  return moves;
}

std::optional<int> brick_of(const Schedule& p, int rank) {
  const auto at = std::ranges::find(p.placement->ranks, rank);
  if (at == p.placement->ranks.end()) return {};
  return static_cast<int>(at - p.placement->ranks.begin());
}

int layers_of(const Schedule& p) { return p.tree ? layers_of(*p.tree).count : p.grid.pk; }

FaceShape face_shape(const Schedule& p, Matrix x, Index round, int brick) {
  if (p.tree) {
    const Box box = boxes_of_round(p, round)[static_cast<std::size_t>(brick)];
    return {box[row_dim(p.problem, x)].count, box[col_dim(p.problem, x)].count};
  }
  const Layout faces = faces_of_round(p, x, round, coordinates(p.grid, brick)[Dim::k]);
  const int rank = p.placement->ranks[static_cast<std::size_t>(brick)];
  return {faces.row_map().count(faces.row_part_of(rank)),
          faces.column_map().count(faces.column_part_of(rank))};
}

double largest_placed_brick(const Schedule& p) {
  if (p.tree) return largest_brick(p);
  double voxels = 1;
  for (const Dim d : all_dims)
    voxels *= static_cast<double>(longest_part(p.placement->cuts[index(d)].of_range(0, p.problem.size(d))));
  return voxels;
}

namespace {

// Indices of every part, in the round in which it has most. Without looking at whole layouts: a planner asks
// this for many numbers of rounds.
std::vector<Index> longest_parts(const Schedule& p, Dim d) {
  std::vector<Index> most(static_cast<std::size_t>(p.grid.extent(d)), 0);
  for (Index r = 0; r < (p.rounds.along == d ? p.rounds.count : 1); ++r) {
    const Range range = range_of(p, d, r);
    const IndexMap map = p.placement->cuts[index(d)].of_range(range.begin, range.count);
    for (std::size_t part = 0; part < most.size(); ++part)
      most[part] = std::max(most[part], map.count(static_cast<int>(part)));
  }
  return most;
}

// The sides of the bricks, each in the round in which it is longest.
class LongestSides {
 public:
  explicit LongestSides(const Schedule& p) : p_(p) {
    if (!p.tree) {
      for (const Dim d : all_dims) parts_[index(d)] = longest_parts(p, d);
      return;
    }
    // Rounds have two sizes: the longer ones come first.
    bricks_ = boxes_of_round(p, 0);
    const std::vector<Box> last = boxes_of_round(p, p.rounds.count - 1);
    for (std::size_t i = 0; i < last.size(); ++i)
      for (const Dim d : all_dims) bricks_[i][d].count = std::max(bricks_[i][d].count, last[i][d].count);
  }

  Index of(int brick, Dim d) const {
    return p_.tree ? bricks_[static_cast<std::size_t>(brick)][d].count
                   : parts_[index(d)][static_cast<std::size_t>(coordinates(p_.grid, brick)[d])];
  }
  Index longest(Dim d) const {
    if (!p_.tree) return std::ranges::max(parts_[index(d)]);
    return std::ranges::max(bricks_, {}, [&](const Box& b) { return b[d].count; })[d].count;
  }
  // Only one of its two dimensions has rounds.
  Index face(Matrix x, int brick) const {
    return of(brick, row_dim(p_.problem, x)) * of(brick, col_dim(p_.problem, x));
  }

 private:
  const Schedule& p_;
  std::array<std::vector<Index>, 3> parts_ = {};  // of a grid, by dimension
  std::vector<Box> bricks_ = {};                  // of a tree
};

// The gathers of the next round, and the sums of the last one.
int exchanges_at_once(const Schedule& p) { return p.lookahead > 0 && has_rounds(p, Matrix::c) ? 2 : 1; }

// A piece has at least one line: what a part of the user's matrix and a face have in common along the lines
// of the one that is filled. Lines that are transposed are cut.
Index longest_line(const Schedule& p, const LongestSides& sides, Matrix x) {
  const Order to = x == Matrix::c ? layout_of(p, x).order() : face_order(p, x);
  const Dim along = to == Order::column_major ? row_dim(p.problem, x) : col_dim(p.problem, x);
  return std::min(longest_part(map_of(p, x, along)), sides.longest(along));
}

// Pieces of all but the matrices that stay.
Index bytes_each_way(const Schedule& p, const LongestSides& sides, const std::array<bool, 3>& stay) {
  Index piece = p.placement->exchange.piece_bytes;
  for (const Matrix x : all_matrices)
    if (!stay[index(x)]) piece = std::max(piece, longest_line(p, sides, x) * bytes(p.problem.type));
  return checked_mul(p.placement->exchange.pieces_under_way, piece, "bytes of pieces under way");
}

std::array<bool, 3> which_stay(const Schedule& p) {
  return {stays_placed(p, Matrix::a), stays_placed(p, Matrix::b), stays_placed(p, Matrix::c)};
}

}  // namespace

Index face_elements(const Schedule& p, Matrix x, int rank) {
  const std::optional<int> brick = brick_of(p, rank);
  return !brick || stays_placed(p, x) ? 0 : LongestSides(p).face(x, *brick);
}

namespace {

// The slices that a brick's fibre shares of its longest face of C.
comm::Partition longest_slices(const Schedule& p, const LongestSides& sides, int brick) {
  return slices_of_sum(p, sides.of(brick, Dim::m), sides.of(brick, Dim::n));
}

// Of the sum and of its landing places.
Index sum_work(const Schedule& p, const LongestSides& sides, int brick) {
  if (!sums_first(p)) return 0;
  const comm::Partition slices = longest_slices(p, sides, brick);
  if (slices.total() == 0) return 0;
  return slots_of(p, Matrix::c) * slices.count(0) +
         comm::closed_work(collective_of(p, Matrix::c, slices), coordinates(p.grid, brick)[Dim::k]);
}

// Pieces out and in, and those that are passed on.
Index ways(const Schedule& p, int ranks) {
  // What a round has of a matrix may lie on few ranks, whatever the whole does.
  const bool gathers = p.rounds.count > 1
                           ? p.tree || p.grid.pm > 1 || p.grid.pn > 1
                           : layout::Relays(gathers_of_round(p, 0), layout::PassOn::allowed).any(ranks);
  return gathers || layout_of(p, Matrix::c).is_replicated() ? 3 : 2;
}

}  // namespace

Index sum_elements(const Schedule& p, int rank) {
  const std::optional<int> brick = brick_of(p, rank);
  return brick && sums_first(p) ? longest_slices(p, LongestSides(p), *brick).count(0) : 0;
}

std::vector<Index> most_work_bytes(const Schedule& p, int ranks) {
  const std::array<bool, 3> stay = which_stay(p);
  const LongestSides sides(p);
  std::vector<Index> work(static_cast<std::size_t>(ranks),
                          ways(p, ranks) * exchanges_at_once(p) * bytes_each_way(p, sides, stay));
  for (std::size_t q = 0; q < p.placement->ranks.size(); ++q) {
    const auto brick = static_cast<int>(q);
    Index elements = sum_work(p, sides, brick);
    for (const Matrix x : all_matrices)
      if (!stay[index(x)]) elements += slots_of(p, x) * sides.face(x, brick);
    work[static_cast<std::size_t>(p.placement->ranks[q])] += elements * bytes(p.problem.type);
  }
  return work;
}

namespace {

// Faces less what their ranks have of them: filled, or summed by a single owner.
Index words_of_tree(const Schedule& p) {
  const std::vector<Box> boxes = boxes_of(p);
  Index words = 0;
  for (const Matrix x : all_matrices)
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const SharedCell face = face_of(p, x, boxes[i]);
      words += face.count() - owned_of_face(layout_of(p, x), face, p.placement->ranks[i]);
    }
  return words;
}

}  // namespace

Index words_of_all_placed(const Schedule& placed) {
  Schedule p = placed;
  p.rounds = {};
  if (!p.problem.multiplies()) return 0;
  if (p.tree && !layout_of(p, Matrix::c).is_replicated()) return words_of_tree(p);
  Index words = sums_first(p) ? (p.grid.pk - 1) * p.problem.m * p.problem.n : 0;
  for (const auto& moves : {gathers_of_round(p, 0), combines_of_round(p, 0)})
    for (const layout::Move& m : moves) words += layout::words_moved(m.from, m.to, m.op);
  return words;
}

}  // namespace cairn::gemm
