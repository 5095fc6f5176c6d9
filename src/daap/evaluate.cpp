#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "daap/analysis.hpp"
#include "daap/bound.hpp"
#include "daap/format.hpp"

namespace cairn::daap {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Evaluator {
 public:
  Evaluator(const ProgramModel& model, const Setting& setting) : model_(model), setting_(setting) {
    check_setting();
    substitutions_[model.symbols.memory] = setting.memory;
    for (const auto& [name, symbol] : model.symbols.parameters())
      substitutions_[symbol] = GiNaC::numeric(static_cast<long>(setting.sizes.at(name)));
    check_conditions();
  }

  Values run() const {
    Values values;
    double largest = 0;
    for (std::size_t s = 0; s < model_.statements.size(); ++s) {
      values.statements.push_back(statement(s));
      values.sequential += values.statements.back().sequential;
      largest = std::max(largest, values.statements.back().sequential);
    }
    for (const SharedInput& shared : model_.shared) {
      values.reuses.push_back(reuse(shared, values.statements));
      values.sequential -= values.reuses.back();
    }
    values.sequential = std::max(values.sequential, largest);
    values.parallel = values.sequential / static_cast<double>(setting_.ranks);
    return values;
  }

 private:
  double value(const GiNaC::ex& expression) const {
    return GiNaC::ex_to<GiNaC::numeric>(expression.subs(substitutions_).evalf()).to_double();
  }

  // All loads but the largest; a statement that is never executed at these sizes has none.
  double reuse(const SharedInput& shared, const std::vector<StatementValues>& statements) const {
    double sum = 0;
    double largest = 0;
    for (std::size_t i = 0; i < shared.loads.size(); ++i) {
      const bool executed = statements[shared.statements[i]].vertices > 0;
      const double loads = executed ? value(shared.loads[i]) : 0.0;
      sum += loads;
      largest = std::max(largest, loads);
    }
    return sum - largest;
  }

  void check_setting() const {
    require(setting_.ranks >= 1, "ranks is {}, expected 1 or more", setting_.ranks);
    require(std::isfinite(setting_.memory) && setting_.memory >= 1, "memory is {}, expected 1 word or more",
            setting_.memory);
    for (const auto& [name, size] : setting_.sizes)
      require(model_.symbols.parameters().contains(name), "{} = {} is set, but {} has no size {}", name, size,
              model_.program.source.name(), name);
    for (const std::string& name : model_.program.parameters) {
      const auto place = setting_.sizes.find(name);
      require(place != setting_.sizes.end(), "the size {} of {} has no value", name,
              model_.program.source.name());
      require(place->second >= 1, "the size {} is {}, expected 1 or more", name, place->second);
    }
  }

  void check_conditions() const {
    for (const Affine& form : model_.size_conditions)
      require(form.value(setting_.sizes) >= 0, "the sizes give {} = {}, but {} holds only for {} >= 0",
              form.text(), form.value(setting_.sizes), model_.program.source.name(), form.text());
    for (const GiNaC::ex& rho : model_.rho_conditions)
      require(value(rho) >= 1, "with memory {} the intensity {} is {}, but the formula holds only from 1 on",
              setting_.memory, format(rho, model_.symbols).text, value(rho));
  }

  StatementValues statement(std::size_t s) const {
    const StatementModel& model = model_.statements[s];
    StatementValues values;
    values.label = model_.program.statements[s].label;
    values.vertices = value(model.domain.vertices);
    values.rho = model.bounded ? value(model.rho) : infinity;
    values.x0 = infinity;
    // Without iterations the extent of a free loop is 0 and |V| / rho has no value, but nothing is moved.
    const bool moves = model.bounded && values.vertices > 0;
    values.sequential = values.strict = moves ? value(model.bound) : 0.0;
    values.parallel = values.sequential / static_cast<double>(setting_.ranks);
    if (model.bounded && !model.tile_intensity.unbounded) add_partition(model, values);
    return values;
  }

  void add_partition(const StatementModel& model, StatementValues& values) const {
    values.x0 = value(model.tile_intensity.partition);
    values.strict =
        std::max(values.vertices * model.out_degree_one, values.sequential - (values.x0 - setting_.memory));
    for (const auto& [variable, size] : model.tiles) values.tiles[variable] = value(size);
  }

  const ProgramModel& model_;
  const Setting& setting_;
  GiNaC::exmap substitutions_;
};

}  // namespace

Values evaluate(const Analysis& analysis, const Setting& setting) {
  require(analysis.model != nullptr, "the analysis is empty, expected one made by analyse()");
  return Evaluator(*analysis.model, setting).run();
}

}  // namespace cairn::daap
