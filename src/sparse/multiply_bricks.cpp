#include "sparse/multiply_bricks.hpp"

#include <chrono>
#include <complex>
#include <limits>
#include <new>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "sparse/column_phases.hpp"
#include "sparse/combine_face.hpp"
#include "sparse/gather_faces.hpp"
#include "sparse/local/operations.hpp"
#include "sparse/staged.hpp"

namespace cairn::sparse {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Everything that one product needs at hand.
template <class T>
struct BrickRun {
  comm::CommView comm;
  const SpgemmMethod& method;
  const MethodLayouts& layouts;
  const LocalKernel<T>& kernel;
  EntryExchange<T>& exchange;
  BrickSeat seat;
  Content content;
  BrickCounts& counts;
  const BrickOptions<T>& options;
  const Mask* mask = nullptr;

  comm::Traffic& traffic() const { return comm.traffic(); }
};

template <class T>
void check_layout(std::string_view name, const DistSparse<T>& x, const SparseLayout& expected, int rank) {
  require(x.layout == expected, "{} lies as '{}', expected '{}'", name, x.layout.text(), expected.text());
  const Csr<T> shape = empty_block<T>(expected, rank);
  require(x.local.rows == shape.rows && x.local.columns == shape.columns,
          "the block of {} on rank {} is {} x {}, expected {} x {}", name, rank, x.local.rows,
          x.local.columns, shape.rows, shape.columns);
  require(x.local.sorted, "the block of {} on rank {} is not sorted", name, rank);
}

template <class T>
Index patterns_of(const DistSparse<T>& a, const DistSparse<T>& b) {
  const Index both[] = {fingerprint(a.local.pattern()), fingerprint(b.local.pattern())};
  return comm::fingerprint(both);
}

template <class T>
bool has_learnt(const BrickOptions<T>& options) {
  return options.recall != nullptr && options.recall->complete;
}

// What a product that failed had learnt is no use.
template <class T>
void begin_to_learn(const DistSparse<T>& a, const DistSparse<T>& b, const BrickOptions<T>& options) {
  if (options.recall != nullptr && !options.recall->complete)
    *options.recall = {.patterns = patterns_of(a, b)};
}

template <class T>
void check_operands(comm::CommView comm, const SpgemmMethod& method, const DistSparse<T>& a,
                    const DistSparse<T>& b, const BrickOptions<T>& options) {
  const Index layouts_of_both[] = {a.layout.fingerprint(), b.layout.fingerprint()};
  const Index both = comm::fingerprint(layouts_of_both);
  comm::agree(comm, "spgemm",
              [&] {
                require(a.layout.columns() == b.layout.rows(),
                        "A is {} x {} and B is {} x {}: expected as many rows of B as columns of A",
                        a.layout.rows(), a.layout.columns(), b.layout.rows(), b.layout.columns());
                require(method.grid.ranks() <= comm.size(), "grid is [{}, {}, {}], expected at most {} ranks",
                        method.grid.pm, method.grid.pn, method.grid.pk, comm.size());
                require(options.memory_bytes.value_or(1) >= 1, "memory is {} bytes, expected 1 or more",
                        options.memory_bytes.value_or(1));
                require(method.phases >= 1, "phases is {}, expected 1 or more", method.phases);
                const MethodLayouts layouts =
                    layouts_of(method, {a.layout.rows(), b.layout.columns(), a.layout.columns()});
                check_layout("A", a, layouts.a, comm.rank());
                check_layout("B", b, layouts.b, comm.rank());
                if (options.mask != nullptr) check_layout("the mask", *options.mask, layouts.c, comm.rank());
                require(!has_learnt(options) || options.recall->patterns == patterns_of(a, b),
                        "A or B has other entries on rank {} than where the pattern was learnt", comm.rank());
              },
              {{"algorithm", static_cast<Index>(method.algorithm)},
               {"phases", method.phases},
               {"bytes of memory", options.memory_bytes.value_or(0)},
               {"reuse of patterns", has_learnt(options)},
               {"mask (0: none, 1: given, 2: its complement)", options.mask == nullptr   ? 0
                                                               : options.mask_complement ? 2
                                                                                         : 1},
               {"fingerprint of A's and B's layouts", both}});
}

template <class T>
struct Marks {
  std::vector<std::vector<char>> columns_of_a, rows_of_b;
  std::vector<char> known_a, known_b;  // k of the face that this rank alone asked for
};

std::vector<char> as_marks(const std::vector<Local>& list, Index size) {
  std::vector<char> marks(static_cast<std::size_t>(size), 0);
  for (const Local k : list) marks[static_cast<std::size_t>(k)] = 1;
  return marks;
}

template <class T>
Marks<T> needed_marks(const BrickRun<T>& run, const Csr<T>& a, const Csr<T>& b) {
  Marks<T> marks;
  if (run.method.gathering != Gathering::needed) return marks;
  const comm::Phase phase(run.traffic(), "patterns");
  NeededMarks needed;
  const ExchangeScope scope(run.comm, run.exchange.trace());
  if (!run.exchange.reuses())
    needed = exchange_needed(run.comm, run.layouts.bricks, run.seat, a.pattern(), b.pattern());
  marks.columns_of_a = run.exchange.marks([&] { return std::move(needed.columns_of_a); });
  marks.rows_of_b = run.exchange.marks([&] { return std::move(needed.rows_of_b); });
  const SparseGrid& g = run.method.grid;
  if (g.pm == 1 && g.pn > 1) marks.known_a = as_marks(filled_rows(b.pattern()), b.rows);
  if (g.pn == 1 && g.pm > 1) marks.known_b = as_marks(filled_columns(a.pattern()), a.columns);
  return marks;
}

template <class T>
Csr<T> gather(const BrickRun<T>& run, Face face, const Csr<T>& mine, const Marks<T>& marks) {
  const comm::Phase phase(run.traffic(), face == Face::a ? "gather A" : "gather B");
  const Fibre fibre = fibre_of(run.layouts.bricks, run.seat, face);
  const bool is_a = face == Face::a;
  if (run.method.gathering == Gathering::levels)
    return gather_face_in_levels(run.exchange, fibre, face, mine, run.content,
                                 is_a ? run.method.n_levels : run.method.m_levels);
  return gather_face(run.exchange, fibre, face, mine, run.content,
                     is_a ? marks.columns_of_a : marks.rows_of_b, is_a ? marks.known_a : marks.known_b);
}

// A step that takes memory: what goes wrong on one rank goes wrong on all, before anybody waits for it. All
// ranks of the communicator come here, those beyond the grid with nothing to do.
void together(comm::CommView comm, const std::function<void()>& step) {
  comm::agree(comm, "local sparse product", [&] {
    try {
      step();
    } catch (const std::bad_alloc&) {
      fail<MemoryError>("rank {} has no memory for its part of a sparse product", comm.rank());
    }
  });
}

template <class T>
Csr<T> multiply_faces(const BrickRun<T>& run, const Csr<T>& a, const Csr<T>& b) {
  Csr<T> c;
  const double start = now();
  together(run.comm, [&] {
    c = run.kernel.multiply(a, b, run.mask);
    run.counts.seconds_multiply += now() - start;
  });
  return c;
}

// The same in `room`; the share itself where nobody else has one.
template <class T>
const Csr<T>& gathered(const BrickRun<T>& run, Face face, const Csr<T>& mine, const Marks<T>& marks,
                       Csr<T>& room) {
  if ((face == Face::a ? run.method.grid.pn : run.method.grid.pm) == 1) return mine;
  room = gather(run, face, mine, marks);
  return room;
}

bool is_staged(const SpgemmMethod& method) {
  return method.gathering == Gathering::ring || method.gathering == Gathering::steps;
}

// This layer's C(i, j), from the face of A, or from the share of it for products in stages.
template <class T>
Csr<T> partial_product(const BrickRun<T>& run, const Csr<T>& a, const Csr<T>& b, const Marks<T>& marks,
                       StageWatch& watch) {
  const BrickLayouts& bricks = run.layouts.bricks;
  if (run.method.gathering == Gathering::ring)
    return multiply_ring(run.exchange, bricks, run.seat, a, b, run.content, run.kernel, run.mask, watch);
  if (run.method.gathering == Gathering::steps)
    return multiply_steps(run.exchange, bricks, run.seat, a, b, run.content, run.kernel, run.mask, watch);
  Csr<T> room;
  return multiply_faces(run, a, gathered(run, Face::b, b, marks, room));
}

template <class T>
Csr<T> combine(const BrickRun<T>& run, Csr<T> partial) {
  const comm::Phase phase(run.traffic(), "combine C");
  const BrickLayouts& bricks = run.layouts.bricks;
  if (run.method.gathering == Gathering::levels)
    return combine_face_in_levels(run.exchange, bricks, run.seat, std::move(partial), run.kernel,
                                  std::span<const int>(run.method.k_levels));
  return combine_face(run.exchange, bricks, run.seat, std::move(partial), run.kernel);
}

// One column block of C.
template <class T>
Csr<T> multiply_phase(const BrickRun<T>& run, const Csr<T>& a_face, const Csr<T>& b, const Marks<T>& marks) {
  const Index before = run.exchange.received();
  StageWatch watch;
  Csr<T> partial = partial_product(run, a_face, b, marks, watch);
  const Index gathered = run.exchange.received();
  Csr<T> mine = combine(run, std::move(partial));
  run.counts.gathered += gathered - before;
  run.counts.combined += run.exchange.received() - gathered;
  return mine;
}

template <class T>
bool may_halve(const BrickOptions<T>& options) {
  return options.recall == nullptr;
}

// Column blocks that fit, one after another.
template <class T>
std::vector<Csr<T>> multiply_within(const BrickRun<T>& run, Index limit, const Csr<T>& a_face,
                                    const Csr<T>& b, const Marks<T>& marks) {
  std::vector<Csr<T>> blocks;
  Index finished = 0;
  PhaseClock clock{0, run.method.phases};
  while (!clock.over()) {
    const Index before = run.exchange.received();
    const Csr<T> b_face = gather(run, Face::b, column_phase(b, clock.done, clock.slots), marks);
    const Index gathered = run.exchange.received();
    Index need = phase_bytes(a_face, b_face, finished, run.method.grid.pk, false);
    if (need > limit) need = phase_bytes(a_face, b_face, finished, run.method.grid.pk, true);
    run.counts.gathered += gathered - before;
    const Index over = most_bytes(run.comm, need - limit);
    if (over > 0) {
      clock.halve(widest_block(run.layouts), *run.options.memory_bytes + over, *run.options.memory_bytes,
                  may_halve(run.options));
      continue;
    }
    blocks.push_back(combine(run, multiply_faces(run, a_face, b_face)));
    run.counts.combined += run.exchange.received() - gathered;
    finished += blocks.back().bytes();
    ++clock.done;
  }
  run.counts.phases = narrow<int>(std::ssize(blocks), "column phases");
  return blocks;
}

// The same for products in stages: a block whose stages do not fit on some rank is made in two.
template <class T>
std::vector<Csr<T>> multiply_stages_within(const BrickRun<T>& run, Index limit, const Csr<T>& a,
                                           const Csr<T>& b, const Marks<T>& marks) {
  std::vector<Csr<T>> blocks;
  Index finished = 0;
  PhaseClock clock{0, run.method.phases};
  while (!clock.over()) {
    StageWatch watch{limit, finished};
    const Index before = run.exchange.received();
    Csr<T> block = partial_product(run, a, column_phase(b, clock.done, clock.slots), marks, watch);
    run.counts.gathered += run.exchange.received() - before;
    const Index over = most_bytes(run.comm, watch.over);
    if (over > 0) {
      clock.halve(widest_block(run.layouts), *run.options.memory_bytes + over, *run.options.memory_bytes,
                  may_halve(run.options));
      continue;
    }
    blocks.push_back(std::move(block));
    finished += blocks.back().bytes();
    ++clock.done;
  }
  run.counts.phases = narrow<int>(std::ssize(blocks), "column phases");
  return blocks;
}

// What ranks beyond the grid do meanwhile: they agree.
template <class T>
void stand_by(comm::CommView comm, const SpgemmMethod& method, const MethodLayouts& layouts,
              const BrickOptions<T>& options) {
  if (is_staged(method) && !options.memory_bytes) return;
  PhaseClock clock{0, method.phases};
  while (!clock.over()) {
    const Index over = options.memory_bytes ? most_bytes(comm, std::numeric_limits<Index>::min()) : 0;
    if (over > 0) {
      clock.halve(widest_block(layouts), *options.memory_bytes + over, *options.memory_bytes,
                  may_halve(options));
      continue;
    }
    if (!is_staged(method)) together(comm, [] {});
    ++clock.done;
  }
}

template <class T>
Csr<T> multiply_all(const BrickRun<T>& run, const Csr<T>& a, const Csr<T>& b) {
  const Marks<T> marks = needed_marks(run, a, b);
  const Index before = run.exchange.received();
  Csr<T> room;
  const Csr<T>& a_face = is_staged(run.method) ? a : gathered(run, Face::a, a, marks, room);
  run.counts.gathered += run.exchange.received() - before;
  run.counts.phases = run.method.phases;
  std::vector<Csr<T>> blocks;
  if (run.options.memory_bytes) {
    const Index limit = *run.options.memory_bytes - a.bytes() - b.bytes();
    blocks = is_staged(run.method) ? multiply_stages_within(run, limit, a, b, marks)
                                   : multiply_within(run, limit, a_face, b, marks);
  } else if (run.method.phases == 1)
    return multiply_phase(run, a_face, b, marks);
  else
    for (int p = 0; p < run.method.phases; ++p)
      blocks.push_back(multiply_phase(run, a_face, column_phase(b, p, run.method.phases), marks));
  return blocks.size() == 1 ? std::move(blocks.front()) : run.kernel.merge(blocks);
}

// The same, counted and on the timeline.
template <class T>
LocalKernel<T> traced_kernel(const LocalKernel<T>& kernel, BrickCounts& counts, program::Trace* trace) {
  using program::Activity;
  return {.multiply =
              [=, &counts](const Csr<T>& a, const Csr<T>& b, const Mask* mask) {
                const program::CoreScope scope(trace, Activity::compute, "multiply", 0);
                for (const Local k : a.columns_of) counts.voxels += b.entries_of(k);
                return kernel.multiply(a, b, mask);
              },
          .merge =
              [=](std::span<const Csr<T>> parts) {
                const program::CoreScope scope(trace, Activity::compute, "merge", 0);
                return kernel.merge(parts);
              },
          .reads_values = kernel.reads_values};
}

// The all-to-all that comes first where A and B begin in 2D layouts.
template <class T>
DistSparse<T> enter(comm::CommView comm, const DistSparse<T>& x, const SparseLayout& to, BrickCounts& counts,
                    program::Trace* trace) {
  const comm::Phase phase(comm.traffic(), "all-to-all in");
  const ExchangeScope scope(comm, trace);
  DistSparse<T> moved = convert(comm, x, to);
  const auto source = x.layout.position_of(comm.rank());
  Index stayed = 0;
  if (source)
    for (const Triple<T>& t : global_triples(x, comm.rank()))
      stayed += to.owner(t.row, t.column) == comm.rank() ? 1 : 0;
  counts.inputs += moved.local.entries() - stayed;
  return moved;
}

template <class T>
Csr<T> run_member(BrickRun<T>& run, const Csr<T>& a, const Csr<T>& b) {
  const BrickOptions<T>& options = run.options;
  Csr<T> pattern;
  Mask mask;
  if (options.mask != nullptr) {
    const comm::Phase phase(run.traffic(), "mask");
    pattern = gather_mask(run.exchange, run.layouts.bricks, run.seat, options.mask->local);
    mask = {pattern.pattern(), options.mask_complement};
    run.mask = &mask;
  }
  return multiply_all(run, a, b);
}

}  // namespace

