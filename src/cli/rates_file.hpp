// The rates that `cairn tune` measured: how fast this machine multiplies and adds, by number of threads.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gemm/fast/rates.hpp"

namespace cairn::cli {

// $XDG_CACHE_HOME/cairn/fast-rates.json or ~/.cache/cairn/fast-rates.json. Throws if neither variable is set.
std::string default_rates_file();

void save_rates(const std::vector<gemm::fast::FastRates>& all, const std::string& path);

// Those for this many threads, or for the nearest number; built in where nothing was measured. Throws IoError
// for a file of another kind.
struct KnownRates {
  gemm::fast::FastRates rates;
  std::string source;  // the file, or "built in"
};
KnownRates known_rates(int threads, const std::string& file = {});

nlohmann::json rates_json(const gemm::fast::FastRates& rates);

}  // namespace cairn::cli
