// Step t on its layer l, w columns:
//   reduce    column t of the other layers is added                       (c - 1) words an element
//   pivots    each position's best w rows meet in a tree                  w (w + 1) words a match
//             the winners, L00 and U00 go down a tree over all ranks      w, w (w + 1) / 2 or w (w + 1) words
//   reduce    pivot rows of the other layers are added
//   panel     L10 := A10 U00^-1 to the positions of each row              x - 1 times w words per row
//             raw pivot rows to the positions of each column              y - 1 times w words per column
//   update    U01 := L00^-1 A01 everywhere, A11 -= L10 U01: the next column first, the rest while the next pivots
//             are chosen
#include "factor/lu_compile.hpp"

#include <map>
#include <numeric>
#include <set>

#include "base/lapack.hpp"
#include "factor/panel_solve.hpp"
#include "factor/tiles.hpp"

namespace cairn::factor {
namespace {

struct DenseCopy {
  Index from, from_ld, to, to_ld, rows, columns;
};

// The columns of some classes in tiles >= tile, at a position that has them.
std::vector<ColumnRun> runs_of(const LuShape& s, int q, std::span<const int> classes, int tile) {
  std::vector<ColumnRun> runs;
  for (int j = tile; j < s.tiles(); ++j) {
    if (std::ranges::find(classes, s.column_class(j)) == classes.end()) continue;
    const Index first = s.local_column(q, j);
    if (!runs.empty() && runs.back().first + runs.back().count == first)
      runs.back().count += s.width(j);
    else
      runs.push_back({first, s.width(j)});
  }
  return runs;
}

// Which of the pivots a position has, as numbers among all.
std::vector<Index> numbers_of(const LuShape& s, int q, std::span<const Index> pivots) {
  std::vector<Index> numbers;
  for (std::size_t g = 0; g < pivots.size(); ++g)
    if (s.has_row_class(q, s.row_class(pivots[g]))) numbers.push_back(static_cast<Index>(g));
  return numbers;
}

bool are_consecutive(std::span<const Index> rows) {
  return std::ranges::adjacent_find(rows, [](Index a, Index b) { return b != a + 1; }) == rows.end();
}
template <Scalar T>
void gather_rows(const T* from, Index ld, std::span<const Index> rows, Index columns, T* to) {
  if (rows.empty()) return;
  if (are_consecutive(rows)) {
    for (Index j = 0; j < columns; ++j) to = std::copy_n(from + rows.front() + j * ld, std::ssize(rows), to);
    return;
  }
  for (Index j = 0; j < columns; ++j)
    for (const Index i : rows) *to++ = from[i + j * ld];
}
template <Scalar T>
void scatter_rows(const T* from, std::span<const Index> rows, Index columns, T* to, Index ld) {
  for (Index j = 0; j < columns; ++j)
    for (const Index i : rows) to[i + j * ld] = *from++;
}

// Rows of the matrix by their places at first become rows by their places now: out[i] = in[places[i]].
std::vector<Index> places_after(const Swaps& swaps, Index rows) {
  std::vector<Index> places(static_cast<std::size_t>(rows));
  std::iota(places.begin(), places.end(), Index{0});
  for (const auto& [x, y] : swaps)
    std::swap(places[static_cast<std::size_t>(x)], places[static_cast<std::size_t>(y)]);
  return places;
}

double real_flops(double voxels, int per_voxel) { return voxels * per_voxel; }

}  // namespace

template <Scalar T>
LuCompiler<T>::LuCompiler(const LuShape& shape, int rank, PivotChoice pivoting, Index leading_dimension)
    : s_(shape),
      q_(rank % shape.positions()),
      layer_(rank / shape.positions()),
      ld_(leading_dimension > 0 ? leading_dimension : shape.leading_dimension(q_)),
      pivoting_(pivoting),
      rows_(shape, q_),
      left_(shape) {
  reserve();
}

template <Scalar T>
void LuCompiler<T>::reserve() {
  if (is_local(s_, pivoting_)) return;
  const Index v = std::min({s_.step(), s_.rows(), s_.columns()}), m = rows_.count(), n = s_.local_columns(q_);
  const auto take = [&](Index elements) { return std::exchange(work_, work_ + elements); };
  std::set<std::pair<std::vector<int>, bool>> row_sets;  // as exchange() packs them
  std::set<std::vector<int>> column_sets;
  for (int d = 0; d < s_.positions(); ++d) {
    if (d == q_) continue;
    std::vector<int> rows, columns;
    std::ranges::set_intersection(s_.pattern().rows_of(q_), s_.pattern().rows_of(d),
                                  std::back_inserter(rows));
    std::ranges::set_intersection(s_.pattern().columns_of(q_), s_.pattern().columns_of(d),
                                  std::back_inserter(columns));
    row_sets.emplace(rows, s_.pattern().rows_of(q_) == s_.pattern().rows_of(d));
    column_sets.insert(columns);
  }
  Index packed = 0;
  for (const auto& [set, alike] : row_sets)
    for (const int a : set) packed += s_.rows_in_class(a) * v;
  for (const auto& set : column_sets)
    for (const int b : set) packed += s_.columns_in_class_from(b, 0) * std::min(v, m);
  const bool single = s_.positions() == 1 && pivoting_ != PivotChoice::none;  // always alone
  l_ = take(s_.pattern().column_classes() > 1 ? m * v : 0);
  u_ = take(s_.tiles() > 1 ? v * n : 0);
  panel_ = take(single ? 0 : m * v);
  own_ = take(single ? 0 : v * (v + 1));
  other_ = take(single ? 0 : v * (v + 1));
  stacked_ = take(single ? 0 : 2 * v * v);
  spread_ = take(v * (v + 1));
  corner_ = take(v * v);
  packed_ = take(packed);
  landed_ = take(s_.positions() > 1 ? m * v + v * n : 0);
  const Index reduced = s_.layers() > 1 ? std::max(m * v, std::min(v, m) * n) : 0;
  reduce_out_ = take(reduced);
  reduce_in_ = take(reduced * (s_.layers() - 1));
}

template <Scalar T>
program::Program LuCompiler<T>::empty_program() const {
  program::Program program;
  program.array_counts = {work_, matrix_elements()};
  return program;
}

template <Scalar T>
bool LuCompiler<T>::contributes(int step) const {
  const std::vector<int> who = s_.contributors(step);
  return std::ranges::find(who, layer_) != who.end();
}

template <Scalar T>
bool LuCompiler<T>::knows_corner(int step) const {
  return mine(step) && s_.has_column(q_, step);
}

template <Scalar T>
bool LuCompiler<T>::is_root(int step) const {
  return mine(step) && tournament_of(s_, step, left_).order.front() == q_;
}

// Local columns first .. end - 1 with the step that is pending.
template <Scalar T>
void LuCompiler<T>::update(Writer<T>& w, Index first, Index end) {
  if (!pending_ || first >= end) return;
  const Index k = s_.width(pending_->step), base = s_.local_column(q_, pending_->step + 1);
  w.multiply("update", pending_->step,
             {.m = pending_->rows,
              .n = end - first,
              .k = k,
              .a = pending_->l,
              .b = pending_->u + (first - base) * pending_->ldu,
              .c = {matrix_array, place(pending_->row, first)},
              .lda = pending_->ldl,
              .ldb = pending_->ldu,
              .ldc = ld(),
              .alpha = program::Factor::of(-1),
              .beta = program::Factor::of(1)});
}

template <Scalar T>
program::Program LuCompiler<T>::choose_all(std::span<int> swaps) const {
  program::Program program = empty_program();
  Writer<T> w(program, "lu", 0, 1);
  const Index m = s_.rows(), n = s_.columns(), k = std::min(m, n);
  const double voxels =
      static_cast<double>(k) *
      (static_cast<double>(m * n) - static_cast<double>((m + n) * k) / 2 + static_cast<double>(k * k) / 3);
  w.kernel("panel", 0, {}, real_flops(voxels, ScalarTraits<T>::flops_per_voxel),
           [=, lead = ld_](Arrays<T> a) { lapack::getrf<T>(m, n, a[matrix_array], lead, swaps); });
  return program;
}

template <Scalar T>
program::Program LuCompiler<T>::choose(int step) {
  program::Program program = empty_program();
  Writer<T> w(program, "lu", s_.rank(layer_, q_), s_.ranks());
  const Tournament tournament = tournament_of(s_, step, left_);
  const auto found = std::ranges::find(tournament.order, q_);
  alone_ = tournament.order.size() == 1 && pivoting_ != PivotChoice::none;
  eliminated_ = false;
  finish_column(w, step);
  if (plays(step)) {
    const auto number = static_cast<int>(found - tournament.order.begin());
    choose_locally(w, step, tournament, number);
    play(w, step, tournament, number);
  }
  spread(w, step, tournament);
  finish_update(w, step);
  return program;
}

// While pivots are chosen; but where other columns wait for this panel it goes first, see divide.
template <Scalar T>
void LuCompiler<T>::finish_update(Writer<T>& w, int step) {
  if (plays(step) && s_.pattern().column_classes() > 1) return;
  update(w, s_.local_column(q_, step + 1), s_.local_columns(q_));
  pending_.reset();
}

template <Scalar T>
bool LuCompiler<T>::plays(int step) const {
  return knows_corner(step) && rows_.left() > 0;
}

// Column `step` as all steps before have left it, on its layer.
template <Scalar T>
void LuCompiler<T>::finish_column(Writer<T>& w, int step) {
  if (!s_.has_column(q_, step)) return;
  update(w, s_.local_column(q_, step), s_.local_column(q_, step + 1));
  reduce_block(w, step, reduce_panel, rows_.taken(), rows_.left(), s_.local_column(q_, step), s_.width(step));
}

// What the other layers have of a block goes to the layer of the step and is added there.
template <Scalar T>
void LuCompiler<T>::reduce_block(Writer<T>& w, int step, int stage, Index row, Index rows, Index column,
                                 Index columns) {
  const Index n = rows * columns, from = place(row, column), lead = ld();
  if (n == 0 || s_.layers() == 1) return;
  const int channel = step * stages + stage;
  if (!mine(step)) {
    if (!contributes(step)) return;
    const DenseCopy copy{
        .from = from, .from_ld = lead, .to = reduce_out_, .to_ld = rows, .rows = rows, .columns = columns};
    w.kernel("reduce", step, {}, 0, [copy](Arrays<T> m) { copy_tile(m[matrix_array], m.work(), copy); });
    w.messages("reduce", step, {}, {{Wire::Kind::send, peer(step, q_), reduce_out_, n}}, channel);
    return;
  }
  std::vector<Wire> wires;
  for (const int x : s_.contributors(step))
    wires.push_back({Wire::Kind::receive, s_.rank(x, q_), reduce_in_ + std::ssize(wires) * n, n});
  if (wires.empty()) return;
  const int came = w.messages("reduce", step, {}, wires, channel);
  w.kernel("reduce", step, {came}, static_cast<double>(n * std::ssize(wires)),
           [=, count = std::ssize(wires), in = reduce_in_](Arrays<T> m) {
             for (Index x = 0; x < count; ++x)
               add_tile(m.work(), m[matrix_array],
                        DenseCopy{.from = from,
                                  .from_ld = lead,
                                  .to = in + x * n,
                                  .to_ld = rows,
                                  .rows = rows,
                                  .columns = columns});
           });
}

// The best rows of this position; where nobody else has any, they are the pivots.
template <Scalar T>
void LuCompiler<T>::choose_locally(Writer<T>& w, int step, const Tournament& tournament, int number) {
  const Index k = rows_.left(), n = s_.width(step);
  const DenseCopy copy{.from = place(rows_.taken(), s_.local_column(q_, step)),
                       .from_ld = ld(),
                       .to = panel_,
                       .to_ld = k,
                       .rows = k,
                       .columns = n};
  const bool over = tournament.order.size() == 1;
  const Index count = tournament.candidates[static_cast<std::size_t>(number)];
  const double flops =
      real_flops(static_cast<double>(k * n) * static_cast<double>(n) / 2, ScalarTraits<T>::flops_per_voxel);
  w.kernel("pivots", step, {}, flops,
           [=, alone = alone_, rows = rows_.rows_left(), own = own_, message = spread_,
            pivoting = pivoting_](Arrays<T> m) {
             // Alone the panel is factored where it lies: the rows end up where swap_rows would bring them.
             T* block = alone ? m[matrix_array] + copy.from : m.work() + copy.to;
             const Index lead = alone ? copy.from_ld : k;
             if (!alone) copy_tile(m[matrix_array], m.work(), copy);
             const std::vector<Index> order = elimination_order<T>(pivoting, k, n, block, lead, rows);
             std::vector<Index> chosen;
             for (const Index i : order) chosen.push_back(rows[static_cast<std::size_t>(i)]);
             if (over) return write_pivots<T>(chosen, block, lead, m.work() + message);
             const Candidates<T> mine{m.work() + own, count, n};
             gather_rows<T>(m[matrix_array] + copy.from, copy.from_ld, order, n, mine.values);
             for (Index i = 0; i < count; ++i)
               mine.rows()[i] = encode_row<T>(chosen[static_cast<std::size_t>(i)]);
           });
}

template <Scalar T>
void LuCompiler<T>::play(Writer<T>& w, int step, const Tournament& tournament, int number) {
  const Index n = s_.width(step);
  const auto rank_at = [&](int i) { return peer(step, tournament.order[static_cast<std::size_t>(i)]); };
  for (std::size_t round = 0; round < tournament.rounds.size(); ++round)
    for (const Tournament::Match& match : tournament.rounds[round]) {
      const int channel = step * stages + first_round + static_cast<int>(round);
      if (match.loser == number)
        w.messages("pivots", step, {},
                   {{Wire::Kind::send, rank_at(match.winner), own_, match.rows * (n + 1)}}, channel);
      if (match.winner != number) continue;
      const int came =
          w.messages("pivots", step, {},
                     {{Wire::Kind::receive, rank_at(match.loser), other_, match.rows * (n + 1)}}, channel);
      const bool last = round + 1 == tournament.rounds.size();
      w.kernel(
          "pivots", step, {came},
          real_flops(static_cast<double>(n * n) * static_cast<double>(n), ScalarTraits<T>::flops_per_voxel),
          [=, own = own_, other = other_, stacked = stacked_, message = spread_,
           pivoting = pivoting_](Arrays<T> m) {
            const Candidates<T> a{m.work() + own, match.winner_rows, n}, b{m.work() + other, match.rows, n};
            const Index all = a.count + b.count;
            std::vector<T> values(static_cast<std::size_t>(all * n));
            copy_tile(
                a.values, values.data(),
                DenseCopy{
                    .from = 0, .from_ld = a.count, .to = 0, .to_ld = all, .rows = a.count, .columns = n});
            copy_tile(b.values, values.data(),
                      DenseCopy{.from = 0,
                                .from_ld = b.count,
                                .to = a.count,
                                .to_ld = all,
                                .rows = b.count,
                                .columns = n});
            std::vector<Index> rows = read_pivots<T>(a.count, a.rows()),
                               more = read_pivots<T>(b.count, b.rows());
            rows.insert(rows.end(), more.begin(), more.end());
            T* block = m.work() + stacked;
            std::ranges::copy(values, block);
            const std::vector<Index> order = elimination_order<T>(pivoting, all, n, block, all, rows);
            std::vector<Index> chosen;
            for (const Index i : order) chosen.push_back(rows[static_cast<std::size_t>(i)]);
            if (last) return write_pivots<T>(chosen, block, all, m.work() + message);
            const Candidates<T> best{m.work() + own, std::ssize(order), n};
            gather_rows<T>(values.data(), all, order, n, best.values);
            for (Index i = 0; i < best.count; ++i)
              best.rows()[i] = encode_row<T>(chosen[static_cast<std::size_t>(i)]);
          });
    }
}

template <Scalar T>
void LuCompiler<T>::spread(Writer<T>& w, int step, const Tournament& tournament) {
  const std::vector<Spread::Stop> stops = spread_of(s_, step, tournament, pivoting_).stops;
  const auto me = std::ranges::find(stops, s_.rank(layer_, q_), &Spread::Stop::rank) - stops.begin();
  if (me == std::ssize(stops)) return;  // knows already
  std::vector<Wire> wires;
  if (me > 0)
    wires.push_back({Wire::Kind::receive, stops[static_cast<std::size_t>((me - 1) / 2)].rank, spread_,
                     stops[static_cast<std::size_t>(me)].words});
  for (const auto child : {2 * me + 1, 2 * me + 2})
    if (child < std::ssize(stops)) {
      const Spread::Stop& stop = stops[static_cast<std::size_t>(child)];
      wires.push_back({me > 0 ? Wire::Kind::relay : Wire::Kind::send, stop.rank, spread_, stop.words});
    }
  w.messages("pivots", step, {}, wires, step * stages + tell);
}

// The panel goes first: where other columns are at work on their own, its words are on their way before the update of
// the step before is finished here.
template <Scalar T>
program::Program LuCompiler<T>::divide(int step, std::span<const Index> pivots) {
  program::Program program = empty_program();
  Writer<T> w(program, "lu", s_.rank(layer_, q_), s_.ranks());
  const Index before = rows_.taken(), panel = s_.local_column(q_, step),
              right = s_.local_column(q_, step + 1);
  swaps_.push_back(rows_.take(pivots));
  left_.consume(s_, pivots);
  if (knows_corner(step) && rows_.count() > before && !alone_) {  // alone it is as it should be
    swap_rows(w, step, panel, right);
    if (!eliminated_) solve_panel(w, step, pivots, before);
  }
  Coming coming{.at = landed_, .packed = packed_};
  if (mine(step)) send_panel(w, step, coming);
  update(w, right, s_.local_columns(q_));
  pending_.reset();
  swap_rows(w, step, right, s_.local_columns(q_));
  reduce_block(w, step, reduce_rows, before, rows_.taken() - before, right, columns_left(step));
  if (!mine(step)) return program;
  send_pivot_rows(w, step, pivots, before, coming);
  solve_rows(w, step, pivots, before, coming);
  return program;
}

// In some columns: what is to the left of a panel waits for settle_left.
template <Scalar T>
void LuCompiler<T>::swap_rows(Writer<T>& w, int step, Index first, Index end) {
  if (swaps_.back().empty() || first >= end) return;
  w.kernel("swap", step, {}, 0, [=, lead = ld(), swaps = swaps_.back()](Arrays<T> m) {
    for (Index j = first; j < end; ++j) {
      T* column = m[matrix_array] + j * lead;
      for (const auto& [x, y] : swaps) std::swap(column[x], column[y]);
    }
  });
}

// From the last step back: `places` is what the steps after t have done together.
template <Scalar T>
program::Program LuCompiler<T>::settle_left() {
  program::Program program = empty_program();
  Writer<T> w(program, "lu", s_.rank(layer_, q_), s_.ranks());
  std::vector<std::pair<Index, Index>> columns(swaps_.size());  // of each step, if they are here
  for (int t = 0; t < static_cast<int>(columns.size()); ++t)
    if (mine(t)) columns[static_cast<std::size_t>(t)] = {s_.local_column(q_, t), s_.local_column(q_, t + 1)};
  const Index rows = rows_.count();
  w.kernel("swap", s_.steps(), {}, 0, [=, lead = ld(), steps = swaps_](Arrays<T> m) {
    std::vector<Index> places = places_after({}, rows);
    std::vector<T> old(static_cast<std::size_t>(rows));
    Index first = rows;  // no row before it has moved
    for (std::size_t t = steps.size(); t-- > 0;) {
      for (Index j = columns[t].first; j < columns[t].second && first < rows; ++j) {
        T* column = m[matrix_array] + j * lead;
        std::copy(column + first, column + rows, old.begin() + first);
        for (Index i = first; i < rows; ++i)
          column[i] = old[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])];
      }
      if (steps[t].empty()) continue;
      first = std::min(first, steps[t].front().first);
      const std::vector<Index> before = places_after(steps[t], rows);
      for (Index& place : places) place = before[static_cast<std::size_t>(place)];
    }
  });
  return program;
}

