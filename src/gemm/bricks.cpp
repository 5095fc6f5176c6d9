#include "gemm/bricks.hpp"

#include <algorithm>
#include <tuple>

namespace cairn::gemm {
namespace {

// A part of a tree: its box and its first brick.
struct Part {
  const Tree* tree = nullptr;
  Box box = {};
  int first = 0;
};

// Where a side is cut so that its parts have their share of it, rounded. Exact for sizes below 2^40.
Index cut_position(Index length, Index before, Index all) { return (2 * length * before + all) / (2 * all); }

template <class F>
void for_each_part(const Part& whole, F&& f) {
  const Dim d = whole.tree->along();
  const Interval side = whole.box[d];
  Index before = 0;
  for (const Tree& tree : whole.tree->parts()) {
    const Index begin = cut_position(side.count, before, whole.tree->ranks());
    const Index end = cut_position(side.count, before + tree.ranks(), whole.tree->ranks());
    Part part{&tree, whole.box, whole.first + static_cast<int>(before)};
    part.box[d] = {side.begin + begin, end - begin};
    f(part);
    before += tree.ranks();
  }
}

Interval part_of_side(const Interval& side, int parts, int number) {
  const auto cut = comm::Partition::balanced(parts, side.count);
  return {side.begin + cut.offset(number), cut.count(number)};
}

Box box_in_grid(const Box& whole, const Grid& grid, int brick) {
  const Coordinates at = coordinates(grid, brick);
  Box box;
  for (const Dim d : all_dims) box[d] = part_of_side(whole[d], grid.extent(d), at[d]);
  return box;
}

void add_boxes(const Part& part, std::vector<Box>& all) {
  if (!part.tree->is_leaf()) return for_each_part(part, [&](const Part& p) { add_boxes(p, all); });
  const Grid& grid = part.tree->grid();
  for (int brick = 0; brick < grid.ranks(); ++brick) all.push_back(box_in_grid(part.box, grid, brick));
}

Box whole_box(const Schedule& s) {
  Box box;
  for (const Dim d : all_dims) box[d] = {0, s.problem.size(d)};
  return box;
}

// Calls f with the whole as a part of a tree, be it a grid.
template <class F>
auto with_root(const Schedule& s, F&& f) {
  if (s.tree) return f(Part{s.tree.get(), whole_box(s), 0});
  const Tree grid = Tree::leaf(s.grid);
  return f(Part{&grid, whole_box(s), 0});
}

// Cells where the cells of two covers meet. Those of the one are looked up by their columns.
std::vector<SharedCell> overlay(const std::vector<SharedCell>& x, std::vector<SharedCell> y) {
  const auto first_column = [](const SharedCell& c) { return c.cols.begin; };
  std::ranges::sort(y, {}, first_column);
  Index longest = 0;
  for (const SharedCell& b : y) longest = std::max(longest, b.cols.count);
  std::vector<SharedCell> all;
  for (const SharedCell& a : x)
    for (auto b = std::ranges::lower_bound(y, a.cols.begin - longest, {}, first_column);
         b != y.end() && b->cols.begin < a.cols.end(); ++b) {
      const Interval rows = common(a.rows, b->rows), cols = common(a.cols, b->cols);
      if (rows.count == 0 || cols.count == 0) continue;
      all.push_back({rows, cols, a.sharers});
      all.back().sharers.insert(all.back().sharers.end(), b->sharers.begin(), b->sharers.end());
    }
  return all;
}

// The cells of one matrix within a window of it.
class CellFinder {
 public:
  CellFinder(const Schedule& s, Matrix x, const SharedCell& window)
      : row_(row_dim(s.problem, x)), col_(col_dim(s.problem, x)), along_(missing(x)), window_(window) {}

  // Parts along a dimension of the matrix lie side by side. Parts along the missing one need the same: their covers
  // lie on top of each other.
  std::vector<SharedCell> find(const Part& whole) const {
    if (whole.tree->is_leaf()) return in_grid(whole);
    std::vector<SharedCell> all;
    for_each_part(whole, [&](const Part& part) {
      if (common(part.box[row_], window_.rows).count == 0 || common(part.box[col_], window_.cols).count == 0)
        return;
      if (part.box[along_].count == 0 && whole.box[along_].count > 0) return;
      std::vector<SharedCell> found = find(part);
      if (whole.tree->along() == along_ && !all.empty())
        all = overlay(all, std::move(found));
      else
        all.insert(all.end(), found.begin(), found.end());
    });
    return all;
  }

