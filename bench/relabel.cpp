// Planning on one process: block-cyclic matrices of a product against the native blocked layouts, on more and
// more ranks. The time includes computing what every rank and every position have in common.
#include "bench/relabel.hpp"

#include <nlohmann/json.hpp>

#include "cli/measure.hpp"
#include "cli/table.hpp"
#include "layout/kinds.hpp"
#include "layout/matching/relabel.hpp"

namespace cairn::bench {
namespace {

using layout::Layout;
using layout::RelabelledMove;
using nlohmann::json;

struct Options {
  std::vector<int> ranks{16, 256, 2048};
  Index m = 4096, n = 4096, k = 256, block = 1024;
  bool json = false;
};

std::pair<int, int> squarest(int p) {
  int rows = 1;
  for (int d = 1; d * d <= p; ++d)
    if (p % d == 0) rows = d;
  return {rows, p / rows};
}

std::vector<RelabelledMove> product(const Options& o, int p) {
  const auto [rows, columns] = squarest(p);
  const layout::BlockCyclic user{.process_rows = rows,
                                 .process_columns = columns,
                                 .mb = o.block,
                                 .nb = o.block,
                                 .mesh_order = layout::MeshOrder::row_major};
  const layout::Mesh bricks({rows, columns});
  const auto map = [](Index size, int parts) { return layout::IndexMap::balanced(size, parts); };
  return {{layout::block_cyclic(o.m, o.n, user),
           Layout::on_mesh(bricks, {map(o.m, rows), {0}}, {map(o.n, columns), {1}})},
          {layout::block_cyclic(o.m, o.k, user),
           Layout::on_mesh(bricks, {map(o.m, rows), {0}}, {map(o.k, columns), {1}})},
          {layout::block_cyclic(o.k, o.n, user),
           Layout::on_mesh(bricks, {map(o.k, 1), {}}, {map(o.n, p), {0, 1}})}};
}

Index moved(const std::vector<RelabelledMove>& moves, const std::vector<int>* ranks) {
  Index words = 0;
  for (const RelabelledMove& m : moves)
    words +=
        layout::words_moved(m.fixed, ranks != nullptr ? m.relabelled.on_ranks(*ranks) : m.relabelled, m.op);
  return words;
}

json measure(const Options& o, int p) {
  const std::vector<RelabelledMove> moves = product(o, p);
  const double start = cli::seconds_now();
  const layout::Assignment best = layout::relabel(moves, p);
  const double seconds = cli::seconds_now() - start;
  return {{"ranks", p},
          {"block", o.block},
          {"words_as_given", moved(moves, nullptr)},
          {"words_relabelled", moved(moves, &best.rank_of)},
          {"kept", best.kept},
          {"bound_on_kept", best.bound},
          {"method", name(best.method)},
          {"seconds", seconds}};
}

void run(const Options& o) {
  json rows = json::array();
  for (const int p : o.ranks) rows.push_back(measure(o, p));
  if (o.json) return fmt::print("{}\n", json{{"rows", rows}}.dump(1));
  fmt::print("{} x {} + {} x {} + {} x {}, blocks of {}, to native blocked layouts\n\n", o.m, o.n, o.m, o.k,
             o.k, o.n, o.block);
  cli::Table table(
      {"ranks", "words as given", "relabelled", "kept", "kept at most", "method", "planning seconds"});
  for (const json& r : rows)
    table.add({std::to_string(r["ranks"].get<int>()), std::to_string(r["words_as_given"].get<Index>()),
               std::to_string(r["words_relabelled"].get<Index>()), std::to_string(r["kept"].get<Index>()),
               std::to_string(r["bound_on_kept"].get<Index>()), r["method"],
               fmt::format("{:.6f}", r["seconds"].get<double>())});
  fmt::print("{}", table.text());
}

}  // namespace

void add_relabel(cli::Command bench) {
  auto o = std::make_shared<Options>();
  const cli::Command app = bench.add_subcommand(
      "relabel", "Finding the ranks that keep most words of a product at home: time and saving");
  app.add_option("--ranks", o->ranks, "Numbers of ranks (default 16,256,2048)").delimiter(',').at_least(1);
  app.add_option("-m", o->m, "Rows of C (default 4096)").at_least(0);
  app.add_option("-n", o->n, "Columns of C (default 4096)").at_least(0);
  app.add_option("-k", o->k, "Columns of A (default 256)").at_least(0);
  app.add_option("--block", o->block, "Block size of the given layouts (default 1024)").at_least(1);
  app.add_flag("--json", o->json, "Print one JSON object");
  app.callback([o] { run(*o); });
}

}  // namespace cairn::bench