// The factors of the pivots' block where their rows lie, and L10.
template <Scalar T>
void LuCompiler<T>::solve_panel(Writer<T>& w, int step, std::span<const Index> pivots, Index before) {
  const Index n = s_.width(step), lead = ld(), k = rows_.left();
  const Index top = place(before, s_.local_column(q_, step)),
              below = place(rows_.taken(), s_.local_column(q_, step));
  const double flops =
      real_flops(static_cast<double>(k * n) * static_cast<double>(n) / 2, ScalarTraits<T>::flops_per_voxel);
  w.kernel("panel", step, {}, flops,
           [=, mine = numbers_of(s_, q_, pivots), message = spread_, corner = corner_](Arrays<T> m) {
             T* block = m.work() + corner;
             read_factors<T>(n, m.work() + message, true, block, n);
             for (Index j = 0; j < n; ++j)
               for (Index i = 0; i < std::ssize(mine); ++i)
                 m[matrix_array][top + i + j * lead] = block[mine[static_cast<std::size_t>(i)] + j * n];
             // A zero pivot has zeros below it but for rounding: they stay as they are.
             for (Index j = 0; j < n; ++j)
               if (block[j * (n + 1)] == T(0)) block[j * (n + 1)] = T(1);
             divide_by_upper<T>(k, n, block, n, m[matrix_array] + below, lead);
           });
}

