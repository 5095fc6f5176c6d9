// cairn spgemm: the entry of the table and its run.
#include "base/workers.hpp"
#include "cli/measure.hpp"
#include "cli/spgemm_options.hpp"
#include "cli/spy.hpp"
#include "comm/collectives.hpp"
#include "io/sparse_files.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using sparse::DistSparse;
using sparse::SparseLayout;

template <Scalar T>
class SpgemmWork final : public Work {
 public:
  SpgemmWork(CommView c, const SpgemmRequest& o, const SharedOptions& shared, const sparse::SpgemmPlan& plan)
      : comm_(c), o_(o), shared_(shared), plan_(plan), workers_(o.threads) {
    const auto& sources = std::any_cast<const SpgemmSources<T>&>(o.sources);
    const auto layouts = sparse::layouts_of(plan.best.method, plan.sample.shape);
    a_ = o.native() ? sources.a.in(layouts.a) : sources.a.in(o.layout);
    b_ = o.native() ? sources.b.in(layouts.b) : sources.b.in(o.layout);
    rows_ = sources.rows;
    columns_ = sources.columns;
    if (o.mask.empty()) return;
    SpgemmSource<T> mask(c, o.mask, "");
    mask.shuffle(rows_, columns_);
    mask_ = mask.in(SparseLayout::row_blocks(mask.rows(), mask.columns(), c.size()));
    if (o.native() && mask.rows() == plan.sample.shape.m && mask.columns() == plan.sample.shape.n)
      mask_ = sparse::convert(c, mask_, layouts.c);
  }

  // With --reuse: what the pattern is, before anything is timed or counted.
  void prepare(bool) override {
    if (o_.reuse && !recall_.complete) run(nullptr);
  }

  void run(program::Trace* trace) override {
    sparse::SpgemmRunOptions<T> run;
    run.method = plan_.best.method;
    run.planning.memory_bytes = shared_.memory_bytes;
    run.semiring = sparse::parse_semiring(o_.semiring);
    run.workers = o_.threads > 1 ? &workers_ : nullptr;
    run.trace = trace;
    run.recall = o_.reuse ? &recall_ : nullptr;
    if (!o_.mask.empty()) {
      run.mask = &mask_;
      run.mask_complement = o_.mask_complement;
    }
    outcome_ = sparse::multiply_sparse(comm_, a_, b_, run);
  }

  std::optional<WorkVerdict> check() override {
    if (!o_.mask.empty()) return {};
    WorkVerdict verdict =
        verdict_of(sparse::check_product(comm_, a_, b_, outcome_.c, sparse::parse_semiring(o_.semiring),
                                         shared_.verify_rounds),
                   shared_.verify_rounds);
    if (o_.semiring != "plus-times")
      verdict.how = fmt::format("by {} rows computed again", verdict.found.rows);
    return verdict;
  }

  void finish() override {
    entries_ = sparse::count_entries(comm_, outcome_.c);
    if (!shared_.report.empty()) {
      const Spy a = spy_on(comm_, a_), b = spy_on(comm_, b_), c = spy_on(comm_, outcome_.c);
      pictures_ = spy_svg("A", a) + spy_svg("B", b) + spy_svg("C", c);
    }
    if (!o_.out.empty()) write_product();
  }
  std::vector<PhaseTime> more_seconds() const override {
    if (!written_) return {};
    return {{"write", write_seconds_}};
  }
  nlohmann::json more_fields() const override {
    nlohmann::json nnz = {{"a", plan_.sample.entries_a},
                          {"b", plan_.sample.entries_b},
                          {"c", entries_ ? nlohmann::json(*entries_) : nlohmann::json(nullptr)},
                          {"c_estimated", plan_.sample.entries_c},
                          {"c_error", plan_.sample.entries_c_error}};
    nlohmann::json fields = {{"nnz", nnz}, {"column_phases", outcome_.counts.phases}};
    if (entries_) fields["compression"] = compression();
    return fields;
  }
  // Of a wrong result nothing: finish() has not been called.
  std::string more_text() const override {
    std::string text;
    if (entries_) text += fmt::format("nnz(C) {}, compression {:.2f}\n", *entries_, compression());
    if (written_) text += fmt::format("C written to {}\n", o_.out);
    return text;
  }
  std::string more_pictures() const override { return pictures_; }

