// cairn spmm: Y = A X with a sparse A and a dense X of a few columns; one column is a product with a vector.
#include <cmath>
#include <set>

#include "cli/measure.hpp"
#include "cli/spgemm_options.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "comm/partition.hpp"
#include "io/files.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/kinds.hpp"
#include "sparse/blocks.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/spmm.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using sparse::DistSparse;
using sparse::SparseLayout;

struct SpmmRequest {
  std::string a, generator, x, out;
  std::string layout = "rows", semiring = "plus-times", type = "d";
  Index columns = 1;

  // Found by look(), on ranks: what is where, and A itself (SpgemmSource<T>).
  std::any counts, source;
};

void add_spmm_options(Command app, SpmmRequest& o, Verb verb) {
  app.add_option("--a", o.a, "File with A: .mtx, .mtx.gz or .npz").type_name("FILE");
  app.add_option("--gen", o.generator,
                 "Generate A: er n=65536 d=8 | rmat scale=14 d=8 | stencil5 nx=256 ...");
  add_size(app, "--columns", o.columns, "Columns of X and Y (default 1: a vector)");
  app.add_option("--layout", o.layout, "Layout of A: rows, columns, 2d PRxPC, on RANK (default rows)");
  app.add_option("--type", o.type, "s, d, c or z (default d)");
  if (verb == Verb::plan) return;
  app.add_option("--x", o.x, "File with X: .npy, .mtx or .h5 (default: small whole numbers)")
      .type_name("FILE");
  app.add_option("--out", o.out, "File for Y").type_name("FILE");
  app.add_option("--semiring", o.semiring, "plus-times, min-plus, max-plus, or-and, plus-pair");
}

void read_spmm_options(SpmmRequest& o, const SharedOptions& shared) {
  require(o.generator.empty() != o.a.empty(), "expected either --gen or --a");
  require(o.columns >= 1, "--columns is {}, expected 1 or more", o.columns);
  if (!o.generator.empty()) sparse::parse_generator(o.generator);
  const ScalarType type = parse_scalar_type(o.type);
  const sparse::Semiring semiring = sparse::parse_semiring(o.semiring);
  dispatch(type, [&]<class T>() { sparse::dispatch<T>(semiring, []<class S>() {}); });
  if (!o.out.empty())
    require(io::format_by_extension(o.out).has_value(),
            "--out is '{}', expected a name that ends in .npy, .mtx or .h5", o.out);
  if (!o.out.empty()) require_folder("--out", o.out);
  require(shared.checks() <= 64, "--verify-rounds is {}, expected 1 to 64", shared.verify_rounds);
}

// ---- plan --------------------------------------------------------------------------------------------------

// What every rank sends and receives: X for the columns of its block that have entries, and sums for its rows.
struct SpmmCounts {
  Index rows = 0, columns = 0, entries = 0;
  std::vector<Index> sent, received, messages, memory, products;

  SpmmCounts() = default;
  SpmmCounts(Index m, Index k, int ranks) : rows(m), columns(k) {
    for (auto* list : {&sent, &received, &messages, &memory, &products})
      list->assign(static_cast<std::size_t>(ranks), 0);
  }
  void move(int from, int to, Index words) {
    if (from == to) return;
    sent[static_cast<std::size_t>(from)] += words;
    received[static_cast<std::size_t>(to)] += words;
  }
};

// A number that is asked for or added up: who has it, or has a sum for it, and whose dense row it is.
class LineCount {
 public:
  LineCount(SpmmCounts& counts, Index length, Index width, bool to_owner)
      : counts_(counts),
        dense_(comm::Partition::balanced(static_cast<int>(counts.sent.size()), length)),
        width_(width),
        to_owner_(to_owner) {}
  LineCount(const LineCount&) = delete;
  LineCount& operator=(const LineCount&) = delete;
  // Lengths and lists of what is asked for, answers; lengths and sums.
  ~LineCount() {
    for (const auto& [rank, owner] : pairs_) {
      counts_.messages[static_cast<std::size_t>(owner)] += 2;
      if (!to_owner_) counts_.messages[static_cast<std::size_t>(rank)] += 1;
    }
  }

  void add(int rank, Index line) {
    const int owner = dense_.block_of(line);
    if (rank == owner) return;
    to_owner_ ? counts_.move(rank, owner, width_) : counts_.move(owner, rank, width_);
    pairs_.emplace(rank, owner);
  }

