#include "bench/pdgemm_case.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bench/driver.hpp"
#include "cli/local_product.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using gemm::Matrix;
using nlohmann::json;

}  // namespace

std::vector<Index> of_all(CommView c, Index mine) {
  std::vector<Index> all(static_cast<std::size_t>(c.size()));
  MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, c.handle());
  return all;
}

json words_of(const std::vector<Index>& bytes_received) {
  const Index total = std::accumulate(bytes_received.begin(), bytes_received.end(), Index{0});
  return {{"mean", static_cast<double>(total) / sizeof(double) / static_cast<double>(bytes_received.size())},
          {"busiest", static_cast<double>(std::ranges::max(bytes_received)) / sizeof(double)}};
}

PdgemmCase::PdgemmCase(CommView c, const ScaLapack& library, const DealtProduct& product,
                       const plan::Settings& settings)
    : comm_(c),
      peer_(c, library, product),
      result_(product.whole(Matrix::c), c.rank()),
      context_(c.unchecked()),
      schedule_(plan::plan_multiply(
                    product.problem,
                    {product.operand(Matrix::a), product.operand(Matrix::b), product.operand(Matrix::c)},
                    c.size(), settings)
                    .best.schedule) {
  std::ranges::fill(result_.local(), untouched);
}

json PdgemmCase::description() const {
  json shown = bench::description(peer_.product());
  shown["ranks"] = comm_.size();
  shown["plan"] = describe(schedule_);
  return shown;
}

void PdgemmCase::run_ours() {
  const auto read = [&](Matrix x) {
    const auto view = peer_.operand(x);
    return gemm::LocalPart<const double>(view.data, view.elements, view.leading_dimension);
  };
  const auto c = peer_.operand(Matrix::c, result_);
  context_.multiply<double>(schedule_, 1.0, read(Matrix::a), read(Matrix::b), 0.0,
                            {c.data, c.elements, c.leading_dimension});
}

json PdgemmCase::count_ours() {
  const comm::TrafficSnapshot before = comm_.traffic().snapshot();
  run_ours();
  const comm::Counters moved = (comm_.traffic().snapshot() - before).total();
  const std::vector<Index> received = of_all(comm_, moved.received.bytes);
  return {{"words", words_of(received)}, {"received_bytes", received}};
}

json PdgemmCase::times(double seconds) {
  const cli::LocalProduct<double> local(
      {.problem = schedule_.problem, .grid = schedule_.grid, .tree = schedule_.tree}, comm_.rank());
  const Timings t =
      interleaved(comm_, {[&] { run_ours(); }, [&] { peer_.run(); }, [&] { local.run(); }}, seconds, 5, 1001);
  return {
      {"seconds", t.median(0)},      {"pdgemm_seconds", t.median(1)},      {"local_seconds", t.median(2)},
      {"over_local", t.ratio(0, 2)}, {"pdgemm_over_local", t.ratio(1, 2)}, {"times_faster", t.ratio(1, 0)}};
}

// Elements of A and B are below 1: a sum of k products is within k k u of the right one, whatever its order,
// and two such sums within twice that of each other.
double PdgemmCase::difference_over_allowed() {
  const auto k = static_cast<double>(schedule_.problem.k);
  const double allowed = 2 * k * k * ScalarTraits<double>::roundoff;
  double largest = 0;
  const std::span<const double> ours = result_.local();
  const std::span<const double> theirs = peer_.whole(Matrix::c).local();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double difference = std::abs(ours[i] - theirs[i]);
    largest = difference <= largest ? largest : std::isnan(difference) ? INFINITY : difference;
  }
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm_.handle());
  return largest / allowed;
}

}  // namespace cairn::bench
