// cairn bench: the benchmarks of bench/, by name.
#include "bench/all.hpp"
#include "bench/collectives.hpp"
#include "bench/factor.hpp"
#include "bench/fast.hpp"
#include "bench/memory.hpp"
#include "bench/multiply.hpp"
#include "bench/pdgemm.hpp"
#include "bench/redistribute.hpp"
#include "bench/relabel.hpp"
#include "bench/spgemm.hpp"
#include "bench/spgemm_local.hpp"
#include "bench/volume.hpp"
#include "cli/commands.hpp"

namespace cairn::cli {

void add_bench(Command app, Invocation& invocation) {
  const Command bench = app.add_subcommand("bench", "Run one of the benchmarks");
  bench.require_subcommand();
  cairn::bench::add_all(bench);
  cairn::bench::add_collectives(bench, invocation);
  cairn::bench::add_redistribute(bench, invocation);
  cairn::bench::add_relabel(bench);
  cairn::bench::add_multiply(bench, invocation);
  cairn::bench::add_pdgemm(bench, invocation);
  cairn::bench::add_factor(bench, invocation);
  cairn::bench::add_fast(bench, invocation);
  cairn::bench::add_fast_local(bench);
  cairn::bench::add_memory(bench, invocation);
  cairn::bench::add_spgemm_local(bench);
  cairn::bench::add_spgemm(bench, invocation);
  cairn::bench::add_volume(bench);
}

}  // namespace cairn::cli
