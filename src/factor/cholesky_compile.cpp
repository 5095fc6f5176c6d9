// Step k, on the layer that applies it:
//   reduce    column k of the other layers is added                     (c - 1) words an element
//   diagonal  L(k,k) is factored and goes to the owners of column k      v (v + 1) / 2 words each
//   panel     L(i,k) := A(i,k) L(k,k)^-H goes to the owners of row i and column i   z - 1 times v^2 words
//   update    A(i,j) -= L(i,k) L(j,k)^H for all i >= j > k here
// The update of column k + 1 comes first; the rest of it is done while the words of step k + 1 move.
#include "factor/cholesky_compile.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>

#include "base/lapack.hpp"
#include "factor/cholesky_moves.hpp"
#include "factor/cholesky_storage.hpp"
#include "factor/panel_solve.hpp"
#include "factor/tiles.hpp"
#include "factor/writer.hpp"

namespace cairn::factor {
namespace {

enum CholeskyStage { reducing, diagonal, paneling, following, cholesky_stages };

// A tile of column k, where it lies and where it goes.
struct TileCopy {
  Index from, from_ld, to, to_ld, rows, columns;
};

// Rows of one class of a column of L, in one of the arrays.
struct Rows {
  program::Place at;
  Index ld = 1;
};

template <Scalar T>
class Compiler {
 public:
  Compiler(const CholeskyShape& shape, int rank, std::shared_ptr<CholeskyOutcome> outcome,
           Index leading_dimension)
      : s_(shape),
        q_(rank % shape.positions()),
        layer_(rank / shape.positions()),
        in_place_(leading_dimension > 0),
        storage_(shape, q_, leading_dimension),
        writer_(program_, "cholesky", rank, shape.ranks()),
        outcome_(std::move(outcome)) {
    program_.array_counts = {0, storage_.elements()};
    reserve();
  }

  Index elements() const { return program_.array_counts[0] + program_.array_counts[1]; }

  program::Program compile() {
    if (s_.is_whole()) {
      factor_whole();
    } else {
      moves_.emplace(s_);
      for (int k = 0; k < s_.tiles(); ++k) step(k);
    }
    if (!in_place_) clear_above_diagonal();
    return std::move(program_);
  }

 private:
  // One rank has the square as LAPACK wants it.
  void factor_whole() {
    const Index n = s_.order();
    if (n == 0) return;
    writer_.kernel("diagonal", 0, {}, static_cast<double>(n * n) * static_cast<double>(n) / 3,
                   [n, lead = storage_.spot(0, 0).leading_dimension, outcome = outcome_](Arrays<T> m) {
                     outcome->info = lapack::potrf<T>(Triangle::lower, n, m[matrix_array], lead);
                   });
  }

  // The most that any step needs of each buffer: one of the first r, later ones of the same class have less.
  void reserve() {
    if (s_.is_whole()) return;
    Index own = 0, sent = 0, received = 0;
    for (int k = 0; k < std::min(s_.tiles(), s_.classes()); ++k) {
      own = std::max(own, panel_words(k));
      Index out = 0, in = 0;
      for (const auto& [d, tiles] : sends(k)) out += words(tiles, k);
      for (const auto& [o, tiles] : receives(k)) in += words(tiles, k);
      sent = std::max(sent, out);
      received = std::max(received, in);
    }
    const bool layered = s_.layers() > 1;
    reduce_out_ = writer_.reserve(layered ? own : 0);
    reduce_in_ = writer_.reserve(layered ? own * (s_.layers() - 1) : 0);
    for (Slot& slot : slots_) slot = {writer_.reserve(sent), writer_.reserve(received)};
    const Index v = std::min(s_.step(), s_.order());
    triangle_out_ = writer_.reserve(v * (v + 1) / 2);
    triangle_in_ = writer_.reserve(v * (v + 1) / 2);
    corner_ = writer_.reserve(v * v);
  }

