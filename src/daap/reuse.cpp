#include "daap/reuse.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace cairn::daap {
namespace {

// |A(R_S)|: what statement S alone loads of an input, |V| / |H_max| subcomputations of c |A(D)| each. An
// input of lower order that the bound leaves out has none, so nothing of it can be taken back.
GiNaC::ex loads(const Statement& statement, const StatementModel& model, std::size_t input) {
  if (!model.bounded) return 0;
  std::set<std::string> variables = statement.inputs[input].variables;
  for (const std::string& name : model.free) variables.erase(name);
  if (model.inputs[input].factor.is_zero()) return 0;
  const std::size_t j = model.optimum.term_of(variables);
  const GiNaC::ex part = model.inputs[input].factor / model.optimum.terms[j].factor;
  return model.domain.vertices / model.free_extent * part * model.loads_per_vertex[j];
}

// Inputs of all statements, and which of them may be the same vertices.
class Sharing {
 public:
  Sharing(const LoopProgram& program, const std::vector<StatementModel>& models,
          const Dependences& dependences, const Symbols& symbols)
      : program_(program), models_(models), dependences_(dependences), symbols_(symbols) {
    for (std::size_t s = 0; s < program.statements.size(); ++s)
      for (std::size_t i = 0; i < program.statements[s].inputs.size(); ++i) uses_.push_back({s, i});
    groups_.resize(uses_.size());
    std::iota(groups_.begin(), groups_.end(), std::size_t{0});
  }

  std::vector<SharedInput> run() {
    for (std::size_t a = 0; a < uses_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (uses_[a].statement != uses_[b].statement && groups_[a] != groups_[b] &&
            same_vertex(uses_[a], uses_[b]))
          std::replace(groups_.begin(), groups_.end(), groups_[a], groups_[b]);
    std::vector<SharedInput> result;
    for (std::size_t group = 0; group < uses_.size(); ++group) collect(group, result);
    return result;
  }

 private:
  struct Use {
    std::size_t statement;
    std::size_t input;
  };

  const Access& access(const Use& use) const { return program_.statements[use.statement].inputs[use.input]; }

  // A version that is overwritten by the statement that reads it cannot be read later.
  bool survives(const Use& use) const { return !program_.statements[use.statement].in_place(access(use)); }

  bool same_vertex(const Use& a, const Use& b) const {
    if (access(a).array != access(b).array) return false;
    const auto read_first = [&](const Use& first, const Use& then) {
      return survives(first) &&
             dependences_.meet(first.statement, access(first), then.statement, access(then), Order::before);
    };
    return read_first(a, b) || read_first(b, a);
  }

  void collect(std::size_t group, std::vector<SharedInput>& result) const {
    std::map<std::size_t, GiNaC::ex> words;  // by statement
    for (std::size_t u = 0; u < uses_.size(); ++u)
      if (groups_[u] == group)
        words[uses_[u].statement] +=
            loads(program_.statements[uses_[u].statement], models_[uses_[u].statement], uses_[u].input);
    std::erase_if(words, [](const auto& entry) { return entry.second.is_zero(); });
    if (words.size() < 2) return;
    SharedInput shared{access(uses_[group]).array, {}, {}, 0};
    GiNaC::ex largest = 0;
    for (const auto& [statement, count] : words) {
      shared.statements.push_back(statement);
      shared.loads.push_back(count);
      shared.words += count;
      if (at_large_sizes(count, symbols_) > at_large_sizes(largest, symbols_)) largest = count;
    }
    shared.words = shared.words - largest;
    result.push_back(std::move(shared));
  }

  const LoopProgram& program_;
  const std::vector<StatementModel>& models_;
  const Dependences& dependences_;
  const Symbols& symbols_;
  std::vector<Use> uses_;
  std::vector<std::size_t> groups_;
};

}  // namespace

std::vector<std::size_t> producers_of(const LoopProgram& program, std::size_t consumer, const Access& input,
                                      const Dependences& dependences) {
  std::vector<std::size_t> producers;
  for (std::size_t s = 0; s < consumer; ++s) {
    const Statement& candidate = program.statements[s];
    if (!candidate.inputs.empty() && dependences.meet(s, candidate.output, consumer, input, Order::before))
      producers.push_back(s);
  }
  return producers;
}

GiNaC::ex output_reuse_factor(const std::vector<std::size_t>& producers,
                              const std::vector<StatementModel>& models, OutputReuse mode,
                              const Symbols& symbols, std::vector<GiNaC::ex>& conditions) {
  GiNaC::ex factor = 1;
  for (const std::size_t s : producers) {
    const StatementModel& producer = models[s];
    const double rho = producer.bounded ? at_large_sizes(producer.rho, symbols) : INFINITY;
    if (rho <= 1) continue;
    if (!producer.bounded || mode == OutputReuse::free) return 0;
    const bool known = std::any_of(conditions.begin(), conditions.end(),
                                   [&](const GiNaC::ex& other) { return other.is_equal(producer.rho); });
    if (!known) conditions.push_back(producer.rho);
    if (1 / rho < at_large_sizes(factor, symbols)) factor = 1 / producer.rho;
  }
  return factor;
}

int out_degree_one_inputs(const Statement& statement, const StatementModel& model) {
  const std::set<std::string> all = statement.variables();
  int count = 0;
  for (std::size_t i = 0; i < statement.inputs.size(); ++i)
    if (statement.inputs[i].variables == all && model.inputs[i].producers.empty() &&
        model.inputs[i].group_size == 1)
      ++count;
  return count;
}

std::vector<SharedInput> shared_inputs(const LoopProgram& program, const std::vector<StatementModel>& models,
                                       const Dependences& dependences, const Symbols& symbols) {
  return Sharing(program, models, dependences, symbols).run();
}

}  // namespace cairn::daap
