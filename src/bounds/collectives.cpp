#include "bounds/collectives.hpp"

#include <cmath>

namespace cairn::bounds::collectives {
namespace {

// What leaves a rank's own share out.
Cost spread(double ranks, double words) {
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  return {.words = (ranks - 1) / ranks * words, .messages = std::log2(ranks)};
}

// What moves whole, unless there is nobody to move it to.
Cost whole(double ranks, double words) {
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  return {.words = ranks > 1 ? words : 0, .messages = std::log2(ranks)};
}

// An addition for every word that moves.
Cost adding(Cost cost) {
  cost.flops = cost.words;
  return cost;
}

}  // namespace

Cost permute(double words) { return {.words = words, .messages = 1}; }
Cost broadcast(double ranks, double words) { return whole(ranks, words); }
Cost reduce(double ranks, double words) { return adding(whole(ranks, words)); }
Cost scatter(double ranks, double words) { return spread(ranks, words); }
Cost gather(double ranks, double words) { return spread(ranks, words); }
Cost allgather(double ranks, double words) { return spread(ranks, words); }
Cost reduce_scatter(double ranks, double words) { return adding(spread(ranks, words)); }
Cost allreduce(double ranks, double words) { return reduce_scatter(ranks, words) + allgather(ranks, words); }
Cost all_to_all(double ranks, double words) { return spread(ranks, words); }

}  // namespace cairn::bounds::collectives
