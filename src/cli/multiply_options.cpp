#include "cli/multiply_options.hpp"

#include "plan/fast.hpp"

#include <fmt/ranges.h>
#include <algorithm>

namespace cairn::cli {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// "2,3,1"
gemm::Grid parse_grid(const std::string& text) {
  const std::vector<std::string> parts = split(text);
  std::array<int, 3> extents{};
  const auto wrong = [&] {
    fail("--grid is '{}', expected pm,pn,pk: three whole numbers, 1 or more; or a tree", text);
  };
  if (parts.size() != extents.size()) wrong();
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (!read_number(parts[i], extents[i]) || extents[i] < 1) wrong();
  return {extents[0], extents[1], extents[2]};
}

// A grid, or a tree; a tree that is a grid is taken as one.
void read_bricks(const std::string& text, MultiplyRequest& r) {
  if (text.find_first_of("mnk(") == std::string::npos) {
    r.grid = parse_grid(text);
    return;
  }
  try {
    const gemm::Tree tree = gemm::Tree::parse(text);
    r.grid = tree.is_leaf() ? tree.grid() : gemm::Grid{};
    if (!tree.is_leaf()) r.tree = std::make_shared<const gemm::Tree>(tree);
  } catch (const ArgumentError& e) {
    fail("--grid: {}", e.what());
  }
}

// "4" or "4,n"
Rounds parse_rounds(const std::string& text) {
  const std::vector<std::string> parts = split(text);
  Rounds rounds;
  const auto dim = parts.size() < 2 ? gemm::all_dims.begin() + 2
                                    : std::ranges::find_if(gemm::all_dims,
                                                           [&](gemm::Dim d) { return name(d) == parts[1]; });
  const bool right = parts.size() <= 2 && read_number(parts[0], rounds.count) && rounds.count >= 1 &&
                     dim != gemm::all_dims.end();
  require(right,
          "--rounds is '{}', expected a whole number, 1 or more, and with --grid also its dimension: "
          "4,m or 4,n or 4,k",
          text);
  if (rounds.count > 1) rounds.along = *dim;
  return rounds;
}

bool takes_layers(const std::string& algorithm) {
  return algorithm.starts_with("summa3d") || algorithm == "2.5d";
}

std::vector<std::string_view> all_algorithms() {
  std::vector<std::string_view> names = plan::algorithm_names();
  names.insert(names.end(), plan::fast_names().begin(), plan::fast_names().end());
  return names;
}

void read_algorithm(const MultiplyOptions& o, MultiplyRequest& r) {
  require(o.grid.empty() || o.algorithm.empty(),
          "--grid is '{}' and --algorithm is '{}', expected only one of them", o.grid, o.algorithm);
  r.algorithm = !o.grid.empty() ? "grid" : o.algorithm.empty() ? "auto" : o.algorithm;
  const auto names = all_algorithms();
  require(!o.grid.empty() || std::ranges::count(names, r.algorithm) > 0,
          "--algorithm is '{}', expected one of {}", o.algorithm, fmt::join(names, ", "));
  if (!o.grid.empty()) read_bricks(o.grid, r);
  require(!o.layers || takes_layers(r.algorithm),
          "--layers is {} with algorithm {}, expected 2.5d, summa3d-a, summa3d-b or summa3d-c",
          o.layers.value_or(0), r.algorithm);
  if (o.layers) r.options.layers = narrow<int>(*o.layers, "--layers");
  if (o.rounds.empty()) return;
  require(r.algorithm != "auto" && r.algorithm != "cosma" && r.algorithm != "tree",
          "--rounds is '{}' with algorithm {}, expected --grid or an algorithm with a grid of its own",
          o.rounds, r.algorithm);
  r.rounds = parse_rounds(o.rounds);
  require(r.grid || o.rounds.find(',') == std::string::npos,
          "--rounds is '{}' with algorithm {}, which has its own dimension: expected a number alone",
          o.rounds, r.algorithm);
  r.options.rounds = r.rounds.count;
}

ScalarType parse_type(const std::string& text) {
  require(text == "s" || text == "d" || text == "c" || text == "z",
          "--type is '{}', expected s (float), d (double), c (complex<float>) or z (complex<double>)", text);
  return parse_scalar_type(text);
}

// "off", "on", or with a given grid "2" or "2,4". `on` of a given grid is one round ahead and C in four
// parts, where there are rounds and parts.
void read_overlap(const std::string& text, MultiplyRequest& r) {
  constexpr Index usual_parts = 4;
  r.settings.overlap = text != "off";
  if (text == "off") return;
  if (text == "on") {
    const gemm::Schedule wanted{
        .problem = r.problem, .grid = r.grid.value_or(gemm::Grid{}), .tree = r.tree, .rounds = r.rounds};
    if (r.grid && r.rounds.count > 1) r.overlap = {1, std::min(usual_parts, most_combines(wanted))};
    return;
  }
  const std::vector<std::string> parts = split(text);
  const bool right =
      r.grid && parts.size() <= 2 && read_number(parts[0], r.overlap.lookahead) && r.overlap.lookahead >= 0 &&
      (parts.size() < 2 || (read_number(parts[1], r.overlap.combines) && r.overlap.combines >= 1));
  require(
      right,
      "--overlap is '{}', expected off or on, or with --grid the rounds ahead and the parts in which C is "
      "combined: 1 or 2,4",
      text);
}

// True for the second.
bool parse_choice(std::string_view option, const std::string& text, std::string_view first,
                  std::string_view second) {
  require(text == first || text == second, "{} is '{}', expected {} or {}", option, text, first, second);
  return text == second;
}

// "2" or "1.5,-2"
std::complex<double> parse_scalar(std::string_view name, const std::string& text, ScalarType type) {
  const auto wrong = [&](const char* expected) { fail("{} is '{}', expected {}", name, text, expected); };
  const std::size_t comma = text.find(',');
  double re = 0, im = 0;
  if (!read_number(text.substr(0, comma), re)) wrong("a number, or RE,IM for complex types");
  if (comma == std::string::npos) return re;
  if (!read_number(text.substr(comma + 1), im)) wrong("a number, or RE,IM for complex types");
  if (type == ScalarType::f32 || type == ScalarType::f64) wrong("one number: --type is real");
  return {re, im};
}

}  // namespace