  void step(int k) {
    const bool mine = s_.layer(k) == layer_;
    const std::vector<int> contributors = s_.contributors(k);
    update_column(k);
    if (mine && s_.layers() > 1) flush(k, 0);  // other layers are at work on the steps before: there is time
    if (!mine) {
      if (std::ranges::find(contributors, layer_) != contributors.end()) send_column(k);
      return;
    }
    receive_column(k, contributors);
    const int solved = factor_diagonal(k);
    solve_panel(k, solved);
    pending_.push_back(move_panel(k));
    flush(k, ahead);
  }

  // ---- who has what of column k --------------------------------------------------------------------------
  std::vector<int> tiles_below(int k) const {
    std::vector<int> tiles;
    for (int i = k + 1; i < s_.tiles(); ++i)
      if (s_.owner(i, k) == q_) tiles.push_back(i);
    return tiles;
  }
  bool has_diagonal(int k) const { return s_.owner(k, k) == q_; }
  Index words(const std::vector<int>& tiles, int k) const {
    Index sum = 0;
    for (const int i : tiles) sum += s_.width(i) * s_.width(k);
    return sum;
  }
  Index panel_words(int k) const { return words(tiles_below(k), k) + (has_diagonal(k) ? s_.triangle(k) : 0); }
  using TileLists = std::map<int, std::vector<int>>;  // by position
  TileLists sends(int k) const {
    TileLists lists;
    for (const int i : tiles_below(k))
      for (const CholeskyShape::Need& need : s_.needs(i))
        if (need.last > k && need.position != q_) lists[need.position].push_back(i);
    return lists;
  }
  TileLists receives(int k) const {
    TileLists lists;
    for (int i = k + 1; i < s_.tiles(); ++i)
      if (s_.owner(i, k) != q_ && s_.needs(q_, i, k)) lists[s_.owner(i, k)].push_back(i);
    return lists;
  }
  int peer(int k, int position) const { return s_.rank(s_.layer(k), position); }
  int channel(int k, CholeskyStage stage) const { return k * cholesky_stages + stage; }

  TileCopy from_storage(int i, int k, Index to, Index to_ld) const {
    const CholeskyStorage::Spot spot = storage_.spot(i, k);
    return {spot.offset, spot.leading_dimension, to, to_ld, s_.width(i), s_.width(k)};
  }
  // The tiles one after the other from `to` on.
  std::vector<TileCopy> packing(const std::vector<int>& tiles, int k, Index to) const {
    std::vector<TileCopy> copies;
    for (const int i : tiles) {
      copies.push_back(from_storage(i, k, to, s_.width(i)));
      to += s_.width(i) * s_.width(k);
    }
    return copies;
  }

  // ---- reduce --------------------------------------------------------------------------------------------
  void send_column(int k) {
    const Index n = panel_words(k);
    if (n == 0) return;
    const auto tiles = packing(tiles_below(k), k, reduce_out_);
    const bool corner = has_diagonal(k);
    const CholeskyStorage::Spot spot = corner ? storage_.spot(k, k) : CholeskyStorage::Spot{};
    const Index w = s_.width(k), end = reduce_out_ + n - s_.triangle(k);
    writer_.kernel("reduce", k, {last_reduce_}, 0, [=](Arrays<T> m) {
      for (const TileCopy& t : tiles) copy_tile(m[matrix_array], m.work(), t);
      if (corner) pack_lower(w, m[matrix_array] + spot.offset, spot.leading_dimension, m.work() + end);
    });
    last_reduce_ = writer_.messages("reduce", k, {}, {{Wire::Kind::send, peer(k, q_), reduce_out_, n}},
                                    channel(k, reducing));
  }

