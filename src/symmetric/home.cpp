#include "symmetric/home.hpp"

#include "layout/exchange/exchange_plan.hpp"
#include "layout/overlap.hpp"

namespace cairn::symmetric {
namespace {

using layout::Benefit;
using layout::Layout;
using layout::SharedCount;

// f(part of rows, part of columns, rank, words) for what the cells of `user` and of two maps have in common.
template <class F>
void for_each_common(const Layout& user, const layout::IndexMap& rows, const layout::IndexMap& columns,
                     const F& f) {
  const std::vector<SharedCount> by_rows = shared_counts(user.row_map(), rows);
  for (const SharedCount& c : shared_counts(user.column_map(), columns))
    for (const SharedCount& r : by_rows)
      for (int copy = 0; copy < user.copies(r.from, c.from); ++copy)
        f(r.to, c.to, user.owner(r.from, c.from, copy), r.count * c.count);
}

void add_panel(const Problem& p, const Shape& s, Shape::Use use, const Layout& user,
               std::vector<Benefit>& all) {
  std::array<std::vector<std::vector<int>>, 2> holders;
  for (int m = 0; m < s.maps(); ++m)
    holders[static_cast<std::size_t>(m)].resize(static_cast<std::size_t>(s.map(m).parts()));
  for (int q = 0; q < s.positions(); ++q)
    for (const Face& f : s.faces(p, q, use))
      holders[static_cast<std::size_t>(f.map)][static_cast<std::size_t>(f.part)].push_back(q);
  const Layout panel = as_operand(user, turn(p));
  for (int m = 0; m < s.maps(); ++m)
    for_each_common(panel, s.map(m), s.part_map(), [&](int a, int part, int rank, Index words) {
      for (const int q : holders[static_cast<std::size_t>(m)][static_cast<std::size_t>(a)])
        all.push_back({q + s.positions() * part, rank, words});
    });
}

void add_triangle(const Problem& p, const Shape& s, const Layout& user, std::vector<Benefit>& all) {
  const int rows = s.map(0).parts();
  struct Owner {
    int position = -1;
    double inside = 0;  // share of the cell
  };
  std::vector<std::vector<Owner>> owners(static_cast<std::size_t>(rows * s.map(s.column_map()).parts()));
  for (int q = 0; q < s.positions(); ++q)
    for (const Block& b : s.blocks(q)) {
      const double size = static_cast<double>(s.map(0).count(b.row_part)) *
                          static_cast<double>(s.map(s.column_map()).count(b.column_part));
      const Index inside =
          elements_inside(p.triangle, s.map(0), b.row_part, s.map(s.column_map()), b.column_part);
      owners[static_cast<std::size_t>(b.row_part + rows * b.column_part)].push_back(
          {q, static_cast<double>(inside) / size});
    }
  for_each_common(user, s.map(0), s.map(s.column_map()), [&](int a, int b, int rank, Index words) {
    for (const Owner& o : owners[static_cast<std::size_t>(a + rows * b)])
      for (int part = 0; part < s.parts(); ++part)
        all.push_back({o.position + s.positions() * part, rank,
                       static_cast<Index>(o.inside * static_cast<double>(words))});
  });
}

}  // namespace

std::vector<Benefit> words_at_home(const Problem& p, const Shape& s, const std::array<Layout, 3>& layouts) {
  std::vector<Benefit> all;
  const auto layout_of = [&](int matrix) -> const Layout& {
    return layouts[static_cast<std::size_t>(matrix)];
  };
  for (const int m : panel_matrices(p)) add_panel(p, s, Shape::Use::read, layout_of(m), all);
  if (!p.updates()) add_panel(p, s, Shape::Use::written, layout_of(result_matrix(p)), all);
  if (!s.stays()) add_triangle(p, s, layout_of(triangle_matrix(p)), all);
  return all;
}

std::vector<SeatWords> words_of_seats(const Problem& p, const Shape& s) {
  std::vector<SeatWords> seats(static_cast<std::size_t>(s.ranks()));
  for (int q = 0; q < s.positions(); ++q) {
    const double in = static_cast<double>(Shape::rows_of(s.faces(p, q, Shape::Use::read))) * panels_read(p);
    const auto out = static_cast<double>(Shape::rows_of(s.faces(p, q, Shape::Use::written)));
    const double cells = s.stays() ? 0 : static_cast<double>(s.triangle_elements(q));
    for (int part = 0; part < s.parts(); ++part) {
      const auto k = static_cast<double>(s.part_map().count(part));
      seats[static_cast<std::size_t>(q + s.positions() * part)] = {in * k + (p.updates() ? 0 : cells),
                                                                   out * k + (p.updates() ? cells : 0)};
    }
  }
  return seats;
}

}  // namespace cairn::symmetric
