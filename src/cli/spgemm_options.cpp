#include "cli/spgemm_options.hpp"

#include "io/sparse_files.hpp"

namespace cairn::cli {
namespace {

void add_bound_sizes(Command app, SpgemmRequest& o) {
  add_size(app, "-N,--N,-n,--n", o.n, "Rows and columns of the matrices").required();
  add_amount(app, "-d,--d", o.d, "Nonzeros per row on average").required();
}

void add_matrices(Command app, SpgemmRequest& o) {
  app.add_option("--a", o.a, "File with A: .mtx, .mtx.gz or .npz").type_name("FILE");
  app.add_option("--b", o.b, "File with B (default: A)").type_name("FILE");
  app.add_option(
      "--gen", o.generator,
      "Generate A: er n=65536 d=8 | rmat scale=14 d=8 | stencil5 nx=256 | banded n=1000 width=3 ...");
  app.add_option("--gen-b", o.generator_b, "Generate B (default: A)");
  app.add_option("--op-a", o.op_a, "A as it is, transposed, or conjugated and transposed").type_name("N|T|C");
  app.add_option("--op-b", o.op_b, "The same for B").type_name("N|T|C");
}

}  // namespace

void add_spgemm_options(Command app, SpgemmRequest& o, Verb verb) {
  if (verb == Verb::bound) return add_bound_sizes(app, o);
  add_matrices(app, o);
  app.add_option("--algorithm", o.algorithm, "auto, block-row, aware-2d, ... (default auto)");
  add_size(app, "--layers", o.layers, "Layers of a 3D algorithm");
  app.add_option("--objective", o.objective, "bytes or time (default bytes)").one_of({"bytes", "time"});
  app.add_option("--type", o.type, "s, d, c or z (default d)");
  app.add_option("--layout", o.layout,
                 "Layout of A and B: native (generated where the algorithm wants them), rows, columns, 2d "
                 "PRxPC, on RANK (default native)");
  app.add_flag("--shuffle", o.shuffle,
               "Permute rows and columns at random first, so that ranks have equal shares");
  app.add_flag("--reuse", o.reuse,
               "Products after a first, untimed one, whose pattern they know: values alone are sent");
  if (verb == Verb::plan) return;
  app.add_option("--out", o.out, "File for C").type_name("FILE");
  app.add_option("--semiring", o.semiring, "plus-times, min-plus, max-plus, or-and, plus-pair");
  app.add_option("--mask", o.mask, "Compute C only where this file has entries").type_name("FILE");
  app.add_flag("--mask-complement", o.mask_complement,
               "Compute C only where the file of --mask has no entries");
}

void read_spgemm_options(SpgemmRequest& o, const SharedOptions& shared) {
  require(o.generator.empty() != o.a.empty(), "expected either --gen or --a");
  require(o.b.empty() || !o.a.empty(), "--b is given without --a");
  require(o.generator_b.empty() || !o.generator.empty(), "--gen-b is given without --gen");
  if (!o.out.empty()) {
    io::sparse_format_of(o.out);
    require_folder("--out", o.out);
  }
  require(!o.reuse || o.mask.empty(), "--reuse is given with --mask, expected one of them");
  require(!o.mask_complement || !o.mask.empty(), "--mask-complement is given without --mask");
  if (!o.generator.empty()) sparse::parse_generator(o.generator);
  if (!o.generator_b.empty()) sparse::parse_generator(o.generator_b);
  sparse::parse_spgemm_algorithm(o.algorithm);
  parse_op("--op-a", o.op_a);
  parse_op("--op-b", o.op_b);
  const ScalarType type = parse_scalar_type(o.type);
  const sparse::Semiring semiring = sparse::parse_semiring(o.semiring);
  dispatch(type, [&]<class T>() { sparse::dispatch<T>(semiring, []<class S>() {}); });
  require(shared.checks() <= 64, "--verify-rounds is {}, expected 1 to 64", shared.verify_rounds);
}

sparse::SpgemmPlanOptions planning_of(const SpgemmRequest& o, const SharedOptions& shared) {
  sparse::SpgemmPlanOptions options;
  options.algorithm = sparse::parse_spgemm_algorithm(o.algorithm);
  if (o.layers) options.layers = narrow<int>(*o.layers, "--layers");
  options.memory_bytes = shared.memory_bytes;
  options.objective = o.objective == "time" ? sparse::SpgemmObjective::time : sparse::SpgemmObjective::bytes;
  options.machine = shared.machine.machine;
  return options;
}

SpgemmShuffles shuffles_of(const SpgemmRequest& o, const sparse::ProductShape& shape) {
  if (!o.shuffle) return {};
  // A graph is permuted like a graph: one permutation wherever the sizes are the same.
  const auto of_size = [](Index size) { return sparse::Shuffle(size, 1); };
  return {of_size(shape.m), of_size(shape.k), of_size(shape.n)};
}

}  // namespace cairn::cli