  void receive_column(int k, const std::vector<int>& contributors) {
    const Index n = panel_words(k);
    if (n == 0 || contributors.empty()) return;
    std::vector<Wire> wires;
    for (const int x : contributors)
      wires.push_back({Wire::Kind::receive, s_.rank(x, q_), reduce_in_ + std::ssize(wires) * n, n});
    const int came = writer_.messages("reduce", k, {}, wires, channel(k, reducing));
    const auto tiles = packing(tiles_below(k), k, reduce_in_);
    const bool corner = has_diagonal(k);
    const CholeskyStorage::Spot spot = corner ? storage_.spot(k, k) : CholeskyStorage::Spot{};
    const Index w = s_.width(k), triangle = s_.triangle(k), first = reduce_in_;
    const auto count = std::ssize(contributors);
    writer_.kernel("reduce", k, {came}, static_cast<double>(n * count), [=](Arrays<T> m) {
      for (Index x = 0; x < count; ++x) {
        for (const TileCopy& t : tiles) add_tile(m.work() + x * n, m[matrix_array], t);
        if (corner)
          add_lower(w, m.work() + first + (x + 1) * n - triangle, m[matrix_array] + spot.offset,
                    spot.leading_dimension);
      }
    });
  }

  // ---- diagonal ------------------------------------------------------------------------------------------
  // The communication that brings L(k,k) here, if one does.
  int factor_diagonal(int k) {
    if (!has_diagonal(k)) {
      if (tiles_below(k).empty()) return Waits::nothing;
      return writer_.messages("diagonal", k, {},
                              {{Wire::Kind::receive, peer(k, s_.owner(k, k)), triangle_in_, s_.triangle(k)}},
                              channel(k, diagonal));
    }
    const CholeskyStorage::Spot spot = storage_.spot(k, k);
    const Index w = s_.width(k), start = s_.start(k), to = triangle_out_;
    const double w3 = static_cast<double>(w * w) * static_cast<double>(w) / 3;
    writer_.kernel("diagonal", k, {last_diagonal_}, w3, [=, this_outcome = outcome_](Arrays<T> m) {
      T* tile = m[matrix_array] + spot.offset;
      const Index info = lapack::potrf<T>(Triangle::lower, w, tile, spot.leading_dimension);
      if (info > 0 && this_outcome->info == 0) this_outcome->info = start + info;
      if (info > 0) finish_as_identity(w, info - 1, tile, spot.leading_dimension);
      pack_lower(w, tile, spot.leading_dimension, m.work() + to);
    });
    std::vector<bool> has(at_index(s_.positions()), false);
    std::vector<Wire> wires;
    for (int i = k + 1; i < s_.tiles(); ++i) {
      const int o = s_.owner(i, k);
      if (o != q_ && !has[at_index(o)])
        wires.push_back({Wire::Kind::send, peer(k, o), triangle_out_, s_.triangle(k)});
      has[at_index(o)] = true;
    }
    last_diagonal_ = writer_.messages("diagonal", k, {}, wires, channel(k, diagonal));
    return Waits::nothing;
  }

  // ---- panel ---------------------------------------------------------------------------------------------
  struct Piece {  // rows of one class in column k
    Index offset, ld, rows;
  };
  std::vector<Piece> pieces_below(int k) const {
    std::vector<Piece> pieces;
    for (const int a : storage_.rows_beside(k % s_.classes())) {
      const int i = s_.first_tile(a, k + 1);
      if (i >= s_.tiles()) continue;
      const CholeskyStorage::Spot spot = storage_.spot(i, k);
      pieces.push_back({spot.offset, spot.leading_dimension, s_.class_rows(a, k + 1)});
    }
    return pieces;
  }
  void solve_panel(int k, int came) {
    const std::vector<Piece> pieces = pieces_below(k);
    if (pieces.empty()) return;
    const Index w = s_.width(k);
    const Index packed = has_diagonal(k) ? triangle_out_ : triangle_in_, corner = corner_;
    double flops = 0;
    for (const Piece& p : pieces) flops += static_cast<double>(p.rows * w) * static_cast<double>(w);
    writer_.kernel("panel", k, {came}, flops, [=](Arrays<T> m) {
      unpack_lower(w, m.work() + packed, m.work() + corner, w);
      for (const Piece& p : pieces)
        divide_by_adjoint<T>(p.rows, w, m.work() + corner, w, m[matrix_array] + p.offset, p.ld);
    });
  }