gemm::Schedule given_schedule(const MultiplyRequest& r) {
  gemm::Schedule s{.problem = r.problem, .grid = *r.grid, .tree = r.tree, .rounds = r.rounds};
  s.link.alpha = r.settings.machine.alpha;
  s.link.beta = r.settings.machine.beta / 8;
  if (r.settings.objective != Objective::time) s.collectives = gemm::Collectives::fewest_words;
  s.transport = r.settings.transport;
  s.lookahead = r.overlap.lookahead;
  s.combines = r.overlap.combines;
  return s;
}

void add_multiply_options(Command app, MultiplyOptions& o, Verb verb) {
  add_product(app, o.product, verb == Verb::bound ? 1 : 0);
  if (verb == Verb::bound) return;
  app.add_option("--algorithm", o.algorithm,
                 fmt::format("{} (default auto)", fmt::join(all_algorithms(), ", ")))
      .type_name("NAME");
  app.add_option("--grid", o.grid,
                 "Parts of m, n and k instead of an algorithm, or a tree of cuts: \"k(8:9){m2n2k2, m3n3}\"")
      .type_name("pm,pn,pk|TREE");
  app.add_option("--rounds", o.rounds, "Rounds per brick; with --grid also their dimension: 4,n (default k)")
      .type_name("COUNT[,DIM]");
  add_size(app, "--layers", o.layers, "Layers of 2.5d and summa3d-*");
  app.add_option("--objective", o.objective,
                 "Least time (default), fewest words for the busiest rank, or of all ranks together")
      .type_name("time|words|volume");
  app.add_option("--type", o.type, "float, double (default), complex<float>, complex<double>")
      .type_name("s|d|c|z");
  app.add_option("--op-a", o.op_a, "A as it is, transposed, or conjugated and transposed").type_name("N|T|C");
  app.add_option("--op-b", o.op_b, "The same for B").type_name("N|T|C");
  app.add_option("--overlap", o.overlap,
                 "Move the words of one round while another multiplies, if that is faster (default off); "
                 "with --grid: rounds ahead, and parts in which C is combined")
      .type_name("on|off|AHEAD[,PARTS]");
  app.add_option("--transport", o.transport,
                 "Ranks send and receive (default), or take words out of each other's memory")
      .type_name("two-sided|one-sided");
  add_layout_options(app, o.layouts);
  add_fast_choice(app, o.fast);
  if (verb == Verb::plan)
    app.add_option("--draw", o.draw, "Write a picture of the bricks and the words of each rank")
        .type_name("FILE.svg");
  if (verb != Verb::run) return;
  app.add_option("--alpha", o.alpha, "Factor of the product (default 1)").type_name("RE[,IM]");
  app.add_option("--beta", o.beta, "Factor of C (default 0)").type_name("RE[,IM]");
  add_file_options(app, o.files);
}

std::optional<ScalarType> given_type(const MultiplyOptions& o) {
  return o.type.empty() ? std::nullopt : std::optional(parse_type(o.type));
}

MultiplyRequest read_request(const MultiplyOptions& o, const SharedOptions& shared, const bounds::Product& p,
                             ScalarType type) {
  MultiplyRequest r;
  r.problem = {.m = p.m,
               .n = p.n,
               .k = p.k,
               .op_a = parse_op("--op-a", o.op_a),
               .op_b = parse_op("--op-b", o.op_b),
               .type = type};
  r.alpha = parse_scalar("--alpha", o.alpha, type);
  r.beta = parse_scalar("--beta", o.beta, type);
  r.problem.alpha = gemm::kind_of(r.alpha);
  r.problem.beta = gemm::kind_of(r.beta);
  read_algorithm(o, r);
  r.settings.objective = plan::parse_objective(o.objective);
  if (r.algorithm == "cosma") r.settings.objective = Objective::words;
  r.settings.memory_bytes = shared.memory_bytes;
  r.settings.machine = shared.machine.machine;
  r.settings.fast = fast_settings(o);
  read_overlap(o.overlap, r);
  r.settings.transport = parse_choice("--transport", o.transport, "two-sided", "one-sided")
                             ? Transport::one_sided
                             : Transport::two_sided;
  return r;
}

void add_layout_options(Command app, LayoutTexts& texts) {
  const auto add = [&](const char* option, std::string& text, const char* matrix) {
    app.add_option(
           option, text,
           fmt::format("Layout of {} as it is stored, as for `cairn layout`: \"block-cyclic 2x2 mb=64 "
                       "nb=64\"",
                       matrix))
        .type_name("SPEC");
  };
  add("--layout-a", texts.a, "A");
  add("--layout-b", texts.b, "B");
  add("--layout-c", texts.c, "C");
}

}  // namespace cairn::cli
