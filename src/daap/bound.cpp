#include "daap/bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "daap/disjoint.hpp"
#include "daap/format.hpp"
#include "daap/stationary.hpp"
#include "daap/tiles.hpp"

namespace cairn::daap {
namespace {

class Modeller {
 public:
  Modeller(ProgramModel& model, const Options& options)
      : model_(model), options_(options), dependences_(model.program, budget_) {}

  void run() {
    std::vector<Domain> domains;
    for (const Statement& statement : model_.program.statements) {
      domains.push_back(count_domain(model_.program, statement, model_.symbols, budget_));
      add_conditions(domains.back().conditions);
    }
    choose_large_sizes();
    for (std::size_t s = 0; s < domains.size(); ++s)
      model_.statements.push_back(analyse(s, std::move(domains[s])));
    model_.shared = shared_inputs(model_.program, model_.statements, dependences_, model_.symbols);
  }

 private:
  const Statement& statement(std::size_t s) const { return model_.program.statements[s]; }

  StatementModel analyse(std::size_t s, Domain domain) {
    StatementModel result;
    result.domain = std::move(domain);
    result.inputs = input_models(s);
    split_variables(statement(s), result);
    const std::vector<Term> terms = counted_terms(statement(s), result);
    if (!terms.empty()) solve(statement(s), terms, result);
    return result;
  }

  void add_conditions(const std::vector<Affine>& conditions) {
    for (const Affine& condition : conditions)
      if (std::find(model_.size_conditions.begin(), model_.size_conditions.end(), condition) ==
          model_.size_conditions.end())
        model_.size_conditions.push_back(condition);
  }

  // Large sizes that fulfil all conditions with room to spare, so that no range is empty there.
  void choose_large_sizes() {
    const long large = 1L << 40;
    LinearProgram program;
    program.cost = RationalVector(model_.program.parameters.size(), 1);
    const auto require_at_least = [&](const Affine& form, long least) {
      RationalVector row;
      for (const std::string& name : model_.program.parameters)
        row.push_back(static_cast<long>(form.coefficient(name)));
      program.least.push_back(std::move(row));
      program.at_least.push_back(least - static_cast<long>(form.constant()));
    };
    for (const std::string& name : model_.program.parameters) require_at_least(Affine::name(name), large);
    for (const Affine& condition : model_.size_conditions) require_at_least(condition, large);
    const auto found = minimise(program, budget_);
    if (!found) model_.program.source.fail_at(0, "no large sizes leave all ranges of the program non-empty");
    std::map<std::string, Rational> sizes;
    for (std::size_t i = 0; i < found->x.size(); ++i)
      sizes.emplace(model_.program.parameters[i], found->x[i]);
    model_.symbols.set_large(sizes);
  }

  std::vector<InputModel> input_models(std::size_t s) {
    const Disjointness disjoint = check_disjoint(model_.program, s, dependences_, options_.overlap);
    std::vector<InputModel> inputs;
    for (std::size_t i = 0; i < statement(s).inputs.size(); ++i) {
      InputModel input;
      input.producers = producers_of(model_.program, s, statement(s).inputs[i], dependences_);
      input.factor = output_reuse_factor(input.producers, model_.statements, options_.output_reuse,
                                         model_.symbols, model_.rho_conditions);
      input.group_size = disjoint.group_sizes[i];
      if (options_.overlap == Overlap::shared) input.factor /= input.group_size;
      inputs.push_back(std::move(input));
    }
    note_carried(s);
    note_overlap(statement(s), inputs);
    return inputs;
  }

  // Loop-carried: the value of an earlier iteration, written further down or by the statement itself.
  bool written_later(std::size_t s, const Access& input) const {
    for (std::size_t writer = s; writer < model_.program.statements.size(); ++writer)
      if (!statement(writer).inputs.empty() && !(writer == s && statement(s).in_place(input)) &&
          dependences_.meet(writer, statement(writer).output, s, input, Order::before))
        return true;
    return false;
  }

  void note_carried(std::size_t s) {
    std::string names;
    for (const Access& input : statement(s).inputs)
      if (written_later(s, input)) names += (names.empty() ? "" : ", ") + input.text();
    if (names.empty()) return;
    model_.notes.push_back(
        fmt::format("{}: {} may hold what an earlier iteration computed; counted as loaded, "
                    "as sections 6.1 and 6.2 of the paper do",
                    statement(s).label, names));
  }

  void note_overlap(const Statement& statement, const std::vector<InputModel>& inputs) {
    std::string names;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].group_size > 1) names += (names.empty() ? "" : ", ") + statement.inputs[i].text();
    if (names.empty()) return;
    const std::string_view how =
        options_.overlap == Overlap::shared
            ? "they are counted as shared"
            : "they are counted as disjoint, as section 6.2 of the paper does, and a "
              "schedule that exploits the overlap may move less";
    model_.notes.push_back(
        fmt::format("{}: {} may reach the same vertices; {}", statement.label, names, how));
  }

