#include "doors/scalapack/experience.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::scalapack {
namespace {

std::size_t at(Way way) { return static_cast<std::size_t>(way); }

}  // namespace

void Trial::keep(Way w, double seconds) {
  measured[at(w)] = times[at(w)] == 0 ? seconds : std::min(measured[at(w)], seconds);
  ++times[at(w)];
}

void Experience::add(Ratio& ratio, double log) {
  ratio.log = ratio.known ? (ratio.log + log) / 2 : log;
  ratio.known = true;
}

void Experience::learn(const std::string& routine, Way way, double predicted, double measured) {
  if (!(predicted > 0) || !(measured > 0) || !std::isfinite(predicted)) return;
  add(routines_[routine][at(way)], std::log(measured / predicted));
}

double Experience::ratio(const std::string& routine, Way way) const {
  const auto found = routines_.find(routine);
  const std::array<Ratio, 2> of_routine = found == routines_.end() ? std::array<Ratio, 2>{} : found->second;
  const Ratio &mine = of_routine[at(way)], &others = of_routine[at(other(way))];
  if (mine.known) return std::exp(mine.log);
  if (!others.known) return 1;
  return std::exp(way == Way::theirs ? std::min(others.log, 0.0) : others.log);
}

double Experience::expected(const std::string& routine, const Trial& trial, Way way) const {
  if (trial.is_known(way)) return trial.measured[at(way)];
  return trial.predicted[at(way)] * ratio(routine, way);
}

void Experience::choose(const std::string& routine, Trial& trial) const {
  const double ours = expected(routine, trial, Way::ours), theirs = expected(routine, trial, Way::theirs);
  const bool both = trial.is_known(Way::ours) && trial.is_known(Way::theirs);
  trial.way = ours < (both ? 1 : margin) * theirs ? Way::ours : Way::theirs;
  trial.settled = trial.is_known(trial.way);
  if (both || !trial.settled) return;
  const double lost = (trial.way == Way::ours ? theirs / ours : ours / theirs) - 1;  // calls, a call
  const double affordable = Trial::enough * std::max(lost, 0.0) / price_of_trying;
  trial.tries_other = trial.tries_other || static_cast<double>(trial.calls) > affordable;
  if (trial.tries_other) {
    trial.way = other(trial.way);
    trial.settled = false;
  } else if (affordable < 1e6) {
    trial.again = static_cast<long long>(affordable) + 1;
  }
}

}  // namespace cairn::scalapack