template <class T>
BrickResult<T> multiply_bricks(comm::CommView comm, const SpgemmMethod& method, const DistSparse<T>& a,
                               const DistSparse<T>& b, const LocalKernel<T>& kernel,
                               const BrickOptions<T>& options) {
  const double start = now();
  const comm::Phase phase(comm.traffic(), "spgemm");
  check_operands(comm, method, a, b, options);
  begin_to_learn(a, b, options);
  const MethodLayouts layouts = layouts_of(method, {a.layout.rows(), b.layout.columns(), a.layout.columns()});
  BrickResult<T> result;
  result.c = {layouts.c, empty_block<T>(layouts.c, comm.rank())};
  EntryExchange<T> exchange(comm, options.recall, options.trace);
  const LocalKernel<T> traced = traced_kernel(kernel, result.counts, options.trace);
  const Content content = kernel.reads_values ? Content::all : Content::places;
  DistSparse<T> entered_a, entered_b;
  if (method.from_home) {
    entered_a = enter(comm, a, layouts.bricks.a, result.counts, options.trace);
    entered_b = enter(comm, b, layouts.bricks.b, result.counts, options.trace);
  }
  if (comm.rank() < method.grid.ranks()) {
    BrickRun<T> run{.comm = comm,
                    .method = method,
                    .layouts = layouts,
                    .kernel = traced,
                    .exchange = exchange,
                    .seat = seat_in(method.grid, comm.rank()),
                    .content = content,
                    .counts = result.counts,
                    .options = options};
    result.c.local = run_member(run, method.from_home ? entered_a.local : a.local,
                                method.from_home ? entered_b.local : b.local);
  } else {
    stand_by(comm, method, layouts, options);
  }
  exchange.finish();
  result.counts.seconds_total = now() - start;
  return result;
}

#define CAIRN_BRICKS(T)                                                                                 \
  template BrickResult<T> multiply_bricks<T>(comm::CommView, const SpgemmMethod&, const DistSparse<T>&, \
                                             const DistSparse<T>&, const LocalKernel<T>&,               \
                                             const BrickOptions<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_BRICKS)
#undef CAIRN_BRICKS

}  // namespace cairn::sparse