  // Column k of L as this position updates with it: its own rows where they are stored, the others where they land.
  struct Panel {
    int step = 0;
    std::array<int, 2> came = {Waits::nothing, Waits::nothing};  // the communications that bring them
    std::vector<RowBlock> landed = {};
    std::vector<Index> at = {};  // where each of them is in the work memory
  };
  // Where rows of a panel are packed and where they land, and the communications that last used it.
  struct Slot {
    Index packed = 0, landed = 0;
    std::array<int, 2> used = {Waits::nothing, Waits::nothing};
  };

  // Rows that the next column waits for go first, the others give way. Rows are packed once for all that need the same
  // ones, and updated with where they land: while those of one step are used, those of the next one land elsewhere.
  Panel move_panel(int k) {
    Panel panel{.step = k};
    std::array<std::vector<Wire>, 2> wires;  // first, later
    std::vector<TileCopy> copies;
    std::vector<std::pair<std::vector<RowBlock>, Index>> packed;
    Slot& slot = slots_[panels_++ % slots_.size()];
    const auto wires_of = [&](const ColumnMove& move) -> std::vector<Wire>& {
      return wires[move.first ? 0 : 1];
    };
    Index to = slot.packed, from = slot.landed;
    for (const ColumnMove& move : moves_->of_step(k)) {
      if (move.from == q_ && !move.relayed) {
        auto same = std::ranges::find(packed, move.blocks, &std::pair<std::vector<RowBlock>, Index>::first);
        if (same == packed.end()) {
          same = packed.emplace(packed.end(), move.blocks, to);
          to = pack(k, move.blocks, to, copies);
        }
        wires_of(move).push_back({Wire::Kind::send, peer(k, move.to), same->second, move.words});
      } else if (move.to == q_) {
        wires_of(move).push_back(
            {move.relayed ? Wire::Kind::relayed : Wire::Kind::receive, peer(k, move.from), from, move.words});
        for (const RowBlock& block : move.blocks) {
          panel.landed.push_back(block);
          panel.at.push_back(from);
          from += block.rows * s_.width(k);
        }
      }
    }
    for (const ColumnMove& move : moves_->of_step(k))  // what has landed by now goes on
      if (move.from == q_ && move.relayed)
        wires_of(move).push_back({Wire::Kind::relay, peer(k, move.to),
                                  landed_at(panel, move.blocks.front().row_class), move.words});
    const Waits free{slot.used[0], slot.used[1]};
    if (!copies.empty())
      writer_.kernel("panel", k, free, 0, [copies](Arrays<T> m) {
        for (const TileCopy& t : copies) copy_tile(m[matrix_array], m.work(), t);
      });
    slot.used = {writer_.messages("panel", k, free, wires[0], channel(k, paneling)),
                 writer_.messages("panel", k, free, wires[1], channel(k, following), true)};
    for (std::size_t i = 0; i < 2; ++i)
      if (std::ranges::any_of(wires[i], [](const Wire& w) {
            return w.kind == Wire::Kind::receive || w.kind == Wire::Kind::relayed;
          }))
        panel.came[i] = slot.used[i];
    return panel;
  }

  // Each block as one piece, from `to` on. Returns where the next may begin.
  Index pack(int k, const std::vector<RowBlock>& blocks, Index to, std::vector<TileCopy>& copies) const {
    for (const RowBlock& block : blocks) {
      Index row = to;
      for (const RowBlock::Run& run : block.runs) {
        const Index rows = run_rows(run);
        const CholeskyStorage::Spot spot = storage_.spot(run.first, k);
        copies.push_back({.from = spot.offset,
                          .from_ld = spot.leading_dimension,
                          .to = row,
                          .to_ld = block.rows,
                          .rows = rows,
                          .columns = s_.width(k)});
        row += rows;
      }
      to += block.rows * s_.width(k);
    }
    return to;
  }
  Index run_rows(const RowBlock::Run& run) const {
    return (run.count - 1) * s_.step() + s_.width(run.first + (run.count - 1) * s_.classes());
  }

