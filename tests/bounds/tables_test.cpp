#include "bounds/tables.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bounds/conflux.hpp"
#include "bounds/decompositions.hpp"
#include "bounds/factor.hpp"
#include "bounds/numeric.hpp"
#include "bounds/sparse_table.hpp"
#include "bounds/strassen_table.hpp"

namespace cairn::bounds {
namespace {

using test::relative;

double at(const Table& table, std::string_view row, std::size_t column) {
  for (const TableRow& r : table.rows)
    if (r.name == row) return r.cells.at(column).value;
  ADD_FAILURE() << table.id << " has no row " << row;
  return std::nan("");
}

void expect_row(const Table& t, std::string_view row, std::initializer_list<double> values) {
  std::size_t column = 0;
  for (double value : values) EXPECT_LT(relative(at(t, row, column++), value), 1e-11) << row << ' ' << column;
}

TEST(Tables, AreWellFormed) {
  for (const std::string& id : table_ids()) {
    const Table t = make_table(id, {4096, 4096, 4096, 64, 1e6, 8, 2});
    EXPECT_EQ(t.id, id);
    EXPECT_GE(t.rows.size(), 8u);
    for (const TableRow& row : t.rows) {
      EXPECT_EQ(row.cells.size(), t.columns.size());
      for (const Cell& c : row.cells) {
        EXPECT_FALSE(c.latex.empty());
        EXPECT_TRUE(std::isfinite(c.value) || row.name == "COSMA, general") << id << ' ' << row.name;
        EXPECT_GE(c.value, 0);
      }
    }
  }
}

TEST(Tables, GeneralRowsOf0002AreTheFunctions) {
  for (const TableArguments& x :
       {TableArguments{4096, 4096, 4096, 64, 1.5e6}, TableArguments{512, 512, 65536, 128, 4e5},
        TableArguments{3000, 3000, 9000, 256, 1e6}}) {
    const Product p{x.m, x.n, x.k};
    const Table t = make_table("000.2", x);
    for (const auto& [row, cost] : {std::pair{"2D, general", classical::grid_2d(p, x.ranks)},
                                    {"2.5D, general", classical::grid_25d(p, x.ranks, x.memory)},
                                    {"recursive, general", classical::recursive(p, x.ranks, x.memory)},
                                    {"COSMA, general", classical::cosma(p, x.ranks, x.memory)}}) {
      EXPECT_LT(relative(at(t, row, 0), cost.words), 1e-11) << row;
      EXPECT_LT(relative(at(t, row, 2), cost.messages), 1e-11) << row;
    }
  }
}

// At a = sqrt(S) the printed latency of COSMA is infinite, with more memory it is the derived one.
TEST(Tables, PrintedCosmaLatencyNeedsRoom) {
  EXPECT_TRUE(std::isinf(at(make_table("000.2", {4096, 4096, 4096, 64, 786432}), "COSMA, general", 3)));
  const Table roomy = make_table("000.2", {4096, 4096, 4096, 64, 4e6});
  EXPECT_LT(relative(at(roomy, "COSMA, general", 2), at(roomy, "COSMA, general", 3)), 1e-11);
}

TEST(Tables, SpecialRowsOf0002AreTheFunctions) {
  for (Index ranks : {16, 1024, 65536}) {
    const Index root = static_cast<Index>(std::sqrt(as_real(ranks)));
    const Table t = make_table("000.2", {4096, 4096, 4096, ranks, 1e6});
    const Product square{4096, 4096, 4096};
    const double s = 2.0 * 4096 * 4096 / as_real(ranks), corner = 4096 / as_real(root);
    expect_row(t, "2D, square, limited memory", {classical::grid_2d(square, ranks).words});
    expect_row(t, "2.5D, square, limited memory", {classical::grid_25d(square, ranks, s).words});
    EXPECT_LT(
        relative(at(t, "2.5D, square, limited memory", 2), classical::grid_25d(square, ranks, s).messages),
        1e-11);
    expect_row(t, "recursive, square, limited memory", {classical::recursive(square, ranks, s).words});
    const Cost brick = classical::trade_off(square, ranks, s, corner);
    expect_row(t, "COSMA, square, limited memory, S - n^2/P for buffers", {brick.words});
    EXPECT_LT(relative(at(t, "COSMA, square, limited memory, S - n^2/P for buffers", 2),
                       brick.messages * std::log2(as_real(ranks))),
              1e-11);
    const Product tall{root, root, ranks * root / 4};
    const double extra = 2 * words_b(tall) / std::pow(as_real(ranks), 2.0 / 3);
    const double owned = classical::owned_inputs(tall, ranks);
    for (const auto& [row, words, messages] :
         {std::tuple{"2D, tall, extra memory", classical::grid_2d(tall, ranks).words,
                     classical::grid_2d(tall, ranks).messages},
          {"2.5D, tall, extra memory", classical::grid_25d(tall, ranks, extra).words,
           classical::grid_25d(tall, ranks, extra).messages},
          {"recursive, tall, extra memory, less owned inputs",
           classical::recursive_exact(tall, ranks).words - owned,
           classical::recursive(tall, ranks, extra).messages},
          {"COSMA, tall, extra memory, less owned inputs", classical::cosma(tall, ranks, extra).words - owned,
           classical::cosma(tall, ranks, extra).messages}}) {
      EXPECT_LT(relative(at(t, row, 0), words), 1e-11) << row;
      EXPECT_LT(relative(at(t, row, 2), messages), 1e-11) << row;
    }
  }
}

// What the print of Table 2 says of its special cases, against the derived column.
TEST(Tables, PrintOf0002DiffersOnlyWhereTheNotesSay) {
  for (Index ranks : {64, 4096, 65536}) {
    const Table t = make_table("000.2", {4096, 4096, 4096, ranks, 1e6});
    const auto words_agree = [&](std::string_view row) {
      EXPECT_LT(relative(at(t, row, 0), at(t, row, 1)), 1e-11) << row;
    };
    words_agree("recursive, square, limited memory");
    words_agree("2.5D, tall, extra memory");
    words_agree("recursive, tall, extra memory, less owned inputs");
    words_agree("COSMA, tall, extra memory, less owned inputs");
    EXPECT_NEAR(at(t, "2D, tall, extra memory", 0) - at(t, "2D, tall, extra memory", 1), 1, 1e-6);
    for (std::string_view row : {"2D, square, limited memory", "2.5D, square, limited memory",
                                 "COSMA, square, limited memory, S - n^2/P for buffers"})
      EXPECT_LT(relative(at(t, row, 1) - at(t, row, 0), 4096.0 * 4096 / as_real(ranks)), 1e-8) << row;
    for (std::string_view row :
         {"2.5D, square, limited memory", "COSMA, square, limited memory, S - n^2/P for buffers"})
      EXPECT_DOUBLE_EQ(at(t, row, 2), 2 * at(t, row, 3)) << row;
  }
}

TEST(Tables, RowsOf0011AreTheFunctions) {
  namespace rows = strassen::table1;
  for (const TableArguments& x : {TableArguments{.n = 94080, .ranks = 343, .memory = 1e9, .steps = 2},
                                  TableArguments{.n = 4096, .ranks = 49, .memory = 1e6, .steps = 1},
                                  TableArguments{.n = 10000, .ranks = 2401, .memory = 5e4, .steps = 0}}) {
    const rows::Arguments y{as_real(x.n), x.ranks, x.memory, x.steps};
    const Table t = make_table("001.1", x);
    for (const auto& [row, cost] : {std::pair{"classical lower bound", rows::classical_bound(y)},
                                    {"2D", rows::classical_2d(y)},
                                    {"3D", rows::classical_3d(y)},
                                    {"2.5D", rows::classical_25d(y)},
                                    {"Strassen lower bound", rows::strassen_bound(y)},
                                    {"2D-Strassen", rows::strassen_within_2d(y)},
                                    {"Strassen-2D", rows::strassen_before_2d(y)},
                                    {"2.5D-Strassen", rows::strassen_within_25d(y)},
                                    {"Strassen-2.5D", rows::strassen_before_25d(y)},
                                    {"CAPS", rows::caps(y)}})
      expect_row(t, row, {cost.flops, cost.words, cost.messages});
  }
}

TEST(Tables, RowsOf0022AreTheFunctions) {
  for (Index n : {2048, 16384, 131072}) {
    const Index p = 1024;
    const double m = 4.0 * as_real(n) * as_real(n) / as_real(p);
    const Table t = make_table("002.2", {.n = n, .ranks = p, .memory = m});
    expect_row(t, "LU lower bound", {factor::lu_lower_bound(n, p, m)});
    expect_row(t, "Cholesky lower bound, printed", {factor::cholesky_lower_bound(n, p, m)});
    expect_row(t, "Cholesky lower bound, triangles", {factor::cholesky_symmetric_lower_bound(n, p, m)});
    expect_row(t, "MKL, 2D panels", {factor::words_2d_library(n, p)});
    expect_row(t, "SLATE, 2D blocks", {factor::words_2d_library(n, p)});
    expect_row(t, "CANDMC, nested 2.5D", {factor::words_candmc(n, p, m)});
    expect_row(t, "CAPITAL, 2.5D", {factor::words_capital(n, p, m)});
    expect_row(t, "COnfLUX / COnfCHOX, 1D and 2.5D", {factor::words_conflux_leading(n, p, m)});
  }
}

TEST(Tables, RowsOf0041AreTheFunctions) {
  namespace rows = sparse::table1;
  for (double d : {2.0, 16.0, 100.0}) {
    const sparse::Random x{1 << 20, d, 1024};
    const double m = 3e4;
    const Table t = make_table("004.1", {.n = x.n, .ranks = x.ranks, .memory = m, .d = d});
    for (const auto& [row, cost] : {std::pair{"previous lower bound", rows::previous_bound(x, m)},
                                    {"lower bound", rows::bound(x)},
                                    {"1D naive block row", rows::naive_block_row(x)},
                                    {"1D improved block row*", rows::improved_block_row(x)},
                                    {"1D outer product*", rows::outer_product(x)},
                                    {"2D SpSUMMA", rows::summa(x)},
                                    {"2D improved SpSUMMA", rows::improved_summa(x, m)},
                                    {"3D iterative*", rows::iterative(x)},
                                    {"3D recursive", rows::recursive(x)}})
      expect_row(t, row, {cost.words, cost.messages});
  }
}

TEST(Tables, ArgumentsAreChecked) {
  EXPECT_THROW(make_table("000.3", {1, 1, 1, 1, 1}), ArgumentError);
  EXPECT_THROW(make_table("000.2", {0, 1, 1, 1, 1}), ArgumentError);
  EXPECT_THROW(make_table("004.1", {.n = 10, .ranks = 1, .memory = 1}), ArgumentError);
  EXPECT_THROW(make_table("001.1", {.n = 10, .ranks = 0, .memory = 1}), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds
