// cairn info: what this machine and this build are, and how fast.
#include <hwloc.h>
#include <unistd.h>

#include <cairn/version.hpp>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/blas.hpp"
#include "bounds/machine.hpp"
#include "cli/commands.hpp"
#include "cli/machine_file.hpp"
#include "cli/measured_machine.hpp"
#include "cli/session.hpp"
#include "cli/shared_options.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "comm/library.hpp"

namespace cairn::cli {
namespace {

struct Hardware {
  int cores = 0;
  int threads = 0;
  Index memory_bytes = 0;
  Index last_cache_bytes = 0;
};

Hardware hardware() {
  hwloc_topology_t topology = nullptr;
  Hardware h{.cores = 1, .threads = 1};
  // hwloc adds up what it finds in NUMA nodes, which misses memory that was plugged in later.
  h.memory_bytes = static_cast<Index>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (hwloc_topology_init(&topology) != 0) return h;
  if (hwloc_topology_load(topology) == 0) {
    h.cores = std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE));
    h.threads = std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU));
    for (const hwloc_obj_type_t level : {HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE}) {
      const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, level, 0);
      if (cache == nullptr) continue;
      h.last_cache_bytes = static_cast<Index>(cache->attr->cache.size);
      break;
    }
  }
  hwloc_topology_destroy(topology);
  return h;
}

struct Report {
  Hardware hardware;
  blas::Library blas;
  comm::MpiLibrary mpi;
  int ranks = 1;
  int ranks_on_node = 1;
  int threads_per_rank = 1;
  Machine machine;  // all ranks at once
  std::vector<std::string> warnings;
};

void add_warnings(Report& r) {
  if (r.blas.vendor == "reference")
    r.warnings.push_back(fmt::format(
        "dgemm_ comes from a reference implementation ({}): local products will be many times slower "
        "than with an optimised BLAS such as OpenBLAS or BLIS",
        r.blas.path));
#if defined(__x86_64__)
  // Releases older than the processor fall back to kernels for the oldest one they know.
  if (r.blas.version.find("Prescott") != std::string::npos && __builtin_cpu_supports("avx2") != 0)
    r.warnings.push_back(
        fmt::format("OpenBLAS does not know this processor and uses its slowest kernels (Prescott); with "
                    "OPENBLAS_CORETYPE={} in the environment it runs many times faster",
                    __builtin_cpu_supports("avx512f") != 0 ? "SkylakeX" : "Haswell"));
#endif
#ifdef CAIRN_BLAS_ILP64
  constexpr int built_for = 64;
#else
  constexpr int built_for = 32;
#endif
  if (r.blas.integer_bits != built_for)
    r.warnings.push_back(fmt::format("the BLAS takes {}-bit integers, this program was built for {}-bit ones",
                                     r.blas.integer_bits, built_for));
}

Report examine(comm::CommView c) {
  Report r;
  r.hardware = hardware();
  r.ranks = c.size();
  r.ranks_on_node = comm::ranks_on_this_node(c);
  r.threads_per_rank = share_cores(c);
  r.blas = blas::library();
  r.mpi = comm::mpi_library();
  r.machine = measure_machine(c);
  add_warnings(r);
  return r;
}

nlohmann::json to_json(const Report& r) {
  const Machine& m = r.machine;
  return {{"cairn", CAIRN_VERSION},
          {"blas",
           {{"dgemm_", r.blas.path},
            {"vendor", r.blas.vendor},
            {"version", r.blas.version},
            {"integer_bits", r.blas.integer_bits},
            {"threads", r.blas.threads}}},
          {"mpi", {{"MPI_Init", r.mpi.path}, {"version", r.mpi.version}, {"standard", r.mpi.standard}}},
          {"cores", r.hardware.cores},
          {"hardware_threads", r.hardware.threads},
          {"memory_bytes", r.hardware.memory_bytes},
          {"last_cache_bytes", r.hardware.last_cache_bytes},
          {"ranks", r.ranks},
          {"ranks_on_node", r.ranks_on_node},
          {"threads_per_rank", r.threads_per_rank},
          {"gemm_flops_per_second", 1 / m.gamma},
          {"copy_bytes_per_second", 8 / m.copy},
          {"alpha_seconds", m.alpha},
          {"beta_seconds_per_word", m.beta},
          {"gamma_seconds_per_flop", m.gamma},
          {"link_measured", r.ranks > 1},
          {"warnings", r.warnings}};
}