// L to the positions of each row.
template <Scalar T>
void LuCompiler<T>::send_panel(Writer<T>& w, int step, Coming& coming) {
  const Index n = s_.width(step);
  std::vector<RowPart> out;
  std::vector<Wire> wires;
  std::map<std::pair<std::vector<int>, bool>, Index> packed;  // one copy for all that need the same
  for (const PartMove& move : panel_moves(s_, step, left_, q_)) {
    const Index words = move.rows * move.columns;
    // Positions with the same rows have them in the same order: they travel as they lie, and land where they are used.
    const bool alike = s_.pattern().rows_of(move.from) == s_.pattern().rows_of(move.to);
    if (move.from == q_) {
      const auto [found, fresh] = packed.try_emplace({move.classes, alike}, coming.packed);
      if (fresh) {
        out.push_back({alike ? rows_.left_as_they_lie() : rows_.left_in(move.classes), coming.packed});
        coming.packed += words;
      }
      wires.push_back({Wire::Kind::send, peer(step, move.to), found->second, words});
    } else if (alike) {
      wires.push_back({Wire::Kind::receive, peer(step, move.from), l_, words});
    } else {
      coming.l.push_back({rows_.left_in(move.classes), coming.at});
      for (Index& row : coming.l.back().rows) row -= rows_.taken();
      wires.push_back({Wire::Kind::receive, peer(step, move.from), coming.at, words});
      coming.at += words;
    }
  }
  if (!out.empty())
    w.kernel("panel", step, {}, 0, [=, from = place(0, s_.local_column(q_, step)), lead = ld()](Arrays<T> m) {
      for (const RowPart& part : out)
        gather_rows<T>(m[matrix_array] + from, lead, part.rows, n, m.work() + part.at);
    });
  coming.panel = w.messages("panel", step, {}, wires, step * stages + swap_panels);
}

