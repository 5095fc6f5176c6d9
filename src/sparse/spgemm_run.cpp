#include "sparse/spgemm_run.hpp"

#include <complex>
#include <utility>

#include "comm/agreement.hpp"
#include "sparse/dist_operations.hpp"

namespace cairn::sparse {
namespace {

template <class T>
std::vector<comm::Argument> wishes(const SpgemmRunOptions<T>& o) {
  return {{"algorithm", std::string(name(o.planning.algorithm))},
          {"objective", o.planning.objective == SpgemmObjective::time ? "time" : "bytes"},
          {"layers", std::to_string(o.planning.layers.value_or(0))},
          {"shuffle", std::to_string(o.shuffle)},
          {"verify", std::to_string(o.verify)}};
}

template <class T>
Index fingerprint_of_wishes(const SpgemmRunOptions<T>& o) {
  const Index all[] = {static_cast<Index>(o.planning.algorithm), static_cast<Index>(o.planning.objective),
                       o.planning.layers.value_or(0), Index{o.shuffle}, o.verify};
  return comm::fingerprint(all);
}

template <class T>
void check_run(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
               const SpgemmRunOptions<T>& o) {
  const Index layouts[] = {a.layout.fingerprint(), b.layout.fingerprint()};
  comm::agree(
      comm, "spgemm",
      [&] {
        require(a.layout.columns() == b.layout.rows(),
                "A is {} x {} and B is {} x {}: expected as many rows of B as columns of A", a.layout.rows(),
                a.layout.columns(), b.layout.rows(), b.layout.columns());
        require(o.mask == nullptr || (o.mask->layout.rows() == a.layout.rows() &&
                                      o.mask->layout.columns() == b.layout.columns()),
                "the mask is {} x {}, expected {} x {}", o.mask == nullptr ? 0 : o.mask->layout.rows(),
                o.mask == nullptr ? 0 : o.mask->layout.columns(), a.layout.rows(), b.layout.columns());
        require(o.verify >= 0 && o.verify <= 64, "verify is {}, expected 0 to 64 rounds", o.verify);
        require(o.verify == 0 || o.mask == nullptr, "verify is {} with a mask, expected 0", o.verify);
        require(o.verify == 0 || !o.own, "verify is {} with a semiring of one's own, expected 0", o.verify);
        if (o.own)
          require(o.own->add != nullptr && o.own->multiply != nullptr,
                  "a semiring of one's own has no add or no multiply");
        else
          dispatch<T>(o.semiring, []<class S>() {});
        if (!o.method) grids_for(o.planning, comm.size());
      },
      {{"fingerprint of A's and B's layouts", comm::fingerprint(layouts),
        [&] {
          return std::vector<comm::Argument>{{"layout of A", a.layout.text()},
                                             {"layout of B", b.layout.text()}};
        }},
       {"fingerprint of the options", fingerprint_of_wishes(o), [&] { return wishes(o); }},
       {"semiring, or -1", o.own ? -1 : static_cast<Index>(o.semiring)},
       {"memory", o.planning.memory_bytes.value_or(-1)}});
}

template <class T>
SpgemmPlan make_plan(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                     SpgemmPlanOptions options) {
  const SpgemmSample sample = sample_product(comm, a, b, grids_for(options, comm.size()));
  options.a = &a.layout;
  options.b = &b.layout;
  return plan_spgemm(sample, options);  // the same arguments on every rank: the same plan, or the same error
}

// x as `to` says, in `room` unless it lies so already.
template <class T>
const DistSparse<T>& brought(comm::CommView comm, const DistSparse<T>& x, const SparseLayout& to,
                             DistSparse<T>& room) {
  if (x.layout == to) return x;
  const comm::Phase phase(comm.traffic(), "convert");
  room = convert(comm, x, to);
  return room;
}

template <class T>
void verify_product(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                    const SpgemmRunOptions<T>& o, SpgemmOutcome<T>& result) {
  if (o.verify == 0) return;
  result.verdict = check_product(comm, a, b, result.c, o.semiring, o.verify);
  check::require_right(*result.verdict, "sparse product");
}

// P A Q^T times Q B R^T is P C R^T. Sizes that are the same have the same permutation: a graph stays one.
template <class T>
SpgemmOutcome<T> multiply_shuffled(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                                   SpgemmRunOptions<T> o) {
  const Shuffle m(a.layout.rows(), 1), k(a.layout.columns(), 1), n(b.layout.columns(), 1);
  const int verify = std::exchange(o.verify, 0);
  const auto shuffled = [&](const DistSparse<T>& x, const Shuffle& rows, const Shuffle& columns, bool back) {
    const comm::Phase phase(comm.traffic(), "convert");
    return shuffle_sparse(comm, x, rows, columns, back);
  };
  DistSparse<T> mask;
  if (o.mask != nullptr) {
    mask = shuffled(*o.mask, m, n, false);
    o.mask = &mask;
  }
  o.shuffle = false;
  SpgemmOutcome<T> result = multiply_sparse(comm, shuffled(a, m, k, false), shuffled(b, k, n, false), o);
  result.c = shuffled(result.c, m, n, true);
  o.verify = verify;
  verify_product(comm, a, b, o, result);
  return result;
}

}  // namespace

template <class T>
SpgemmOutcome<T> multiply_sparse(comm::CommView comm, const DistSparse<T>& a, const DistSparse<T>& b,
                                 const SpgemmRunOptions<T>& o) {
  check_run(comm, a, b, o);
  if (o.shuffle) return multiply_shuffled(comm, a, b, o);
  SpgemmOutcome<T> result;
  if (!o.method) result.plan = make_plan(comm, a, b, o.planning);
  result.method = o.method ? *o.method : result.plan->best.method;
  const MethodLayouts layouts =
      layouts_of(result.method, {a.layout.rows(), b.layout.columns(), a.layout.columns()});
  BrickOptions<T> bricks;
  DistSparse<T> room_a, room_b, room_mask;
  if (o.mask != nullptr) {
    bricks.mask = &brought(comm, *o.mask, layouts.c, room_mask);
    bricks.mask_complement = o.mask_complement;
  }
  bricks.recall = o.recall;
  bricks.trace = o.trace;
  bricks.memory_bytes = o.planning.memory_bytes;
  const LocalKernel<T> kernel =
      o.own ? make_kernel<T>(*o.own, o.workers) : make_kernel<T>(o.semiring, o.workers);
  const DistSparse<T>& in_a = brought(comm, a, layouts.a, room_a);
  const DistSparse<T>& in_b = brought(comm, b, layouts.b, room_b);
  BrickResult<T> product = multiply_bricks<T>(comm, result.method, in_a, in_b, kernel, bricks);
  result.c = std::move(product.c);
  result.counts = product.counts;
  verify_product(comm, a, b, o, result);
  return result;
}

#define CAIRN_RUN(T)                                                                                       \
  template SpgemmOutcome<T> multiply_sparse<T>(comm::CommView, const DistSparse<T>&, const DistSparse<T>&, \
                                               const SpgemmRunOptions<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_RUN)
#undef CAIRN_RUN

}  // namespace cairn::sparse