  static Index landed_at(const Panel& panel, int row_class) {
    return panel.at[at_index(std::ranges::find(panel.landed, row_class, &RowBlock::row_class) -
                             panel.landed.begin())];
  }
  bool has(const RowBlock& block, int i) const {
    return std::ranges::any_of(block.runs, [&](const RowBlock::Run& run) {
      return block.row_class == i % s_.classes() && i >= run.first &&
             i < run.first + run.count * s_.classes();
    });
  }
  // Row tile i and those below it.
  Rows rows_of(const Panel& panel, int i) const {
    if (s_.owner(i, panel.step) == q_) {
      const CholeskyStorage::Spot spot = storage_.spot(i, panel.step);
      return {{matrix_array, spot.offset}, spot.leading_dimension};
    }
    const auto block = std::ranges::find_if(panel.landed, [&](const RowBlock& b) { return has(b, i); });
    Index tiles = 0;  // before it
    for (const RowBlock::Run& run : block->runs)
      tiles += std::clamp((i - run.first) / s_.classes(), 0, run.count);
    return {{program::Place::work, panel.at[at_index(block - panel.landed.begin())] + tiles * s_.step()},
            block->rows};
  }

  // ---- update --------------------------------------------------------------------------------------------
  struct Product {
    Index m, n, k;
    Rows a, b;
    Index c, ldc;
    bool triangle;  // only what is on and below the diagonal
  };
  // Tile columns first, first + r, ... of a chunk.
  struct Columns {
    int first, count;
  };
  Index width_of(Columns x) const {
    return x.count == 0 ? 0 : (x.count - 1) * s_.step() + s_.width(x.first + (x.count - 1) * s_.classes());
  }
  // Rows of class a from tile i on, to tile `end`, in these columns.
  void add_block(const Panel& panel, int a, int i, int end, Columns x, bool triangle,
                 std::vector<Product>& products) const {
    const Index rows = s_.class_rows(a, i) - s_.class_rows(a, end), columns = width_of(x);
    if (rows == 0 || columns == 0) return;
    const int row = s_.first_tile(a, i);
    const CholeskyStorage::Spot spot = storage_.spot(row, x.first);
    products.push_back({rows, columns, s_.width(panel.step), rows_of(panel, row), rows_of(panel, x.first),
                        spot.offset, spot.leading_dimension, triangle});
  }
  // A chunk is a staircase: one product for the rows below all steps of it, halves of what is left, and so on. Nothing
  // above the stairs is computed; on the diagonal not even the other half of a tile. The last column may lie right of all
  // rows of the class: it has no part in this, and of its rows of L nothing has come here.
  void add_stairs(const Panel& panel, int a, Columns x, std::vector<Product>& products) const {
    if (s_.first_tile(a, x.first + (x.count - 1) * s_.classes()) >= s_.tiles()) --x.count;
    if (x.count == 0) return;
    const int end = x.first + x.count * s_.classes();
    add_block(panel, a, end, s_.tiles() + s_.classes(), x, false, products);
    add_triangle(panel, a, x, products);
  }
  void add_triangle(const Panel& panel, int a, Columns x, std::vector<Product>& products) const {
    constexpr Index narrow_enough = 96;  // narrower products are slower than they are shorter
    const int r = s_.classes(), end = x.first + x.count * r;
    const bool symmetric = a == x.first % r;
    if (symmetric || x.count == 1 || (width_of(x) <= narrow_enough && !in_place_))
      return add_block(panel, a, x.first, end, x, symmetric, products);
    const Columns left{x.first, x.count / 2}, right{x.first + left.count * r, x.count - left.count};
    add_triangle(panel, a, left, products);
    add_block(panel, a, right.first, end, left, false, products);
    add_triangle(panel, a, right, products);
  }
  void update_column(int j) {
    for (const Panel& panel : pending_) {
      std::vector<Product> products;
      for (const int a : storage_.rows_beside(j % s_.classes())) add_stairs(panel, a, {j, 1}, products);
      // The next column needs only what goes first.
      const int later = j == panel.step + 1 ? Waits::nothing : panel.came[1];
      write_products(panel.step, {panel.came[0], later}, std::move(products), false);
    }
  }
  // All columns after j with the steps that are pending, but for the last `left` ones.
  void flush(int j, std::size_t left) {
    for (; pending_.size() > left; pending_.pop_front()) {
      std::vector<Product> products;
      for (const Chunk& c : storage_.chunks()) {
        const int r = s_.classes(), first = std::max(c.first_column, s_.first_tile(c.b, j + 1));
        const int end = c.first_column + c.columns * r;
        if (first < end) add_stairs(pending_.front(), c.a, {first, (end - first) / r}, products);
      }
      const Panel& panel = pending_.front();
      write_products(panel.step, {panel.came[0], panel.came[1]}, std::move(products), true);
    }
  }
  void write_products(int k, const Waits& waits, std::vector<Product> products, bool beside) {
    if (products.empty()) return;
    double flops = 0;
    for (const Product& p : products)
      flops += ScalarTraits<T>::flops_per_voxel * static_cast<double>(p.m * p.n) * static_cast<double>(p.k) /
               (p.triangle ? 2 : 1);
    writer_.kernel(
        "update", k, waits, flops,
        [products = std::move(products)](Arrays<T> m) {
          for (const Product& p : products) {
            const T* a = m[p.a.at.array] + p.a.at.offset;
            if (p.triangle)
              blas::herk<T>(Triangle::lower, Op::none, p.n, p.k, Real<T>(-1), a, p.a.ld, Real<T>(1),
                            m[matrix_array] + p.c, p.ldc);
            else
              blas::gemm<T>(Op::none, Op::adjoint, p.m, p.n, p.k, T(-1), a, p.a.ld,
                            m[p.b.at.array] + p.b.at.offset, p.b.ld, T(1), m[matrix_array] + p.c, p.ldc);
          }
        },
        beside);
  }

