#include "layout/moves/move_plan.hpp"

#include <algorithm>

namespace cairn::layout {
namespace {

// Of what a part shares with the parts of another map, the share of one of those.
Stretches share_of(const std::vector<Shared>& shared, int part) {
  const auto found = std::ranges::find(shared, part, &Shared::part);
  return found == shared.end() ? Stretches{} : found->stretches;
}

// The coordinate along one mesh dimension of part number `part` of an axis.
int coordinate_of(const Mesh& mesh, std::span<const int> axis, int part, int along) {
  for (const int d : axis) {
    if (d == along) return part % mesh.extent(d);
    part /= mesh.extent(d);
  }
  return 0;
}

bool is_rooted(MoveKind c) {
  return c == MoveKind::scatter || c == MoveKind::gather || c == MoveKind::broadcast || c == MoveKind::reduce;
}

Index sum_of(const std::vector<Common>& all) {
  Index sum = 0;
  for (const Common& c : all) sum += c.words();
  return sum;
}

}  // namespace

MovePlan::MovePlan(const NamedMove& move, const Layout& from, const Layout& to, int rank)
    : move_(move), from_(from), to_(to), rank_(rank) {
  check(from, move.from, "from");
  check(to, move.to, "to");
  require(from.rows() == to.rows() && from.columns() == to.columns(),
          "{}: from is {} x {} and to is {} x {}, expected the same size", move.name(), from.rows(),
          from.columns(), to.rows(), to.columns());
  require(*from.mesh() == *to.mesh(), "{}: from is on the mesh {} and to on {}, expected the same mesh",
          move.name(), from.mesh()->text(), to.mesh()->text());
  require(from.mesh()->position_of(rank).has_value(), "rank is {}, which is not on the mesh {}", rank,
          from.mesh()->text());
  find_peers();
  plan();
  check_complete();
}

void MovePlan::check(const Layout& layout, const Distribution& expected, std::string_view name) const {
  require(layout.mesh() != nullptr && layout.mesh()->dimensions() == 2,
          "{}: {} is {}, expected a layout on a mesh of two dimensions", move_.name(), name, layout.text());
  const auto list = [](std::span<const int> s) { return std::vector<int>(s.begin(), s.end()); };
  const Notation is{list(layout.row_dimensions()), list(layout.column_dimensions())};
  require(is == expected.notation, "{}: {} is distributed as {}, expected {}", move_.name(), name, is.text(),
          expected.notation.text());
}

void MovePlan::find_peers() {
  const Mesh& mesh = *from_.mesh();
  const int here = *mesh.position_of(rank_);
  if (move_.along == NamedMove::whole_mesh) {
    peers_ = {rank_};
    return;
  }
  const int stride = move_.along == 0 ? 1 : mesh.extent(0);
  me_ = mesh.coordinate(here, move_.along);
  for (int q = 0; q < mesh.extent(move_.along); ++q)
    peers_.push_back(mesh.rank_at(here + (q - me_) * stride));
  if (is_rooted(move_.collective)) root_ = root_along();
}

// Where along the fibre all rows (of a row) or all columns (of a column) are.
int MovePlan::root_along() const {
  const bool at_start = move_.collective == MoveKind::scatter || move_.collective == MoveKind::broadcast;
  const Layout& layout = at_start ? from_ : to_;
  const bool by_rows = move_.shape == Shape::row;
  const IndexMap& map = by_rows ? layout.row_map() : layout.column_map();
  const int part = map.size() == 0 ? 0 : map.part_of(0);
  require(map.count(part) == map.size(),
          "{}: the {} {} lie in several parts, expected all in one; otherwise use {}", move_.name(),
          map.size(), by_rows ? "rows" : "columns", "all-to-all, allgather or reduce-scatter");
  return coordinate_of(*layout.mesh(), by_rows ? layout.row_dimensions() : layout.column_dimensions(), part,
                       move_.along);
}

std::vector<Common> MovePlan::given_by(int giver) const {
  const auto rows = shared_by(from_.row_map(), from_.row_part_of(giver), to_.row_map());
  const auto columns = shared_by(from_.column_map(), from_.column_part_of(giver), to_.column_map());
  std::vector<Common> all;
  for (const int taker : peers_)
    all.push_back({share_of(rows, to_.row_part_of(taker)), share_of(columns, to_.column_part_of(taker))});
  return all;
}

std::vector<Common> MovePlan::taken_by(int taker) const {
  const auto rows = shared_by(to_.row_map(), to_.row_part_of(taker), from_.row_map());
  const auto columns = shared_by(to_.column_map(), to_.column_part_of(taker), from_.column_map());
  std::vector<Common> all;
  for (const int giver : peers_)
    all.push_back({share_of(rows, from_.row_part_of(giver)).reversed(),
                   share_of(columns, from_.column_part_of(giver)).reversed()});
  return all;
}

// Along a fibre: all that gather have one cell in `to`, all that contribute to a sum have one cell in `from`.
void MovePlan::plan() {
  const int root = peers_[static_cast<std::size_t>(root_)];
  switch (move_.collective) {
    case MoveKind::permutation:
      return plan_permutation();
    case MoveKind::allgather:
      incoming_ = taken_by(rank_);
      return;
    case MoveKind::gather:
      incoming_ = taken_by(root);
      return;
    case MoveKind::scatter:
    case MoveKind::broadcast:
      outgoing_ = given_by(root);
      return;
    case MoveKind::all_to_all:
      incoming_ = taken_by(rank_);
      [[fallthrough]];
    case MoveKind::local:
    case MoveKind::reduce_scatter:
    case MoveKind::reduce:
    case MoveKind::allreduce:
      outgoing_ = given_by(rank_);
  }
}

// Part u of the one numbering of the ranks goes to part u of the other.
void MovePlan::plan_permutation() {
  sends_to_ = to_.owner(from_.row_part_of(rank_), from_.column_part_of(rank_));
  receives_from_ = from_.owner(to_.row_part_of(rank_), to_.column_part_of(rank_));
  peers_ = {sends_to_};
  outgoing_ = given_by(rank_);
  peers_ = {receives_from_};
  incoming_ = taken_by(rank_);
  peers_ = {rank_};
}

// Words of this rank's cell of `to` that the move fills.
Index MovePlan::arriving() const {
  const auto mine = static_cast<std::size_t>(me_);
  switch (move_.collective) {
    case MoveKind::permutation:
    case MoveKind::allgather:
    case MoveKind::all_to_all:
      return sum_of(incoming_);
    case MoveKind::gather:
      return me_ == root_ ? sum_of(incoming_) : 0;
    case MoveKind::reduce:
      return me_ == root_ ? outgoing_[mine].words() : 0;
    default:
      return outgoing_[mine].words();
  }
}

void MovePlan::check_complete() const {
  require(
      arriving() == to_.elements(rank_),
      "{}: rank {} needs {} elements and finds {} of them where the move looks: from ({}) and to ({}) are "
      "not aligned",
      move_.name(), rank_, to_.elements(rank_), arriving(), from_.text(), to_.text());
}

}  // namespace cairn::layout
