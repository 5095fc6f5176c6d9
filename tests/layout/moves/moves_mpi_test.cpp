// Every named move on every mesh of up to 16 ranks: elements against a reference, words against the closed
// form where the extents divide and against a count of elements where they do not.
#include <memory>

#include "comm/collectives.hpp"
#include "layout/exchange/exchange_plan.hpp"
#include "layout/guarded.hpp"
#include "layout/moves/run_move.hpp"
#include "layout/random_layout.hpp"
#include "support/mpi_test.hpp"

namespace cairn::layout {
namespace {

using comm::CommView;
using comm::ProcessGrid;
using test::Guarded;
using test::MpiTest;
using test::pick;
using test::Random;
using test::value;

bool is_sum(const NamedMove& m) { return !m.from.sum.empty(); }

// One run of one move with everything about it.
template <Scalar T>
struct Case {
  Case(const NamedMove& m, const ProcessGrid& g, Index rows, Index columns, Index block, Random& random)
      : move(m), grid(g), rank(g.all().rank()), seed(random()) {
    // A column or a row is one of a larger matrix, wherever it lies there.
    const Index up = m.shape == Shape::row ? block * pick(random, 0, 9) : 0;
    const Index left = m.shape == Shape::column ? block * pick(random, 0, 9) : 0;
    const Mesh mesh({g.shape().extent(0), g.shape().extent(1)});
    const auto guarded = [&](const Distribution& x) {
      const Layout whole = by_notation(rows + up, columns + left, x.notation.text(), mesh, block);
      const Order order = random() % 3 == 0 ? Order::row_major : Order::column_major;
      return std::make_unique<Guarded<T>>(whole.sub_matrix(up, left, rows, columns).in_order(order), rank,
                                          pick(random, 0, 2));
    };
    from = guarded(m.from);
    to = guarded(m.to);
    if (random() % 3 == 0) update = {value<T>(seed, 5, 6), value<T>(seed, 7, 8), false};
    fill(from->view, rank,
         [&](Index i, Index j) { return given(grid.coordinate(0), grid.coordinate(1), i, j); });
    fill(to->view, rank,
         [&](Index i, Index j) { return update.beta == T(0) ? T(NAN) : value<T>(seed + 3, i, j); });
  }
  T given(int s0, int s1, Index i, Index j) const {
    const bool by0 = std::ranges::find(move.from.sum, 0) != move.from.sum.end();
    const bool by1 = std::ranges::find(move.from.sum, 1) != move.from.sum.end();
    return value<T>(seed + static_cast<std::uint64_t>((by0 ? 17 * s0 : 0) + (by1 ? 1000 * s1 : 0)), i, j);
  }
  T expected(Index i, Index j) const {
    T moved = T(0);
    const int s0 = grid.coordinate(0), s1 = grid.coordinate(1);
    if (!is_sum(move)) moved = given(s0, s1, i, j);
    for (int q = 0; is_sum(move) && q < grid.shape().extent(move.along); ++q)
      moved += move.along == 0 ? given(q, s1, i, j) : given(s0, q, i, j);
    return update.alpha * moved + (update.beta == T(0) ? T(0) : update.beta * value<T>(seed + 3, i, j));
  }
  comm::Counters run() {
    const comm::TrafficSnapshot before = grid.all().traffic().snapshot();
    run_move<T>(grid, move, from->view, to->view, update);
    return (grid.all().traffic().snapshot() - before).within(move.name());
  }
  void verify() const {
    for_each_element(to->view, rank, [&](Index i, Index j, const T& x) {
      ASSERT_EQ(x, expected(i, j)) << "(" << i << ", " << j << ") of " << to->view.layout.text() << " after "
                                   << move.name();
    });
    from->expect_guards();
    to->expect_guards();
  }

  const NamedMove& move;
  const ProcessGrid& grid;
  int rank;
  std::uint64_t seed;
  Update<T> update;
  std::unique_ptr<Guarded<T>> from, to;
};

// Elements of `from` here that have to leave to be summed elsewhere.
Index words_to_add(const Layout& from, const Layout& to, int rank) {
  Index words = 0;
  const MatrixView<const char> here{from, nullptr, 0, 0};
  for (const Cell& cell : here.cells(rank))
    for (Index c = 0; c < cell.columns; ++c)
      for (Index r = 0; r < cell.rows; ++r) {
        const Index i = from.row_map().global_of(cell.row_part, r);
        const Index j = from.column_map().global_of(cell.column_part, c);
        if (!to.holds(rank, to.row_map().part_of(i), to.column_map().part_of(j))) ++words;
      }
  return words;
}

struct Counted {
  const NamedMove* move;
  Index rows, columns;
  bool divides;
};

class EveryMesh {
 public:
  EveryMesh(CommView comm, int d0, int d1) : grid_(comm, comm::GridShape({d0, d1})), d0_(d0), d1_(d1) {}

