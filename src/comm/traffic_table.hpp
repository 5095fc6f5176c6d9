// The traffic of all ranks in one table: what the busiest rank carried, the mean and the total.
#pragma once

#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace cairn::comm {

struct Spread {
  Index max = 0;
  Index total = 0;
  double mean = 0;
};

struct TrafficRow {
  std::string phase;  // "" for what was moved outside any phase
  Spread words_sent, words_received, bytes_sent, bytes_received, messages_sent, messages_received;
};

// Collective. One row a phase that any rank has, sorted by name, and a last row "total"; the same on every
// rank. Its own messages are not counted. Communication: O(log p) messages of the size of the table.
std::vector<TrafficRow> gather_traffic(CommView comm, const TrafficSnapshot& mine);

}  // namespace cairn::comm
