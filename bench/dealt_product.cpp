#include "bench/dealt_product.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>

namespace cairn::bench {

using gemm::Matrix;
using nlohmann::json;

namespace {

// The library's distributions differ from one implementation to the next; these do not.
class Dice {
 public:
  Dice(std::uint64_t seed, Index number, int ranks) {
    std::seed_seq seeds{static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(ranks), seed};
    engine_.seed(seeds);
  }
  // first .. last, all alike.
  Index uniform(Index first, Index last) {
    return first + static_cast<Index>(engine_() % static_cast<std::uint64_t>(last - first + 1));
  }
  // first .. last, small ones as likely as large ones.
  Index spread(Index first, Index last) {
    const double share = static_cast<double>(uniform(0, 1'000'000)) / 1e6;
    const double ratio = static_cast<double>(last) / static_cast<double>(first);
    return std::min(last, static_cast<Index>(static_cast<double>(first) * std::pow(ratio, share)));
  }
  bool one_in(Index n) { return uniform(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};

ProcessGrid random_grid(Dice& dice, int ranks) {
  std::vector<ProcessGrid> all;
  for (int rows = 1; rows <= ranks; ++rows)
    if (ranks % rows == 0) all.push_back({rows, ranks / rows});
  return all[static_cast<std::size_t>(dice.uniform(0, std::ssize(all) - 1))];
}

// With `rows` x `columns` of it to be multiplied.
DealtMatrix random_matrix(Dice& dice, Index rows, Index columns, const ProcessGrid& grid) {
  const bool part = dice.one_in(2);
  const auto margin = [&] { return part ? dice.uniform(0, 200) : 0; };
  DealtMatrix x{.blocks = {.process_rows = grid.rows,
                           .process_columns = grid.columns,
                           .mb = dice.spread(1, 300),
                           .nb = dice.spread(1, 300),
                           .row_source = static_cast<int>(dice.uniform(0, grid.rows - 1)),
                           .column_source = static_cast<int>(dice.uniform(0, grid.columns - 1))},
                .i = margin(),
                .j = margin()};
  x.rows = x.i + rows + margin();
  x.columns = x.j + columns + margin();
  return x;
}

std::string text(const DealtProduct& p, Matrix x) {
  const DealtMatrix& d = p.of(x);
  const Op op = x == Matrix::a ? p.problem.op_a : x == Matrix::b ? p.problem.op_b : Op::none;
  std::string result =
      fmt::format("{}{} {}x{}", name(x), op == Op::none ? "" : "^T", d.blocks.mb, d.blocks.nb);
  if (d.i != 0 || d.j != 0) result += fmt::format(" from ({},{})", d.i, d.j);
  return result;
}

bool is_square_and_whole(const DealtProduct& p, Index block) {
  return std::ranges::all_of(p.matrices, [&](const DealtMatrix& x) {
    return x.blocks.mb == block && x.blocks.nb == block && x.i == 0 && x.j == 0;
  });
}

}  // namespace

std::string ProcessGrid::text() const { return fmt::format("{}x{}", rows, columns); }

layout::Layout DealtProduct::whole(Matrix x) const {
  const DealtMatrix& d = of(x);
  return layout::block_cyclic(d.rows, d.columns, d.blocks);
}

layout::Layout DealtProduct::operand(Matrix x) const {
  return whole(x).sub_matrix(of(x).i, of(x).j, stored_rows(problem, x), stored_columns(problem, x));
}

std::string DealtProduct::blocks() const {
  const Index block = matrices[0].blocks.mb;
  if (is_square_and_whole(*this, block)) return std::to_string(block);
  return fmt::format("{}, {}, {}", text(*this, Matrix::a), text(*this, Matrix::b), text(*this, Matrix::c));
}

DealtProduct in_square_blocks(const bounds::Product& p, const ProcessGrid& grid, Index block) {
  DealtProduct result{.problem = {.m = p.m, .n = p.n, .k = p.k}, .grid = grid, .matrices = {}};
  for (const Matrix x : gemm::all_matrices)
    result.matrices[index(x)] = {
        .rows = stored_rows(result.problem, x),
        .columns = stored_columns(result.problem, x),
        .blocks = {.process_rows = grid.rows, .process_columns = grid.columns, .mb = block, .nb = block}};
  return result;
}

DealtProduct random_product(std::uint64_t seed, Index number, int ranks) {
  Dice dice(seed, number, ranks);
  const auto size = [&] { return dice.spread(30, 1500); };
  const auto op = [&] { return dice.one_in(3) ? Op::transpose : Op::none; };
  DealtProduct p{.problem = {.m = size(), .n = size(), .k = size(), .op_a = op(), .op_b = op()},
                 .grid = random_grid(dice, ranks),
                 .matrices = {}};
  for (const Matrix x : gemm::all_matrices)
    p.matrices[index(x)] =
        random_matrix(dice, stored_rows(p.problem, x), stored_columns(p.problem, x), p.grid);
  return p;
}

json description(const DealtProduct& product) {
  const gemm::Problem& p = product.problem;
  json matrices;
  for (const Matrix x : gemm::all_matrices) {
    const DealtMatrix& d = product.of(x);
    matrices[std::string(name(x))] = {
        {"rows", d.rows},    {"columns", d.columns},        {"mb", d.blocks.mb},
        {"nb", d.blocks.nb}, {"rsrc", d.blocks.row_source}, {"csrc", d.blocks.column_source},
        {"first_row", d.i},  {"first_column", d.j}};
  }
  return {{"m", p.m},
          {"n", p.n},
          {"k", p.k},
          {"op_a", gemm::name(p.op_a)},
          {"op_b", gemm::name(p.op_b)},
          {"process_grid", product.grid.text()},
          {"blocks", product.blocks()},
          {"matrices", std::move(matrices)}};
}

}  // namespace cairn::bench
