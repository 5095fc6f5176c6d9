// Operations of which only the bound is known yet: `cairn bound OP`.
#include "cli/operation.hpp"

namespace cairn::cli {
namespace {

struct SideOptions {
  Index n = 0;
  std::optional<double> d;  // nonzeros per row
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

Operation lu_operation() {
  return make_operation<SideOptions>({
      .name = "lu",
      .summary = "A = L U, N x N",
      .example = "-N 4096 --ranks 64 --memory 1e6",
      .options = add_side,
      .bound =
          [](const SideOptions& o, const BoundOptions& b) {
            return bounds::bound_lu(o.n, b.ranks_or_one(), b.needed_memory());
          },
  });
}

Operation cholesky_operation() {
  return make_operation<SideOptions>({
      .name = "cholesky",
      .summary = "A = L L^T, N x N",
      .example = "-N 4096 --ranks 64 --memory 1e6",
      .options = add_side,
      .bound =
          [](const SideOptions& o, const BoundOptions& b) {
            return bounds::bound_cholesky(o.n, b.ranks_or_one(), b.needed_memory());
          },
  });
}

Operation spgemm_operation() {
  return make_operation<SideOptions>({
      .name = "spgemm",
      .summary = "C = A B, N x N with d nonzeros per row at random places, up to a constant",
      .example = "-N 1e6 -d 16 --ranks 64",
      .options =
          [](Command app, SideOptions& o, Verb verb) {
            add_side(app, o, verb);
            add_amount(app, "-d,--d", o.d, "Nonzeros per row on average").required();
          },
      .bound =
          [](const SideOptions& o, const BoundOptions& b) {
            return bounds::bound_spgemm({o.n, *o.d, b.ranks_or_one()});
          },
  });
}

}  // namespace cairn::cli
