// Chooses how a product with a triangle is done: in place where its triangle lies, or on a symmetric pattern of some
// positions times parts of the panels; by predicted time or by words, with the users' real layouts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bounds/machine.hpp"
#include "comm/traffic.hpp"
#include "symmetric/compile.hpp"

namespace cairn::symmetric {

enum class Goal : std::uint8_t { time, words };

struct Settings {
  Goal goal = Goal::time;
  std::string algorithm = "auto";          // auto, pattern, in-place
  std::optional<int> parts = {};           // of the panels
  std::optional<Index> memory_bytes = {};  // most that a rank may hold
  Machine machine = {};
  std::size_t most_candidates = 8;  // listed
  friend bool operator==(const Settings& x, const Settings& y);
};

struct Candidate {
  std::string pattern;
  int positions = 1, parts = 1;
  bool stays = false;  // the triangle, where it is
  // Estimates: what seats need less what their ranks have. The busiest by the larger of sent and received.
  double mean_words = 0, busiest_words = 0;
  double work = 1;  // of the busiest rank over an even share
  double seconds = 0;
  Index memory_bytes = 0;  // of the rank that holds most
  std::string why = {};
};

struct Plan {
  Problem problem;
  int ranks = 1;
  std::shared_ptr<const Shape> shape;
  Candidate best;
  std::vector<Candidate> candidates;  // best first
  double bound_words = 0;
};

// Pure. Throws ArgumentError for impossible arguments, MemoryError where nothing fits: it says the least that does.
Plan plan_product(const Problem& problem, const std::array<layout::Layout, 3>& layouts, int ranks,
                  const Settings& settings = {});

// What every rank moves: counted on the Programs that run. O(ranks) Programs.
std::vector<comm::Counters> count(const Plan& plan, const std::array<layout::Layout, 3>& layouts);

double bound_words(const Problem& problem, int ranks);

// Throws ArgumentError unless the layouts are those of the problem's matrices and name only ranks below `ranks`.
void check_layouts(const Problem& problem, const std::array<layout::Layout, 3>& layouts, int ranks);

}  // namespace cairn::symmetric
