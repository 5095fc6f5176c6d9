#include "gemm/fast/recipe.hpp"

#include <algorithm>

namespace cairn::gemm::fast {
namespace {

using Role = BlockPlace::Role;

Role role_of(Matrix x) { return x == Matrix::a ? Role::a : x == Matrix::b ? Role::b : Role::c; }

BlockPlace new_temporary(Recipe& recipe, Matrix shape) {
  std::array<bool, 3> holds{};
  holds[index(shape)] = true;
  recipe.temporaries.push_back(holds);
  return {Role::temporary, static_cast<int>(recipe.temporaries.size()) - 1};
}

// A factor of a product: a block with a coefficient.
struct Operand {
  BlockPlace place;
  Rational factor = 1;
};

int blocks_in(const std::vector<Rational>& row) {
  return static_cast<int>(
      std::count_if(row.begin(), row.end(), [](const Rational& c) { return !c.is_zero(); }));
}

// The left or right factors of all products, after one pass that makes those that are sums.
std::vector<Operand> factors_of(Recipe& recipe, const Bilinear& x, Matrix side) {
  std::vector<Operand> operands;
  std::vector<std::vector<Rational>> rows;
  SumPassStep pass{.shape = side};
  for (const Term& t : x.terms) {
    const std::vector<Rational>& row = t[side];
    if (blocks_in(row) <= 1) {
      const auto at = std::find_if(row.begin(), row.end(), [](const Rational& c) { return !c.is_zero(); });
      const bool none = at == row.end();
      operands.push_back({{role_of(side), none ? 0 : static_cast<int>(at - row.begin())}, none ? 0 : *at});
    } else {
      operands.push_back({new_temporary(recipe, side), 1});
      rows.push_back(row);
      pass.outputs.push_back(operands.back().place);
    }
  }
  for (int i = 0; i < x.blocks(side); ++i) pass.inputs.push_back({role_of(side), i});
  pass.sums = eliminate(rows, x.blocks(side));
  if (!rows.empty()) recipe.steps.emplace_back(std::move(pass));
  return operands;
}

// One factor of one product: a block, or the sum of several in `temporary`.
Operand one_factor(Recipe& recipe, const Bilinear& x, const Term& t, Matrix side, BlockPlace temporary) {
  const std::vector<Rational>& row = t[side];
  if (blocks_in(row) == 1) {
    const auto at = std::find_if(row.begin(), row.end(), [](const Rational& c) { return !c.is_zero(); });
    return {{role_of(side), static_cast<int>(at - row.begin())}, *at};
  }
  SumPassStep pass{.shape = side, .outputs = {temporary}};
  for (int i = 0; i < x.blocks(side); ++i) pass.inputs.push_back({role_of(side), i});
  const std::vector<std::vector<Rational>> rows{row};
  pass.sums = eliminate(rows, x.blocks(side));
  recipe.steps.emplace_back(std::move(pass));
  return {temporary, 1};
}

// The blocks of C that a product belongs to: made by it, or it is added to what is `there`.
SumPassStep add_product(const Term& t, BlockPlace product, std::vector<bool>& there) {
  SumPassStep pass{.shape = Matrix::c, .inputs = {product}};
  std::vector<std::vector<Rational>> rows;
  for (std::size_t l = 0; l < there.size(); ++l) {
    if (t[Matrix::c][l].is_zero()) continue;
    rows.push_back({t[Matrix::c][l]});
    pass.outputs.push_back({Role::c, static_cast<int>(l)});
    if (there[l]) {
      rows.back().resize(pass.inputs.size() + 1);
      rows.back().back() = 1;
      pass.inputs.push_back(pass.outputs.back());
    }
    there[l] = true;
  }
  for (auto& row : rows) row.resize(pass.inputs.size());
  pass.sums = eliminate(rows, static_cast<int>(pass.inputs.size()));
  return pass;
}

// C := beta C, all blocks.
SumPassStep keep_pass(const Bilinear& x) {
  SumPassStep pass{.shape = Matrix::c, .keeps = true};
  for (int i = 0; i < x.blocks(Matrix::c); ++i) {
    pass.inputs.push_back({Role::c, i});
    pass.outputs.push_back({Role::c, i});
    pass.sums.outputs.push_back(i);
  }
  pass.sums.inputs = x.blocks(Matrix::c);
  return pass;
}

// C from the products, which may lie in its own blocks.
SumPassStep combine_pass(const Bilinear& x, const std::vector<BlockPlace>& products, bool keeps) {
  SumPassStep pass{.shape = Matrix::c, .inputs = products, .keeps = keeps};
  std::vector<std::vector<Rational>> rows;
  for (int i = 0; i < x.blocks(Matrix::c); ++i) {
    std::vector<Rational> row;
    for (const Term& t : x.terms) row.push_back(t[Matrix::c][static_cast<std::size_t>(i)]);
    if (keeps) row.resize(row.size() + static_cast<std::size_t>(x.blocks(Matrix::c)));
    if (keeps) row[x.terms.size() + static_cast<std::size_t>(i)] = 1;
    rows.push_back(std::move(row));
    pass.outputs.push_back({Role::c, i});
    if (keeps) pass.inputs.push_back({Role::c, i});
  }
  pass.sums = eliminate(rows, static_cast<int>(pass.inputs.size()));
  return pass;
}

}  // namespace

int Recipe::products() const {
  return static_cast<int>(std::count_if(
      steps.begin(), steps.end(), [](const auto& s) { return std::holds_alternative<ProductStep>(s); }));
}

std::array<int, 3> Recipe::touched() const {
  std::array<int, 3> count{};
  for (const auto& step : steps) {
    if (const auto* pass = std::get_if<SumPassStep>(&step))
      count[index(pass->shape)] += static_cast<int>(pass->inputs.size() + pass->outputs.size());
    else if (std::get<ProductStep>(step).keep != 0)
      ++count[index(Matrix::c)];
  }
  return count;
}

Recipe one_at_a_time(const Bilinear& x, bool keeps) {
  Recipe recipe{x.m0, x.k0, x.n0, {}, {}};
  const BlockPlace left = new_temporary(recipe, Matrix::a), right = new_temporary(recipe, Matrix::b),
                   product = new_temporary(recipe, Matrix::c);
  std::vector<bool> there(static_cast<std::size_t>(x.blocks(Matrix::c)), keeps);
  if (keeps) recipe.steps.emplace_back(keep_pass(x));
  for (const Term& t : x.terms) {
    const Operand a = one_factor(recipe, x, t, Matrix::a, left);
    const Operand b = one_factor(recipe, x, t, Matrix::b, right);
    recipe.steps.emplace_back(ProductStep{a.place, b.place, product, (a.factor * b.factor).value()});
    recipe.steps.emplace_back(add_product(t, product, there));
  }
  return recipe;
}

Recipe one_pass(const Bilinear& x, bool keeps) {
  Recipe recipe{x.m0, x.k0, x.n0, {}, {}};
  const std::vector<Operand> left = factors_of(recipe, x, Matrix::a);
  const std::vector<Operand> right = factors_of(recipe, x, Matrix::b);
  std::vector<BlockPlace> products;
  for (std::size_t r = 0; r < x.terms.size(); ++r) {
    const bool fits = !keeps && static_cast<int>(r) < x.blocks(Matrix::c);
    products.push_back(fits ? BlockPlace{Role::c, static_cast<int>(r)} : new_temporary(recipe, Matrix::c));
    const double factor = (left[r].factor * right[r].factor).value();
    recipe.steps.emplace_back(ProductStep{left[r].place, right[r].place, products.back(), factor});
  }
  recipe.steps.emplace_back(combine_pass(x, products, keeps));
  return recipe;
}

}  // namespace cairn::gemm::fast
