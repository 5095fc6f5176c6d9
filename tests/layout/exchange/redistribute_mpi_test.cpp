// Random redistributions, checked element by element, with guards around what may be written, and the words
// against a count that only asks the layouts who holds what.
#include "layout/exchange/redistribute.hpp"

#include <memory>

#include "comm/collectives.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/guarded.hpp"
#include "layout/random_layout.hpp"
#include "support/mpi_test.hpp"

namespace cairn::layout {
namespace {

using comm::CommView;
using test::for_each_size;
using test::Guarded;
using test::MpiTest;
using test::on_ranks;
using test::pick;
using test::Random;
using test::value;
using test::words_needed;

template <Scalar T>
struct RandomMove {
  RandomMove(Random& random, CommView comm, std::uint64_t number) : rank(comm.rank()), seed(number) {
    const Index most = random() % 6 == 0 ? 300 : 40;
    const Index m = pick(random, 0, most), n = pick(random, 0, most);
    op = static_cast<Op>(random() % 3);
    alpha = scalar(random);
    beta = scalar(random);
    const bool straight = op == Op::none;
    a = std::make_unique<Guarded<T>>(
        test::pick_layout(random, straight ? m : n, straight ? n : m, comm.size()), rank, pick(random, 0, 3));
    b = std::make_unique<Guarded<T>>(test::pick_layout(random, m, n, comm.size()), rank, pick(random, 0, 3));
    fill(a->view, rank, [&](Index i, Index j) { return value<T>(seed, i, j); });
    fill(b->view, rank, [&](Index i, Index j) { return beta == T(0) ? T(NAN) : value<T>(seed + 1, i, j); });
  }
  static T scalar(Random& random) {
    const T choices[] = {T(0), T(1), T(1), value<T>(random(), 1, 2)};
    return choices[random() % 4];
  }
  MoveData<T> data() const { return {alpha, op, a->view, beta, b->view}; }
  Index needed() const { return alpha == T(0) ? 0 : words_needed(a->view.layout, b->view.layout, op, rank); }

  T expected(Index i, Index j) const {
    T x = op == Op::none ? value<T>(seed, i, j) : value<T>(seed, j, i);
    if (op == Op::adjoint) x = conj(x);
    const T old = beta == T(0) ? T(0) : beta * value<T>(seed + 1, i, j);
    return alpha == T(0) ? old : alpha * x + old;
  }
  void verify() const {
    for_each_element(b->view, rank, [&](Index i, Index j, const T& x) {
      ASSERT_EQ(x, expected(i, j)) << "(" << i << ", " << j << ") of " << b->view.layout.text() << " from "
                                   << a->view.layout.text() << " op " << static_cast<int>(op);
    });
    a->expect_guards();
    b->expect_guards();
  }

