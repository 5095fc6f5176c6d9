// Which calls went which way: counted always, kept by routine and shape for the table of CAIRN_SCALAPACK=report.
#pragma once

#include <optional>
#include <string>

#include "doors/scalapack/model.hpp"

namespace cairn::scalapack {

struct Counts {
  long long ours = 0;
  long long passed_on = 0;
};
Counts counts();

// Local. `words`: received by this rank, of ours; `seconds`: that the call took here.
struct Answer {
  bool ours = false;
  double words = 0;
  double seconds = 0;
  std::optional<double> expected = {};  // seconds of ours, where that was thought about
};
void count_answer(bool ours);
void keep_answer(const std::string& routine, const Shape& shape, const Answer& answer,
                 const Estimate& theirs);

// The table, if anything was kept.
std::string report_text();

}  // namespace cairn::scalapack
