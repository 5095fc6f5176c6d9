#include "daap/analysis.hpp"

#include "daap/bound.hpp"
#include "daap/format.hpp"

namespace cairn::daap {
namespace {

class Reporter {
 public:
  explicit Reporter(const ProgramModel& model) : model_(model), symbols_(model.symbols) {}

  Analysis run() const {
    Analysis result;
    result.name = model_.program.source.name();
    result.parameters = model_.program.parameters;
    for (std::size_t s = 0; s < model_.statements.size(); ++s) result.statements.push_back(statement(s));
    for (const SharedInput& shared : model_.shared) result.reuses.push_back(reuse(shared));
    const GiNaC::ex bound = model_.bound();
    result.sequential = text(bound);
    result.parallel = text(per_rank(bound));
    result.sequential_leading = text(leading(bound, symbols_));
    result.parallel_leading = text(leading(per_rank(bound), symbols_));
    result.conditions = conditions();
    result.notes = model_.notes;
    return result;
  }

 private:
  Formula text(const GiNaC::ex& expression) const { return format(expression, symbols_); }
  const std::string& label(std::size_t s) const { return model_.program.statements[s].label; }

  // Divides every summand, so that each keeps its own fraction.
  GiNaC::ex per_rank(const GiNaC::ex& words) const {
    if (!GiNaC::is_a<GiNaC::add>(words)) return words / symbols_.ranks;
    GiNaC::ex sum = 0;
    for (const GiNaC::ex& part : words) sum += part / symbols_.ranks;
    return sum;
  }

  StatementPart statement(std::size_t s) const {
    const Statement& source = model_.program.statements[s];
    const StatementModel& model = model_.statements[s];
    StatementPart part;
    part.label = source.label;
    part.text = source.text;
    part.position = model_.program.source.position(source.offset);
    part.vertices = text(factored(model.domain.vertices));
    part.bounded = model.bounded;
    part.inputs = inputs(source, model);
    part.sequential = text(model.bound);
    part.parallel = text(per_rank(model.bound));
    if (model.bounded) describe_intensity(source, model, part);
    return part;
  }

  void describe_intensity(const Statement& source, const StatementModel& model, StatementPart& part) const {
    const TileOptimum& optimum = model.optimum;
    part.chi =
        text(optimum.constant * model.free_extent * GiNaC::power(symbols_.partition, number(optimum.sigma)));
    part.exact = model.exact;
    part.x0 = model.tile_intensity.unbounded ? Formula{"infinity", "\\infty"}
                                             : text(model.tile_intensity.partition);
    part.rho = text(model.rho);
    part.out_degree_one = model.out_degree_one;
    for (const Loop& loop : source.loops)
      if (model.tiles.contains(loop.variable))
        part.tiles.push_back({loop.variable, text(model.tiles.at(loop.variable))});
  }

  std::vector<InputPart> inputs(const Statement& source, const StatementModel& model) const {
    std::vector<InputPart> parts;
    for (std::size_t i = 0; i < source.inputs.size(); ++i) {
      InputPart part{source.inputs[i].text(), text(model.inputs[i].factor), {}};
      for (const std::size_t producer : model.inputs[i].producers) part.producers.push_back(label(producer));
      parts.push_back(std::move(part));
    }
    return parts;
  }

  ReusePart reuse(const SharedInput& shared) const {
    ReusePart part{shared.array, {}, text(shared.words)};
    for (const std::size_t s : shared.statements) part.statements.push_back(label(s));
    return part;
  }

  std::vector<std::string> conditions() const {
    std::vector<std::string> result;
    for (const Affine& form : model_.size_conditions) result.push_back(form.text() + " >= 0");
    for (const GiNaC::ex& rho : model_.rho_conditions) result.push_back(text(rho).text + " >= 1");
    return result;
  }

  const ProgramModel& model_;
  const Symbols& symbols_;
};

}  // namespace

Analysis analyse(std::string_view program_text, std::string_view file_name, const Options& options) {
  std::shared_ptr<const ProgramModel> model =
      model_program(resolve(Source(program_text, file_name)), options);
  Analysis result = Reporter(*model).run();
  result.model = std::move(model);
  return result;
}

}  // namespace cairn::daap
