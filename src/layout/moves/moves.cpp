#include "layout/moves/moves.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace cairn::layout {
namespace {

using Dimensions = std::vector<int>;
constexpr int mesh_dimensions = 2;
constexpr std::array axes{&Notation::rows, &Notation::columns};
using AxisOf = Dimensions Notation::*;

AxisOf other(AxisOf axis) { return axis == axes[0] ? axes[1] : axes[0]; }
Shape single(AxisOf axis) { return axis == axes[0] ? Shape::row : Shape::column; }  // it has one part in use

bool has(const Dimensions& list, int d) { return std::ranges::find(list, d) != list.end(); }
bool ends_with(const Dimensions& list, int d) { return !list.empty() && list.back() == d; }
Dimensions without(Dimensions list, int d) {
  std::erase(list, d);
  return list;
}

// The indices of D(x,y) are those of D(x), dealt once more round dimension y: a dimension comes and goes at
// the end of a list.
Distribution appended(Distribution x, AxisOf axis, int d) {
  (x.notation.*axis).push_back(d);
  return x;
}
Distribution dropped(Distribution x, AxisOf axis) {
  (x.notation.*axis).pop_back();
  return x;
}

// Every way to use up some of the mesh dimensions for rows and columns.
std::vector<Distribution> all_complete() {
  std::vector<Distribution> found{{}};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const AxisOf axis : axes)
      for (int d = 0; d < mesh_dimensions; ++d) {
        const Distribution x = found[i];
        if (has(x.notation.rows, d) || has(x.notation.columns, d)) continue;
        const Distribution next = appended(x, axis, d);
        if (std::ranges::find(found, next) == found.end()) found.push_back(next);
      }
  return found;
}

class TableBuilder {
 public:
  std::vector<NamedMove> build() {
    for (const Distribution& x : all_complete()) add_moves_of(x);
    for (const Distribution& x : all_complete()) add_sums_of(x);
    return std::move(table_);
  }

 private:
  void add(MoveKind c, const Distribution& from, const Distribution& to, int along,
           std::optional<Shape> shape = {}) {
    table_.push_back({c, from, to, along, shape});
  }

  void add_moves_of(const Distribution& x) {
    for (const AxisOf axis : axes) {
      const Dimensions& list = x.notation.*axis;
      for (int d = 0; d < mesh_dimensions; ++d) {
        if (ends_with(list, d)) add_letting_go(x, axis, d);
        if (!has(x.notation.rows, d) && !has(x.notation.columns, d))
          add(MoveKind::local, x, appended(x, axis, d), d);
      }
      if (list.size() == 2) {
        Distribution turned = x;
        std::ranges::reverse(turned.notation.*axis);
        add(MoveKind::permutation, x, turned, NamedMove::whole_mesh);
      }
    }
  }
  // Dimension d no longer cuts this axis: everybody along it has all, or it cuts the other axis instead.
  void add_letting_go(const Distribution& x, AxisOf axis, int d) {
    const Distribution copied = dropped(x, axis), turned = appended(copied, other(axis), d);
    add(MoveKind::allgather, x, copied, d);
    add(MoveKind::broadcast, x, copied, d, single(axis));
    add(MoveKind::all_to_all, x, turned, d);
    add(MoveKind::scatter, x, turned, d, single(axis));
    add(MoveKind::gather, x, turned, d, single(other(axis)));
  }
  // The copies of x along some dimensions as contributions, summed along one of them.
  void add_sums_of(const Distribution& x) {
    for (const Dimensions& sum : {Dimensions{0}, Dimensions{1}, Dimensions{0, 1}}) {
      if (std::ranges::any_of(sum,
                              [&](int d) { return has(x.notation.rows, d) || has(x.notation.columns, d); }))
        continue;
      for (const int d : sum) {
        const Distribution from{x.notation, sum}, summed{x.notation, without(sum, d)};
        add(MoveKind::allreduce, from, summed, d);
        for (const AxisOf axis : axes) {
          add(MoveKind::reduce_scatter, from, appended(summed, axis, d), d);
          add(MoveKind::reduce, from, appended(summed, axis, d), d, single(axis));
        }
      }
    }
  }

