#include "cli/spgemm_data.hpp"

#include "base/workers.hpp"
#include "cli/measure.hpp"
#include "comm/collectives.hpp"
#include "io/sparse_files.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using sparse::DistSparse;
using sparse::SparseLayout;

// A matrix that can be had in any layout: generated there, or read from a file and sent there.
template <Scalar T>
class Source {
 public:
  Source(CommView c, const std::string& file, const std::string& generator) : comm_(c) {
    if (file.empty()) {
      generator_ = sparse::parse_generator(generator);
      rows_ = generator_.rows;
      columns_ = generator_.columns;
      return;
    }
    const io::SparseInfo info = io::probe_sparse(c, file);
    rows_ = info.rows;
    columns_ = info.columns;
    triples_ = io::read_sparse<T>(c, file);
    from_file_ = true;
  }
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  DistSparse<T> in(const SparseLayout& layout) const {
    if (from_file_) return sparse::from_triples<T>(comm_, layout, triples_);
    return sparse::generate_sparse<T>(generator_, layout, comm_.rank());
  }
  DistSparse<T> in(const std::string& text) const {
    return in(SparseLayout::parse(text, rows_, columns_, comm_.size()));
  }

 private:
  CommView comm_;
  Index rows_ = 0, columns_ = 0;
  sparse::Generator generator_;
  bool from_file_ = false;
  std::vector<io::Triple<T>> triples_;
};

template <Scalar T>
struct Sources {
  Source<T> a, b;
};

template <Scalar T>
Sources<T> sources_of(CommView c, const SpgemmRequest& o) {
  return {{c, o.a, o.generator},
          {c, o.b.empty() ? o.a : o.b, o.generator_b.empty() ? o.generator : o.generator_b}};
}

sparse::SpgemmPlanOptions planning_of(const SpgemmRequest& o) {
  sparse::SpgemmPlanOptions options;
  options.algorithm = sparse::parse_spgemm_algorithm(o.algorithm);
  if (o.layers > 0) options.layers = o.layers;
  if (o.memory > 0) options.memory_bytes = o.memory;
  options.objective = o.objective == "time" ? sparse::SpgemmObjective::time : sparse::SpgemmObjective::bytes;
  return options;
}

bool is_native(const SpgemmRequest& o) { return o.layout == "native"; }

template <Scalar T>
sparse::SpgemmPlan plan_sources(CommView c, const SpgemmRequest& o, const Sources<T>& s) {
  sparse::SpgemmPlanOptions options = planning_of(o);
  const std::string layout = is_native(o) ? "rows" : o.layout;
  const DistSparse<T> a = s.a.in(layout), b = s.b.in(layout);
  const auto sample = sparse::sample_product(c, a, b, sparse::grids_for(options, c.size()));
  if (!is_native(o)) {
    options.a = &a.layout;
    options.b = &b.layout;
  }
  return sparse::plan_spgemm(sample, options);
}

template <Scalar T>
void write_product(CommView c, const std::string& path, const DistSparse<T>& x) {
  const auto rows =
      sparse::convert(c, x, SparseLayout::row_blocks(x.layout.rows(), x.layout.columns(), c.size()));
  const std::vector<io::Triple<T>> triples = sparse::global_triples(rows, c.rank());
  io::write_sparse<T>(c, path, x.layout.rows(), x.layout.columns(), triples);
}

}  // namespace

template <Scalar T>
sparse::SpgemmPlan plan_spgemm_for(CommView c, const SpgemmRequest& o) {
  return plan_sources(c, o, sources_of<T>(c, o));
}

template <Scalar T>
SpgemmMeasured<T> measure_spgemm(CommView c, const SpgemmRequest& o, int threads) {
  const Sources<T> s = sources_of<T>(c, o);
  SpgemmMeasured<T> m;
  m.plan = plan_sources(c, o, s);
  const auto layouts = sparse::layouts_of(m.plan.best.method, {s.a.rows(), s.b.columns(), s.a.columns()});
  const DistSparse<T> a = is_native(o) ? s.a.in(layouts.a) : s.a.in(o.layout);
  const DistSparse<T> b = is_native(o) ? s.b.in(layouts.b) : s.b.in(o.layout);
  DistSparse<T> mask;
  Workers workers(threads);
  sparse::SpgemmRunOptions<T> run;
  run.method = m.plan.best.method;
  run.semiring = sparse::parse_semiring(o.semiring);
  run.workers = threads > 1 ? &workers : nullptr;
  if (!o.mask.empty()) {
    mask = Source<T>(c, o.mask, "").in(layouts.c);
    run.mask = &mask;
    run.mask_complement = o.mask_complement;
  }
  for (int k = 0; k < o.repeat; ++k) {
    comm::barrier(c);
    const comm::TrafficSnapshot before = c.traffic().snapshot();
    const double start = seconds_now();
    m.outcome = sparse::multiply_sparse(c, a, b, run);
    m.seconds.push_back(comm::allreduce(c, seconds_now() - start, comm::ReduceOp::max));
    m.traffic = c.traffic().snapshot() - before;
  }
  m.seconds_multiply = comm::allreduce(c, m.outcome.counts.seconds_multiply, comm::ReduceOp::max);
  if (o.verify > 0 && o.mask.empty())
    m.outcome.verdict = sparse::check_product(c, a, b, m.outcome.c, run.semiring, o.verify);
  m.entries_c = sparse::count_entries(c, m.outcome.c);
  if (!o.out.empty()) write_product(c, o.out, m.outcome.c);
  return m;
}

template sparse::SpgemmPlan plan_spgemm_for<double>(CommView, const SpgemmRequest&);
#define CAIRN_MEASURE(T) template SpgemmMeasured<T> measure_spgemm<T>(CommView, const SpgemmRequest&, int);
CAIRN_FOR_EACH_SCALAR(CAIRN_MEASURE)
#undef CAIRN_MEASURE

}  // namespace cairn::cli
