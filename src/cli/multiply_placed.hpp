// cairn multiply and cairn plan multiply on matrices in layouts of their own: --layout-a, -b, -c.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/multiply_options.hpp"
#include "comm/communicator.hpp"
#include "plan/placed.hpp"

namespace cairn::cli {

struct LayoutTexts {
  std::string a, b, c;
  bool any() const { return !a.empty() || !b.empty() || !c.empty(); }
};
void add_layout_options(Command app, LayoutTexts& texts);

struct TimedPlacedPlan {
  plan::PlacedPlan plan;
  LayoutTexts texts;  // those that were not given filled in
  double seconds = 0;
};
// Throws ArgumentError that names the option. A matrix without a layout is blocked on the squarest mesh.
TimedPlacedPlan make_placed_plan(const MultiplyRequest& request, const LayoutTexts& texts, int ranks);

std::string placed_text(const MultiplyRequest& request, const TimedPlacedPlan& timed);
nlohmann::json placed_json(const MultiplyRequest& request, const TimedPlacedPlan& timed);

struct PlacedRunOptions {
  std::complex<double> alpha = 1, beta = 0;
  int repeat = 3;
  int verify_rounds = 2;  // 0: the result is not looked at
  bool json = false;
  std::string trace = {};  // file for the last repetition; empty: none
};
// Collective. Random matrices; rank 0 prints. False if the product is wrong.
bool run_placed(comm::CommView c, const MultiplyRequest& request, const TimedPlacedPlan& timed,
                const PlacedRunOptions& options);

}  // namespace cairn::cli
