// cairn multiply: the entry of the table.
#include "check/freivalds.hpp"
#include "cli/multiply_plan.hpp"
#include "cli/session.hpp"

namespace cairn::cli {
namespace {

// What can be known without looking into files. Their sizes and their type are not: any factor fits the type.
void read_multiply(MultiplyOptions& o, const SharedOptions& s) {
  const bool in_files = o.files.any_input();
  const ScalarType type = given_type(o).value_or(in_files ? ScalarType::c64 : ScalarType::f64);
  o.request = read_request(o, s, in_files ? bounds::Product{} : o.product.product(), type);
  check_files(o.files, o.request.beta != 0.0);
  if (!in_files && !under_launcher()) check_room(o.files, o.request.problem);
  require(s.verify_rounds <= check::VerifyOptions::most_rounds, "--verify-rounds is {}, expected 1 to {}",
          s.verify_rounds, check::VerifyOptions::most_rounds);
  require(!wants_fast(o) || (o.grid.empty() && o.draw.empty()),
          "--fast {} with --grid or --draw: fast products choose their own bricks", o.fast.order);
}

void look_into_files(MultiplyOptions& o, const SharedOptions& s, comm::CommView c) {
  const gemm::Problem& p = o.request.problem;
  if (o.files.any_input()) {
    const FoundProduct found = find_product(c, o.files, {o.product, p.op_a, p.op_b, given_type(o)});
    o.request = read_request(o, s, found.sizes, found.type);
  }
  o.request.settings.machine = s.machine.machine;
}

Planned plan_any(const MultiplyOptions& o, const SharedOptions& s, int ranks) {
  Planned planned = plan_product(o, s, ranks);
  const MultiplyRequest& r = o.request;
  if (s.explain && !wants_fast(o) && r.problem.multiplies() && r.settings.transport == Transport::two_sided)
    planned.lines.emplace_back("--fast auto", fast_hint(planned, o));
  return planned;
}

void draw_bricks(const MultiplyOptions& o, const Planned& planned) {
  if (!o.draw.empty()) write_output_file("--draw", o.draw, planned.picture());
}

// Without ranks: one processor that loads and stores. With them: words between ranks.
bounds::BoundReport bound_product(const MultiplyOptions& o, const BoundOptions& b) {
  const bounds::Product p = o.product.product();
  b.need_ranks_or_memory();
  return b.ranks ? bounds::bound_multiply(p, *b.ranks, b.memory)
                 : bounds::bound_multiply_sequential(p, *b.memory);
}

}  // namespace

Operation multiply_operation() {
  return make_operation<MultiplyOptions>({
      .name = "multiply",
      .summary = "C := alpha op(A) op(B) + beta C, on random matrices or files",
      .example = "-m 4096 -n 4096 -k 4096 --ranks 2",
      .options = add_multiply_options,
      .read = read_multiply,
      .once = [](const MultiplyOptions& o) { return o.files.any_input() || !o.files.out.empty(); },
      .must_look = [](const MultiplyOptions& o) { return o.files.any_input(); },
      .look = look_into_files,
      .plan = plan_any,
      .write = draw_bricks,
      .run = start_product,
      .bound = bound_product,
  });
}

}  // namespace cairn::cli
