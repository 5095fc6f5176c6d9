// Words of one pdgemm and of ours on the wire, by launches under tools/wirecount.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/size.hpp"

namespace cairn::bench {

// What one launch of this program under wirecount printed, and what each rank received on the wire.
struct WireLaunch {
  nlohmann::json printed;
  std::vector<Index> messages;  // bytes of the program's own messages
  std::vector<Index> all;       // and of those inside MPI: its collectives, the start and the end
};
// IoError where there is no such tool, or the launch failed.
WireLaunch launch_counted(const std::string& wirecount, int ranks, const std::vector<std::string>& arguments);

// The words that pdgemm itself moves: a launch with one pdgemm less a launch without it.
class PdgemmWords {
 public:
  PdgemmWords(std::string wirecount, int ranks) : wirecount_(std::move(wirecount)), ranks_(ranks) {}

  // Bytes received by each rank.
  std::vector<Index> received(const std::string& shape, const std::string& grid, Index block);

 private:
  std::vector<Index> launch(const std::string& part, const std::string& shape, const std::string& grid,
                            Index block) const;

  std::string wirecount_;
  int ranks_;
  std::map<std::string, std::vector<Index>> setups_;  // by process grid: nothing else matters to them
};

}  // namespace cairn::bench
