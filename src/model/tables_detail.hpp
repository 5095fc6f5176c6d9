// For the files that fill the tables: rows of formulas, evaluated as they are added.
#pragma once

#include <initializer_list>

#include "model/tables.hpp"

namespace cairn::model::detail {

Cell cell(std::string_view formula, const Symbols& symbols);
void add_row(Table& table, std::string_view name, std::initializer_list<std::string_view> formulas);

Table table_000_2(const TableArguments& x);
Table table_001_1(const TableArguments& x);
Table table_002_2(const TableArguments& x);
Table table_004_1(const TableArguments& x);

}  // namespace cairn::model::detail
