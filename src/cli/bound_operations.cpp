// Operations of which only the bound is known yet: `cairn bound OP`.
#include "cli/operation.hpp"

namespace cairn::cli {
namespace {

struct SideOptions {
  Index n = 0;
};

void add_side(Command app, SideOptions& o, Verb /*verb*/) {
  add_size(app, "-N,--N,-n,--n", o.n, "Rows and columns of the matrices").required();
}

}  // namespace

Operation strassen_operation() {
  return make_operation<SideOptions>({
      .name = "strassen",
      .summary = "C = A B by Strassen's algorithm, N x N, up to a constant",
      .example = "-N 4096 --ranks 49 --memory 1e7",
      .options = add_side,
      .bound = [](const SideOptions& o,
                  const BoundOptions& b) { return bounds::bound_strassen(o.n, b.ranks_or_one(), b.memory); },
  });
}

}  // namespace cairn::cli