std::string to_text(const Report& r) {
  std::string t;
  const auto line = [&](const char* name, const std::string& value) {
    t += fmt::format("{:<26}{}\n", name, value);
  };
  line("cairn", CAIRN_VERSION);
  line("dgemm_", fmt::format("{} ({})", r.blas.path, r.blas.vendor));
  if (!r.blas.version.empty()) line("  version", r.blas.version);
  line("  integers", fmt::format("{}-bit", r.blas.integer_bits));
  line("MPI_Init", r.mpi.path);
  line("  version", fmt::format("{}, MPI {}", r.mpi.version, r.mpi.standard));
  line("cores",
       fmt::format("{} ({} hardware threads, {} last-level cache)", r.hardware.cores, r.hardware.threads,
                   bytes_text(static_cast<double>(r.hardware.last_cache_bytes))));
  line("memory", bytes_text(static_cast<double>(r.hardware.memory_bytes)));
  line("ranks", fmt::format("{}, {} on this node, {} BLAS thread{} each", r.ranks, r.ranks_on_node,
                            r.threads_per_rank, r.threads_per_rank == 1 ? "" : "s"));
  line("dgemm, each rank", with_unit(1 / r.machine.gamma, "flop/s"));
  line("memory copy, each rank", with_unit(8 / r.machine.copy, "B/s"));
  if (r.ranks > 1) {
    line("message (alpha)", fmt::format("{:.2f} us", 1e6 * r.machine.alpha));
    line("8-byte word (beta)",
         fmt::format("{:.3f} ns ({})", 1e9 * r.machine.beta, with_unit(8 / r.machine.beta, "B/s")));
  } else {
    line("message (alpha)", "not measured: one rank");
  }
  for (const std::string& w : r.warnings) t += "warning: " + w + "\n";
  return t;
}

struct Options {
  int ranks = 0;
  bool json = false;
  bool keep = false;  // measure and keep as a run would, and say nothing
  std::optional<std::string> save;
};

void run(comm::CommView c, const Options& o) {
  if (o.keep) {
    share_cores(c);
    machine_on(c, {});
    return;
  }
  const std::string file = o.save ? (o.save->empty() ? default_machine_file() : *o.save) : "";
  const Report report = examine(c);
  if (c.rank() != 0) return;
  nlohmann::json json = to_json(report);
  if (o.save) {
    bounds::save_machine(report.machine, file);
    json["saved"] = file;
  }
  fmt::print("{}", o.json ? json.dump(2) + "\n" : to_text(report));
  if (o.save && !o.json) fmt::print("{:<26}{}\n", "saved", file);
}

}  // namespace

void add_info(Command app, Invocation& invocation) {
  auto o = std::make_shared<Options>();
  const Command info =
      app.add_subcommand("info", "Show libraries, cores and memory, and measure rates and messages");
  info.add_option("--ranks", o->ranks,
                  "Ranks to start (default: one per core, at least 2); ignored under mpirun")
      .at_least(1);
  info.add_flag("--json", o->json, "Print one JSON object");
  info.add_option("--save", o->save,
                  "Save alpha, beta and gamma for planning, in FILE or in the user's configuration")
      .value_optional()
      .type_name("[FILE]");
  info.add_flag("--keep", o->keep, "Measure the machine for planning and cache the result").group("");
  info.callback([o, &invocation] {
    if (!under_launcher()) relaunch(o->ranks > 0 ? o->ranks : usual_ranks(), invocation.arguments);
    invocation.exit_code = run_on_ranks(invocation.watchdog_seconds, [&](comm::CommView c) { run(c, *o); });
  });
}

}  // namespace cairn::cli