 private:
  SpmmCounts& counts_;
  comm::Partition dense_;
  Index width_;
  bool to_owner_;
  std::set<std::pair<int, int>> pairs_;
};

// Row i of `lines` meets places of the other dimension.
void count_lines(SpmmCounts& counts, const sparse::PatternView& lines, const sparse::Cut& own,
                 const sparse::Cut& other, Index width, bool to_owner) {
  LineCount count(counts, lines.rows, width, to_owner);
  std::set<int> places;
  for (Index i = 0; i < lines.rows; ++i) {
    places.clear();
    for (const sparse::Local j : lines.row(i)) places.insert(other.place_of(j));
    for (const int place : places) count.add(own.offset(own.place_of(i)) + other.offset(place), i);
  }
}

// Of the rank that has these entries: its parts of everything, and what comes and goes.
template <Scalar T>
void count_memory(SpmmCounts& counts, const SparseLayout& layout, Index width, int r) {
  const auto at = layout.position_of(r);
  const Index sides =
      at ? layout.row_cut().size(at->row_place) + layout.column_cut().size(at->column_place) : 0;
  const auto rank = static_cast<std::size_t>(r), ranks = counts.sent.size();
  const Index dense = (counts.rows + counts.columns) / static_cast<Index>(ranks) + 2 + sides;
  counts.memory[rank] =
      (dense * width + counts.sent[rank] + counts.received[rank]) * static_cast<Index>(sizeof(T)) +
      counts.products[rank] * static_cast<Index>(sizeof(T) + sizeof(sparse::Local)) + 8 * sides;
}

// In one place.
template <Scalar T>
SpmmCounts count_whole(const sparse::Csr<T>& a, const SparseLayout& layout, Index width, int ranks) {
  SpmmCounts counts(a.rows, a.columns, ranks);
  counts.entries = a.entries();
  count_lines(counts, sparse::transpose(a).pattern(), layout.column_cut(), layout.row_cut(), width, false);
  count_lines(counts, a.pattern(), layout.row_cut(), layout.column_cut(), width, true);
  for (Index i = 0; i < a.rows; ++i)
    for (const sparse::Local j : a.pattern().row(i))
      ++counts.products[static_cast<std::size_t>(layout.owner(i, j))];
  for (int r = 0; r < ranks; ++r) count_memory<T>(counts, layout, width, r);
  return counts;
}

// Collective: every rank counts its block, and the counts are added up.
template <Scalar T>
SpmmCounts count_blocks(CommView c, const DistSparse<T>& a, Index width) {
  SpmmCounts counts(a.layout.rows(), a.layout.columns(), c.size());
  const auto rank = static_cast<std::size_t>(c.rank());
  counts.entries = counts.products[rank] = a.local.entries();
  if (const auto at = a.layout.position_of(c.rank())) {
    LineCount asked(counts, counts.columns, width, false), summed(counts, counts.rows, width, true);
    const std::vector<Index> columns = a.layout.column_cut().globals(at->column_place),
                             rows = a.layout.row_cut().globals(at->row_place);
    for (const sparse::Local j : sparse::filled_columns(a.local.pattern()))
      asked.add(c.rank(), columns[static_cast<std::size_t>(j)]);
    for (const sparse::Local i : sparse::filled_rows(a.local.pattern()))
      summed.add(c.rank(), rows[static_cast<std::size_t>(i)]);
  }
  for (auto* list : {&counts.sent, &counts.received, &counts.messages, &counts.products})
    comm::allreduce<Index>(c, std::span<const Index>(*list), std::span<Index>(*list), comm::ReduceOp::sum);
  counts.entries = comm::allreduce(c, counts.entries, comm::ReduceOp::sum);
  for (int r = 0; r < c.size(); ++r) count_memory<T>(counts, a.layout, width, r);
  return counts;
}

comm::Spread spread_of(const std::vector<Index>& values) {
  comm::Spread s;
  for (const Index v : values) {
    s.max = std::max(s.max, v);
    s.total += v;
  }
  s.mean = static_cast<double>(s.total) / static_cast<double>(std::max<std::size_t>(1, values.size()));
  return s;
}

