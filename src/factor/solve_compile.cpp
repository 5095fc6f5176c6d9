// Block t, in the order in which the unknowns come out:
//   sums      what the unknowns known so far give in block t goes to its home          w(t) columns(B) words per rank
//   home      X(t) := op(T(t,t))^-1 (B(t) - sums)
//   unknowns  X(t) goes to the ranks that have T(:, t), or with op the rows of X(t) to those that have them in T(t, :)
//   update    their sums grow: those of the next block first, the others while X(t + 1) is made
#include "factor/solve_compile.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "factor/tiles.hpp"
#include "factor/writer.hpp"

namespace cairn::factor {
namespace {

constexpr int corners = 2, right_sides = 3;  // arrays beside the matrix
enum SolveStage { summing, telling, solve_stages };

template <Scalar T>
class SolveCompiler {
 public:
  SolveCompiler(const SolveShape& shape, const TriangularSolve& solve, int rank, int ranks,
                Index leading_dimension)
      : f_(shape),
        s_(shape.shape()),
        solve_(solve),
        rank_(rank),
        q_(rank),
        ld_(leading_dimension > 0 || !has_part(rank) ? leading_dimension : s_.leading_dimension(rank)),
        by_columns_(solve.op == Op::none),
        forward_((solve.triangle == Triangle::lower) == by_columns_),
        writer_(program_, "solve", rank, ranks) {}

  program::Program compile() {
    reserve();
    const int n = f_.steps();
    for (int k = 0; k < n; ++k) step(forward_ ? k : n - 1 - k);
    return std::move(program_);
  }

 private:
  struct Range {
    Index first, end;
    Index count() const { return std::max<Index>(0, end - first); }
  };

  bool has_part(int q) const { return q < s_.positions(); }
  // What a position has of block t, in the dimension whose sums it keeps, and in that of the unknowns it needs.
  Range sums_range(int q, int t) const {
    return by_columns_ ? rows_range(q, t, t + 1) : columns_range(q, t, t + 1);
  }
  Range rows_range(int q, int t, int end) const { return {f_.first(q, t), f_.first(q, end)}; }
  Range columns_range(int q, int t, int end) const {
    return {s_.local_column(q, t), s_.local_column(q, end)};
  }
  Range sums_of(int q, int t, int end) const {
    return by_columns_ ? rows_range(q, t, end) : columns_range(q, t, end);
  }
  Range unknowns_range(int q, int t) const {
    return by_columns_ ? columns_range(q, t, t + 1) : rows_range(q, t, t + 1);
  }

  // Blocks whose unknowns come out before block t, after it, and next.
  std::pair<int, int> before(int t) const {
    return forward_ ? std::pair{0, t} : std::pair{t + 1, f_.steps()};
  }
  std::pair<int, int> after(int t) const { return forward_ ? std::pair{t + 1, f_.steps()} : std::pair{0, t}; }
  int next(int t) const { return forward_ ? t + 1 : t - 1; }
  bool is_block(int t) const { return t >= 0 && t < f_.steps(); }

  // A position has sums for block t if it has some of it and unknowns came before.
  bool has_sums(int q, int t) const {
    const auto [first, end] = before(t);
    if (!has_part(q) || sums_range(q, t).count() == 0) return false;
    return (by_columns_ ? columns_range(q, first, end) : rows_range(q, first, end)).count() > 0;
  }
  // It needs the unknowns of block t if it has them in its dimension and sums are to be made.
  bool needs(int q, int t) const {
    const auto [first, end] = after(t);
    return has_part(q) && unknowns_range(q, t).count() > 0 && sums_of(q, first, end).count() > 0;
  }
  Index sum_words(int q, int t) const { return sums_range(q, t).count() * solve_.columns; }
  Index unknown_words(int q, int t) const { return unknowns_range(q, t).count() * solve_.columns; }
  // Rows of the block that a sum or an unknown of a position stands for.
  std::vector<Index> sum_rows(int q, int t) const {
    return by_columns_ ? f_.numbers(q, t) : identity_order(f_.width(t));
  }
  std::vector<Index> unknown_rows(int q, int t) const {
    return by_columns_ ? identity_order(f_.width(t)) : f_.numbers(q, t);
  }
  Index local_rows() const { return has_part(q_) ? s_.local_rows(q_) : 0; }

