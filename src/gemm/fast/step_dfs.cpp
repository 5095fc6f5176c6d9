// A DFS step: the products one after the other on all ranks. Nothing moves.
#include <algorithm>

#include "gemm/fast/step_compiler.hpp"

namespace cairn::gemm::fast {

using program::Place;

// A factor that is one block is taken where it lies, unless it lies in several slabs with other blocks
// between.
StepCompiler::Factor StepCompiler::factor(std::size_t step, int joined, Matrix x, const Term& term,
                                          Place from, Place temporary) {
  const std::vector<Rational>& row = term[x];
  const Dealt::Slabs slabs = dealt_.slabs(position_, joined);
  const auto first = std::find_if(row.begin(), row.end(), [](const Rational& c) { return !c.is_zero(); });
  const auto more = first == row.end()
                        ? first
                        : std::find_if(first + 1, row.end(), [](const Rational& c) { return !c.is_zero(); });
  if (first != row.end() && more == row.end() && slabs.count == 1)
    return {from + (first - row.begin()) * elements(x, step + 1, joined), *first};
  const std::vector<std::vector<Rational>> rows{row};
  add(make_sums(program_.type, eliminate(rows, static_cast<int>(row.size())), blocks_of(x, step, from),
                {{temporary}}, runs(x, step + 1, slabs)),
      "sums");
  return {temporary, 1};
}

// The product's part of C: the first one to reach a block makes it, the others add to it.
void StepCompiler::add_to_blocks(std::size_t step, int joined, const Term& term, const Rational& times,
                                 Place product, Place c, std::vector<bool>& touched) {
  const std::vector<SlabBlock> blocks = blocks_of(Matrix::c, step, c);
  std::vector<SlabBlock> inputs{{product}}, outputs;
  std::vector<std::vector<Rational>> rows;
  for (std::size_t l = 0; l < blocks.size(); ++l) {
    if (term[Matrix::c][l].is_zero()) continue;
    rows.push_back({times * term[Matrix::c][l]});
    outputs.push_back(blocks[l]);
    if (!touched[l]) continue;
    rows.back().resize(inputs.size() + 1);
    rows.back().back() = 1;
    inputs.push_back(blocks[l]);
  }
  for (std::size_t l = 0; l < blocks.size(); ++l)
    if (!term[Matrix::c][l].is_zero()) touched[l] = true;
  for (auto& row : rows) row.resize(inputs.size());
  Sums sums = eliminate(rows, static_cast<int>(inputs.size()));
  add(make_sums(program_.type, std::move(sums), std::move(inputs), std::move(outputs),
                runs(Matrix::c, step + 1, dealt_.slabs(position_, joined))),
      "sums");
}

void StepCompiler::depth_first(std::size_t step, int joined, const Places& at) {
  const Scope scope(*this);
  const Bilinear& algorithm = *step_at(step).algorithm;
  const Place product = take(elements(Matrix::c, step + 1, joined));
  const Place left = take(elements(Matrix::a, step + 1, joined));
  const Place right = take(elements(Matrix::b, step + 1, joined));
  std::vector<bool> touched(static_cast<std::size_t>(algorithm.blocks(Matrix::c)), false);
  for (const Term& term : algorithm.terms) {
    const Factor a = factor(step, joined, Matrix::a, term, at[0], left);
    const Factor b = factor(step, joined, Matrix::b, term, at[1], right);
    node(step + 1, joined, {a.at, b.at, product});
    add_to_blocks(step, joined, term, a.times * b.times, product, at[2], touched);
  }
}

}  // namespace cairn::gemm::fast