Planned planned_spmm(const SpmmRequest& o, const SharedOptions& shared, const SpmmCounts& counts, int ranks) {
  Planned p;
  p.title = fmt::format("Y = A X, {} x {} times {} x {}, {}, {}, on {} rank{}", counts.rows, counts.columns,
                        counts.columns, o.columns, name(parse_scalar_type(o.type)), o.semiring, ranks,
                        ranks == 1 ? "" : "s");
  p.algorithm = "spmm";
  p.ranks = p.active_ranks = ranks;
  p.fields = {
      {"m", counts.rows},       {"k", counts.columns}, {"columns", o.columns},          {"type", o.type},
      {"semiring", o.semiring}, {"layout", o.layout},  {"nnz", {{"a", counts.entries}}}};
  p.lines = {{"A", fmt::format("{} nonzeros, layout {}", counts.entries, o.layout)}};
  p.words = {spread_of(counts.sent), spread_of(counts.received)};
  p.messages.sent = p.messages.received = spread_of(counts.messages);
  p.exact = false;  // words are, messages are not: empty ones are not sent
  p.memory_bytes = spread_of(counts.memory).max;
  p.flops = 2.0 * static_cast<double>(counts.entries) * static_cast<double>(o.columns);
  // An entry is found and used for each column; a number that moves is copied twice.
  const Machine& m = shared.machine.machine;
  constexpr double operations_per_entry = 20;
  const auto size = static_cast<double>(bytes(parse_scalar_type(o.type))) / 8;
  p.seconds =
      m.alpha * static_cast<double>(p.messages.received.max) +
      (m.beta + 2 * m.copy) * size * static_cast<double>(std::max(p.words.sent.max, p.words.received.max)) +
      m.gamma * (operations_per_entry + 2 * static_cast<double>(o.columns)) *
          static_cast<double>(spread_of(counts.products).max);
  p.within = "spmm";
  if (shared.memory_bytes)
    require<MemoryError>(p.memory_bytes <= *shared.memory_bytes,
                         "a rank may hold {} bytes, and a product of a sparse and a dense matrix needs {}",
                         *shared.memory_bytes, p.memory_bytes);
  return p;
}

SpgemmRequest source_request(const SpmmRequest& o) {
  SpgemmRequest request;
  request.a = o.a;
  request.generator = o.generator;
  request.type = o.type;
  return request;
}

Planned plan_spmm(const SpmmRequest& o, const SharedOptions& shared, int ranks) {
  if (o.counts.has_value()) return planned_spmm(o, shared, std::any_cast<const SpmmCounts&>(o.counts), ranks);
  return dispatch(parse_scalar_type(o.type), [&]<class T>() {
    const sparse::Csr<T> a = whole_pair<T>(source_request(o)).a;
    const auto layout = SparseLayout::parse(o.layout, a.rows, a.columns, ranks);
    return planned_spmm(o, shared, count_whole(a, layout, o.columns, ranks), ranks);
  });
}

void look_at_operand(SpmmRequest& o, const SharedOptions&, CommView c) {
  dispatch(parse_scalar_type(o.type), [&]<class T>() {
    const SpgemmSource<T> source(c, o.a, o.generator);
    o.counts = count_blocks(c, source.in(o.layout), o.columns);
    o.source = source;
  });
}

// ---- run ---------------------------------------------------------------------------------------------------

template <Scalar T>
class SpmmWork final : public Work {
 public:
  SpmmWork(CommView c, const SpmmRequest& o, const SharedOptions& shared)
      : comm_(c), o_(o), shared_(shared), semiring_(sparse::parse_semiring(o.semiring)) {
    const auto& source = std::any_cast<const SpgemmSource<T>&>(o.source);
    a_ = source.in(o.layout);
    comm::agree(c, "memory of X", [&] {
      x_.emplace(layout::row_blocks(source.columns(), o.columns, c.size()), c.rank());
      y_file_.emplace(layout::row_blocks(source.rows(), o.columns, c.size()), c.rank());
    });
    if (o.x.empty()) {
      layout::fill(x_->view(), c.rank(),
                   [](Index i, Index j) { return T(static_cast<Real<T>>(1 + (7 * i + 5 * j) % 9)); });
      return;
    }
    const double start = seconds_now();
    io::read<T>(c, o.x, x_->view());
    read_seconds_ = comm::allreduce(c, seconds_now() - start, comm::ReduceOp::max);
  }

