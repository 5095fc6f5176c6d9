// cairn fast: the catalogue of bilinear algorithms, plans of fast products, and fast products.
#include <fmt/format.h>
#include <algorithm>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/fast_options.hpp"
#include "cli/table.hpp"
#include "gemm/fast/catalogue.hpp"

namespace cairn::cli {
namespace {

using namespace gemm::fast;
using nlohmann::json;

// ---- the catalogue
struct CatalogueOptions {
  std::string file;
  bool json = false;
};

int additions_of(const Bilinear& x) {
  int sum = 0;
  for (const auto& step : one_pass(x, false).steps)
    if (const auto* pass = std::get_if<SumPassStep>(&step)) sum += pass->sums.additions();
  return sum;
}

json entry_json(const Bilinear& x) {
  return {{"name", x.name},
          {"m0", x.m0},
          {"k0", x.k0},
          {"n0", x.n0},
          {"rank", x.rank()},
          {"exponent", x.exponent()},
          {"additions", additions_of(x)},
          {"stability_factor", stability_factor(x)}};
}

void print_entries(const std::vector<std::shared_ptr<const Bilinear>>& entries, bool as_json) {
  json list = json::array();
  Table table({"name", "shape", "rank", "classical", "exponent", "additions", "stability factor"});
  for (const auto& x : entries) {
    list.push_back(entry_json(*x));
    table.add({x->name, x->shape(), std::to_string(x->rank()), std::to_string(x->m0 * x->k0 * x->n0),
               fmt::format("{:.4f}", x->exponent()), std::to_string(additions_of(*x)),
               number_text(stability_factor(*x))});
  }
  as_json ? fmt::print("{}\n", list.dump(1)) : fmt::print("{}", table.text());
}

void run_list(const CatalogueOptions& o) {
  std::vector<std::shared_ptr<const Bilinear>> all;
  for (const std::string& name : catalogue_names()) all.push_back(find_bilinear(name));
  print_entries(all, o.json);
}

void run_verify(const CatalogueOptions& o) {
  print_entries({bilinear_of(o.file)}, o.json);
  if (!o.json) fmt::print("It is the product: proved coefficient by coefficient.\n");
}

// ---- plans
json candidate_json(const FastCandidate& c) {
  return {{"schedule", order_of(c.schedule.steps)},
          {"levels", c.schedule.steps.size() + c.schedule.local.size()},
          {"local_levels", c.schedule.local.size()},
          {"base", {c.schedule.base.pm, c.schedule.base.pn, c.schedule.base.pk}},
          {"ranks_used", c.schedule.ranks()},
          {"words", c.cost.words},
          {"messages", c.cost.messages},
          {"flops", c.cost.flops},
          {"memory_words", c.cost.memory_words},
          {"seconds", c.seconds},
          {"error_bound", error_bound(c.schedule).product * unit_roundoff(c.schedule.problem.type)},
          {"error_growth", c.growth}};
}

constexpr std::size_t most_shown = 12;

const FastCandidate* classical_among(const std::vector<FastCandidate>& all) {
  for (const FastCandidate& c : all)
    if (c.schedule.steps.empty() && c.schedule.local.empty()) return &c;
  return nullptr;
}

void print_plan(const std::vector<FastCandidate>& all) {
  Table table({"steps", "levels inside", "ranks", "base", "seconds", "words", "messages", "Gflop",
               "words held", "error growth"});
  for (std::size_t i = 0; i < std::min(all.size(), most_shown); ++i) {
    const FastCandidate& c = all[i];
    const std::string order = order_of(c.schedule.steps);
    table.add({order.empty() ? "none" : order, std::to_string(c.schedule.local.size()),
               std::to_string(c.schedule.ranks()), describe(c.schedule.base),
               fmt::format("{:.4g}", c.seconds), fmt::format("{:.4g}", c.cost.words),
               number_text(c.cost.messages), fmt::format("{:.4g}", c.cost.flops / 1e9),
               fmt::format("{:.4g}", c.cost.memory_words), fmt::format("{:.3g}", c.growth)});
  }
  const FastCandidate& best = all.front();
  fmt::print("{}\n{}", describe(best.schedule), table.text());
  fmt::print("error bound: |computed - exact| <= {:.3g} max|A| max|B|\n",
             error_bound(best.schedule).product * unit_roundoff(best.schedule.problem.type));
  if (const FastCandidate* plain = classical_among(all))
    fmt::print("against the classical product: {:.3f} times faster, {:.3f} of its words\n",
               plain->seconds / best.seconds,
               plain->cost.words > 0 ? best.cost.words / plain->cost.words : 1);
}

void run_plan(const FastCommand& o) {
  const auto all = candidates(o.problem(), narrow<int>(o.ranks, "--ranks"), o.options());
  if (!o.json) return print_plan(all);
  json list = json::array();
  for (const FastCandidate& c : all) list.push_back(candidate_json(c));
  fmt::print("{}\n", json{{"m", o.problem().m},
                          {"n", o.problem().n},
                          {"k", o.problem().k},
                          {"ranks", o.ranks},
                          {"best", list.front()},
                          {"candidates", list}}
                         .dump(1));
}

}  // namespace

void add_fast(Command app, Invocation& invocation) {
  const Command fast = app.add_subcommand("fast", "Fast products: Strassen-like algorithms");
  fast.require_subcommand();
  auto catalogue = std::make_shared<CatalogueOptions>();
  const Command list = fast.add_subcommand("list", "List the bilinear algorithms of the catalogue");
  list.add_flag("--json", catalogue->json, "Print JSON");
  list.callback([catalogue] { run_list(*catalogue); });
  const Command verify =
      fast.add_subcommand("verify", "Prove that a bilinear algorithm computes the product");
  verify.add_option("file", catalogue->file, "A file, a name, a shape such as 3x2x2, or x*y for y inside x")
      .required();
  verify.add_flag("--json", catalogue->json, "Print JSON");
  verify.callback([catalogue] { run_verify(*catalogue); });
  auto planned = std::make_shared<FastCommand>();
  const Command plan = fast.add_subcommand("plan", "List fast schedules of a product, fastest first");
  add_fast_command(plan, *planned);
  plan.callback([planned] { run_plan(*planned); });
  add_fast_multiply(fast, invocation);
}

}  // namespace cairn::cli
