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
  // `arguments` are those of this program that ask for all rows.
  PdgemmWords(std::string wirecount, int ranks, std::vector<std::string> arguments)
      : wirecount_(std::move(wirecount)), ranks_(ranks), arguments_(std::move(arguments)) {}

  // Bytes received by each rank in that row.
  std::vector<Index> received(std::size_t row, const std::string& process_grid);

 private:
  std::vector<Index> launch(const std::string& part, std::size_t row) const;

  std::string wirecount_;
  int ranks_;
  std::vector<std::string> arguments_;
  std::map<std::string, std::vector<Index>> setups_;  // by process grid: nothing else matters to them
};

}  // namespace cairn::bench