  void run() {
    const int p = d0_ * d1_;
    Random random(static_cast<std::uint64_t>(d0_ * 100 + d1_));  // the same on every rank
    int number = 0;
    for (const NamedMove& m : all_moves()) {
      // A broadcast sends each of the d - 1 others its own block first; where those are equal nobody sends
      // more than the root.
      const bool in_blocks = m.collective == MoveKind::broadcast || m.collective == MoveKind::reduce;
      const int blocks = in_blocks ? std::max(1, grid_.shape().extent(m.along) - 1) : 1;
      one(m, p * blocks, 2 * p * blocks, 1, number++, random, true);
      const Index most = pick(random, 0, 2) == 0 ? 2 : 2 * p + 5;
      one(m, pick(random, 0, most), pick(random, 0, most), pick(random, 1, 3), number++, random);
      one(m, pick(random, 0, most), pick(random, 0, 7), 1, number++, random);
    }
    compare_words();
  }

 private:
  void one(const NamedMove& m, Index rows, Index columns, Index block, int number, Random& random,
           bool divides = false) {
    if (m.shape == Shape::row) rows = 1;
    if (m.shape == Shape::column) columns = 1;
    Random mine(random());
    dispatch(static_cast<ScalarType>(number % 4), [&]<class T>() {
      Case<T> c(m, grid_, rows, columns, block, mine);
      const comm::Counters moved = c.run();
      c.verify();
      const Layout &from = c.from->view.layout, &to = c.to->view.layout;
      Index needed = 0;  // on this rank, or to be sent by it to be added
      if (is_sum(m)) {
        // A sum to all takes 2 (d-1) n words a fibre, that is n for each of its d ranks, less n/d, twice.
        needed =
            m.collective == MoveKind::allreduce ? 2 * from.elements(c.rank) : words_to_add(from, to, c.rank);
      } else {
        needed = test::words_needed(from, to, Op::none, c.rank);
        EXPECT_EQ(moved.received.words, needed) << m.name();
        const ExchangePlan redistribution({{from, to, Op::none}}, c.rank, d0_ * d1_);
        EXPECT_EQ(moved.received.words, redistribution.words_received()) << m.name();
      }
      counted_.push_back({&m, rows, columns, divides});
      needed_.push_back(needed);
      sent_.push_back(moved.sent.words);
      received_.push_back(moved.received.words);
    });
  }

  void compare_words() {
    std::vector<Index> busiest(sent_.size()), total(sent_.size());
    for (std::size_t i = 0; i < sent_.size(); ++i) busiest[i] = std::max(sent_[i], received_[i]);
    comm::allreduce<Index>(grid_.all(), std::vector(busiest), busiest, comm::ReduceOp::max);
    comm::allreduce<Index>(grid_.all(), sent_, total, comm::ReduceOp::sum);
    comm::allreduce<Index>(grid_.all(), std::vector(needed_), needed_, comm::ReduceOp::sum);
    for (std::size_t i = 0; i < counted_.size(); ++i) {
      const Counted& c = counted_[i];
      if (c.divides) {
        EXPECT_EQ(static_cast<double>(busiest[i]), c.move->words(c.rows, c.columns, d0_, d1_))
            << c.move->name() << " of " << c.rows << " x " << c.columns << " on " << d0_ << " x " << d1_;
      }
      const int d = c.move->along == 0 ? d0_ : d1_;
      const Index expected =
          c.move->collective == MoveKind::allreduce ? needed_[i] / d * (d - 1) : needed_[i];
      EXPECT_EQ(total[i], expected) << c.move->name() << " of " << c.rows << " x " << c.columns;
    }
  }