  std::vector<NamedMove> table_;
};

int extent_of(const Dimensions& list, int d0, int d1) {
  int product = 1;
  for (const int d : list) product *= d == 0 ? d0 : d1;
  return product;
}

// Elements of the largest cell.
double cell(const Distribution& x, Index m, Index n, int d0, int d1) {
  return static_cast<double>(ceil_div(m, extent_of(x.notation.rows, d0, d1))) *
         static_cast<double>(ceil_div(n, extent_of(x.notation.columns, d0, d1)));
}

std::string cell_text(const Distribution& x, std::optional<Shape> shape) {
  const auto side = [](const char* size, const Dimensions& list) {
    std::string text = size;
    for (const int d : list) text += fmt::format("/d{}", d);
    return text;
  };
  std::string rows = side("m", x.notation.rows), columns = side("n", x.notation.columns);
  if (shape == Shape::column) return rows;
  return shape == Shape::row ? columns : rows + " " + columns;
}

// A collective that is counted by what a rank holds before, or after.
bool counts_after(MoveKind c) {
  return c == MoveKind::allgather || c == MoveKind::gather || c == MoveKind::broadcast;
}

}  // namespace

std::string_view name(MoveKind c) {
  static constexpr std::array<std::string_view, 10> names{
      "local",     "permutation", "allgather", "all-to-all", "reduce-scatter",
      "allreduce", "scatter",     "gather",    "broadcast",  "reduce"};
  return names[static_cast<std::size_t>(c)];
}

std::string_view name(Shape s) {
  return s == Shape::matrix ? "matrix" : s == Shape::column ? "column" : "row";
}

std::string Distribution::text() const {
  if (sum.empty()) return notation.text();
  return fmt::format("^({}){}", fmt::join(sum, ","), notation.text());
}

Distribution parse_distribution(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' '), open = text.find('[');
  if (first == text.npos || text[first] != '^') return {parse_notation(text), {}};
  require(open != text.npos, "distribution '{}' has no [, expected the form ^(1)[(0),()]", text);
  // What is between ^ and [ has the form of the first list of a notation.
  const std::string_view list = text.substr(first + 1, open - first - 1);
  Distribution x{parse_notation(text.substr(open)), parse_notation(fmt::format("[{},()]", list)).rows};
  std::ranges::sort(x.sum);
  return x;
}

std::string NamedMove::name() const {
  return fmt::format("{} {} -> {}", layout::name(collective), from.text(), to.text());
}

bool NamedMove::applies(Shape s) const {
  if (shape) return *shape == s;
  if (s == Shape::matrix) return true;
  const AxisOf one = s == Shape::row ? axes[0] : axes[1];
  const bool has_a_rooted_form = collective == MoveKind::allgather || collective == MoveKind::all_to_all ||
                                 collective == MoveKind::reduce_scatter;
  return !(has_a_rooted_form && from.notation.*one != to.notation.*one);
}

double NamedMove::words(Index m, Index n, int d0, int d1) const {
  const double c = cell(counts_after(collective) ? to : from, m, n, d0, d1);
  if (collective == MoveKind::local) return 0;
  if (collective == MoveKind::permutation) return d0 > 1 && d1 > 1 ? c : 0;
  const double d = along == 0 ? d0 : d1;
  if (collective == MoveKind::broadcast || collective == MoveKind::reduce) return d > 1 ? c : 0;
  return (collective == MoveKind::allreduce ? 2 : 1) * c * (d - 1) / d;
}

std::string NamedMove::formula() const {
  std::string c = cell_text(counts_after(collective) ? to : from, shape);
  if (collective == MoveKind::local) return "0";
  if (collective == MoveKind::permutation || collective == MoveKind::broadcast ||
      collective == MoveKind::reduce)
    return c;
  return fmt::format("{}(d{}-1)/d{} {}", collective == MoveKind::allreduce ? "2 " : "", along, along, c);
}

std::span<const NamedMove> all_moves() {
  static const std::vector<NamedMove> table = TableBuilder().build();
  return table;
}

}  // namespace cairn::layout
