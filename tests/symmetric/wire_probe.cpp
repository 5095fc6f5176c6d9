// symmetric_wire_probe N K syrk|symm|trmm: the plan with the fewest words for block-cyclic matrices, on all ranks of the
// launch. Prints for each rank what was counted and what Traffic counted. tests/symmetric/wire_test.py runs it under
// tools/wirecount and compares with the wire.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "comm/agreement.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/kinds.hpp"
#include "symmetric/triangle_runner.hpp"

namespace cairn::symmetric {
namespace {

nlohmann::json four(const comm::Counters& c) {
  return {{"sent_bytes", c.sent.bytes},
          {"sent_messages", c.sent.messages},
          {"received_bytes", c.received.bytes},
          {"received_messages", c.received.messages}};
}

nlohmann::json run_one(comm::CommView c, const Problem& problem) {
  const int rows = c.size() % 4 == 0 ? c.size() / 4 : 1;
  std::vector<layout::DistMatrix<double>> matrices;
  for (const Extent& e : stored_extents(problem))
    matrices.emplace_back(
        layout::block_cyclic(e.rows, e.columns,
                             {.process_rows = rows, .process_columns = c.size() / rows, .mb = 16, .nb = 16}),
        c.rank());
  for (auto& m : matrices)
    layout::fill(m.view(), c.rank(), [](Index i, Index j) { return static_cast<double>(i - j); });
  TriangleRunner context(c);
  const comm::TrafficSnapshot before = c.traffic().snapshot();
  const auto prepared =
      context.run<double>(problem, {.goal = Goal::words}, 1.0,
                          {matrices[0].view(), matrices[1].view(), matrices[2].view()}, 1.0, [] {});
  comm::Counters data;
  for (const auto& [phase, counters] : (c.traffic().snapshot() - before).phases)
    if (!phase.ends_with(comm::agreement_phase)) data += counters;
  const comm::Counters all = c.traffic().snapshot().total();
  return {{"counted", four(prepared->moved)}, {"traffic", four(data)}, {"all_traffic", four(all)}};
}

// One line, rank after rank; gathered with plain MPI after everything was counted.
void print(comm::CommView c, const nlohmann::json& mine) {
  constexpr std::size_t longest = 1024;
  std::string text = mine.dump();
  text.resize(longest, ' ');
  std::string every(longest * static_cast<std::size_t>(c.size()), ' ');
  MPI_Gather(text.data(), longest, MPI_CHAR, every.data(), longest, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (c.rank() != 0) return;
  nlohmann::json ranks = nlohmann::json::array();
  for (std::size_t at = 0; at < every.size(); at += longest)
    ranks.push_back(nlohmann::json::parse(every.substr(at, longest)));
  std::printf("TRAFFIC %s\n", ranks.dump().c_str());
}

Kind kind_of_word(std::string_view word) {
  return word == "syrk" ? Kind::rank_k : word == "symm" ? Kind::symmetric : Kind::triangular;
}

}  // namespace
}  // namespace cairn::symmetric

// NOLINTNEXTLINE(bugprone-exception-escape): an error ends the probe, and with it the test
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    namespace comm = cairn::comm;
    namespace symmetric = cairn::symmetric;
    const comm::Communicator world = comm::Communicator::of(MPI_COMM_WORLD, {.watchdog_seconds = 120});
    const symmetric::Problem problem{.kind = symmetric::kind_of_word(argc > 3 ? argv[3] : "syrk"),
                                     .n = argc > 1 ? std::atoll(argv[1]) : 100,
                                     .k = argc > 2 ? std::atoll(argv[2]) : 50};
    symmetric::print(world, symmetric::run_one(world, problem));
  }
  MPI_Finalize();
}
