// For the files that fill the tables: rows of formulas, evaluated as they are added.
#pragma once

#include <initializer_list>

#include "bounds/tables.hpp"

namespace cairn::bounds::detail {

// Paper 002, section 6.1; and section 6.2 with the intensity of triangles (model/factor.hpp).
inline constexpr std::string_view lu_bound = "(2*N^3 - 6*N^2 + 4*N)/(3*P*sqrt(M)) + N*(N - 1)/(2*P)";
inline constexpr std::string_view cholesky_bound =
    "N*(N - 1)*(N - 2)/(3*sqrt(2)*P*sqrt(M)) + N*(N - 1)/(2*P) + N/P";

Cell cell(std::string_view formula, const Symbols& symbols);
void add_row(Table& table, std::string_view name, std::initializer_list<std::string_view> formulas);

Table table_000_2(const TableArguments& x);
Table table_001_1(const TableArguments& x);
Table table_002_2(const TableArguments& x);
Table table_004_1(const TableArguments& x);

}  // namespace cairn::bounds::detail
