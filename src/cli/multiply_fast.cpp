#include "cli/multiply_fast.hpp"

#include "cli/multiply_options.hpp"
#include "cli/rates_file.hpp"
#include "gemm/fast/catalogue.hpp"
#include "plan/fast.hpp"

namespace cairn::cli {

void add_fast_choice(Command app, FastChoice& o) {
  app.add_option("--fast", o.order,
                 "Strassen-like steps: off (default), auto, or an order such as BBD (B: BFS, D: DFS)")
      .type_name("off|auto|ORDER");
  app.add_option("--entry", o.entry, "The bilinear algorithm of the steps: see cairn fast list")
      .type_name("NAME|FILE");
  add_amount(app, "--max-error-growth", o.max_error_growth,
             "Most times by which steps may enlarge the error bound");
}

bool wants_fast(const MultiplyOptions& o) { return o.fast.order != "off" || plan::names_fast(o.algorithm); }

plan::FastSettings fast_settings(const MultiplyOptions& o) {
  plan::FastSettings f;
  f.allowed = wants_fast(o);
  if (!f.allowed) return f;
  if (o.fast.order != "off") f.order = o.fast.order;
  if (f.order != "auto") gemm::fast::parse_steps(f.order, nullptr);
  f.algorithm = gemm::fast::bilinear_of(o.fast.entry);
  if (o.fast.max_error_growth) f.max_error_growth = *o.fast.max_error_growth;
  require(f.max_error_growth >= 1, "--max-error-growth is {}, expected 1 or more", f.max_error_growth);
  f.rates = known_rates(1).rates;
  return f;
}

std::string fast_hint(const Planned& planned, const MultiplyOptions& o) {
  plan::Settings settings = o.request.settings;
  settings.fast.rates = known_rates(1).rates;
  return plan::fast_hint(std::any_cast<const plan::Plan&>(planned.own), settings);
}

}  // namespace cairn::cli
