// The scenarios of paper 002 (COnfLUX and COnfCHOX), section 8: words per rank of LU and Cholesky, counted, not run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cairn::bench {

// "lu", "cholesky" or both: strong scaling (Fig. 7a), weak scaling (Fig. 7b), sizes and ranks (Fig. 7c).
nlohmann::json factor_volumes(const std::vector<std::string>& kinds, const std::vector<int>& ranks);
void print_factor_volumes(const nlohmann::json& rows);

}  // namespace cairn::bench
