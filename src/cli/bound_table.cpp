// cairn bound table: the papers' tables of costs, evaluated.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bounds/tables.hpp"
#include "cli/arguments.hpp"
#include "cli/bound_parts.hpp"
#include "cli/table.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;

struct Options {
  std::string id;
  ProductOptions product;
  Index ranks = 0;
  std::optional<double> memory;
  std::optional<double> d;
  Index steps = 0;
  bool formulas = false;
  bool json = false;
};

bounds::TableArguments arguments(const Options& o) {
  bounds::TableArguments a{.ranks = o.ranks, .memory = *o.memory, .steps = as_real(o.steps)};
  if (o.id == "000.2") {
    const bounds::Product p = o.product.product();
    a.m = p.m, a.n = p.n, a.k = p.k;
    return a;
  }
  a.n = o.product.all.value_or(o.product.n.value_or(0));
  require(a.n > 0, "-N is missing: table {} is about N x N matrices", o.id);
  require(o.id != "004.1" || o.d.has_value(), "-d is missing: table 004.1 needs the nonzeros per row");
  a.d = o.d.value_or(0);
  return a;
}

json to_json(const bounds::Table& table) {
  json rows = json::array();
  for (const bounds::TableRow& row : table.rows) {
    json cells = json::object();
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      cells[table.columns[c]] = {
          {"value", row.cells[c].value}, {"formula", row.cells[c].formula}, {"latex", row.cells[c].latex}};
    rows.push_back({{"name", row.name}, {"cells", cells}});
  }
  return {{"table", table.id}, {"title", table.title},     {"columns", table.columns},
          {"rows", rows},      {"symbols", table.symbols}, {"notes", table.notes}};
}

void print_text(const bounds::Table& table, bool formulas) {
  fmt::print("{}: {}\n{}\n\n", table.id, table.title, symbols_text(table.symbols));
  std::vector<std::string> header{"row"};
  header.insert(header.end(), table.columns.begin(), table.columns.end());
  Table text(header);
  for (const bounds::TableRow& row : table.rows) {
    std::vector<std::string> line{row.name};
    for (const bounds::Cell& cell : row.cells)
      line.push_back(formulas ? cell.formula : number_text(cell.value));
    text.add(line);
  }
  fmt::print("{}", text.text());
  for (const std::string& note : table.notes) fmt::print("note: {}\n", note);
}

void run(const Options& o) {
  const bounds::Table table = bounds::make_table(o.id, arguments(o));
  if (o.json)
    fmt::print("{}\n", to_json(table).dump(2));
  else
    print_text(table, o.formulas);
}

}  // namespace

void add_bound_table(Command bound) {
  auto o = std::make_shared<Options>();
  const Command table = bound.add_subcommand("table", "A table of costs from the papers, evaluated");
  table.footer(
      "000.2  2D, 2.5D, recursive and COSMA products  (-m -n -k or -N)\n"
      "001.1  classical and Strassen-based products   (-N, --steps)\n"
      "002.2  LU and Cholesky implementations         (-N)\n"
      "004.1  sparse random products                  (-N, -d)\n"
      "example:\n  cairn bound table 000.2 -N 4096 --ranks 64 --memory 1e6");
  table.add_option("table", o->id, "000.2, 001.1, 002.2 or 004.1: paper and number of the table").required();
  add_product(table, o->product);
  add_size(table, "--ranks,-P", o->ranks, "Number of ranks").required();
  add_memory(table, o->memory, "Words of memory per rank").required();
  add_amount(table, "-d,--d", o->d, "Nonzeros per row, on average (004.1)");
  add_size(table, "--steps", o->steps, "Strassen steps before a classical algorithm (001.1; default none)",
           0);
  table.add_flag("--formulas", o->formulas, "Show the formulas in place of their values");
  table.add_flag("--json", o->json, "Print one JSON object");
  table.callback([o] { run(*o); });
}

}  // namespace cairn::cli
