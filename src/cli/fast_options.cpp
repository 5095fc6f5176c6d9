#include "cli/fast_options.hpp"

#include "cli/machine_file.hpp"
#include "cli/rates_file.hpp"
#include "gemm/fast/catalogue.hpp"

namespace cairn::cli {

gemm::Problem FastCommand::problem() const {
  const bounds::Product p = size.product();
  return {.m = p.m, .n = p.n, .k = p.k, .type = parse_scalar_type(type)};
}

gemm::fast::FastOptions FastCommand::options() const {
  gemm::fast::FastOptions o;
  o.machine = known_machine(machine).machine;
  o.rates = known_rates(1, rates).rates;
  o.algorithm = gemm::fast::bilinear_of(entry);
  o.family = gemm::fast::parse_family(family);
  o.order = order == "off" ? "" : order;
  if (memory) o.memory_words = *memory;
  if (max_error_growth) o.max_error_growth = *max_error_growth;
  return o;
}

void add_fast_command(Command app, FastCommand& o) {
  add_product(app, o.size);
  add_size(app, "--ranks,-P", o.ranks, "Ranks");
  app.add_option("--type", o.type, "s, d, c or z");
  app.add_option("--fast", o.order, "off, auto, or an order of steps such as BBD (B: BFS, D: DFS)");
  app.add_option("--algorithm", o.family,
                 "any, caps, strassen-2d, strassen-2.5d, 2d-strassen or 2.5d-strassen");
  app.add_option("--entry", o.entry,
                 "The bilinear algorithm of the steps: a name of the catalogue or a file");
  app.add_option("--machine", o.machine, "File of cairn info --save").type_name("FILE");
  app.add_option("--rates", o.rates, "File of cairn tune --save").type_name("FILE");
  add_memory(app, o.memory, "Words of memory per rank, A, B and C included");
  add_amount(app, "--max-error-growth", o.max_error_growth,
             "Most times by which steps may enlarge the error bound");
  app.add_flag("--json", o.json, "Print JSON");
}

}  // namespace cairn::cli
