#include "daap/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "daap/limits.hpp"
#include "daap/parser.hpp"
#include "daap/rank.hpp"

namespace cairn::daap {
namespace {

std::string_view machine_symbol(const std::string& name) {
  return name == "M" ? "words of fast memory" : name == "P" ? "number of ranks" : "size of a partition";
}

class Resolver {
 public:
  explicit Resolver(const Source& source) : source_(source) {}

  void items(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (const auto* loop = std::get_if<LoopNode>(&node.value))
        enter(*loop);
      else
        statement(std::get<StatementNode>(node.value));
    }
  }

  LoopProgram finish() {
    if (statements_.empty()) source_.fail_at(source_.text().size(), "the program has no statement");
    check_names_differ();
    name_statements();
    return {source_, {parameters_.begin(), parameters_.end()}, std::move(statements_)};
  }

 private:
  void enter(const LoopNode& node) {
    if (variables_.contains(node.variable))
      source_.fail_at(node.offset, fmt::format("the loop variable {} is already used by a loop around this",
                                               node.variable));
    note_parameters(node.lower);
    note_parameters(node.upper);
    loop_names_.emplace(node.variable, node.offset);
    loops_.push_back({node.variable, node.lower.value, node.upper.value, node.offset});
    variables_.insert(node.variable);
    items(node.body);
    variables_.erase(node.variable);
    loops_.pop_back();
  }

  void note_parameters(const ExpressionNode& expression) {
    for (const auto& term : expression.value.coefficients()) {
      if (variables_.contains(term.first)) continue;
      parameters_.insert(term.first);
      parameter_places_.emplace(term.first, expression.offset);
      if (term.first == "M" || term.first == "P" || term.first == "X")
        source_.fail_at(expression.offset,
                        fmt::format("{} stands for the {} in all formulas; give the size another name",
                                    term.first, machine_symbol(term.first)));
      if (parameters_.size() > most_parameters)
        source_.fail_at(expression.offset,
                        fmt::format("the program has more than {} size parameters", most_parameters));
    }
  }

  void statement(const StatementNode& node) {
    if (statements_.size() == most_statements)
      source_.fail_at(node.offset, fmt::format("the program has more than {} statements", most_statements));
    Statement result;
    result.label = node.label;
    result.loops = loops_;
    result.offset = node.offset;
    result.output = access(node.output);
    for (const AccessNode& input : node.inputs) {
      Access found = access(input);
      const bool repeated = std::any_of(result.inputs.begin(), result.inputs.end(),
                                        [&](const Access& other) { return other.same_element(found); });
      if (!repeated) result.inputs.push_back(std::move(found));
    }
    result.text = text_of(node, result);
    statements_.push_back(std::move(result));
  }

  static std::string text_of(const StatementNode& node, const Statement& statement) {
    std::string text = statement.output.text() + " = " + node.function + "(";
    for (std::size_t i = 0; i < statement.inputs.size(); ++i)
      text.append(i == 0 ? "" : ", ").append(statement.inputs[i].text());
    return text + ")";
  }

  Access access(const AccessNode& node) {
    Access result{node.array, {}, {}, node.offset};
    for (const ExpressionNode& index : node.indices) {
      note_parameters(index);
      result.indices.push_back(index.value);
      for (const auto& term : index.value.coefficients())
        if (variables_.contains(term.first)) result.variables.insert(term.first);
    }
    check_dimension(result);
    check_injective(result);
    return result;
  }

  void check_dimension(const Access& access) {
    const auto [place, is_new] = dimensions_.emplace(access.array, access.indices.size());
    if (!is_new && place->second != access.indices.size())
      source_.fail_at(access.offset, fmt::format("{} has {} indices here and {} above", access.array,
                                                 access.indices.size(), place->second));
  }

  // Section 2.2: an access function vector maps its iteration variables to a unique element. Affine indices
  // do so if and only if their linear part has full column rank.
  void check_injective(const Access& access) const {
    const std::size_t rank = column_rank(access);
    if (rank == access.variables.size()) return;
    source_.fail_at(access.offset,
                    fmt::format("{} is not injective: {} loop variables reach the same element in several "
                                "ways, which the disjoint access model does not cover",
                                access.text(), access.variables.size()));
  }

  void check_names_differ() const {
    for (const auto& [array, size] : dimensions_) {
      if (loop_names_.contains(array))
        source_.fail_at(loop_names_.at(array), fmt::format("{} is an array and a loop variable", array));
      if (parameters_.contains(array))
        source_.fail_at(parameter_places_.at(array),
                        fmt::format("{} is an array and a size parameter", array));
    }
    for (const auto& [name, offset] : loop_names_)
      if (parameters_.contains(name))
        source_.fail_at(parameter_places_.at(name),
                        fmt::format("{} is used outside of the loop that defines it", name));
  }

  // Statements without a label are called S1, S2, ... by their place, avoiding labels that are taken.
  void name_statements() {
    std::set<std::string> taken;
    for (const Statement& statement : statements_)
      if (!statement.label.empty() && !taken.insert(statement.label).second)
        source_.fail_at(statement.offset, fmt::format("the label {} is used twice", statement.label));
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      if (!statements_[i].label.empty()) continue;
      std::string label = fmt::format("S{}", i + 1);
      while (!taken.insert(label).second) label += "_";
      statements_[i].label = label;
    }
  }

  const Source& source_;
  std::vector<Loop> loops_;
  std::set<std::string> variables_;
  std::map<std::string, std::size_t> loop_names_;
  std::set<std::string> parameters_;
  std::map<std::string, std::size_t> parameter_places_;
  std::map<std::string, std::size_t> dimensions_;
  std::vector<Statement> statements_;
};

}  // namespace

std::string Access::text() const {
  if (indices.empty()) return array;
  std::string text = array + "[";
  for (std::size_t i = 0; i < indices.size(); ++i) text.append(i == 0 ? "" : ",").append(indices[i].text());
  return text + "]";
}

std::set<std::string> Statement::variables() const {
  std::set<std::string> names;
  for (const Loop& loop : loops) names.insert(loop.variable);
  return names;
}

LoopProgram resolve(const Source& source) {
  const std::vector<Node> nodes = parse(source);
  Resolver resolver(source);
  resolver.items(nodes);
  return resolver.finish();
}

}  // namespace cairn::daap