  void reserve() {
    const Index v = std::min(s_.step(), s_.rows()), n = solve_.columns;
    ld_sums_ = !has_part(q_) ? 1 : std::max<Index>(1, by_columns_ ? local_rows() : s_.local_columns(q_));
    sums_ = writer_.reserve(has_part(q_) ? ld_sums_ * n : 0);
    out_ = writer_.reserve(v * n);
    Index in = 0, told = 0;
    for (int t = 0; t < f_.steps(); ++t) {
      if (f_.home(t) != rank_) continue;
      Index here = 0, tell = 0;
      for (int q = 0; q < s_.positions(); ++q) {
        if (q != rank_ && has_sums(q, t)) here += sum_words(q, t);
        if (q != rank_ && needs(q, t)) tell += unknown_words(q, t);
      }
      in = std::max(in, here);
      told = std::max(told, tell);
    }
    in_ = writer_.reserve(in);
    told_ = writer_.reserve(told);
    for (Index& x : unknowns_) x = writer_.reserve(v * n);
    program_.array_counts.resize(4, 0);
    program_.array_counts[matrix_array] = has_part(q_) ? ld_ * s_.local_columns(q_) : 0;
    program_.array_counts[corners] = f_.corners_at_home(rank_);
    program_.array_counts[right_sides] = f_.rows_at_home(rank_) * n;
    if (has_part(q_))
      writer_.kernel("solve", 0, {}, 0, [at = sums_, count = ld_sums_ * n](Arrays<T> m) {
        std::fill_n(m.work() + at, count, T(0));
      });
  }

  void step(int t) {
    if (pending_ >= 0) update(pending_, t, t + 1);
    const int sent = send_sums(t);
    if (f_.home(t) == rank_) solve_at_home(t);
    const int came = receive_unknowns(t);
    if (pending_ >= 0) update_rest(pending_, t);
    pending_ = -1;
    if (needs(q_, t)) take_unknowns(t, came);
    last_sent_ = sent != Waits::nothing ? sent : last_sent_;
  }

  int channel(int t, SolveStage stage) const { return t * solve_stages + stage; }

  int send_sums(int t) {
    if (!has_sums(q_, t) || f_.home(t) == rank_) return Waits::nothing;
    const Range mine = sums_range(q_, t);
    const Index n = solve_.columns;
    writer_.kernel("sums", t, {last_sent_}, 0, [=, from = sums_, ld = ld_sums_, to = out_](Arrays<T> m) {
      for (Index j = 0; j < n; ++j)
        std::copy_n(m.work() + from + mine.first + j * ld, mine.count(), m.work() + to + j * mine.count());
    });
    return writer_.messages("sums", t, {}, {{Wire::Kind::send, f_.home(t), out_, sum_words(q_, t)}},
                            channel(t, summing));
  }

  struct Sum {
    Index at, ld;
    std::vector<Index> rows;
  };
  void solve_at_home(int t) {
    std::vector<Wire> wires;
    std::vector<Sum> sums;
    Index in = in_;
    for (int q = 0; q < s_.positions(); ++q) {
      if (!has_sums(q, t)) continue;
      if (q == rank_) {
        sums.push_back({sums_ + sums_range(q, t).first, ld_sums_, sum_rows(q, t)});
        continue;
      }
      sums.push_back({in, sums_range(q, t).count(), sum_rows(q, t)});
      wires.push_back({Wire::Kind::receive, q, in, sum_words(q, t)});
      in += sum_words(q, t);
    }
    const int came = writer_.messages("sums", t, {}, wires, channel(t, summing));
    const Index w = f_.width(t), n = solve_.columns;
    const Index block = f_.right_side_offset(t, n), corner = f_.corner_offset(t);
    const double flops =
        static_cast<double>(w * w) * static_cast<double>(n) / 2 * ScalarTraits<T>::flops_per_voxel;
    writer_.kernel("home", t, {came}, flops, [=, solve = solve_](Arrays<T> m) {
      T* x = m[right_sides] + block;
      for (const Sum& sum : sums)
        for (Index j = 0; j < n; ++j)
          for (std::size_t i = 0; i < sum.rows.size(); ++i)
            x[sum.rows[i] + j * w] -= m.work()[sum.at + static_cast<Index>(i) + j * sum.ld];
      blas::trsm<T>(Side::left, solve.triangle, solve.op, solve.diagonal, w, n, T(1), m[corners] + corner, w,
                    x, w);
    });
    tell(t);
  }

