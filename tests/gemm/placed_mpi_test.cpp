// Multiplies of matrices in random layouts on random bricks, against a plain product of small integers, which
// every order of the sums gives exactly; what moved against what was counted; and nothing written outside.
#include "gemm/placement.hpp"

#include "comm/collectives.hpp"
#include "gemm/placed_count.hpp"
#include "gemm/product_runner.hpp"
#include "gemm/random_trees.hpp"
#include "layout/guarded.hpp"
#include "layout/random_layout.hpp"
#include "program/count.hpp"
#include "support/mpi_test.hpp"

namespace cairn::gemm {
namespace {

using cairn::test::Guarded;
using cairn::test::pick;
using cairn::test::pick_int;
using cairn::test::Random;
using cairn::test::value;
using comm::CommView;

// One of the ways to cut a dimension, into at most `most` parts: evenly, as one of the matrices that have it
// is cut, or with its blocks dealt to fewer.
Cut pick_cut(Random& random, const Schedule& p, Dim d, int most) {
  Cut even{pick_int(random, 1, most)};
  if (random() % 3 == 0) return even;
  const Matrix x = all_matrices[random() % 3];
  if (missing(x) == d) return even;
  const layout::IndexMap& map = map_of(p, x, d);
  if (map.parts() <= most && random() % 2 == 0) return Cut::by(map);
  return Cut::by(map.dealt_to(even.parts));
}

// A grid, or a tree of two ranks or more.
Schedule pick_placed(Random& random, int ranks, ScalarType type, bool tree = false) {
  const Index most = random() % 8 == 0 ? 90 : 30;
  const Problem problem{.m = pick(random, 0, most),
                        .n = pick(random, 0, most),
                        .k = pick(random, 0, most),
                        .op_a = static_cast<Op>(random() % 3),
                        .op_b = static_cast<Op>(random() % 3),
                        .type = type};
  Placement placed;
  for (const Matrix x : all_matrices)
    placed.matrices[index(x)] =
        cairn::test::pick_layout(random, stored_rows(problem, x), stored_columns(problem, x), ranks);
  const Schedule uncut = schedule_on(problem, placed);
  int left = tree ? 0 : ranks;
  for (const Dim d : {all_dims[random() % 3], Dim::m, Dim::n, Dim::k}) {
    if (tree) break;
    if (placed.cuts[index(d)].parts > 1) continue;
    placed.cuts[index(d)] = pick_cut(random, uncut, d, left);
    left /= placed.cuts[index(d)].parts;
  }
  std::shared_ptr<const Tree> bricks;
  if (tree) bricks = test::RandomTrees(random()).shared_tree(pick_int(random, 1, ranks));
  placed.ranks = cairn::test::pick_ranks(
      random, static_cast<int>(bricks ? bricks->ranks() : placed.grid().ranks()), ranks);
  placed.sums_first = placed.grid().pk > 1 && random() % 3 == 0;
  placed.exchange.piece_bytes = pick(random, 8, 3000);
  Schedule s = schedule_on(problem, std::move(placed), std::move(bricks));
  s.rounds.along = all_dims[random() % 3];
  const Index size = problem.size(s.rounds.along);
  s.rounds.count = random() % 2 == 0 ? 1 : pick(random, 1, std::max<Index>(1, std::min<Index>(5, size)));
  s.lookahead = static_cast<int>(random() % 2);
  return s;
}

template <Scalar T>
T element(Op op, std::uint64_t seed, Index i, Index j) {
  const T x = op == Op::none ? value<T>(seed, i, j) : value<T>(seed, j, i);
  return op == Op::adjoint ? conj(x) : x;
}

template <Scalar T>
T scalar(Random& random) {
  const T choices[] = {T(0), T(1), T(1), value<T>(random(), 1, 2)};
  return choices[random() % 4];
}

// What a Program multiplies lies within its arrays.
void expect_within_arrays(const program::Program& program) {
  const auto within = [&](program::Place at, Index rows, Index columns, Index ld) {
    return at.offset >= 0 &&
           at.offset + (columns - 1) * ld + rows <= program.array_counts[static_cast<std::size_t>(at.array)];
  };
  for (const program::Action& action : program.actions)
    if (const auto* x = std::get_if<program::Multiply>(&action.what)) {
      const bool a = x->op_a == Op::none, b = x->op_b == Op::none;
      ASSERT_TRUE(within(x->a, a ? x->m : x->k, a ? x->k : x->m, x->lda) &&
                  within(x->b, b ? x->k : x->n, b ? x->n : x->k, x->ldb) && within(x->c, x->m, x->n, x->ldc));
    }
}

template <Scalar T>
void multiply_and_compare(Random& random, CommView comm, const Schedule& p) {
  const int rank = comm.rank();
  const std::uint64_t seed = random();
  const T alpha = scalar<T>(random), beta = scalar<T>(random);
  const Index gap = pick(random, 0, 3);
  Guarded<T> a(layout_of(p, Matrix::a), rank, gap), b(layout_of(p, Matrix::b), rank, gap),
      c(layout_of(p, Matrix::c), rank, gap);
  fill(a.view, rank, [&](Index i, Index j) { return alpha == T(0) ? T(NAN) : value<T>(seed, i, j); });
  fill(b.view, rank, [&](Index i, Index j) { return alpha == T(0) ? T(NAN) : value<T>(seed + 1, i, j); });
  fill(c.view, rank, [&](Index i, Index j) { return beta == T(0) ? T(NAN) : value<T>(seed + 2, i, j); });
  const std::vector<T> a_before = a.memory;
  check(p, comm.size());
  expect_within_arrays(compile(p, rank, comm.size()));
  if (comm::allreduce(comm, testing::Test::HasFailure() ? 1.0 : 0.0, comm::ReduceOp::max) > 0) return;
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  const auto read = [](const layout::MatrixView<T>& v) {
    return LocalPart<const T>(v.data, v.elements, v.leading_dimension);
  };
  ProductRunner(comm.unchecked())
      .multiply<T>(p, alpha, read(a.view), read(b.view), beta,
                   {c.view.data, c.view.elements, c.view.leading_dimension});
  const comm::TrafficSnapshot moved = comm.traffic().snapshot() - before;
  if (alpha != T(0)) {
    const program::Program program = compile(p, rank, comm.size());
    for (const std::string_view phase : {"gather", "combine C"})
      EXPECT_EQ(moved.within(phase), moved_in(program, phase)) << phase;
    EXPECT_EQ(moved.total(), count_placed(p, comm.size())[static_cast<std::size_t>(rank)]);
    // No rank holds more than was promised without looking at the exchanges.
    EXPECT_LE(program::count(program).held_bytes(),
              most_work_bytes(p, comm.size())[static_cast<std::size_t>(rank)]);
    const Index received = comm::allreduce(comm, moved.total().received.words, comm::ReduceOp::sum);
    if (p.rounds.count == 1) {
      EXPECT_EQ(received, words_of_all_placed(p));
    }
  }
  for_each_element(c.view, rank, [&](Index i, Index j, const T& x) {
    T sum(0);
    for (Index l = 0; l < p.problem.k && alpha != T(0); ++l)
      sum += element<T>(p.problem.op_a, seed, i, l) * element<T>(p.problem.op_b, seed + 1, l, j);
    const T expected =
        (alpha == T(0) ? T(0) : alpha * sum) + (beta == T(0) ? T(0) : beta * value<T>(seed + 2, i, j));
    ASSERT_EQ(x, expected) << "(" << i << ", " << j << ")";
  });
  c.expect_guards();
  a.expect_guards();
  b.expect_guards();
}

enum class Bricks { of_a_grid, in_place, of_a_tree };

void random_multiplies(CommView comm, int cases, Bricks bricks) {
  int in_place_cases = 0;
  const bool in_place = bricks == Bricks::in_place;
  for (int k = 0; k < cases; ++k) {
    Random random(static_cast<std::uint64_t>(k * 100 + comm.size()) +
                  50 * static_cast<std::uint64_t>(bricks));
    const auto type = static_cast<ScalarType>(k % 4);
    Schedule p = pick_placed(random, comm.size(), type, bricks == Bricks::of_a_tree);
    if (in_place)
      if (const auto kept = gemm::in_place(p.problem, p.placement->matrices,
                                           all_matrices[static_cast<std::size_t>(k / 4 % 3)])) {
        change_placement(p, [&](Placement& placed) {
          placed.cuts = kept->placement->cuts;
          placed.ranks = kept->placement->ranks;
        });
        ++in_place_cases;
      }
    SCOPED_TRACE(fmt::format("case {} on {} ranks: {}", k, comm.size(), describe(p)));
    dispatch(type, [&]<class T>() { multiply_and_compare<T>(random, comm, p); });
    // All ranks stop together: one that went on alone would wait for the others.
    if (comm::allreduce(comm, testing::Test::HasFailure() ? 1.0 : 0.0, comm::ReduceOp::max) > 0) return;
  }
  EXPECT_GE(in_place_cases, in_place ? cases / 3 : 0);
}

using PlacedMpi = cairn::test::MpiTest;

TEST_F(PlacedMpi, ThreeThousandRandomMultipliesInRandomLayouts) {
  cairn::test::for_each_size(
      [](CommView comm) { random_multiplies(comm, cairn::test::trials(310), Bricks::of_a_grid); });
}

TEST_F(PlacedMpi, OneMatrixInPlace) {
  cairn::test::for_each_size(
      [](CommView comm) { random_multiplies(comm, cairn::test::trials(60), Bricks::in_place); });
}

TEST_F(PlacedMpi, TwoThousandRandomMultipliesOnTrees) {
  cairn::test::for_each_size(
      [](CommView comm) { random_multiplies(comm, cairn::test::trials(200), Bricks::of_a_tree); });
}

}  // namespace
}  // namespace cairn::gemm
