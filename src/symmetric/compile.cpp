#include "symmetric/compile.hpp"

#include <algorithm>

#include "factor/writer.hpp"
#include "layout/dist_matrix.hpp"
#include "symmetric/kernels.hpp"
#include "symmetric/panels.hpp"

namespace cairn::symmetric {
namespace {

using program::Factor;
using program::Operand;
using program::Place;

constexpr Factor alpha_factor{1, 0};

int array_of(int matrix) { return matrix + 1; }

std::vector<Index> indices_of(const layout::IndexMap& map, int part) {
  std::vector<Index> all;
  map.for_each_run(part, [&](const layout::Run& run) {
    for (Index i = run.begin; i < run.end; ++i) all.push_back(i);
  });
  return all;
}

template <Scalar T>
class TriangleCompiler {
 public:
  TriangleCompiler(const Problem& problem, const Shape& shape, const Operands& operands,
                   program::Program& program)
      : p_(problem),
        s_(shape),
        operands_(operands),
        program_(program),
        seat_(shape.seat(program.rank)),
        read_(problem, shape, Shape::Use::read),
        written_(problem, shape, Shape::Use::written) {
    place_memory();
  }

  void compile() {
    gather();
    scale();
    if (seat_) multiply();
    combine();
  }
  // The result becomes beta C (0 for B of a triangular product); sums are added to it.
  void scale() {
    const bool clears = p_.kind == Kind::triangular || p_.beta == Coefficient::zero;
    const bool keeps = p_.kind != Kind::triangular && p_.beta == Coefficient::one;
    // The imaginary parts of a Hermitian diagonal are set to zero by every update that is one.
    if (keeps && !(p_.updates() && p_.conjugates() && p_.multiplies())) return;
    const Operand c = user(result_matrix(p_));
    const Problem p = p_;
    const int rank = program_.rank;
    add_kernel("update C", 0, [c, p, rank, clears](const factor::Arrays<T>& arrays) {
      const T beta = clears ? T(0) : arrays[scalars_array][1];
      const layout::MatrixView<T> view{c.layout, arrays[c.at.array], c.elements, c.leading_dimension};
      layout::for_each_element(view, rank, [&](Index i, Index j, T& x) {
        if (p.updates() && (p.triangle == Triangle::lower ? i < j : i > j)) return;
        x = beta == T(0) ? T(0) : beta * x;
        if (p.updates() && p.hermitian && i == j) x = T(std::real(x));
      });
    });
  }

 private:
  Index columns() const { return seat_ ? s_.part_map().count(seat_->part) : 0; }

  void place_memory() {
    if (seat_) {
      panel_elements_ = read_.rows(seat_->position) * columns();
      sum_elements_ = written_.rows(seat_->position) * columns();
      if (!s_.stays()) block_elements_ = s_.block_elements(seat_->position);
    }
    const auto reserve = [&](Index elements) {
      return Place{Place::work, std::exchange(program_.array_counts[0], program_.array_counts[0] + elements)};
    };
    for (int i = 0; i < panels_read(p_); ++i) panels_.push_back(reserve(panel_elements_));
    sums_ = reserve(sum_elements_);
    blocks_ = reserve(block_elements_);
  }

  Operand user(int matrix) const {
    const auto m = static_cast<std::size_t>(matrix);
    const layout::Layout& l = operands_.layouts[m];
    return {l,
            {array_of(matrix), 0},
            l.memory_elements(program_.rank, operands_.leading[m]),
            operands_.leading[m]};
  }

  template <class F>
  void add_kernel(std::string_view phase, double flops, F f) {
    program::Kernel k{std::make_shared<const factor::KernelOf<T, F>>(std::move(f)), flops, true};
    add(std::move(k), phase);
  }
  template <class What>
  void add(What what, std::string_view phase) {
    program::Action action{.what = std::move(what), .phase = phase_number(program_, phase)};
    if (last_exchange_ >= 0) action.waits.push_back(last_exchange_);
    program_.actions.push_back(std::move(action));
  }

  // One exchange of all that is asked for between two calls.
  void ask(const Operand& from, Op op, const Operand& to, const Factor& alpha, const Factor& beta,
           std::optional<Triangle> triangle) {
    moves_.push_back({from.layout, to.layout, op, triangle});
    asked_.push_back({.alpha = alpha, .op = op, .from = from, .beta = beta, .to = to});
  }
  void exchange(std::string_view phase, int channel) {
    if (moves_.empty()) return;
    // Moves may add up in one place, so nothing is passed on.
    program::Exchange x{.plan = std::make_shared<const layout::ExchangePlan>(
                            std::exchange(moves_, {}), program_.rank, program_.ranks, layout::PassOn::never),
                        .moves = std::exchange(asked_, {})};
    add(program::Communicate{.what = std::move(x), .channel = channel}, phase);
    last_exchange_ = static_cast<std::int32_t>(program_.actions.size()) - 1;
  }

  // Panels: the classes of a rank, less what it has of them. Triangle: its cells, once for each part of the panels.
  void gather() {
    const std::vector<int> sources = panel_matrices(p_);
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (const layout::Layout& l : read_.layouts())
        ask(user(sources[i]), turn(p_), {l, panels_[i], panel_elements_}, Factor::of(1), Factor::of(0), {});
    if (!p_.updates() && !s_.stays())
      for (int part = 0; part < s_.parts(); ++part)
        for (const layout::Layout& l : s_.triangle_layouts(part))
          ask(user(triangle_matrix(p_)), Op::none, {l, blocks_, block_elements_}, Factor::of(1),
              Factor::of(0), p_.triangle);
    exchange("gather", 0);
  }

