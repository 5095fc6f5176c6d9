// What messages, words and operations cost on this machine, for PlanOptions::machine and FactorOptions::machine.
#pragma once

#include <string>

#include "cairn/context.hpp"
#include "cairn/plan.hpp"

namespace cairn {

struct MeasureOptions {
  double seconds = 1;  // it takes about so long; a hundredth does for a first look
  // A file that `cairn info --save FILE` wrote, or the folder in which the program `cairn` keeps what it measured
  // ($XDG_CACHE_HOME/cairn or ~/.cache/cairn), where there may be one for this many ranks on this node. What rank 0 finds is
  // taken: a file as it is, what a folder has if a short collective takes about as long as it says. Nothing is written. Empty: not looked for.
  std::string kept_in = {};
};
// Collective. The same on every rank; on one rank alpha and beta are typical ones. Words: few small collectives, and as
// many larger ones as the time allows.
CAIRN_EXPORT Machine measure_machine(const Context& context, const MeasureOptions& options = {});

}  // namespace cairn
