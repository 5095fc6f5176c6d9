#include "bench/pdgemm_case.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/driver.hpp"
#include "cli/local_product.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using gemm::Matrix;
using nlohmann::json;

// Of all ranks, from each rank's own.
std::vector<Index> of_all(CommView c, Index mine) {
  std::vector<Index> all(static_cast<std::size_t>(c.size()));
  MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, c.handle());
  return all;
}

}  // namespace

json words_of(const std::vector<Index>& bytes_received) {
  const Index total = std::accumulate(bytes_received.begin(), bytes_received.end(), Index{0});
  return {{"mean", static_cast<double>(total) / sizeof(double) / static_cast<double>(bytes_received.size())},
          {"busiest", static_cast<double>(std::ranges::max(bytes_received)) / sizeof(double)}};
}

PdgemmCase::PdgemmCase(CommView c, const ScaLapack& library, const model::Product& p, const ProcessGrid& grid,
                       Index block, const plan::Settings& settings)
    : comm_(c),
      p_(p),
      block_(block),
      peer_(c, library, p, grid.rows, grid.columns, block),
      result_(peer_.layouts()[index(Matrix::c)], c.rank()),
      placed_(plan::plan_placed({.m = p.m, .n = p.n, .k = p.k}, peer_.layouts(), c.size(), settings)
                  .best.placed) {}

json PdgemmCase::description() const {
  return {{"m", p_.m},
          {"n", p_.n},
          {"k", p_.k},
          {"ranks", comm_.size()},
          {"process_grid", peer_.grid()},
          {"block", block_},
          {"plan", describe(placed_)}};
}

void PdgemmCase::run_ours() {
  gemm::multiply<double>(placed_, comm_, 1.0, peer_.view(Matrix::a), peer_.view(Matrix::b), 0.0,
                         result_.view());
}

json PdgemmCase::count_ours() {
  const comm::TrafficSnapshot before = comm_.traffic().snapshot();
  run_ours();
  const comm::Counters moved = (comm_.traffic().snapshot() - before).total();
  const std::vector<Index> received = of_all(comm_, moved.received.bytes);
  return {{"words", words_of(received)}, {"received_bytes", received}};
}

json PdgemmCase::times(double seconds) {
  const cli::LocalProduct<double> local({.problem = placed_.problem, .grid = placed_.grid()}, comm_.rank());
  const Timings t =
      interleaved(comm_, {[&] { run_ours(); }, [&] { peer_.run(); }, [&] { local.run(); }}, seconds, 5, 1001);
  return {{"seconds", t.median(0)},
          {"pdgemm_seconds", t.median(1)},
          {"local_seconds", t.median(2)},
          {"over_local", t.ratio(0, 2)},
          {"pdgemm_over_local", t.ratio(1, 2)},
          {"times_faster", t.ratio(1, 0)},
          {"difference_over_allowed", difference_over_allowed()}};
}

// Elements of A and B are below 1: a sum of k products is within k k u of the right one, whatever its order,
// and two such sums within twice that of each other.
double PdgemmCase::difference_over_allowed() {
  const auto k = static_cast<double>(p_.k);
  const double allowed = 2 * k * k * ScalarTraits<double>::roundoff;
  double largest = 0;
  const std::span<const double> ours = result_.local();
  const double* theirs = peer_.view(Matrix::c).data;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double difference = std::abs(ours[i] - theirs[i]);
    largest = difference <= largest ? largest : std::isnan(difference) ? INFINITY : difference;
  }
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm_.handle());
  return largest / allowed;
}

}  // namespace cairn::bench
