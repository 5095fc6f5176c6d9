// cairn bound: the fewest words, for what is known in closed form. No MPI.
#include <memory>

#include "cli/arguments.hpp"
#include "cli/bound_parts.hpp"
#include "cli/commands.hpp"

namespace cairn::cli {
namespace {

struct Options {
  ProductOptions product;
  Index n = 0;
  Index ranks = 0;
  std::optional<double> memory;
  std::optional<double> d;
  bool json = false;
};

using Report = bounds::BoundReport (*)(const Options&);

Index ranks_or_one(const Options& o) { return o.ranks > 0 ? o.ranks : 1; }

// Without ranks: one processor that loads and stores. With them: words between ranks.
bounds::BoundReport multiply(const Options& o) {
  const bounds::Product p = o.product.product();
  require(
      o.ranks > 0 || o.memory.has_value(),
      "--ranks and --memory are missing: give --ranks for the words between ranks, --memory for the loads "
      "and stores of one processor, or both");
  return o.ranks > 0 ? bounds::bound_multiply(p, o.ranks, o.memory)
                     : bounds::bound_multiply_sequential(p, *o.memory);
}

bounds::BoundReport strassen(const Options& o) {
  return bounds::bound_strassen(o.n, ranks_or_one(o), o.memory);
}
bounds::BoundReport lu(const Options& o) { return bounds::bound_lu(o.n, ranks_or_one(o), *o.memory); }
bounds::BoundReport cholesky(const Options& o) {
  return bounds::bound_cholesky(o.n, ranks_or_one(o), *o.memory);
}
bounds::BoundReport spgemm(const Options& o) { return bounds::bound_spgemm({o.n, *o.d, ranks_or_one(o)}); }

struct Operation {
  Command app;
  std::shared_ptr<Options> options = std::make_shared<Options>();
};

Operation add(Command bound, const char* name, const char* help, const char* example, Report report) {
  Operation c{bound.add_subcommand(name, help)};
  c.app.footer(fmt::format("example:\n  cairn bound {} {}", name, example));
  add_size(c.app, "--ranks,-P", c.options->ranks, "Number of ranks");
  c.app.add_flag("--json", c.options->json, "Print one JSON object");
  c.app.callback([o = c.options, report] { print_bound(report(*o), o->json); });
  return c;
}

void add_side(const Operation& c) {
  add_size(c.app, "-N,--N,-n,--n", c.options->n, "Rows and columns of the matrices").required();
}

Option add_memory(const Operation& c, const char* help) {
  return cli::add_memory(c.app, c.options->memory, help);
}

}  // namespace

void add_bound(Command app) {
  const Command bound =
      app.add_subcommand("bound", "The fewest words that an operation or a loop program can move");
  bound.require_subcommand();

  const Operation product =
      add(bound, "multiply", "C = A B with m n k products: words between ranks, or loads and stores",
          "-m 4096 -n 4096 -k 4096 --ranks 64 --memory 1e6", multiply);
  add_product(product.app, product.options->product);
  add_memory(product, "Words of memory a rank; without --ranks: of the fast memory");

  const Operation fast = add(bound, "strassen", "C = A B by Strassen's algorithm, N x N, up to a constant",
                             "-N 4096 --ranks 49 --memory 1e7", strassen);
  add_side(fast);
  add_memory(fast, "Words of memory a rank");

  const Operation factor = add(bound, "lu", "A = L U, N x N", "-N 4096 --ranks 64 --memory 1e6", lu);
  add_side(factor);
  add_memory(factor, "Words of memory a rank").required();

  const Operation root =
      add(bound, "cholesky", "A = L L^T, N x N", "-N 4096 --ranks 64 --memory 1e6", cholesky);
  add_side(root);
  add_memory(root, "Words of memory a rank").required();

  const Operation sparse =
      add(bound, "spgemm", "C = A B, N x N with d nonzeros a row at random places, up to a constant",
          "-N 1e6 -d 16 --ranks 64", spgemm);
  add_side(sparse);
  add_amount(sparse.app, "-d,--d", sparse.options->d, "Nonzeros a row on average").required();

  add_bound_program(bound);
  add_bound_table(bound);
}

}  // namespace cairn::cli