  // Back to where the users have it: cells over the parts, or classes over their holders, added up in one order.
  void combine() {
    const Operand c = user(result_matrix(p_));
    if (!p_.updates())
      for (const layout::Layout& l : written_.layouts())
        ask({l, sums_, sum_elements_}, turn(p_), c, alpha_factor, Factor::of(1), {});
    else if (!s_.stays())
      for (int part = 0; part < s_.parts(); ++part)
        for (const layout::Layout& l : s_.triangle_layouts(part))
          ask({l, blocks_, block_elements_}, Op::none, c, Factor::of(1), Factor::of(1), p_.triangle);
    exchange("combine", 1);
  }

  struct LocalCell {
    CellIndices indices;
    FacePair written;
    Way way;
    Place at;
    Index ld = 1;
  };
  // Of the user's memory where the triangle stays: the one cell of a rank.
  std::vector<LocalCell> local_cells() const {
    std::vector<LocalCell> all;
    const int q = seat_->position, columns_map = s_.column_map();
    for (const Block& b : s_.blocks(q)) {
      LocalCell c{{indices_of(s_.map(0), b.row_part), indices_of(s_.map(columns_map), b.column_part),
                   read_.first(q, 0, b.row_part), read_.first(q, columns_map, b.column_part)},
                  {written_.first(q, 0, b.row_part), written_.first(q, columns_map, b.column_part)},
                  b.way,
                  blocks_ + b.offset,
                  b.leading_dimension};
      if (s_.stays()) {
        const Operand t = user(triangle_matrix(p_));
        const layout::Cell mine = t.layout.cells_of(program_.rank, t.leading_dimension).front();
        c.at = t.at + mine.offset;
        c.ld = mine.column_stride;
      }
      all.push_back(std::move(c));
    }
    return all;
  }

  void multiply() {
    const std::vector<LocalCell> cells = local_cells();
    double flops = 0;
    for (const LocalCell& c : cells) flops += cell_flops(p_, c.indices, c.way, columns());
    if (p_.updates())
      update(cells, flops);
    else
      sum_up(cells, flops);
  }

  void update(const std::vector<LocalCell>& cells, double flops) {
    const Index ld = std::max<Index>(1, read_.rows(seat_->position)), k = columns();
    const Place x = panels_.front(), y = panels_.back();
    const T keep = s_.stays() ? T(1) : T(0);
    add_kernel("multiply", flops, [p = p_, cells, ld, k, x, y, keep](const factor::Arrays<T>& arrays) {
      for (const LocalCell& c : cells)
        update_cell<T>(p, c.indices, k, arrays[scalars_array][0], {arrays[x.array] + x.offset, ld},
                       {arrays[y.array] + y.offset, ld}, keep, arrays[c.at.array] + c.at.offset, c.ld);
    });
  }

  void sum_up(const std::vector<LocalCell>& cells, double flops) {
    const Index from_ld = std::max<Index>(1, read_.rows(seat_->position)),
                to_ld = std::max<Index>(1, written_.rows(seat_->position)), k = columns(),
                elements = sum_elements_;
    const Place x = panels_.front(), y = sums_;
    add_kernel("multiply", flops,
               [p = p_, cells, from_ld, to_ld, k, elements, x, y](const factor::Arrays<T>& arrays) {
                 T* sums = arrays[y.array] + y.offset;
                 std::fill_n(sums, elements, T(0));
                 for (const LocalCell& c : cells)
                   multiply_cell<T>(p, c.indices, c.way, c.written, k, arrays[c.at.array] + c.at.offset, c.ld,
                                    {arrays[x.array] + x.offset, from_ld}, {sums, to_ld});
               });
  }

  const Problem& p_;
  const Shape& s_;
  const Operands& operands_;
  program::Program& program_;
  std::optional<Shape::Seat> seat_;
  Panels read_, written_;
  Index panel_elements_ = 0, sum_elements_ = 0, block_elements_ = 0;
  std::vector<Place> panels_;
  Place sums_ = {}, blocks_ = {};
  std::vector<layout::Move> moves_;
  std::vector<program::ExchangeMove> asked_;
  std::int32_t last_exchange_ = -1;
};

}  // namespace

int triangle_matrix(const Problem& p) { return p.updates() ? 2 : 0; }
int result_matrix(const Problem& p) { return p.kind == Kind::triangular ? 1 : 2; }
std::vector<int> panel_matrices(const Problem& p) {
  if (p.kind == Kind::rank_2k) return {0, 1};
  return p.kind == Kind::rank_k ? std::vector<int>{0} : std::vector<int>{1};
}

std::array<Extent, 3> stored_extents(const Problem& p) {
  const Extent triangle{p.n, p.n}, panel = turn(p) == Op::none ? Extent{p.n, p.k} : Extent{p.k, p.n};
  switch (p.kind) {
    case Kind::rank_k:
      return {panel, Extent{}, triangle};
    case Kind::rank_2k:
      return {panel, panel, triangle};
    case Kind::symmetric:
      return {triangle, panel, panel};
    case Kind::triangular:
      break;
  }
  return {triangle, panel, Extent{}};
}

template <Scalar T>
program::Program compile(const Problem& problem, const Shape& shape, const Operands& operands, int rank,
                         int ranks) {
  program::Program program{
      .type = problem.type, .rank = rank, .ranks = ranks, .phases = {}, .array_counts = {0}, .actions = {}};
  TriangleCompiler<T> compiler(problem, shape, operands, program);
  if (problem.multiplies())
    compiler.compile();
  else
    compiler.scale();
  for (std::size_t m = 0; m < 3; ++m)
    program.array_counts.push_back(operands.layouts[m].memory_elements(rank, operands.leading[m]));
  program.array_counts.push_back(2);
  return program;
}

#define CAIRN_INSTANTIATE(T) \
  template program::Program compile<T>(const Problem&, const Shape&, const Operands&, int, int);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::symmetric
