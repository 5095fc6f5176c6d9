#include "bench/factor_row.hpp"

#include <algorithm>
#include <memory>

#include "base/lapack.hpp"
#include "bench/driver.hpp"
#include "bench/pdgemm_case.hpp"
#include "bench/scalapack_system.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;

// Cairn's side of a row. B and, for a whole solve, A lie block-cyclic as ScaLAPACK's.
class Ours {
 public:
  Ours(CommView c, const FactorRow& row, const FactorRowOptions& o)
      : row_(row),
        system_(c, row.n, row.definite, o.settings),
        user_a_(layout_on(c, row.task == Task::factor_and_solve ? row.n : 0, row.n), c.rank()),
        b_(layout_on(c, row.n, row.right_sides), c.rank()),
        x_(b_.layout(), c.rank()) {
    layout::fill(user_a_.view(), c.rank(),
                 [&](Index i, Index j) { return system_element(i, j, row.n, row.definite); });
    layout::fill(b_.view(), c.rank(), [](Index i, Index j) { return system_element(j, i, 0, false); });
  }

  void prepare() {
    std::ranges::copy(b_.local(), x_.local().begin());
    if (row_.task == Task::factor || (row_.task == Task::solve && !factored_)) system_.load();
    if (row_.task == Task::solve && !factored_) system_.factor();
    factored_ = true;
  }
  void run() {
    if (row_.task == Task::factor_and_solve) system_.load(std::as_const(user_a_).view());
    if (row_.task != Task::solve) system_.factor();
    if (row_.task != Task::factor) system_.solve(x_.view());
  }
  double residual() {
    return row_.task == Task::factor
               ? system_.residual()
               : system_.solve_residual(std::as_const(x_).view(), std::as_const(b_).view());
  }
  const factor::FactorCandidate& plan() const { return system_.plan().best; }

 private:
  static layout::Layout layout_on(CommView c, Index rows, Index columns) {
    return layout::block_cyclic(rows, columns, near_square(c.size(), 64));
  }

  FactorRow row_;
  FactoredSystem system_;
  layout::DistMatrix<double> user_a_, b_, x_;
  bool factored_ = false;
};

class Peer {
 public:
  Peer(CommView c, const ScaLapack& library, const FactorRow& row, Index block)
      : row_(row), system_(c, library, row.n, row.right_sides, block, row.definite) {}

  void prepare() {
    if (row_.task != Task::factor) system_.restore_right_sides();
    if (row_.task != Task::solve || !factored_) system_.restore_matrix();
    if (row_.task == Task::solve && !factored_) system_.factor();
    factored_ = true;
  }
  void run() {
    switch (row_.task) {
      case Task::factor:
        return system_.factor();
      case Task::solve:
        return system_.solve();
      case Task::factor_and_solve:
        return system_.factor_and_solve();
    }
  }

 private:
  FactorRow row_;
  ScaLapackSystem system_;
  bool factored_ = false;
};

// The whole matrix on rank 0, with as many BLAS threads as there are ranks.
class Local {
 public:
  Local(CommView c, const FactorRow& row)
      : row_(row), threads_(c.size()), here_(c.rank() == 0), a_(here_ ? row.n * row.n : 0) {}

  void prepare() const {
    for (Index j = 0; here_ && j < row_.n; ++j)
      for (Index i = 0; i < row_.n; ++i) a_[i + j * row_.n] = system_element(i, j, row_.n, row_.definite);
  }
  void run() {
    if (!here_) return;
    blas::set_threads(threads_);
    if (row_.definite)
      lapack::potrf<double>(Triangle::lower, row_.n, a_.data(), row_.n);
    else
      lapack::getrf<double>(row_.n, row_.n, a_.data(), row_.n, pivots_);
    blas::set_threads(1);
  }

 private:
  FactorRow row_;
  int threads_;
  bool here_;
  Buffer<double> a_;
  std::vector<int> pivots_ = std::vector<int>(static_cast<std::size_t>(row_.n));
};

template <class Side>
Way way_of(Side& side) {
  return {[&side] { side.prepare(); }, [&side] { side.run(); }};
}

}  // namespace

std::string FactorRow::peer() const {
  const std::string letters = definite ? "pdpo" : "pdge";
  return letters + (task == Task::factor ? "trf" : task == Task::solve ? "trs" : "sv");
}

json count_ours(CommView c, const FactorRow& row, const FactorRowOptions& o) {
  Ours ours(c, row, o);
  ours.prepare();
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  ours.run();
  const comm::Counters moved = (c.traffic().snapshot() - before).total();
  const std::vector<Index> received = of_all(c, moved.received.bytes), sent = of_all(c, moved.sent.bytes);
  return {{"words", words_of(received)},
          {"busiest_sent", words_of(sent)["busiest"]},
          {"received_bytes", of_all(c, c.traffic().snapshot().total().received.bytes)}};
}

void run_peer(CommView c, const FactorRow& row, Index block, bool only_before) {
  const ScaLapack library;
  Peer peer(c, library, row, block);
  peer.prepare();
  if (!only_before) peer.run();
}

json time_row(CommView c, const FactorRow& row, const FactorRowOptions& o) {
  Ours ours(c, row, o);
  const ScaLapack library;
  std::vector<std::unique_ptr<Peer>> peers;
  std::vector<Way> ways = {way_of(ours)};
  for (const Index block : o.blocks) {
    peers.push_back(std::make_unique<Peer>(c, library, row, block));
    ways.push_back(way_of(*peers.back()));
  }
  std::unique_ptr<Local> local;
  if (c.size() <= 2 && row.task == Task::factor) {
    local = std::make_unique<Local>(c, row);
    ways.push_back(way_of(*local));
  }
  const Timings t = interleaved(c, ways, o.seconds, 3, 101);
  std::size_t best = 1;
  for (std::size_t i = 2; i <= o.blocks.size(); ++i)
    if (t.median(i) < t.median(best)) best = i;
  json shown{{"plan", fmt::format("{} x{} v={}", ours.plan().pattern, ours.plan().layers, ours.plan().step)},
             {"seconds", t.median(0)},
             {"peer_seconds", t.median(best)},
             {"peer_block", o.blocks[best - 1]},
             {"times_faster", t.ratio(best, 0)},
             {"residual", ours.residual()}};
  if (local) {
    shown["local_seconds"] = t.median(ways.size() - 1);
    shown["over_local"] = t.ratio(0, ways.size() - 1);
  }
  return shown;
}

}  // namespace cairn::bench
