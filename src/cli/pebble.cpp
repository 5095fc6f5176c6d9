// cairn pebble: plays the red-blue pebble game and compares the moved words with the bounds. No MPI.
#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "pebble/picture.hpp"
#include "pebble/report.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;
namespace pebble = pebble;
using pebble::Kernel;

struct Options {
  ProductOptions size;
  Index red = 0;
  std::vector<std::string> orders;
  std::string draw;
  Index ranks = 0;  // 0: one processor, loads and stores
  std::string grid;
  Index block = 0;
  bool accumulate = false;
  bool json = false;
};

constexpr Index most_red = 1'000'000'000;  // tiles are searched up to its root
constexpr Index most_ranks = 100'000;
constexpr double most_vertices = 4e6;  // about a gigabyte with the recorded moves

Index side(const Options& o) {
  const Index n = o.size.n.value_or(o.size.all.value_or(0));
  require(n > 0, "-n is missing: the rows of the matrix");
  return n;
}

void require_vertices(double count) {
  require(count <= most_vertices,
          "the graph has about {:.3g} vertices, expected at most {:.3g}: give smaller sizes", count,
          most_vertices);
}

pebble::Problem make_problem(Kernel kernel, const Options& o) {
  if (kernel == Kernel::multiply) {
    const bounds::Product p = o.size.product();
    require_vertices(bounds::voxels(p) + bounds::all_words(p));
    return pebble::multiply_problem(p.m, p.n, p.k, o.accumulate);
  }
  const Index n = side(o);
  const double x = as_real(n);
  if (kernel == Kernel::syrk) {
    const Index k = o.size.k.value_or(o.size.all.value_or(0));
    require(k > 0, "-k is missing: the columns of A");
    require_vertices((x + 1) * x / 2 * as_real(k) + x * as_real(k));
    return pebble::syrk_problem(n, k);
  }
  require_vertices(x * x * x / (kernel == Kernel::lu ? 3 : 6) + x * x);
  return kernel == Kernel::lu ? pebble::lu_problem(n) : pebble::cholesky_problem(n);
}

json to_json(const pebble::Problem& problem, Index red, const std::vector<pebble::Report>& games) {
  json list = json::array();
  for (const pebble::Report& g : games)
    list.push_back({{"order", g.order},
                    {"loads", g.tally.loads},
                    {"stores", g.tally.stores},
                    {"moved", g.tally.cost()},
                    {"peak_red", g.tally.peak_red},
                    {"ratio", g.ratio()},
                    {"paper_ratio", g.paper_ratio()}});
  return {{"kernel", pebble::to_string(problem.kernel)},
          {"size", problem.size},
          {"red", red},
          {"vertices", problem.graph.vertices()},
          {"bound", games.front().finite_bound},
          {"paper_bound", games.front().paper_bound},
          {"games", list}};
}

json to_json(const pebble::ParallelReport& g) {
  json ranks = json::array();
  for (const pebble::Account& a : g.accounts)
    ranks.push_back({{"inputs_received", a.inputs_received},
                     {"values_received", a.values_received},
                     {"values_sent", a.values_sent},
                     {"values_stored", a.values_stored},
                     {"outputs_stored", a.outputs_stored},
                     {"words", a.words()},
                     {"computes", a.computes},
                     {"peak_red", a.peak_red}});
  return {{"order", g.order}, {"grid", g.grid},     {"busiest", g.busiest()},        {"mean", g.mean()},
          {"ranks", ranks},   {"ratio", g.ratio()}, {"paper_ratio", g.paper_ratio()}};
}

json to_json(const pebble::Problem& problem, const std::vector<pebble::ParallelReport>& games) {
  json list = json::array();
  for (const pebble::ParallelReport& g : games) list.push_back(to_json(g));
  return {{"kernel", pebble::to_string(problem.kernel)},
          {"size", problem.size},
          {"red", games.front().red},
          {"ranks", games.front().accounts.size()},
          {"vertices", problem.graph.vertices()},
          {"bound", games.front().finite_bound},
          {"paper_bound", games.front().paper_bound},
          {"games", list}};
}

// "2x4x1" as its extents.
std::vector<Index> parse_grid(const std::string& text) {
  std::vector<Index> extents;
  const char *at = text.data(), *const end = at + text.size();
  for (bool more = true; more;) {
    Index extent = 0;
    const auto [stop, error] = std::from_chars(at, end, extent);
    require(error == std::errc() && extent >= 1 && (stop == end || *stop == 'x'),
            "--grid is '{}', expected whole numbers above 0 with x between, as 2x4", text);
    extents.push_back(extent);
    more = stop != end;
    at = stop + 1;
  }
  return extents;
}