 private:
  double compression() const {
    return *entries_ == 0 ? 1 : static_cast<double>(plan_.sample.voxels) / static_cast<double>(*entries_);
  }
  // In the order of the rows, and where they were before they were shuffled.
  void write_product() {
    const double start = seconds_now();
    const Index rows = outcome_.c.layout.rows(), columns = outcome_.c.layout.columns();
    const auto layout = SparseLayout::row_blocks(rows, columns, comm_.size());
    DistSparse<T> in_rows;
    if (rows_.moves() || columns_.moves()) {
      std::vector<io::Triple<T>> mine = sparse::global_triples(outcome_.c, comm_.rank());
      for (io::Triple<T>& t : mine) {
        t.row = rows_.back(t.row);
        t.column = columns_.back(t.column);
      }
      in_rows = sparse::from_triples<T>(comm_, layout, mine);
    } else {
      in_rows = sparse::convert(comm_, outcome_.c, layout);
    }
    io::write_sparse<T>(comm_, o_.out, rows, columns, sparse::global_triples(in_rows, comm_.rank()));
    write_seconds_ = comm::allreduce(comm_, seconds_now() - start, comm::ReduceOp::max);
    written_ = true;
  }

  CommView comm_;
  SpgemmRequest o_;
  SharedOptions shared_;
  sparse::SpgemmPlan plan_;
  Workers workers_;
  DistSparse<T> a_, b_, mask_;
  sparse::Shuffle rows_, columns_;
  sparse::Recall<T> recall_;
  sparse::SpgemmOutcome<T> outcome_;
  std::optional<Index> entries_;  // of C, once it is known to be right
  double write_seconds_ = 0;
  bool written_ = false;
  std::string pictures_;
};

template <Scalar T>
void measure_inputs(SpgemmRequest& o, const SharedOptions& shared, CommView c) {
  const SpgemmSources<T> sources = spgemm_sources<T>(c, o);
  const std::string layout = o.native() ? "rows" : o.layout;
  o.sample = sparse::sample_product(c, sources.a.in(layout), sources.b.in(layout),
                                    sparse::grids_for(planning_of(o, shared), c.size()));
  o.sources = sources;
}

void look_at_inputs(SpgemmRequest& o, const SharedOptions& shared, CommView c) {
  o.threads = std::max(1, blas::library().threads);
  dispatch(parse_scalar_type(o.type), [&]<class T>() { measure_inputs<T>(o, shared, c); });
}

std::unique_ptr<Work> start_spgemm(const SpgemmRequest& o, const SharedOptions& shared,
                                   const Planned& planned, CommView c) {
  const auto& plan = std::any_cast<const sparse::SpgemmPlan&>(planned.own);
  return dispatch(parse_scalar_type(o.type), [&]<class T>() -> std::unique_ptr<Work> {
    return std::make_unique<SpgemmWork<T>>(c, o, shared, plan);
  });
}

}  // namespace

Operation spgemm_operation() {
  return make_operation<SpgemmRequest>({
      .name = "spgemm",
      .summary = "C = A B of sparse matrices, generated or from files",
      .example = "--gen \"er n=65536 d=8\" --ranks 16\n"
                 "--a A.mtx --b B.mtx --algorithm aware-2d\n"
                 "--gen \"rmat scale=14 d=8\" --ranks 16 --report spgemm.html",
      .bound_example = "-N 1e6 -d 16 --ranks 64",
      .options = add_spgemm_options,
      .read = read_spgemm_options,
      .once = [](const SpgemmRequest& o) { return !o.a.empty(); },
      .must_look = [](const SpgemmRequest&) { return true; },
      .look = look_at_inputs,
      .plan = plan_spgemm_operation,
      .run = start_spgemm,
      .bound =
          [](const SpgemmRequest& o, const BoundOptions& b) {
            return bounds::bound_spgemm({o.n, *o.d, b.ranks_or_one()});
          },
  });
}

}  // namespace cairn::cli
