// cairn layout: who owns what, in words and as a picture.
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/layout_picture.hpp"
#include "cli/table.hpp"
#include "layout/kinds.hpp"

namespace cairn::cli {
namespace {

struct Options {
  std::string spec;
  Index rows = 16;
  Index columns = 16;
  std::string draw;
  bool json = false;
};

nlohmann::json ranks_json(const layout::Layout& layout) {
  nlohmann::json ranks = nlohmann::json::array();
  for (int r = 0; r <= layout.last_rank(); ++r)
    ranks.push_back({{"rank", r}, {"elements", layout.elements(r)}, {"memory", layout.memory_elements(r)}});
  return ranks;
}

void print_text(const layout::Layout& layout) {
  constexpr int most = 64;
  fmt::print("{}\n\n", layout.text());
  Table table({"rank", "rows", "columns", "elements", "memory"});
  for (int r = 0; r <= std::min(layout.last_rank(), most - 1); ++r)
    table.add({std::to_string(r), std::to_string(layout.local_rows(r)),
               std::to_string(layout.local_columns(r)), std::to_string(layout.elements(r)),
               std::to_string(layout.memory_elements(r))});
  fmt::print("{}", table.text());
  if (layout.last_rank() >= most) fmt::print("... and {} more ranks\n", layout.last_rank() - most + 1);
}

void run(const Options& o) {
  const layout::Layout layout = layout::parse_layout(o.spec, o.rows, o.columns);
  if (!o.draw.empty()) {
    std::ofstream out(o.draw);
    out << layout_svg(layout, o.spec);
    out.close();
    require<IoError>(out.good(), "--draw is '{}', which cannot be written", o.draw);
  }
  if (o.json)
    fmt::print("{}\n", nlohmann::json{{"layout", layout.text()},
                                      {"rows", o.rows},
                                      {"columns", o.columns},
                                      {"replicated", layout.is_replicated()},
                                      {"ranks", ranks_json(layout)}}
                           .dump(2));
  else
    print_text(layout);
}

}  // namespace

const char* layout_help =
    "layouts:\n"
    "  block-cyclic 2x3 mb=64 nb=32 [rsrc=0] [csrc=0] [grid=row-major]\n"
    "  elemental 2x3 | blocked 2x3 | rows 4 | columns 4 | rank 0 | replicated 4\n"
    "  [(0,1),()] 2x3 [block=1]               the distributions of \"A Systematic Journey\"\n"
    "  cuts rows=0,10,30 columns=0,5,9\n"
    "each with [order=row-major|column-major] [ranks=3,1,...]\n";

void add_layout(Command app) {
  auto o = std::make_shared<Options>();
  const Command command = app.add_subcommand("layout", "Show which rank owns which part of a matrix");
  command.footer(
      std::string(layout_help) +
      "example:\n  cairn layout \"block-cyclic 2x3 mb=4 nb=2\" --rows 16 --cols 20 --draw who.svg");
  command.add_option("spec", o->spec, "The layout, in quotes").required().type_name("SPEC");
  command.add_option("--rows", o->rows, "Rows of the matrix (default 16)").at_least(0);
  command.add_option("--cols,--columns", o->columns, "Columns of the matrix (default 16)").at_least(0);
  command.add_option("--draw", o->draw, "Write a picture of who owns what").type_name("FILE.svg");
  command.add_flag("--json", o->json, "Print one JSON object");
  command.callback([o] { run(*o); });
}

}  // namespace cairn::cli
