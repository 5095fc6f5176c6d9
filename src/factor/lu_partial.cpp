// Partial pivoting with masks: column j of a panel, on the positions that have it.
//   elect      each position's largest |a(i, j)| goes up a tree, 2 words; the winner's row number comes down, 1 word
//   eliminate  the owner sends that row of the panel down a tree, w words: everybody divides and updates its own rows
// Rows stay where they are until the panel is done. Then the position that has number 0 tells all others of pivots
// and L00 (spread).
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/blas.hpp"
#include "factor/lu_compile.hpp"

namespace cairn::factor {
namespace {

constexpr int panel_array = 1;

// As LAPACK compares: |re| + |im|.
template <Scalar T>
Real<T> magnitude(const T& x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

// A row that wants to be the pivot: its size and number, as two words.
template <Scalar T>
void write_bid(Real<T> size, Index row, T* bid) {
  bid[0] = T(size);
  bid[1] = encode_row<T>(row);
}
// The larger one, of equals the first row.
template <Scalar T>
bool is_better(const T* x, const T* y) {
  const Real<T> a = std::real(x[0]), b = std::real(y[0]);
  return a != b ? a > b : decode_row<T>(x[1]) < decode_row<T>(y[1]);
}

}  // namespace

template <Scalar T>
program::Program LuCompiler<T>::begin_panel(int step) {
  program::Program program = empty_program();
  Writer<T> w(program, "lu", s_.rank(layer_, q_), s_.ranks());
  finish_column(w, step);
  alone_ = false;
  used_ = std::make_shared<std::vector<char>>(at_index(rows_.left()), char{0});
  return program;
}

template <Scalar T>
program::Program LuCompiler<T>::elect(int step, Index j) {
  program::Program program = empty_program();
  Writer<T> w(program, "lu", s_.rank(layer_, q_), s_.ranks());
  const Tournament tournament = tournament_of(s_, step, left_);
  const auto me = static_cast<int>(std::ranges::find(tournament.order, q_) - tournament.order.begin());
  const auto rank_at = [&](int i) { return peer(step, tournament.order[at_index(i)]); };
  const Index column = place(rows_.taken(), s_.local_column(q_, step) + j);
  w.kernel("pivots", step, {}, static_cast<double>(rows_.left()),
           [=, rows = rows_.rows_left(), used = used_, bid = own_](Arrays<T> m) {
             Real<T> size = -1;
             Index best = std::numeric_limits<std::uint32_t>::max();  // nobody's row
             for (std::size_t i = 0; i < rows.size(); ++i) {
               const Real<T> here = magnitude(m[panel_array][column + static_cast<Index>(i)]);
               const Real<T> worth = std::isnan(here) ? 0 : here;
               if ((*used)[i] != 0 || worth < size || (worth == size && rows[i] > best)) continue;
               size = worth;
               best = rows[i];
             }
             write_bid<T>(size, best, m.work() + bid);
           });
  std::vector<Wire> news;
  for (std::size_t round = 0; round < tournament.rounds.size(); ++round)
    for (const Tournament::Match& match : tournament.rounds[round]) {
      const int up = step * stages + first_round + static_cast<int>(round);
      if (match.loser == me) {
        w.messages("pivots", step, {}, {{Wire::Kind::send, rank_at(match.winner), own_, 2}}, up);
        news.push_back({Wire::Kind::receive, rank_at(match.winner), own_ + 1, 1});
      }
      if (match.winner != me) continue;
      const int came =
          w.messages("pivots", step, {}, {{Wire::Kind::receive, rank_at(match.loser), other_, 2}}, up);
      w.kernel("pivots", step, {came}, 0, [mine = own_, theirs = other_](Arrays<T> m) {
        if (is_better<T>(m.work() + theirs, m.work() + mine))
          std::copy_n(m.work() + theirs, 2, m.work() + mine);
      });
      news.push_back({me == 0 ? Wire::Kind::send : Wire::Kind::relay, rank_at(match.loser), own_ + 1, 1});
    }
  w.messages("pivots", step, {}, news, step * stages + tell_row);
  return program;
}

template <Scalar T>
program::Program LuCompiler<T>::eliminate(int step, Index j, Index row) {
  program::Program program = empty_program();
  Writer<T> w(program, "lu", s_.rank(layer_, q_), s_.ranks());
  const Index n = s_.width(step), k = rows_.left(), lead = ld();
  const Index panel = place(rows_.taken(), s_.local_column(q_, step));
  const bool owner = rows_.has(row);
  const Index mine = owner ? rows_.position(row) - rows_.taken() : -1;
  if (owner) {
    (*used_)[at_index(mine)] = 1;
    w.kernel("pivots", step, {}, 0, [=, to = stacked_](Arrays<T> m) {
      for (Index c = 0; c < n; ++c) m.work()[to + c] = m[panel_array][panel + mine + c * lead];
    });
  }
  const std::vector<int> order = row_tree(s_, step, left_, row);
  const auto me = std::ranges::find(order, q_) - order.begin();
  std::vector<Wire> wires;
  if (me > 0) wires.push_back({Wire::Kind::receive, peer(step, order[at_index((me - 1) / 2)]), stacked_, n});
  for (const auto child : {2 * me + 1, 2 * me + 2})
    if (child < std::ssize(order))
      wires.push_back(
          {me > 0 ? Wire::Kind::relay : Wire::Kind::send, peer(step, order[at_index(child)]), stacked_, n});
  const int came = w.messages("pivots", step, {}, wires, step * stages + send_row);
  const double flops = static_cast<double>(k) * static_cast<double>(n - j) * ScalarTraits<T>::flops_per_voxel;
  w.kernel("pivots", step, {came}, flops,
           [=, used = used_, from = stacked_, corner = corner_, factors = panel_](Arrays<T> m) {
             T* a = m[panel_array] + panel;
             const T* pivot = m.work() + from;
             for (Index c = 0; c < n; ++c) m.work()[corner + j + c * n] = pivot[c];
             if (pivot[j] == T(0)) return;  // nothing but zeros below: they stay
             T* l = m.work() + factors;
             for (Index i = 0; i < k; ++i) {
               l[i] = T(0);
               if ((*used)[at_index(i)] == 0) l[i] = a[i + j * lead] /= pivot[j];
             }
             blas::ger<T>(Op::transpose, k, n - j - 1, T(-1), l, 1, pivot + j + 1, 1, a + (j + 1) * lead,
                          lead);
           });
  return program;
}

template <Scalar T>
program::Program LuCompiler<T>::end_panel(int step, std::span<const Index> pivots) {
  program::Program program = empty_program();
  Writer<T> w(program, "lu", s_.rank(layer_, q_), s_.ranks());
  const Tournament tournament = tournament_of(s_, step, left_);
  eliminated_ = plays(step);
  if (eliminated_)
    w.kernel("pivots", step, {}, 0,
             [n = s_.width(step), corner = corner_, message = spread_,
              chosen = std::vector<Index>(pivots.begin(), pivots.end())](Arrays<T> m) {
               write_pivots<T>(chosen, m.work() + corner, n, m.work() + message);
             });
  spread(w, step, tournament);
  finish_update(w, step);
  return program;
}

#define CAIRN_INSTANTIATE(T)                                             \
  template program::Program LuCompiler<T>::begin_panel(int);             \
  template program::Program LuCompiler<T>::elect(int, Index);            \
  template program::Program LuCompiler<T>::eliminate(int, Index, Index); \
  template program::Program LuCompiler<T>::end_panel(int, std::span<const Index> pivots);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::factor