  ProcessGrid grid_;
  int d0_, d1_;
  std::vector<Counted> counted_;
  std::vector<Index> sent_, received_, needed_;
};

using MovesMpi = MpiTest;

// The sizes of communicators that run side by side.
class MovesOnMeshesMpi : public MpiTest, public testing::WithParamInterface<std::vector<int>> {};

TEST_P(MovesOnMeshesMpi, EveryMove) {
  test::on_parts(test::least_words_world(), GetParam(), [](CommView comm) {
    for (int d0 = 1; d0 <= comm.size(); ++d0)
      if (comm.size() % d0 == 0) EveryMesh(comm, d0, comm.size() / d0).run();
  });
}

INSTANTIATE_TEST_SUITE_P(All, MovesOnMeshesMpi,
                         testing::Values(std::vector{16}, std::vector{15, 1}, std::vector{14, 2},
                                         std::vector{13, 3}, std::vector{12, 4}, std::vector{11, 5},
                                         std::vector{10, 6}, std::vector{9, 7}, std::vector{8}));

// A chain through every distribution there is, on a mesh where nothing divides.
TEST_F(MovesMpi, PathsEndWhereTheyShould) {
  test::on_parts(test::world(), {6, 10}, [](CommView comm) {
    const int d0 = comm.size() == 6 ? 2 : 5;
    const ProcessGrid grid(comm, comm::GridShape({d0, comm.size() / d0}));
    const Mesh mesh({grid.shape().extent(0), grid.shape().extent(1)});
    for (const Shape shape : {Shape::matrix, Shape::column, Shape::row}) {
      const Index m = shape == Shape::row ? 1 : 23, n = shape == Shape::column ? 1 : 19;
      const auto f = [](Index i, Index j) { return static_cast<double>(100 * i + j); };
      for (const char* from : {"[(0),(1)]", "[(1),(0)]", "[(0,1),()]", "[(),()]", "[(),(1)]"})
        for (const char* to : {"[(0),(1)]", "[(1),(0)]", "[(),(0,1)]", "[(1),()]", "[(),()]"}) {
          DistMatrix<double> at(by_notation(m, n, from, mesh), comm.rank());
          fill(at.view(), comm.rank(), f);
          for (const NamedMove& move : path(from, to, shape)) {
            DistMatrix<double> next(by_notation(m, n, move.to.text(), mesh), comm.rank());
            run_move<double>(grid, move, at.view(), next.view());
            at = std::move(next);
          }
          EXPECT_EQ(at.layout(), by_notation(m, n, to, mesh));
          EXPECT_EQ(largest_difference(at.view(), comm.rank(), f), 0.0) << from << " -> " << to;
        }
    }
  });
}

TEST_F(MovesMpi, BadInputIsTheSameErrorEverywhere) {
  test::on_ranks(6, [](CommView comm) {
    const ProcessGrid grid(comm, comm::GridShape({2, 3}));
    const Mesh mesh({2, 3});
    const int rank = comm.rank();
    const auto expect = [&](const std::string& part, const std::function<void()>& call) {
      test::expect_same_error<ArgumentError>(comm, call, part);
    };
    const NamedMove& gather = find_move("[(0,1),()]", "[(0),()]");
    DistMatrix<double> y(by_notation(9, 2, "[(0,1),()]", mesh), rank),
        copies(by_notation(9, 2, "[(0),()]", mesh), rank), other(by_notation(9, 2, "[(1),()]", mesh), rank),
        blocks(by_notation(9, 2, "[(0),()]", mesh, 2), rank),
        turned(by_notation(9, 2, "[(0,1),()]", Mesh({2, 3}, MeshOrder::row_major)), rank);
    const auto move = [&](const MatrixView<const double>& from, const MatrixView<double>& to) {
      run_move<double>(grid, gather, from, to);
    };
    fill(y.view(), rank, [](Index i, Index j) { return static_cast<double>(10 * i + j); });
    expect("to is distributed as [(1),()], expected [(0),()]", [&] { move(y.view(), other.view()); });
    expect("are not aligned", [&] { move(y.view(), blocks.view()); });
    expect("expected a layout on the mesh 2x3", [&] { move(turned.view(), copies.view()); });
    expect("memory of to is null on rank 4", [&] {
      MatrixView<double> to = copies.view();
      if (rank == 4) to.data = nullptr;
      move(y.view(), to);
    });
    expect("from and to share memory on rank 5", [&] {
      MatrixView<double> to = copies.view();
      MatrixView<const double> from = y.view();
      if (rank == 5) from.data = to.data, from.elements = to.elements;
      move(from, to);
    });
    expect("collective", [&] {
      DistMatrix<double> row(by_notation(9, 2, rank == 1 ? "[(1,0),()]" : "[(0),()]", mesh), rank);
      run_move<double>(grid, rank == 1 ? find_move("[(0,1),()]", "[(1,0),()]") : gather, y.view(),
                       row.view());
    });
    expect("the grid has 1 dimensions, expected 2", [&] {
      const ProcessGrid line(comm, comm::GridShape({6}));
      run_move<double>(line, gather, y.view(), copies.view());
    });
    move(y.view(), copies.view());  // and it still works
    EXPECT_EQ(largest_difference(copies.view(), rank,
                                 [](Index i, Index j) { return static_cast<double>(10 * i + j); }),
              0.0);
  });
}

}  // namespace
}  // namespace cairn::layout
