#include "bounds/tables.hpp"

#include "bounds/tables_detail.hpp"

namespace cairn::bounds {
namespace detail {

Cell cell(std::string_view formula, const Symbols& symbols) {
  const Formula parsed(formula);
  return {parsed.value(symbols) + 0.0, parsed.text(), parsed.latex()};  // + 0.0: no -0
}

void add_row(Table& table, std::string_view name, std::initializer_list<std::string_view> formulas) {
  TableRow row{std::string(name), {}};
  for (std::string_view formula : formulas) row.cells.push_back(cell(formula, table.symbols));
  require(row.cells.size() == table.columns.size(), "row {} has {} cells, expected {}", name,
          row.cells.size(), table.columns.size());
  table.rows.push_back(std::move(row));
}

}  // namespace detail

std::vector<std::string> table_ids() { return {"000.2", "001.1", "002.2", "004.1"}; }

Table make_table(std::string_view id, const TableArguments& arguments) {
  require_positive(arguments.ranks, "ranks");
  require_positive(arguments.n, "n");
  require_positive(arguments.memory, "memory");
  if (id == "000.2") return detail::table_000_2(arguments);
  if (id == "001.1") return detail::table_001_1(arguments);
  if (id == "002.2") return detail::table_002_2(arguments);
  if (id == "004.1") return detail::table_004_1(arguments);
  fail("table is '{}', expected 000.2, 001.1, 002.2 or 004.1", id);
}

}  // namespace cairn::bounds
