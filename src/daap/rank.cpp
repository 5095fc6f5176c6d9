#include "daap/rank.hpp"

#include "daap/rational.hpp"

namespace cairn::daap {

std::size_t column_rank(const Access& access) {
  RationalMatrix rows;
  for (const Affine& index : access.indices) {
    RationalVector row;
    for (const std::string& variable : access.variables)
      row.push_back(static_cast<long>(index.coefficient(variable)));
    rows.push_back(std::move(row));
  }
  return reduce_rows(rows).size();
}

}  // namespace cairn::daap