 private:
  std::vector<SharedCell> in_grid(const Part& part) const {
    const Grid& grid = part.tree->grid();
    const Interval along = part.box[along_];
    const Index sharers =
        along.count == 0 ? grid.extent(along_) : std::min<Index>(grid.extent(along_), along.count);
    std::vector<SharedCell> all;
    for (int c = 0; c < grid.extent(col_); ++c) {
      const Interval cols = common(part_of_side(part.box[col_], grid.extent(col_), c), window_.cols);
      for (int r = 0; r < grid.extent(row_) && cols.count > 0; ++r) {
        const Interval rows = common(part_of_side(part.box[row_], grid.extent(row_), r), window_.rows);
        if (rows.count == 0) continue;
        SharedCell cell{rows, cols, {}};
        const Coordinates at = Coordinates{}.with(row_, r).with(col_, c);
        for (int l = 0; l < sharers; ++l)
          cell.sharers.push_back(part.first + rank_at(grid, at.with(along_, l)));
        all.push_back(std::move(cell));
      }
    }
    return all;
  }

  Dim row_, col_, along_;
  const SharedCell& window_;
};

std::vector<SharedCell> cells_within(const Schedule& s, Matrix x, const SharedCell& window) {
  return with_root(s, [&](const Part& root) { return CellFinder(s, x, window).find(root); });
}

}  // namespace

Interval common(const Interval& x, const Interval& y) {
  const Index begin = std::max(x.begin, y.begin);
  return {begin, std::max<Index>(0, std::min(x.end(), y.end()) - begin)};
}

double Box::voxels() const {
  return static_cast<double>(sides[0].count) * static_cast<double>(sides[1].count) *
         static_cast<double>(sides[2].count);
}

Index bricks_of(const Schedule& s) { return s.tree ? s.tree->ranks() : s.grid.ranks(); }

Box box_of(const Schedule& s, int brick) {
  return with_root(s, [&](Part part) {
    while (!part.tree->is_leaf()) {
      Part mine;
      for_each_part(part, [&](const Part& p) {
        if (brick >= p.first) mine = p;
      });
      part = mine;
    }
    return box_in_grid(part.box, part.tree->grid(), brick - part.first);
  });
}

std::vector<Box> boxes_of(const Schedule& s) {
  std::vector<Box> all;
  with_root(s, [&](const Part& root) { add_boxes(root, all); });
  return all;
}

Box box_of_round(const Schedule& s, Box box, Index round) {
  Interval& side = box[s.rounds.along];
  if (s.rounds.count > 1)
    side = part_of_side(side, static_cast<int>(s.rounds.count), static_cast<int>(round));
  return box;
}

double largest_brick(const Schedule& s) {
  if (s.tree) {
    double most = 0;
    for (const Box& box : boxes_of(s)) most = std::max(most, box.voxels());
    return most;
  }
  return box_of(s, 0).voxels();  // the longest parts come first
}

SharedCell face_of(const Schedule& s, Matrix x, const Box& box) {
  return {box[row_dim(s.problem, x)], box[col_dim(s.problem, x)], {}};
}

std::vector<SharedCell> cells_of(const Schedule& s, Matrix x) {
  return cells_within(s, x, face_of(s, x, whole_box(s)));
}

std::vector<SharedCell> cells_of(const Schedule& s, Matrix x, int brick) {
  if (brick >= bricks_of(s)) return {};
  std::vector<SharedCell> cells = cells_within(s, x, face_of(s, x, box_of(s, brick)));
  std::erase_if(cells, [&](const SharedCell& c) { return !std::ranges::binary_search(c.sharers, brick); });
  std::ranges::sort(cells, {}, [](const SharedCell& c) { return std::tuple(c.cols.begin, c.rows.begin); });
  return cells;
}

std::vector<int> sharers_of(const Schedule& s, Matrix x, Index row, Index col) {
  return cells_within(s, x, {{row, 1}, {col, 1}, {}}).front().sharers;
}

bool sliced_by_rows(const Schedule& s, Matrix x) {
  return s.rounds.count > 1 && s.rounds.along == col_dim(s.problem, x);
}

comm::Partition slices_of(const Schedule& s, Matrix x, const SharedCell& cell) {
  return comm::Partition::balanced(static_cast<int>(cell.sharers.size()),
                                   (sliced_by_rows(s, x) ? cell.rows : cell.cols).count);
}

std::vector<OwnCell> own_cells_of(const Schedule& s, Matrix x, int brick) {
  std::vector<OwnCell> all;
  Index offset = 0;
  for (SharedCell& cell : cells_of(s, x, brick)) {
    const auto me = static_cast<int>(std::ranges::lower_bound(cell.sharers, brick) - cell.sharers.begin());
    const comm::Partition slices = slices_of(s, x, cell);
    const Index first = slices.offset(me), count = slices.count(me);
    Piece mine{cell.rows.begin, cell.cols.begin, cell.rows.count, cell.cols.count, offset};
    if (sliced_by_rows(s, x))
      mine.row += first, mine.rows = count;
    else
      mine.col += first, mine.cols = count;
    offset += mine.count();
    all.push_back({std::move(cell), mine});
  }
  return all;
}

}  // namespace cairn::gemm
