#include "bench/in_turn.hpp"

#include "cli/measure.hpp"

namespace cairn::bench {

Timings in_turn(const std::vector<std::function<void()>>& ways, int rounds, double seconds) {
  Timings times(ways.size());
  for (const auto& way : ways) way();
  const double begin = cli::seconds_now();
  for (int round = 0; round < rounds || cli::seconds_now() - begin < seconds; ++round)
    for (std::size_t turn = 0; turn < ways.size(); ++turn) {
      const std::size_t way = round % 2 == 0 ? turn : ways.size() - 1 - turn;
      const double start = cli::seconds_now();
      ways[way]();
      times.add(way, cli::seconds_now() - start);
    }
  return times;
}

}  // namespace cairn::bench
