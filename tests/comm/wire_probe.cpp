// wire_probe OPERATION: runs one operation on every number of ranks, checked and unchecked, small and large,
// and prints what Traffic counted on each rank as JSON. tests/comm/wire_test.py runs it under tools/wirecount
// and compares.
#include <mpi.h>

#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "comm/collectives.hpp"
#include "support/mpi_test.hpp"

namespace cairn::comm {
namespace {

using Operations = std::map<std::string, std::function<void()>>;

struct Vectors {
  Vectors(CommView c, Index words)
      : each(words),
        counts(static_cast<std::size_t>(c.size())),
        mine(static_cast<std::size_t>(words), 1.0),
        all(static_cast<std::size_t>(words * c.size()), 2.0),
        other(all.size()) {
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] = i % 3 == 2 ? 0 : words + static_cast<Index>(i);
    uneven_all.resize(static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), Index{0})), 1.0);
    uneven_mine.resize(static_cast<std::size_t>(counts[static_cast<std::size_t>(c.rank())]), 1.0);
  }
  Index each;
  std::vector<Index> counts;
  std::vector<double> mine, all, other, uneven_all, uneven_mine;
};

Operations operations(CommView c, Vectors& d) {
  const auto mine = std::span<const double>(d.mine), all = std::span<const double>(d.all);
  const auto my_output = std::span(d.mine), other = std::span(d.other),
             uneven_mine = std::span(d.uneven_mine);
  const auto uneven_all = std::span(d.uneven_all);
  const int root = c.size() / 2;
  constexpr auto sum = ReduceOp::sum;
  return {
      {"barrier", [=] { barrier(c); }},
      {"broadcast", [=] { broadcast(c, other, root); }},
      {"reduce", [=] { reduce(c, all, other, sum, root); }},
      {"allreduce", [=] { allreduce(c, all, other, sum); }},
      {"allgather", [=] { allgather(c, mine, other); }},
      {"allgatherv", [=, &d] { allgatherv(c, uneven_mine, uneven_all, d.counts); }},
      {"reduce_scatter", [=] { reduce_scatter(c, all, my_output, sum); }},
      {"reduce_scatterv", [=, &d] { reduce_scatterv(c, uneven_all, uneven_mine, d.counts, sum); }},
      {"alltoall", [=] { alltoall(c, all, other); }},
      {"gather", [=] { gather(c, mine, other, root); }},
      {"gatherv", [=, &d] { gatherv(c, uneven_mine, uneven_all, d.counts, root); }},
      {"scatter", [=] { scatter(c, all, my_output, root); }},
      {"scatterv", [=, &d] { scatterv(c, uneven_all, uneven_mine, d.counts, root); }},
      {"between_two",
       [=] {
         if (c.size() == 1) return;  // a message to itself is not on the wire
         Ongoing sending = start_send(c, mine, (c.rank() + 1) % c.size());
         std::vector<double> from(mine.size());
         receive(c, std::span(from), (c.rank() + c.size() - 1) % c.size());
         sending.wait();
       }},
  };
}

void run_two_sided(const std::string& name) {
  test::for_each_size([&](CommView checked) {
    for (const CommView c : {checked, checked.unchecked()})
      for (const Index words : {1, 40, 20000}) {
        Vectors vectors(c, words);
        operations(c, vectors).at(name)();
      }
  });
}

void run_one_sided(const std::string& name) {
  std::vector<double> shown(48000, 2.0);
  Window window(test::world(), std::span(shown));
  test::for_each_size([&](CommView c) {
    std::vector<double> all(3000 * static_cast<std::size_t>(c.size())), block(100);
    const auto mine = std::span(shown).first(3000);
    const auto vector = std::span(shown).first(100 * static_cast<std::size_t>(c.size()));
    if (name == "one_sided_allgather")
      allgather(c, mine, std::span(all), {Transport::one_sided, &window});
    else
      reduce_scatter(c, vector, std::span(block), ReduceOp::sum, {Transport::one_sided, &window});
  });
}

// Every rank's totals, gathered with plain MPI, which the monitoring keeps apart.
void print_counts() {
  const Counters c = test::world().traffic().snapshot().total();
  const std::array<Index, 4> mine{c.sent.bytes, c.sent.messages, c.received.bytes, c.received.messages};
  std::vector<Index> all(4 * static_cast<std::size_t>(test::world().size()));
  MPI_Gather(mine.data(), 4, MPI_INT64_T, all.data(), 4, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (test::world().rank() != 0) return;
  nlohmann::json ranks = nlohmann::json::array();
  for (std::size_t i = 0; i < all.size(); i += 4)
    ranks.push_back({{"sent_bytes", all[i]},
                     {"sent_messages", all[i + 1]},
                     {"received_bytes", all[i + 2]},
                     {"received_messages", all[i + 3]}});
  std::printf("TRAFFIC %s\n", ranks.dump().c_str());
}

void list_operations() {
  Vectors vectors(test::world(), 1);
  for (const auto& [name, call] : operations(test::world(), vectors)) std::printf("%s\n", name.c_str());
  std::printf("one_sided_allgather\none_sided_reduce_scatter\n");
}

}  // namespace
}  // namespace cairn::comm

// NOLINTNEXTLINE(bugprone-exception-escape): an error ends the probe, and with it the test
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string name = argc > 1 ? argv[1] : "--list";
  if (name == "--list")
    cairn::comm::list_operations();
  else if (name.starts_with("one_sided"))
    cairn::comm::run_one_sided(name);
  else
    cairn::comm::run_two_sided(name);
  if (name != "--list") cairn::comm::print_counts();
  MPI_Finalize();
}