// Raw pivot rows to the positions of each column.
template <Scalar T>
void LuCompiler<T>::send_pivot_rows(Writer<T>& w, int step, std::span<const Index> pivots, Index before,
                                    Coming& coming) {
  const Index lead = ld(), base = s_.local_column(q_, step + 1);
  std::vector<ColumnPart> out;
  std::vector<Wire> wires;
  std::map<std::vector<int>, Index> packed;
  for (const PartMove& move : pivot_row_moves(s_, step, left_, pivots, q_)) {
    const Index words = move.rows * move.columns;
    std::vector<ColumnRun> runs = runs_of(s_, q_, move.classes, step + 1);
    if (move.from == q_) {
      const auto [found, fresh] = packed.try_emplace(move.classes, coming.packed);
      if (fresh) {
        std::vector<Index> rows(static_cast<std::size_t>(rows_.taken() - before));
        std::iota(rows.begin(), rows.end(), before);
        out.push_back({std::move(rows), std::move(runs), coming.packed});
        coming.packed += words;
      }
      wires.push_back({Wire::Kind::send, peer(step, move.to), found->second, words});
    } else {
      for (ColumnRun& run : runs) run.first -= base;
      coming.u.push_back({numbers_of(s_, move.from, pivots), std::move(runs), coming.at});
      wires.push_back({Wire::Kind::receive, peer(step, move.from), coming.at, words});
      coming.at += words;
    }
  }
  if (!out.empty())
    w.kernel("panel", step, {}, 0, [=](Arrays<T> m) {
      for (const ColumnPart& part : out) {
        T* to = m.work() + part.at;
        for (const ColumnRun& run : part.runs) {
          gather_rows<T>(m[matrix_array] + run.first * lead, lead, part.rows, run.count, to);
          to += run.count * std::ssize(part.rows);
        }
      }
    });
  coming.rows = w.messages("panel", step, {}, wires, step * stages + swap_pivots);
}