  void tell(int t) {
    struct Part {
      Index at;
      std::vector<Index> rows;
    };
    std::vector<Part> parts;
    std::vector<Wire> wires;
    Index to = told_;
    for (int q = 0; q < s_.positions(); ++q) {
      if (q == rank_ || !needs(q, t)) continue;
      if (parts.empty() || !by_columns_) {  // by columns all get the same
        parts.push_back({to, unknown_rows(q, t)});
        to += unknown_words(q, t);
      }
      wires.push_back({Wire::Kind::send, q, parts.back().at, unknown_words(q, t)});
    }
    if (wires.empty()) return;
    const Index w = f_.width(t), n = solve_.columns, block = f_.right_side_offset(t, n);
    writer_.kernel("unknowns", t, {last_told_}, 0, [=](Arrays<T> m) {
      for (const Part& part : parts) {
        T* at = m.work() + part.at;
        for (Index j = 0; j < n; ++j)
          for (const Index row : part.rows) *at++ = m[right_sides][block + row + j * w];
      }
    });
    last_told_ = writer_.messages("unknowns", t, {}, wires, channel(t, telling));
  }

  int receive_unknowns(int t) {
    if (!needs(q_, t) || f_.home(t) == rank_) return Waits::nothing;
    turn_ = 1 - turn_;
    return writer_.messages("unknowns", t, {},
                            {{Wire::Kind::receive, f_.home(t), unknowns_[turn_], unknown_words(q_, t)}},
                            channel(t, telling));
  }

  // Unknowns of block t are there for the updates that follow.
  void take_unknowns(int t, int came) {
    pending_ = t;
    came_ = came;
    if (f_.home(t) != rank_) return;
    turn_ = 1 - turn_;
    const Index w = f_.width(t), n = solve_.columns, block = f_.right_side_offset(t, n);
    writer_.kernel("unknowns", t, {}, 0, [=, rows = unknown_rows(q_, t), to = unknowns_[turn_]](Arrays<T> m) {
      T* at = m.work() + to;
      for (Index j = 0; j < n; ++j)
        for (const Index row : rows) *at++ = m[right_sides][block + row + j * w];
    });
  }

  void update(int t, int first, int end) {
    const Range sums = sums_of(q_, first, end), known = unknowns_range(q_, t);
    if (sums.count() == 0 || known.count() == 0) return;
    const Index ld = ld_, m_ = sums.count(), k = known.count(), n = solve_.columns;
    const Index part = by_columns_ ? sums.first + known.first * ld : known.first + sums.first * ld;
    const Index from = unknowns_[turn_];
    const double flops =
        static_cast<double>(m_ * k) * static_cast<double>(n) * ScalarTraits<T>::flops_per_voxel;
    writer_.kernel("update", t, {came_}, flops,
                   [=, op = solve_.op, to = sums_ + sums.first, ld_sums = ld_sums_](Arrays<T> m) {
                     if (n == 1)  // a matrix times a vector: read once
                       return blas::gemv<T>(op, op == Op::none ? m_ : k, op == Op::none ? k : m_, T(1),
                                            m[matrix_array] + part, ld, m.work() + from, 1, T(1),
                                            m.work() + to, 1);
                     blas::gemm<T>(op, Op::none, m_, n, k, T(1), m[matrix_array] + part, ld, m.work() + from,
                                   k, T(1), m.work() + to, ld_sums);
                   });
  }
  // All blocks after t, with the unknowns of block `with`. The turn of the buffers has changed if block t came here.
  void update_rest(int with, int t) {
    const auto [first, end] = after(t);
    const int turn = turn_;
    if (needs(q_, t) && f_.home(t) != rank_) turn_ = 1 - turn_;
    update(with, first, end);
    turn_ = turn;
  }

  const SolveShape& f_;
  const LuShape& s_;
  TriangularSolve solve_;
  int rank_, q_;
  Index ld_;         // of T
  bool by_columns_;  // sums by rows, unknowns by columns of T
  bool forward_;
  program::Program program_;
  Writer<T> writer_;
  Index sums_ = 0, ld_sums_ = 1, out_ = 0, in_ = 0, told_ = 0;
  Index unknowns_[2] = {0, 0};
  int turn_ = 0;
  int pending_ = -1, came_ = Waits::nothing;
  int last_sent_ = Waits::nothing, last_told_ = Waits::nothing;
};

}  // namespace

template <Scalar T>
program::Program compile_solve(const SolveShape& shape, const TriangularSolve& solve, int rank, int ranks,
                               Index leading_dimension) {
  return SolveCompiler<T>(shape, solve, rank, ranks, leading_dimension).compile();
}

#define CAIRN_INSTANTIATE(T) \
  template program::Program compile_solve<T>(const SolveShape&, const TriangularSolve&, int, int, Index);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
