// Squares of sparse matrices on one process: ours with sorted and unsorted rows, GraphBLAS with rows as it
// leaves them and sorted; interleaved.
#include "bench/spgemm_local.hpp"

#include <malloc.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <optional>

#include "bench/graphblas.hpp"
#include "bench/in_turn.hpp"
#include "cli/table.hpp"
#include "sparse/local/generators.hpp"
#include "sparse/local/spgemm.hpp"

namespace cairn::bench {
namespace {

using nlohmann::json;
using sparse::Csr;

struct Options {
  std::vector<std::string> matrices{"er n=262144 d=8", "er n=1048576 d=4", "er n=65536 d=32",
                                    "stencil5 nx=1024", "rmat scale=16 d=8"};
  int threads = 1;
  int rounds = 5;
  bool json = false;
};

json measure_square(const std::string& text, const Options& o, Workers& workers, const GraphBlas* peer) {
  const Csr<double> a = sparse::generate<double>(sparse::parse_generator(text));
  Index voxels = 0, entries = 0;
  for (const Index v : sparse::spgemm_voxels(a.pattern(), a.pattern())) voxels += v;
  std::vector<std::function<void()>> ways;
  for (const bool sorted : {true, false})
    ways.emplace_back([&, sorted] {
      entries =
          sparse::spgemm<sparse::PlusTimes<double>>(a, a, {.sorted = sorted, .workers = &workers}).entries();
    });
  std::optional<GraphBlas::Matrix> theirs;
  if (peer != nullptr) theirs.emplace(*peer, a);
  for (const bool sorted : {true, false})
    if (peer != nullptr)
      ways.emplace_back([&, sorted] {
        GraphBlas::Matrix c(*peer, a.rows, a.columns);
        peer->multiply(*theirs, *theirs, c, sorted);
        require<IoError>(c.entries() == entries, "GraphBLAS has {} entries and we have {}", c.entries(),
                         entries);
      });
  const Timings times = in_turn(ways, o.rounds);
  const auto rate = [&](std::size_t way) { return static_cast<double>(voxels) / times.median(way) / 1e6; };
  json row{{"matrix", text},         {"nnz", a.entries()}, {"flops", 2 * voxels},
           {"nnz_product", entries}, {"sorted", rate(0)},  {"unsorted", rate(1)}};
  if (peer != nullptr)
    row.update({{"graphblas_sorted", rate(2)},
                {"graphblas", rate(3)},
                {"ratio_sorted", times.ratio(2, 0)},
                {"ratio", times.ratio(3, 1)},
                {"ratio_ours_sorted_theirs_not", times.ratio(3, 0)}});
  return row;
}

double geometric_mean(const json& rows, const char* key) {
  double sum = 0;
  for (const json& r : rows) sum += std::log(r[key].get<double>());
  return std::exp(sum / static_cast<double>(rows.size()));
}

void print_table(const json& rows, bool with_peer) {
  const auto f = [](const json& x) { return fmt::format("{:.1f}", x.get<double>()); };
  const auto ratio = [](const json& x) { return fmt::format("{:.2f}", x.get<double>()); };
  std::vector<std::string> head{"A (C = A A), million multiplies per second", "nnz(C)", "sorted", "unsorted"};
  if (with_peer) head.insert(head.end(), {"GraphBLAS sorted", "unsorted", "ratio sorted", "unsorted"});
  cli::Table table(head);
  for (const json& r : rows) {
    std::vector<std::string> line{r["matrix"], std::to_string(r["nnz_product"].get<Index>()), f(r["sorted"]),
                                  f(r["unsorted"])};
    if (with_peer)
      line.insert(line.end(),
                  {f(r["graphblas_sorted"]), f(r["graphblas"]), ratio(r["ratio_sorted"]), ratio(r["ratio"])});
    table.add(line);
  }
  fmt::print("{}", table.text());
  if (with_peer)
    fmt::print("\ngeometric mean of the ratios: sorted {:.2f}, unsorted {:.2f}\n",
               geometric_mean(rows, "ratio_sorted"), geometric_mean(rows, "ratio"));
}

// Memory that a product gives back stays with the process: what the system takes to hand out fresh pages, which
// depends on what ran before, is not measured.
void keep_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

void run_squares(const Options& o) {
  keep_memory();
  std::optional<GraphBlas> peer;
  try {
    peer.emplace(o.threads);
  } catch (const IoError& e) {
    fmt::print(stderr, "cairn bench spgemm-local: without a peer: {}\n", e.what());
  }
  Workers workers(o.threads);
  json rows = json::array();
  for (const std::string& text : o.matrices)
    rows.push_back(measure_square(text, o, workers, peer ? &*peer : nullptr));
  if (o.json) return fmt::print("{}\n", json{{"threads", o.threads}, {"rows", rows}}.dump(1));
  print_table(rows, peer.has_value());
}

}  // namespace

void add_spgemm_local(cli::Command bench) {
  auto o = std::make_shared<Options>();
  const cli::Command app =
      bench.add_subcommand("spgemm-local", "Sparse times sparse on one process, beside GraphBLAS");
  app.add_option("--matrix", o->matrices, "Generators of A (default: two ER, dense ER, a Laplacian, R-MAT)")
      .delimiter(',');
  app.add_option("--threads", o->threads, "Threads of both (default 1)").at_least(1);
  app.add_option("--rounds", o->rounds, "Rounds of measuring (default 5)").at_least(1);
  app.add_flag("--json", o->json, "Print one JSON object");
  app.callback([o] { run_squares(*o); });
}

}  // namespace cairn::bench
