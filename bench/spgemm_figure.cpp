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
  double model;  // words of the paper's algorithm; for grids that are not square the nearest that is
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
                 model::iterative(x, layers).words});
  return all;
}

double received(CommView c, const sparse::SpgemmMethod& method, const sparse::Generator& ga,
                const sparse::Generator& gb) {
  const auto layouts = sparse::layouts_of(method, {ga.rows, gb.columns, ga.columns});
  const auto result =
      sparse::multiply_bricks<double>(c, method, sparse::generate_sparse<double>(ga, layouts.a, c.rank()),
                                      sparse::generate_sparse<double>(gb, layouts.b, c.rank()),
                                      sparse::make_kernel<double>(sparse::Semiring::plus_times));
  return static_cast<double>(comm::allreduce(c, result.counts.entries_received(), comm::ReduceOp::sum)) /
         c.size();
}

}  // namespace

json count_figure(CommView c, Index n, const std::vector<int>& degrees) {
  json rows = json::array();
  for (const int d : degrees) {
    const sparse::Generator a = sparse::parse_generator(fmt::format("er n={} d={} seed=1", n, d));
    sparse::Generator b = a;
    b.seed = 2;
    json row{{"kind", "figure"}, {"ranks", c.size()}, {"d", d}, {"n", n}, {"entries", json::object()}};
    double least = INFINITY, least_by_model = INFINITY;
    for (const Named& x : classical({n, static_cast<double>(d), c.size()})) {
      const double entries = received(c, x.method, a, b) / static_cast<double>(n);
      row["entries"][x.name] = entries;
      if (entries < least) row["least"] = x.name;
      if (x.model < least_by_model) row["least_by_model"] = x.name;
      least = std::min(least, entries);
      least_by_model = std::min(least_by_model, x.model);
    }
    rows.push_back(row);
  }
  return rows;
}

void print_figure(const json& rows) {
  if (rows.empty()) return;
  std::vector<std::string> header{"ranks", "d", "d / sqrt P"};
  for (const auto& [name, entries] : rows.front()["entries"].items()) header.push_back(name);
  header.insert(header.end(), {"least", "least by the paper"});
  cli::Table table(header);
  for (const json& row : rows) {
    const int ranks = row["ranks"], d = row["d"];
    std::vector<std::string> line{std::to_string(ranks), std::to_string(d),
                                  fmt::format("{:.2f}", d / std::sqrt(ranks))};
    for (const auto& [name, entries] : row["entries"].items())
      line.push_back(fmt::format("{:.3f}", entries.get<double>()));
    line.insert(line.end(), {row["least"], row["least_by_model"]});
    table.add(line);
  }
  fmt::print("\nentries received per rank and row, counted\n{}", table.text());
}

}  // namespace cairn::bench
