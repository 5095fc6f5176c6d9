#include "bench/spgemm_figure.hpp"

#include <cmath>

#include "bounds/sparse.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/multiply_bricks.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;
using sparse::SpgemmAlgorithm;

struct Named {
  const char* name;
  sparse::SpgemmMethod method;
  double model;       // words of the paper's algorithm; for grids that are not square the nearest that is
  double inputs = 0;  // of these, what an all-to-all of A and B moves at most
  // The paper's own: one-dimensional, or square layers.
  bool exact() const {
    const sparse::SparseGrid& g = method.grid;
    return g.pm == g.pn || (g.pk == 1 && (g.pm == 1 || g.pn == 1));
  }
};

std::vector<Named> classical(const bounds::sparse::Random& x) {
  namespace model = bounds::sparse;
  const auto ranks = static_cast<int>(x.ranks);
  std::vector<Named> all{
      {"naive block row", sparse::named_method(SpgemmAlgorithm::block_row_naive, ranks),
       model::naive_block_row(x).words},
      {"block row", sparse::named_method(SpgemmAlgorithm::block_row, ranks),
       model::improved_block_row(x).words},
      {"outer product", sparse::named_method(SpgemmAlgorithm::outer_product, ranks),
       model::outer_product(x).words},
      {"2D", sparse::named_method(SpgemmAlgorithm::summa_improved, ranks), model::summa(x).words}};
  // 3D with the number of layers that the paper would take among those that divide P.
  int layers = 1;
  const double wanted = model::balanced_layers(x);
  for (int c = 1; c <= ranks; ++c)
    if (ranks % c == 0 && std::abs(std::log(c / wanted)) < std::abs(std::log(layers / wanted))) layers = c;
  all.push_back({"3D iterative", sparse::named_method(SpgemmAlgorithm::iterative, ranks, layers),
                 model::iterative(x, layers).words, 2 * (1 - 1.0 / layers) * model::nonzeros(x) / ranks});
  return all;
}

// Entries per rank: all, and those of the all-to-all that comes first.
struct Received {
  double all = 0, inputs = 0;
};
Received received(CommView c, const sparse::SpgemmMethod& method, const sparse::Generator& ga,
                  const sparse::Generator& gb) {
  const auto layouts = sparse::layouts_of(method, {ga.rows, gb.columns, ga.columns});
  const auto result =
      sparse::multiply_bricks<double>(c, method, sparse::generate_sparse<double>(ga, layouts.a, c.rank()),
                                      sparse::generate_sparse<double>(gb, layouts.b, c.rank()),
                                      sparse::make_kernel<double>(sparse::Semiring::plus_times));
  const auto mean = [&](Index x) {
    return static_cast<double>(comm::allreduce(c, x, comm::ReduceOp::sum)) / c.size();
  };
  return {mean(result.counts.entries_received()), mean(result.counts.inputs)};
}

// The worst ratio of what was counted to Table 1, of the algorithms whose grid is the paper's.
struct WorstRatio {
  double ratio = 1;
  const char* name = "";
  void look_at(const Named& x, const Received& r) {
    const double over = (r.all - r.inputs) / (x.model - x.inputs);
    if (!x.exact() || std::abs(over - 1) < std::abs(ratio - 1)) return;
    ratio = over;
    name = x.name;
  }
};

}  // namespace

json count_figure(CommView c, Index n, const std::vector<int>& degrees) {
  json rows = json::array();
  for (const int d : degrees) {
    const sparse::Generator a = sparse::parse_generator(fmt::format("er n={} d={} seed=1", n, d));
    sparse::Generator b = a;
    b.seed = 2;
    json row{{"kind", "figure"}, {"ranks", c.size()}, {"d", d}, {"n", n}, {"entries", json::object()}};
    double least = INFINITY, least_by_model = INFINITY;
    WorstRatio worst;
    for (const Named& x : classical({n, static_cast<double>(d), c.size()})) {
      const Received counted = received(c, x.method, a, b);
      worst.look_at(x, counted);
      const double entries = counted.all / static_cast<double>(n);
      row["entries"][x.name] = entries;
      if (entries < least) row["least"] = x.name;
      if (x.model < least_by_model) row["least_by_model"] = x.name;
      least = std::min(least, entries);
      least_by_model = std::min(least_by_model, x.model);
    }
    row["over_table"] = worst.ratio;
    row["over_table_of"] = worst.name;
    rows.push_back(row);
  }
  return rows;
}

void print_figure(const json& rows) {
  if (rows.empty()) return;
  std::vector<std::string> header{"ranks", "d", "d / sqrt P"};
  for (const auto& [name, entries] : rows.front()["entries"].items()) header.push_back(name);
  header.insert(header.end(), {"least", "least by the paper", "farthest from Table 1"});
  cli::Table table(header);
  for (const json& row : rows) {
    const int ranks = row["ranks"], d = row["d"];
    std::vector<std::string> line{std::to_string(ranks), std::to_string(d),
                                  fmt::format("{:.2f}", d / std::sqrt(ranks))};
    for (const auto& [name, entries] : row["entries"].items())
      line.push_back(fmt::format("{:.3f}", entries.get<double>()));
    line.insert(line.end(), {row["least"], row["least_by_model"],
                             fmt::format("{:.3f} {}", row["over_table"].get<double>(),
                                         row["over_table_of"].get<std::string>())});
    table.add(line);
  }
  fmt::print("\nentries received per rank and row, counted\n{}", table.text());
}

}  // namespace cairn::bench
