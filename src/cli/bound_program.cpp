// cairn bound program: bounds that are derived from the loops of a program text.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/bound_parts.hpp"
#include "cli/table.hpp"
#include "daap/analysis.hpp"
#include "daap/limits.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;
namespace daap = daap;

struct Options {
  std::string file;
  std::vector<std::string> sizes;
  Index ranks = 0;
  std::optional<double> memory;
  std::string overlap = "disjoint";
  std::string output_reuse = "corollary";
  bool json = false;
};

// No more than the engine takes, so that an endless file ends in its error.
std::string read(std::istream& in, const std::string& name) {
  std::string text(daap::most_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  require<IoError>(!in.bad(), "{}: cannot read", name);
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::string read_program(const std::string& file) {
  if (file == "-") return read(std::cin, "standard input");
  std::ifstream in(file);
  require<IoError>(in.good(), "{}: cannot open", file);
  return read(in, file);
}

template <class E>
E choice(std::string_view option, const std::string& text, const std::pair<const char*, E>& a,
         const std::pair<const char*, E>& b) {
  if (text == a.first) return a.second;
  require(text == b.first, "{} is '{}', expected {} or {}", option, text, a.first, b.first);
  return b.second;
}

daap::Options assumptions(const Options& o) {
  using daap::OutputReuse;
  using daap::Overlap;
  return {
      choice<Overlap>("--overlap", o.overlap, {"disjoint", Overlap::disjoint}, {"shared", Overlap::shared}),
      choice<OutputReuse>("--output-reuse", o.output_reuse, {"corollary", OutputReuse::corollary},
                          {"free", OutputReuse::free})};
}

// Nothing if the user asked for formulas only.
std::optional<daap::Setting> setting(const Options& o) {
  if (o.sizes.empty() && o.ranks == 0 && !o.memory) return {};
  require(o.memory.has_value(), "--memory is missing: numbers need the words of memory");
  daap::Setting s{{}, o.ranks > 0 ? o.ranks : 1, *o.memory};
  for (const std::string& text : o.sizes) {
    const std::size_t equals = text.find('=');
    require(equals != std::string::npos && equals > 0,
            "--set is '{}', expected NAME=SIZE, for example N=4096", text);
    const std::string name = text.substr(0, equals);
    require(s.sizes.emplace(name, parse_size("--set " + name, text.substr(equals + 1))).second,
            "--set {} is given twice", name);
  }
  return s;
}

json to_json(const daap::Formula& f) { return {{"formula", f.text}, {"latex", f.latex}}; }

json to_json(const daap::StatementPart& part, const daap::StatementValues* values) {
  json tiles = json::object(), inputs = json::array();
  for (const daap::TilePart& tile : part.tiles) tiles[tile.variable] = to_json(tile.size);
  for (const daap::InputPart& input : part.inputs)
    inputs.push_back(
        {{"access", input.access}, {"factor", input.factor.text}, {"producers", input.producers}});
  json result{{"name", part.label},
              {"statement", part.text},
              {"line", part.position.line},
              {"formula", part.parallel.text},
              {"latex", part.parallel.latex},
              {"vertices", to_json(part.vertices)},
              {"chi", to_json(part.chi)},
              {"x0", to_json(part.x0)},
              {"rho", to_json(part.rho)},
              {"exact", part.exact},
              {"out_degree_one", part.out_degree_one},
              {"tiles", tiles},
              {"inputs", inputs}};
  if (values == nullptr) return result;
  result["value"] = values->parallel;
  result["strict_one_rank"] = values->strict;
  result["vertices"]["value"] = values->vertices;
  result["x0"]["value"] = values->x0;  // null where infinite
  result["rho"]["value"] = values->rho;
  for (const auto& [variable, size] : values->tiles) result["tiles"][variable]["value"] = size;
  return result;
}

json to_json(const daap::Analysis& a, const daap::Values* values) {
  json parts = json::array(), reuses = json::array();
  for (std::size_t s = 0; s < a.statements.size(); ++s)
    parts.push_back(to_json(a.statements[s], values != nullptr ? &values->statements[s] : nullptr));
  for (const daap::ReusePart& reuse : a.reuses)
    reuses.push_back({{"array", reuse.array},
                      {"statements", reuse.statements},
                      {"words_of_all_ranks", to_json(reuse.words)}});
  return {{"what", "words loaded and stored, by some rank"},
          {"bound", values != nullptr ? json(values->parallel) : json()},
          {"formula", a.parallel.text},
          {"latex", a.parallel.latex},
          {"leading", to_json(a.parallel_leading)},
          {"parts", parts},
          {"reuses", reuses},
          {"conditions", a.conditions},
          {"notes", a.notes}};
}

void print_line(const char* name, const daap::Formula& formula, const double* value) {
  if (!formula.text.empty())
    fmt::print("  {:<6} {}{}\n", name, formula.text, value != nullptr ? " = " + number_text(*value) : "");
}

void print_statement(const daap::StatementPart& part, const daap::StatementValues* v) {
  fmt::print("\n{}: {}   (line {})\n", part.label, part.text, part.position.line);
  print_line("|V|", part.vertices, v != nullptr ? &v->vertices : nullptr);
  print_line("X0", part.x0, v != nullptr && part.x0.text != "infinity" ? &v->x0 : nullptr);
  print_line("rho", part.rho, v != nullptr ? &v->rho : nullptr);
  std::string tiles;
  for (const daap::TilePart& tile : part.tiles)
    tiles += fmt::format("{}{} {}", tiles.empty() ? "" : ", ", tile.variable, tile.size.text);
  if (!tiles.empty()) fmt::print("  {:<6} {}\n", "tile", tiles);
  print_line("words", part.parallel, v != nullptr ? &v->parallel : nullptr);
}

void print_text(const daap::Analysis& a, const daap::Values* values) {
  fmt::print("words loaded and stored, by some rank{}\n  = {}\n  ~ {}\n",
             values != nullptr ? ": " + number_text(values->parallel) : "", a.parallel.text,
             a.parallel_leading.text);
  for (std::size_t s = 0; s < a.statements.size(); ++s)
    print_statement(a.statements[s], values != nullptr ? &values->statements[s] : nullptr);
  if (!a.reuses.empty() || !a.conditions.empty() || !a.notes.empty()) fmt::print("\n");
  for (const daap::ReusePart& r : a.reuses)
    fmt::print("reuse of {} by {}: {} words less, of all ranks together\n", r.array,
               fmt::join(r.statements, ", "), r.words.text);
  for (const std::string& condition : a.conditions) fmt::print("holds for {}\n", condition);
  for (const std::string& note : a.notes) fmt::print("note: {}\n", note);
}

void run(const Options& o) {
  const daap::Options options = assumptions(o);
  const std::optional<daap::Setting> numbers = setting(o);
  const daap::Analysis analysis =
      daap::analyse(read_program(o.file), o.file == "-" ? "standard input" : o.file, options);
  std::optional<daap::Values> values;
  if (numbers) values = daap::evaluate(analysis, *numbers);
  if (o.json)
    fmt::print("{}\n", to_json(analysis, values ? &*values : nullptr).dump(2));
  else
    print_text(analysis, values ? &*values : nullptr);
}

}  // namespace

void add_bound_program(Command bound) {
  auto o = std::make_shared<Options>();
  const Command program = bound.add_subcommand("program", "A bound derived from the loops of a program");
  program.footer(
      "example:\n"
      "  echo 'for i in 0..N { for j in 0..N { for k in 0..N {\n"
      "    C[i,j] = f(C[i,j], A[i,k], B[k,j]); } } }' |\n"
      "    cairn bound program - --set N=4096 --ranks 64 --memory 1e6\n"
      "Without numbers the formulas alone are shown. M: memory, P: ranks.");
  program.add_option("file", o->file, "The program; - reads standard input").required().type_name("FILE");
  program.add_option("--set", o->sizes, "NAME=SIZE for each size in the program").type_name("NAME=SIZE");
  add_size(program, "--ranks,-P", o->ranks, "Number of ranks (default 1)");
  add_memory(program, o->memory, "Words of memory per rank");
  program
      .add_option("--overlap", o->overlap,
                  "Inputs like A[i,k] and A[j,k] of one statement: disjoint (as the paper, may exceed what "
                  "is possible) or shared (always holds)")
      .type_name("disjoint|shared");
  program
      .add_option(
          "--output-reuse", o->output_reuse,
          "Inputs that an earlier statement computes: corollary (as the paper) or free (always holds)")
      .type_name("corollary|free");
  program.add_flag("--json", o->json, "Print one JSON object");
  program.callback([o] { run(*o); });
}

}  // namespace cairn::cli