  int rank;
  std::uint64_t seed;
  Op op;
  T alpha, beta;
  std::unique_ptr<Guarded<T>> a, b;
};

// One exchange of one to three matrices.
template <Scalar T>
void random_exchange(Random& random, CommView comm, std::uint64_t seed) {
  std::vector<RandomMove<T>> moves;
  std::vector<MoveData<T>> data;
  Index needed = 0;
  for (Index k = random() % 4 == 0 ? pick(random, 2, 3) : 1; k > 0; --k) {
    moves.emplace_back(random, comm, seed + static_cast<std::uint64_t>(100 * k));
    data.push_back(moves.back().data());
    needed += moves.back().needed();
  }
  const RedistributeOptions options{.piece_bytes = pick(random, 1, 4000),
                                    .pieces_under_way = static_cast<int>(pick(random, 1, 4))};
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  redistribute<T>(comm, data, options);
  const comm::Counters moved = (comm.traffic().snapshot() - before).phases["redistribute"];
  EXPECT_EQ(moved.received.words, needed);
  const Index sent = comm::allreduce(comm, moved.sent.words, comm::ReduceOp::sum);
  EXPECT_EQ(sent, comm::allreduce(comm, needed, comm::ReduceOp::sum));
  for (const RandomMove<T>& m : moves) m.verify();
}

using RedistributeMpi = MpiTest;

TEST_F(RedistributeMpi, ThreeThousandRandomPairsOfLayouts) {
  const int cases = test::trials(320);  // on each of the ten numbers of ranks
  for_each_size([&](CommView comm) {
    for (int k = 0; k < cases; ++k) {
      Random random(static_cast<std::uint64_t>(k * 100 + comm.size()));
      const std::uint64_t seed = random();
      dispatch(static_cast<ScalarType>(k % 4), [&]<class T>() { random_exchange<T>(random, comm, seed); });
      // All ranks stop together: one that went on alone would wait for the others.
      if (comm::allreduce(comm, testing::Test::HasFailure() ? 1.0 : 0.0, comm::ReduceOp::max) > 0) return;
    }
  });
}

bool is_inside(Triangle t, Index i, Index j) { return t == Triangle::lower ? i >= j : i <= j; }

// Words of a triangle of B here that are not in op(A) here.
Index triangle_words_needed(const Layout& a, const Layout& b, Op op, Triangle t, int rank) {
  Index words = 0;
  for_each_element(MatrixView<const char>{b, nullptr, 0, 0}, rank, [&](Index i, Index j, const char&) {
    const Layout from = as_operand(a, op);
    const bool here = from.holds(rank, from.row_map().part_of(i), from.column_map().part_of(j));
    words += is_inside(t, i, j) && !here ? 1 : 0;
  });
  return words;
}

// Only the triangle moves, and only the triangle of B is written.
template <Scalar T>
void random_triangle(Random& random, CommView comm, std::uint64_t seed) {
  const Index n = pick(random, 0, random() % 6 == 0 ? 150 : 30);
  const Op op = static_cast<Op>(random() % 3);
  const Triangle triangle = random() % 2 == 0 ? Triangle::lower : Triangle::upper;
  const int rank = comm.rank();
  Guarded<T> a(test::pick_layout(random, n, n, comm.size()), rank, pick(random, 0, 3));
  Guarded<T> b(test::pick_layout(random, n, n, comm.size()), rank, pick(random, 0, 3));
  const T beta = random() % 2 == 0 ? T(0) : T(2);
  fill(a.view, rank, [&](Index i, Index j) { return value<T>(seed, i, j); });
  fill(b.view, rank, [&](Index i, Index j) { return value<T>(seed + 1, i, j); });
  const ExchangePlan plan({{a.view.layout, b.view.layout, op, triangle}}, rank, comm.size());
  EXPECT_EQ(plan.words_received(), triangle_words_needed(a.view.layout, b.view.layout, op, triangle, rank));
  const MoveData<T> move{T(3), op, a.view, beta, b.view};
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  const RedistributeOptions options{.piece_bytes = pick(random, 1, 4000)};
  run<T>(plan, comm, std::span(&move, 1), options);
  EXPECT_EQ((comm.traffic().snapshot() - before).total(), count(plan, sizeof(T), options));
  for_each_element(b.view, rank, [&](Index i, Index j, const T& x) {
    T from = op == Op::none ? value<T>(seed, i, j) : value<T>(seed, j, i);
    if (op == Op::adjoint) from = conj(from);
    const T old = value<T>(seed + 1, i, j);
    ASSERT_EQ(x, is_inside(triangle, i, j) ? T(3) * from + beta * old : old) << i << ", " << j;
  });
  b.expect_guards();
}

TEST_F(RedistributeMpi, ATriangleMovesAlone) {
  const int cases = test::trials(160);
  for_each_size([&](CommView comm) {
    for (int k = 0; k < cases; ++k) {
      Random random(static_cast<std::uint64_t>(k * 100 + comm.size()));
      const std::uint64_t seed = random();
      dispatch(static_cast<ScalarType>(k % 4), [&]<class T>() { random_triangle<T>(random, comm, seed); });
      if (comm::allreduce(comm, testing::Test::HasFailure() ? 1.0 : 0.0, comm::ReduceOp::max) > 0) return;
    }
  });
}

TEST_F(RedistributeMpi, SeveralThreadsMoveTheSame) {
  on_ranks(2, [](CommView comm) {
    const auto f = [](Index i, Index j) { return static_cast<double>(i) + 1e-4 * static_cast<double>(j); };
    for (const Op op : {Op::none, Op::transpose}) {
      const Layout from =
          block_cyclic(900, 1100, {.process_rows = 1, .process_columns = 2, .mb = 13, .nb = 37});
      const Layout to = op == Op::none ? elemental(900, 1100, 2, 1) : elemental(1100, 900, 2, 1);
      DistMatrix<double> a(from, comm.rank()), b(to, comm.rank());
      fill(a.view(), comm.rank(), f);
      redistribute<double>(comm, 1.0, op, a.view(), 0.0, b.view(), {.threads = 3});
      EXPECT_EQ(largest_difference(b.view(), comm.rank(),
                                   [&](Index i, Index j) { return op == Op::none ? f(i, j) : f(j, i); }),
                0.0);
    }
  });
}

TEST_F(RedistributeMpi, APlanCountsWhatItMoves) {
  for_each_size([&](CommView comm) {
    Random random(static_cast<std::uint64_t>(comm.size()));
    for (int k = 0; k < 20; ++k) {
      const Layout a = test::pick_layout(random, 50, 30, comm.size());
      const Layout b = test::pick_layout(random, 50, 30, comm.size());
      const ExchangePlan plan({{a, b, Op::none}}, comm.rank(), comm.size());
      DistMatrix<double> from(a, comm.rank()), to(b, comm.rank());
      fill(from.view(), comm.rank(), [](Index i, Index j) { return static_cast<double>(100 * i + j); });
      const MoveData<double> data{1.0, Op::none, from.view(), 0.0, to.view()};
      for (int again = 0; again < 2; ++again) {  // a plan is reusable
        const RedistributeOptions options{.piece_bytes = 800 * (again + 1)};
        const comm::TrafficSnapshot before = comm.traffic().snapshot();
        run<double>(plan, comm, std::span(&data, 1), options);
        EXPECT_EQ((comm.traffic().snapshot() - before).total(), count(plan, 8, options));
        EXPECT_EQ(largest_difference(to.view(), comm.rank(),
                                     [](Index i, Index j) { return static_cast<double>(100 * i + j); }),
                  0.0);
      }
    }
  });
}

TEST_F(RedistributeMpi, NormsGatherAndText) {
  for_each_size([](CommView comm) {
    const auto f = [](Index i, Index j) { return static_cast<double>(i + 1) * (j % 2 == 0 ? 1.0 : -2.0); };
    const Layout layouts[] = {elemental(5, 4, comm.size(), 1), replicated(5, 4, comm.size())};
    for (const Layout& layout : layouts) {
      DistMatrix<double> m(layout, comm.rank());
      fill(m.view(), comm.rank(), f);
      const MatrixView<const double> view = m.view();
      EXPECT_DOUBLE_EQ(norm(comm, Norm::one, view), 30);       // 2 (1+2+3+4+5)
      EXPECT_DOUBLE_EQ(norm(comm, Norm::infinity, view), 30);  // 5 (1+2+1+2)
      EXPECT_DOUBLE_EQ(norm(comm, Norm::max, view), 10);
      EXPECT_DOUBLE_EQ(norm(comm, Norm::frobenius, view), std::sqrt(550.0));  // 55 (1+4+1+4)
      const std::vector<double> whole = gather_to(comm, view, comm.size() - 1);
      ASSERT_EQ(whole.size(), comm.rank() == comm.size() - 1 ? 20U : 0U);
      for (std::size_t k = 0; k < whole.size(); ++k)
        EXPECT_EQ(whole[k], f(static_cast<Index>(k % 5), static_cast<Index>(k / 5)));
      EXPECT_EQ(to_text(comm, view).substr(0, 20), "1  -2  1  -2\n2  -4  ");
      if (comm.rank() == 0 && m.local().size() > 0) m.local()[0] = NAN;
      EXPECT_TRUE(std::isnan(norm(comm, Norm::max, view)));
    }
  });
}

TEST_F(RedistributeMpi, BadInputIsTheSameErrorEverywhere) {
  on_ranks(4, [](CommView comm) {
    const int rank = comm.rank();
    const auto expect = [&](const std::string& part, const std::function<void()>& call) {
      test::expect_same_error<ArgumentError>(comm, call, part);
    };
    DistMatrix<double> a(blocked(6, 4, 2, 2), rank), b(elemental(6, 4, 2, 2), rank),
        tall(blocked(7, 4, 2, 2), rank);
    const auto move = [&](const MatrixView<const double>& from, const MatrixView<double>& to,
                          Op op = Op::none) { redistribute(comm, 1.0, op, from, 0.0, to); };
    const auto with = [](auto view, auto change) {
      change(view);
      return view;
    };
    expect("op(A) is 6 x 4 and B is 7 x 4", [&] { move(a.view(), tall.view()); });
    expect("op(A) is 4 x 6 and B is 6 x 4", [&] { move(a.view(), b.view(), Op::transpose); });
    expect("memory of B is null on rank 2, expected 6 elements", [&] {
      move(a.view(), with(b.view(), [&](auto& v) {
             if (rank == 2) v.data = nullptr;
           }));
    });
    expect("memory of A has 5 elements on rank 1, expected at least 6", [&] {
      move(with(std::as_const(a).view(),
                [&](auto& v) {
                  if (rank == 1) v.elements = 5;
                }),
           b.view());
    });
    expect("leading dimension of A is 2 on rank 3, expected at least 3", [&] {
      move(with(std::as_const(a).view(),
                [&](auto& v) {
                  if (rank == 3) v.leading_dimension = 2;
                }),
           b.view());
    });
    expect("leading dimension of B is -1",
           [&] { move(a.view(), with(b.view(), [&](auto& v) { v.leading_dimension = -1; })); });
    expect("A and B share memory on rank 0", [&] {
      move(a.view(), with(b.view(), [&](auto& v) {
             if (rank == 0) v.data = a.local().data();
           }));
    });
    expect("redistribute: layout of B is", [&] {
      DistMatrix<double> mine(rank == 3 ? elemental(6, 4, 4, 1) : elemental(6, 4, 2, 2), rank);
      move(a.view(), mine.view());
    });
    expect("rows of A", [&] {
      DistMatrix<double> mine(blocked(rank == 2 ? 8 : 6, 4, 2, 2), rank),
          same(blocked(rank == 2 ? 8 : 6, 4, 1, 1), rank);
      move(mine.view(), same.view());
    });
    expect("redistribute: alpha is 1 on rank 0 and 2 on rank 1",
           [&] { redistribute<double>(comm, rank == 1 ? 2.0 : 1.0, Op::none, a.view(), 0.0, b.view()); });
    expect("the layout of B names rank 5, expected ranks below 4", [&] {
      DistMatrix<double> far(blocked(6, 4, 2, 3), rank);
      move(a.view(), far.view());
    });
    expect("bytes of a piece is 0, expected 1 or more",
           [&] { redistribute<double>(comm, 1.0, Op::none, a.view(), 0.0, b.view(), {.piece_bytes = 0}); });
    expect("pieces under way is 0, expected 1 or more", [&] {
      redistribute<double>(comm, 1.0, Op::none, a.view(), 0.0, b.view(), {.pieces_under_way = 0});
    });
    move(a.view(), b.view());  // and it still works
  });
}

}  // namespace
}  // namespace cairn::layout