  // What lies above the diagonal in its tiles is not part of L.
  void clear_above_diagonal() {
    std::vector<TileCopy> corners;
    for (int k = 0; k < s_.tiles(); ++k)
      if (has_diagonal(k)) corners.push_back(from_storage(k, k, 0, 0));
    if (corners.empty()) return;
    writer_.kernel("diagonal", s_.tiles(), {}, 0, [corners](Arrays<T> m) {
      for (const TileCopy& t : corners)
        for (Index j = 1; j < t.columns; ++j) std::fill_n(m[matrix_array] + t.from + j * t.from_ld, j, T(0));
    });
  }

  const CholeskyShape& s_;
  int q_, layer_;
  bool in_place_;  // what is above the diagonal is the user's
  CholeskyStorage storage_;
  program::Program program_;
  Writer<T> writer_;
  std::shared_ptr<CholeskyOutcome> outcome_;
  // Offsets in the work memory.
  Index reduce_out_ = 0, reduce_in_ = 0;
  Index triangle_out_ = 0, triangle_in_ = 0, corner_ = 0;
  int last_reduce_ = Waits::nothing, last_diagonal_ = Waits::nothing;
  std::optional<CholeskyMoves> moves_;
  static constexpr std::size_t ahead = 1;  // panels that move while one is updated with
  std::array<Slot, ahead + 1> slots_ = {};
  std::size_t panels_ = 0;     // moved
  std::deque<Panel> pending_;  // steps whose update is not done yet
};

}  // namespace

template <Scalar T>
program::Program compile_cholesky(const CholeskyShape& shape, int rank,
                                  std::shared_ptr<CholeskyOutcome> outcome, Index leading_dimension) {
  return Compiler<T>(shape, rank, std::move(outcome), leading_dimension).compile();
}

Index cholesky_elements(const CholeskyShape& shape, int position) {
  return Compiler<double>(shape, position, nullptr, 0).elements();
}

#define CAIRN_INSTANTIATE(T)                                                                                 \
  template program::Program compile_cholesky<T>(const CholeskyShape&, int, std::shared_ptr<CholeskyOutcome>, \
                                                Index);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