  void run(program::Trace* trace) override {
    const program::CoreScope scope(trace, program::Activity::compute, "spmm", 0);
    y_ = sparse::multiply_dense<T>(comm_, a_, std::span<const T>(x_->local()), o_.columns, semiring_);
  }

  // X and Y as sparse matrices that are full: what checks a sparse product checks this one.
  std::optional<WorkVerdict> check() override {
    const DistSparse<T> x = as_sparse(std::span<const T>(x_->local()), a_.layout.columns(), {});
    const bool all = semiring_ == sparse::Semiring::plus_times;
    std::vector<T> counts;  // other semirings: rows of A without entries have none in Y
    if (!all) {
      const std::vector<T> ones(
          static_cast<std::size_t>(sparse::dense_range(comm_, a_.layout.columns()).count), T(1));
      counts = sparse::multiply_dense<T>(comm_, a_, std::span<const T>(ones), 1, sparse::Semiring::plus_pair);
    }
    const DistSparse<T> y = as_sparse(std::span<const T>(y_), a_.layout.rows(), counts);
    WorkVerdict verdict = verdict_of(sparse::check_product(comm_, a_, x, y, semiring_, shared_.verify_rounds),
                                     shared_.verify_rounds);
    if (!all) verdict.how = fmt::format("by {} rows computed again", verdict.found.rows);
    return verdict;
  }

  void finish() override {
    if (o_.out.empty()) return;
    const double start = seconds_now();
    std::copy(y_.begin(), y_.end(), y_file_->local().begin());
    io::write<T>(comm_, o_.out, std::as_const(*y_file_).view());
    write_seconds_ = comm::allreduce(comm_, seconds_now() - start, comm::ReduceOp::max);
    written_ = true;
  }
  std::vector<PhaseTime> more_seconds() const override {
    std::vector<PhaseTime> all;
    if (!o_.x.empty()) all.push_back({"read", read_seconds_});
    if (written_) all.push_back({"write", write_seconds_});
    return all;
  }
  std::string more_text() const override { return written_ ? fmt::format("Y written to {}\n", o_.out) : ""; }

 private:
  // Dense rows of this rank as a block of rows; rows without a count have no entries.
  DistSparse<T> as_sparse(std::span<const T> dense, Index rows, const std::vector<T>& counts) const {
    const auto layout = SparseLayout::row_blocks(rows, o_.columns, comm_.size());
    DistSparse<T> s{layout, sparse::empty_block<T>(layout, comm_.rank())};
    for (Index i = 0; i < s.local.rows; ++i) {
      for (Index j = 0; j < o_.columns; ++j)
        if (counts.empty() || counts[static_cast<std::size_t>(i)] != T(0)) {
          s.local.columns_of.push_back(static_cast<sparse::Local>(j));
          s.local.values.push_back(dense[static_cast<std::size_t>(i * o_.columns + j)]);
        }
      s.local.starts[i + 1] = s.local.columns_of.size();
    }
    return s;
  }

  CommView comm_;
  SpmmRequest o_;
  SharedOptions shared_;
  sparse::Semiring semiring_;
  DistSparse<T> a_;
  std::optional<layout::DistMatrix<T>> x_, y_file_;
  std::vector<T> y_;
  double read_seconds_ = 0, write_seconds_ = 0;
  bool written_ = false;
};

}  // namespace

Operation spmm_operation() {
  return make_operation<SpmmRequest>({
      .name = "spmm",
      .summary = "Y = A X of a sparse matrix and a dense one with few columns, or a vector",
      .example = "--gen \"stencil5 nx=512\" --ranks 4\n"
                 "--a A.mtx --x X.npy --columns 8 --out Y.npy",
      .options = add_spmm_options,
      .read = read_spmm_options,
      .once = [](const SpmmRequest& o) { return !o.a.empty(); },
      .must_look = [](const SpmmRequest&) { return true; },
      .look = look_at_operand,
      .plan = plan_spmm,
      .run =
          [](const SpmmRequest& o, const SharedOptions& shared, const Planned&, CommView c) {
            return dispatch(parse_scalar_type(o.type), [&]<class T>() -> std::unique_ptr<Work> {
              return std::make_unique<SpmmWork<T>>(c, o, shared);
            });
          },
  });
}

}  // namespace cairn::cli