// U01 := L00^-1 A01, everywhere in the column; then the update A11 -= L10 U01 is pending.
template <Scalar T>
void LuCompiler<T>::solve_rows(Writer<T>& w, int step, std::span<const Index> pivots, Index before,
                               const Coming& coming) {
  const Index n = s_.width(step), lead = ld(), base = s_.local_column(q_, step + 1);
  const Index columns = columns_left(step), k = rows_.left();
  const std::vector<Index> mine = numbers_of(s_, q_, pivots);
  if (columns == 0 || (k == 0 && mine.empty())) return;
  const double flops = real_flops(static_cast<double>(n * n) * static_cast<double>(columns) / 2,
                                  ScalarTraits<T>::flops_per_voxel);
  const bool in_place = std::ssize(mine) == n;  // all pivot rows are here: U is made where it stays
  w.kernel("panel", step, {coming.panel, coming.rows}, flops,
           [=, l = l_, u = u_, message = spread_, corner = corner_, l_in = coming.l,
            u_in = coming.u](Arrays<T> m) {
             for (const RowPart& part : l_in)
               scatter_rows<T>(m.work() + part.at, part.rows, n, m.work() + l, k);
             T* rows = m[matrix_array] + before + base * lead;
             T* solved = in_place ? rows : m.work() + u;
             for (Index j = 0; !in_place && j < columns; ++j)
               for (Index i = 0; i < std::ssize(mine); ++i)
                 solved[mine[static_cast<std::size_t>(i)] + j * n] = rows[i + j * lead];
             for (const ColumnPart& part : u_in) {
               const T* from = m.work() + part.at;
               for (const ColumnRun& run : part.runs) {
                 scatter_rows<T>(from, part.rows, run.count, solved + run.first * n, n);
                 from += run.count * std::ssize(part.rows);
               }
             }
             read_factors<T>(n, m.work() + message, false, m.work() + corner, n);
             solve_unit_lower<T>(n, columns, m.work() + corner, n, solved, in_place ? lead : n);
             for (Index j = 0; !in_place && j < columns; ++j)
               for (Index i = 0; i < std::ssize(mine); ++i)
                 rows[i + j * lead] = solved[mine[static_cast<std::size_t>(i)] + j * n];
           });
  if (k == 0) return;
  const bool here = s_.has_column(q_, step);
  pending_ = Pending{.step = step,
                     .row = rows_.taken(),
                     .rows = k,
                     .l = here ? program::Place{matrix_array, place(rows_.taken(), s_.local_column(q_, step))}
                               : program::Place{program::Place::work, l_},
                     .ldl = here ? lead : k,
                     .u = in_place ? program::Place{matrix_array, place(before, base)}
                                   : program::Place{program::Place::work, u_},
                     .ldu = in_place ? lead : n};
}

template class LuCompiler<float>;
template class LuCompiler<double>;
template class LuCompiler<std::complex<float>>;
template class LuCompiler<std::complex<double>>;

}  // namespace cairn::factor