void run_parallel(const pebble::Problem& problem, const Options& o) {
  require(o.draw.empty(), "--draw shows one processor, but --ranks is {}", o.ranks);
  require(o.ranks <= most_ranks, "--ranks is {}, expected at most {}", o.ranks, most_ranks);
  pebble::Deal deal{{}, std::max<Index>(o.block, 1)};
  if (!o.grid.empty()) deal.grid = parse_grid(o.grid);
  std::vector<pebble::ParallelReport> games;
  for (const std::string& order : o.orders)
    games.push_back(pebble::play_named(problem, order, o.red, o.ranks, deal));
  if (o.json) return fmt::print("{}\n", to_json(problem, games).dump(2));
  for (const pebble::ParallelReport& game : games) fmt::print("{}", pebble::to_text(game));
}

void draw(const pebble::Problem& problem, const pebble::Report& game, const std::vector<pebble::Move>& moves,
          const std::string& file) {
  const std::string title =
      fmt::format("{}, order {}, {} red pebbles, {} words moved", pebble::to_string(problem.kernel),
                  game.order, game.red, game.tally.cost());
  std::ofstream out(file);
  require<IoError>(out.good(), "--draw is '{}', which cannot be written", file);
  out << pebble::occupancy_svg(problem.graph, game.red, moves, {.title = title, .bound = game.finite_bound});
  out.close();
  require<IoError>(out.good(), "--draw is '{}', which cannot be written", file);
}

void run(Kernel kernel, const Options& o) {
  require(o.draw.empty() || o.orders.size() == 1, "--draw shows one game, but --order names {}",
          o.orders.size());
  require(o.red <= most_red, "--red is {}, expected at most {}", o.red, most_red);
  require(o.ranks > 0 || (o.grid.empty() && o.block == 0), "{} is given without --ranks",
          o.grid.empty() ? "--block" : "--grid");
  const pebble::Problem problem = make_problem(kernel, o);
  if (o.ranks > 0) return run_parallel(problem, o);
  std::vector<pebble::Report> games;
  std::vector<pebble::Move> moves;
  for (const std::string& order : o.orders)
    games.push_back(pebble::play_named(problem, order, o.red, o.draw.empty() ? nullptr : &moves));
  if (!o.draw.empty()) draw(problem, games.front(), moves, o.draw);
  if (o.json) return fmt::print("{}\n", to_json(problem, o.red, games).dump(2));
  for (const pebble::Report& game : games) fmt::print("{}", pebble::to_text(game));
}

void add(Command parent, Kernel kernel, const char* help, const char* example) {
  auto o = std::make_shared<Options>();
  const std::string name(pebble::to_string(kernel));
  const Command app = parent.add_subcommand(name, help);
  app.footer(
      "orders: three loops as ijk, random[:SEED], blocked[:SIDE]; for multiply also listing1, best-tile,\n"
      "fitted-tile, stationary-a; for at most 32 vertices optimal, the least of all games\n"
      "bound: no game that computes each vertex once moves fewer words; paper: the published formula\n"
      "with --ranks: words received and sent by each rank; no rank has the inputs at the start\n" +
      fmt::format("example:\n  cairn pebble {} {}", name, example));
  if (kernel == Kernel::multiply) {
    add_product(app, o->size);
    app.add_flag("--accumulate", o->accumulate, "C += A B: C is loaded first");
  } else {
    add_size(app, "-n,--n,-N,--N", o->size.n, "Rows of the matrix");
    if (kernel == Kernel::syrk) add_size(app, "-k,--k", o->size.k, "Columns of A");
  }
  o->orders = {kernel == Kernel::multiply ? "listing1" : "blocked"};
  add_size(app, "--red,-S", o->red, "Red pebbles: words of fast memory").required();
  app.add_option("--order", o->orders,
                 "Order of the vertices, or several with commas (default " + o->orders[0] + ")")
      .delimiter(',');
  add_size(app, "--ranks,-P", o->ranks, "Ranks, each with --red pebbles of its own colour");
  app.add_option("--grid", o->grid,
                 kernel == Kernel::multiply
                     ? "The bricks along m, n and k (default: the fewest words on their faces)"
                     : "Rows and columns of ranks (default: as close to square as --ranks allows)")
      .type_name(kernel == Kernel::multiply ? "AxBxC" : "AxB");
  if (kernel != Kernel::multiply)
    add_size(app, "--block", o->block, "Side of the square blocks that are dealt to the ranks (default 1)");
  app.add_option("--draw", o->draw, "Write a picture of the game").type_name("FILE.svg");
  app.add_flag("--json", o->json, "Print one JSON object");
  app.callback([o, kernel] { run(kernel, *o); });
}

}  // namespace

void add_pebble(Command app) {
  const Command parent =
      app.add_subcommand("pebble", "Play the red-blue pebble game: the words a schedule moves");
  parent.require_subcommand();
  add(parent, Kernel::multiply, "C = A B", "-m 60 -n 60 -k 60 --red 120 --order listing1,ijk,random");
  add(parent, Kernel::lu, "A = L U without pivots", "-n 48 --red 120 --order blocked,kij");
  add(parent, Kernel::cholesky, "A = L L^T", "-n 80 --red 1642 --order jki");
  add(parent, Kernel::syrk, "The lower triangle of C = A A^T", "-n 20 -k 120 --red 231 --order kij");
}

}  // namespace cairn::cli