  void split_variables(const Statement& statement, StatementModel& result) const {
    for (std::size_t i = 0; i < statement.inputs.size(); ++i)
      if (!result.inputs[i].factor.is_zero())
        result.tiled.insert(statement.inputs[i].variables.begin(), statement.inputs[i].variables.end());
    for (const Loop& loop : result.domain.loops) {
      if (result.tiled.contains(loop.variable)) continue;
      result.free.insert(loop.variable);
      result.free_extent *= extent(result.domain.loops, loop.variable, model_.symbols);
    }
  }

  static std::vector<Term> counted_terms(const Statement& statement, const StatementModel& model) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < statement.inputs.size(); ++i)
      if (!model.inputs[i].factor.is_zero())
        terms.push_back({statement.inputs[i].variables, model.inputs[i].factor});
    return terms;
  }

  void solve(const Statement& statement, const std::vector<Term>& terms, StatementModel& result) {
    result.bounded = true;
    result.optimum = optimise_tile(result.tiled, terms, model_.symbols, budget_);
    choose_partition(result);
    result.rho = result.tile_intensity.rho * result.free_extent;
    apply_lemma_4(statement, result);
    result.bound = factored(result.domain.vertices) / result.rho;
    for (const std::string& variable : result.free)
      result.tiles[variable] = extent(result.domain.loops, variable, model_.symbols);
  }

  // X0, rho, the tile and its loads: with all terms if that has a closed form, else of the leading ones.
  void choose_partition(StatementModel& result) {
    const TileOptimum& optimum = result.optimum;
    result.tile_intensity = intensity(optimum, model_.symbols);
    const GiNaC::ex& partition = result.tile_intensity.partition;
    const GiNaC::ex chi_over_x = optimum.constant * GiNaC::power(partition, number(optimum.sigma - 1));
    for (const Rational& weight : optimum.weights)
      result.loads_per_vertex.push_back(number(weight / optimum.sigma) / chi_over_x);
    result.tiles = tile_sizes(result.tiled, optimum, partition, model_.symbols, budget_);
    result.exact = optimum.exact;
    if (optimum.exact) return;
    const std::optional<StationaryTile> full = stationary_tile(result.tiled, optimum.terms, model_.symbols);
    if (full) use(*full, result);
  }

  void use(const StationaryTile& full, StatementModel& result) const {
    const GiNaC::ex rho = (full.volume / (full.surface - model_.symbols.memory)).normal();
    result.tile_intensity = {rho, full.surface, false};
    result.tiles = full.tiles;
    for (std::size_t j = 0; j < full.sizes.size(); ++j)
      result.loads_per_vertex[j] = (full.sizes[j] / full.volume).normal();
    result.exact = true;
  }

  // rho <= 1 / u. The optimisation problem already knows this bound (an input with all variables takes u
  // chi(X) of X); Lemma 4 proves it without an X-partition, so it also holds where X0 is infinite.
  void apply_lemma_4(const Statement& statement, StatementModel& result) const {
    result.out_degree_one = out_degree_one_inputs(statement, result);
    if (result.out_degree_one == 0) return;
    const GiNaC::ex limit = GiNaC::numeric(1, result.out_degree_one);
    if (at_large_sizes(result.rho, model_.symbols) > at_large_sizes(limit, model_.symbols))
      result.rho = limit;
  }

  ProgramModel& model_;
  const Options& options_;
  WorkBudget budget_;
  Dependences dependences_;
};

}  // namespace

GiNaC::ex ProgramModel::sum_less_reuse() const {
  GiNaC::ex total = 0;
  for (const StatementModel& statement : statements) total += statement.bound;
  for (const SharedInput& input : shared) total -= input.words;
  return total;
}

GiNaC::ex ProgramModel::bound() const {
  GiNaC::ex best = sum_less_reuse();
  for (const StatementModel& statement : statements)
    if (at_large_sizes(statement.bound, symbols) > at_large_sizes(best, symbols)) best = statement.bound;
  return best;
}

std::unique_ptr<const ProgramModel> model_program(LoopProgram program, const Options& options) {
  Symbols symbols(program.parameters);
  auto model = std::make_unique<ProgramModel>(ProgramModel{.program = std::move(program),
                                                           .symbols = std::move(symbols),
                                                           .statements = {},
                                                           .shared = {},
                                                           .rho_conditions = {},
                                                           .size_conditions = {},
                                                           .notes = {}});
  Modeller(*model, options).run();
  return model;
}

}  // namespace cairn::daap
