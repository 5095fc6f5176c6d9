// The cost tables of the papers, evaluated: 000.2, 001.1, 002.2 and 004.1 (paper and table number).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bounds/cost.hpp"
#include "bounds/formula.hpp"

namespace cairn::bounds {

struct Cell {
  double value = 0;  // may be infinite where a printed formula divides by 0
  std::string formula;
  std::string latex;
};

struct TableRow {
  std::string name;
  std::vector<Cell> cells;  // one for each column
};

struct Table {
  std::string id;
  std::string title;
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
  Symbols symbols;                 // what stands in the formulas, with values
  std::vector<std::string> notes;  // what the symbols mean, and where the print differs
};

// m, n, k: sizes of the product (000.2); n alone for the square problems (the N of 002.2). memory: S or M, in
// words per rank. d: nonzeros per row (004.1). steps: l, Strassen steps before a classical algorithm (001.1).
struct TableArguments {
  Index m = 0;
  Index n = 0;
  Index k = 0;
  Index ranks = 1;
  double memory = 0;
  double d = 0;
  double steps = 0;
};

std::vector<std::string> table_ids();

// Throws ArgumentError for an unknown id or arguments the table cannot be evaluated for.
Table make_table(std::string_view id, const TableArguments& arguments);

}  // namespace cairn::bounds
