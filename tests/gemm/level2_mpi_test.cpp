// Random matrix-vector products and rank-1 updates against a plain reference, and words against the paper.
#include "gemm/level2.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <set>

#include "bounds/summa.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "layout/guarded.hpp"
#include "layout/random_layout.hpp"
#include "support/mpi_test.hpp"

namespace cairn::gemm {
namespace {

using comm::CommView;
using comm::ProcessGrid;
using layout::by_notation;
using layout::IndexMap;
using layout::Layout;
using layout::MatrixView;
using layout::Mesh;
using test::Guarded;
using test::MpiTest;
using test::pick;
using test::pick_int;
using test::Random;

using Wide = std::complex<long double>;

// Between -1 and 1, anything a type can hold.
template <Scalar T>
T real_value(std::uint64_t seed, Index i, Index j) {
  Random random(seed + static_cast<std::uint64_t>(1000003 * i + j));
  std::uniform_real_distribution<Real<T>> uniform(-1, 1);
  const Real<T> x = uniform(random);
  if constexpr (ScalarTraits<T>::is_complex)
    return T(x, uniform(random));
  else
    return x;
}
template <Scalar T>
Wide wide(T x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return {x.real(), x.imag()};
  else
    return {x, 0};
}

// A vector of any distribution: on the diagram of the paper, a row or column of a matrix, or anything.
Layout pick_vector(Random& random, Index n, const Mesh& mesh, Index block) {
  static const std::vector<std::string> notations{"[(0,1),()]", "[(1,0),()]", "[(0),()]", "[(1),()]",
                                                  "[(),()]"};
  const Index other = pick(random, 1, 9), at = pick(random, 0, other - 1);
  const char* turned = random() % 4 == 0 ? "[(1),(0)]" : "[(0),(1)]";
  switch (random() % 5) {
    case 0:
      return by_notation(n, other, turned, mesh, block).sub_matrix(0, at, n, 1);
    case 1:
      return by_notation(other, n, turned, mesh, block).sub_matrix(at, 0, 1, n);
    case 2:
      return random() % 2 == 0 ? test::pick_layout(random, n, 1, mesh.positions())
                               : test::pick_layout(random, 1, n, mesh.positions());
    default: {
      const Layout v =
          by_notation(n, 1, notations[static_cast<std::size_t>(pick(random, 0, 4))], mesh, block);
      return random() % 3 == 0 ? v.transposed() : v;
    }
  }
}

Layout pick_matrix(Random& random, Index m, Index n, const Mesh& mesh, Index block) {
  static const std::vector<std::string> notations{"[(1),(0)]",  "[(0,1),()]", "[(1,0),()]",
                                                  "[(),(0,1)]", "[(),(1,0)]", "[(0),()]",
                                                  "[(),(1)]",   "[(1),()]",   "[(),()]"};
  const auto made = [&] {
    switch (random() % 6) {
      case 0:
        return by_notation(m, n, notations[static_cast<std::size_t>(pick(random, 0, 8))], mesh, block);
      case 1:
        return Layout::on_mesh(mesh, {IndexMap::balanced(m, mesh.extent(0)), {0}},
                               {IndexMap::balanced(n, mesh.extent(1)), {1}});
      case 2:
        return by_notation(m + 5, n + 4, "[(0),(1)]", mesh, block).sub_matrix(2, 3, m, n);
      default:
        return by_notation(m, n, "[(0),(1)]", mesh, block);
    }
  }();
  return made.in_order(random() % 3 == 0 ? layout::Order::row_major : layout::Order::column_major);
}

template <Scalar T>
T pick_scalar(Random& random) {
  const T choices[] = {T(0), T(1), real_value<T>(random(), 1, 2), real_value<T>(random(), 3, 4)};
  return choices[random() % 4];
}

// Element i of a vector, whichever way it lies.
Index place(const Layout& v, Index i, Index j) { return v.columns() == 1 ? i : j; }

// The rounding of a sum of `terms` products in any order: each is touched at most terms + 3 times; a complex
// product is 2 sqrt(2) times as inexact as a real one. Plus one for the reference itself.
template <Scalar T>
long double tolerance(Index terms, long double magnitude) {
  return 4 * static_cast<long double>(terms + 4) * ScalarTraits<T>::roundoff * magnitude;
}

struct Problem {
  Problem(Random& random, CommView comm) {
    int d0 = pick_int(random, 1, comm.size());
    while (comm.size() % d0 != 0) --d0;
    mesh = std::make_unique<Mesh>(Mesh({d0, comm.size() / d0}));
    const Index most = random() % 4 == 0 ? 3 : 40;
    m = pick(random, 0, most), n = pick(random, 0, most);
    const Index block = random() % 3 == 0 ? pick(random, 1, 4) : 1;
    a = pick_matrix(random, m, n, *mesh, block);
    rows = pick_vector(random, m, *mesh, block);
    columns = pick_vector(random, n, *mesh, block);
    gap = pick(random, 0, 2);
    seed = random();
  }
  std::unique_ptr<Mesh> mesh;
  Index m = 0, n = 0, gap = 0;
  Layout a, rows, columns;  // A, a vector with an element for each row, and one for each column
  std::uint64_t seed = 0;
};

template <Scalar T>
std::unique_ptr<Guarded<T>> filled(const Layout& layout, const Problem& p, int rank, std::uint64_t which,
                                   bool nan) {
  auto v = std::make_unique<Guarded<T>>(layout, rank, p.gap);
  const bool is_vector = which > 0;
  fill(v->view, rank, [&](Index i, Index j) {
    return nan ? T(NAN)
               : real_value<T>(p.seed + which, is_vector ? place(layout, i, j) : i, is_vector ? 0 : j);
  });
  return v;
}

// Making communicators takes long where ranks share cores: one grid per shape.
class Grids {
 public:
  explicit Grids(CommView comm) : comm_(comm) {}
  CommView comm() const { return comm_; }
  const ProcessGrid& on(const Mesh& mesh) {
    std::unique_ptr<ProcessGrid>& grid = grids_[{mesh.extent(0), mesh.extent(1)}];
    if (!grid) grid = std::make_unique<ProcessGrid>(comm_, comm::GridShape({mesh.extent(0), mesh.extent(1)}));
    return *grid;
  }

 private:
  CommView comm_;
  std::map<std::pair<int, int>, std::unique_ptr<ProcessGrid>> grids_;
};

template <Scalar T>
void random_gemv(Random& random, Grids& grids) {
  const CommView comm = grids.comm();
  const Problem p(random, comm);
  const ProcessGrid& grid = grids.on(*p.mesh);
  const int rank = comm.rank();
  const Op op = static_cast<Op>(random() % 3);
  const T alpha = pick_scalar<T>(random), beta = pick_scalar<T>(random);
  const Layout &x_layout = op == Op::none ? p.columns : p.rows,
               &y_layout = op == Op::none ? p.rows : p.columns;
  const auto a = filled<T>(p.a, p, rank, 0, alpha == T(0));
  const auto x = filled<T>(x_layout, p, rank, 1, alpha == T(0));
  const auto y = filled<T>(y_layout, p, rank, 2, beta == T(0));
  gemv<T>(grid, alpha, op, a->view, x->view, beta, y->view);
  const Index terms = op == Op::none ? p.n : p.m;
  for_each_element(y->view, rank, [&](Index row, Index column, const T& got) {
    const Index i = place(y_layout, row, column);
    Wide exact = beta == T(0) ? Wide(0) : wide(beta) * wide(real_value<T>(p.seed + 2, i, 0));
    long double magnitude = std::abs(exact);
    for (Index l = 0; alpha != T(0) && l < terms; ++l) {
      Wide e = wide(op == Op::none ? real_value<T>(p.seed, i, l) : real_value<T>(p.seed, l, i));
      if (op == Op::adjoint) e = std::conj(e);
      const Wide term = wide(alpha) * e * wide(real_value<T>(p.seed + 1, l, 0));
      exact += term;
      magnitude += std::abs(term);
    }
    ASSERT_LE(std::abs(wide(got) - exact), tolerance<T>(terms, magnitude))
        << "element " << i << " op " << static_cast<int>(op) << "\nA " << p.a.text() << "\nx "
        << x_layout.text() << "\ny " << y_layout.text();
  });
  a->expect_guards();
  x->expect_guards();
  y->expect_guards();
}

template <Scalar T>
void random_ger(Random& random, Grids& grids) {
  const CommView comm = grids.comm();
  const Problem p(random, comm);
  const ProcessGrid& grid = grids.on(*p.mesh);
  const int rank = comm.rank();
  const Op op = random() % 2 == 0 ? Op::transpose : Op::adjoint;
  const T alpha = pick_scalar<T>(random);
  const auto a = filled<T>(p.a, p, rank, 0, false);
  const auto y = filled<T>(p.rows, p, rank, 1, alpha == T(0));
  const auto x = filled<T>(p.columns, p, rank, 2, alpha == T(0));
  ger<T>(grid, alpha, y->view, op, x->view, a->view);
  for_each_element(a->view, rank, [&](Index i, Index j, const T& got) {
    Wide other = wide(real_value<T>(p.seed + 2, j, 0));
    if (op == Op::adjoint) other = std::conj(other);
    const Wide before = wide(real_value<T>(p.seed, i, j));
    const Wide term = alpha == T(0) ? Wide(0) : wide(alpha) * wide(real_value<T>(p.seed + 1, i, 0)) * other;
    ASSERT_LE(std::abs(wide(got) - before - term), tolerance<T>(1, std::abs(before) + std::abs(term)))
        << "(" << i << ", " << j << ")\nA " << p.a.text() << "\ny " << p.rows.text() << "\nx "
        << p.columns.text();
  });
  a->expect_guards();
  x->expect_guards();
  y->expect_guards();
}

using Level2Mpi = MpiTest;

TEST_F(Level2Mpi, RandomProductsAndUpdates) {
  test::for_each_size([](CommView comm) {
    Grids grids(comm);
    for (int k = 0; k < 160; ++k) {
      Random random(static_cast<std::uint64_t>(k * 100 + comm.size()));
      dispatch(static_cast<ScalarType>(k % 4), [&]<class T>() {
        if (k % 3 == 0)
          random_ger<T>(random, grids);
        else
          random_gemv<T>(random, grids);
      });
      // All ranks stop together: one that went on alone would wait for the others.
      if (comm::allreduce(comm, testing::Test::HasFailure() ? 1.0 : 0.0, comm::ReduceOp::max) > 0) return;
    }
  });
}

// The words of the busiest rank in each step of a plan, summed: what the paper adds up.
double words_moved(CommView comm, const std::string& phase, const Level2Plan& plan,
                   const std::function<void()>& call) {
  const comm::TrafficSnapshot before = comm.traffic().snapshot();
  call();
  const comm::TrafficSnapshot moved = comm.traffic().snapshot() - before;
  const std::vector<std::string> steps = plan.steps();
  Index counted = moved.within(phase + "/" + std::string(comm::agreement_phase)).received.words;
  double sum = 0;
  for (const std::string& step : std::set(steps.begin(), steps.end())) {
    const comm::Counters c = moved.within(fmt::format("{}/{}", phase, step));
    counted += c.received.words;
    sum += comm::allreduce(comm, static_cast<double>(std::max(c.sent.words, c.received.words)),
                           comm::ReduceOp::max);
  }
  EXPECT_EQ(counted, moved.within(phase).received.words) << "words outside the steps";
  return sum;
}

TEST_F(Level2Mpi, WordsAreThoseOfThePaper) {
  const std::vector<const char*> notations{"[(0,1),()]", "[(1,0),()]", "[(0),()]", "[(1),()]",
                                           "[(),()]",    "[(0),(1)]",  "[(1),(0)]"};
  test::for_each_size(test::least_words_world(), [&](CommView comm) {
    const int p = comm.size(), rank = comm.rank();
    for (int d0 = 1; d0 <= p; ++d0) {
      if (p % d0 != 0) continue;
      const int d1 = p / d0;
      const ProcessGrid grid(comm, comm::GridShape({d0, d1}));
      const Mesh mesh({d0, d1});
      // A broadcast is cut into d - 1 blocks: these sizes are multiples of all that is cut.
      const Index blocks = std::max(1, d0 - 1) * std::max(1, d1 - 1), m = p * blocks, n = 2 * p * blocks;
      layout::DistMatrix<double> a(by_notation(m, n, "[(0),(1)]", mesh), rank);
      fill(a.view(), rank, [](Index i, Index j) { return static_cast<double>((i + 2 * j) % 5); });
      const auto vector = [&](const Layout& layout) {
        layout::DistMatrix<double> v(layout, rank);
        fill(v.view(), rank, [](Index i, Index j) { return static_cast<double>((i + j) % 7); });
        return v;
      };
      const auto product = [&](double alpha, Op op, const auto& in, auto& out) {
        return words_moved(comm, "gemv", plan_gemv(op, a.layout(), in.layout(), out.layout()),
                           [&] { gemv<double>(grid, alpha, op, a.view(), in.view(), 0.5, out.view()); });
      };
      const auto update = [&](const auto& of_rows, const auto& of_columns) {
        return words_moved(comm, "ger", plan_ger(a.layout(), of_rows.layout(), of_columns.layout()), [&] {
          ger<double>(grid, 1.0, of_rows.view(), Op::transpose, of_columns.view(), a.view());
        });
      };
      const bounds::summa::Mesh d{d0, d1, 1};
      auto x = vector(by_notation(n, 1, "[(1,0),()]", mesh)),
           y = vector(by_notation(m, 1, "[(0,1),()]", mesh));
      EXPECT_EQ(product(1.0, Op::none, std::as_const(x), y), bounds::summa::gemv(m, n, d).words);
      EXPECT_EQ(product(1.0, Op::transpose, std::as_const(y), x),
                bounds::summa::gemv_transposed(m, n, d).words);
      EXPECT_EQ(update(std::as_const(y), std::as_const(x)), bounds::summa::ger(m, n, d).words);
      EXPECT_EQ(product(0.0, Op::none, std::as_const(x), y), 0);
      for (const char* of_x : notations)
        for (const char* of_y : notations) {
          const auto in = vector(by_notation(n, 1, of_x, mesh));
          auto out = vector(by_notation(m, 1, of_y, mesh));
          EXPECT_EQ(product(1.0, Op::none, in, out),
                    plan_gemv(Op::none, a.layout(), in.layout(), out.layout()).words())
              << of_x << " to " << of_y << " on " << d0 << " x " << d1;
        }
    }
  });
}

// C(:, 2) += C(:, 0) row(C, 1): everything out of one matrix.
TEST_F(Level2Mpi, VectorsMayBeRowsAndColumnsOfTheMatrix) {
  test::on_ranks(6, [](CommView comm) {
    const ProcessGrid grid(comm, comm::GridShape({2, 3}));
    const auto f = [](Index i, Index j) { return static_cast<double>((3 * i + j) % 11); };
    for (const char* notation : {"[(0),(1)]", "[(0),()]", "[(),(1)]"}) {
      layout::DistMatrix<double> a(by_notation(9, 7, notation, Mesh({2, 3})), comm.rank());
      fill(a.view(), comm.rank(), f);
      MatrixView<double> y = a.view(), x = a.view();
      y.layout = y.layout.sub_matrix(0, 4, 9, 1);
      x.layout = x.layout.sub_matrix(5, 0, 1, 7);
      y.leading_dimension = x.leading_dimension = a.layout().least_leading_dimension(comm.rank());
      ger<double>(grid, 2.0, y, Op::transpose, x, a.view());
      EXPECT_EQ(largest_difference(a.view(), comm.rank(),
                                   [&](Index i, Index j) { return f(i, j) + 2 * f(i, 4) * f(5, j); }),
                0.0)
          << notation;
    }
  });
}

TEST_F(Level2Mpi, BadInputIsTheSameErrorEverywhere) {
  test::on_ranks(6, [](CommView comm) {
    const ProcessGrid grid(comm, comm::GridShape({2, 3}));
    const Mesh mesh({2, 3});
    const int rank = comm.rank();
    const auto expect = [&](const std::string& part, const std::function<void()>& call) {
      test::expect_same_error<ArgumentError>(comm, call, part);
    };
    layout::DistMatrix<double> a(by_notation(9, 7, "[(0),(1)]", mesh), rank),
        x(by_notation(7, 1, "[(1,0),()]", mesh), rank), y(by_notation(9, 1, "[(0,1),()]", mesh), rank),
        far(layout::row_blocks(9, 1, 8), rank), turned(by_notation(9, 7, "[(0),(1)]", Mesh({3, 2})), rank);
    expect("x has 9 elements, expected 7: the columns of A",
           [&] { gemv<double>(grid, 1.0, Op::none, a.view(), y.view(), 0.0, y.view()); });
    expect("y has 7 elements, expected 9",
           [&] { gemv<double>(grid, 0.0, Op::none, a.view(), x.view(), 0.0, x.view()); });
    expect("A is [(0),(1)] on 3x2",
           [&] { gemv<double>(grid, 1.0, Op::none, turned.view(), x.view(), 0.0, y.view()); });
    expect("the layout of y names rank 7, expected ranks below 6",
           [&] { gemv<double>(grid, 1.0, Op::none, a.view(), x.view(), 0.0, far.view()); });
    expect("memory of x is null on rank 3", [&] {
      MatrixView<const double> v = x.view();
      if (rank == 3) v.data = nullptr;
      gemv<double>(grid, 1.0, Op::none, a.view(), v, 0.0, y.view());
    });
    expect("whether alpha is zero",
           [&] { gemv<double>(grid, rank == 2 ? 0.0 : 1.0, Op::none, a.view(), x.view(), 0.0, y.view()); });
    expect("op of x is none, expected transpose or adjoint",
           [&] { ger<double>(grid, 1.0, y.view(), Op::none, x.view(), a.view()); });
    expect("y has 7 elements, expected 9: the rows of A",
           [&] { ger<double>(grid, 1.0, x.view(), Op::transpose, x.view(), a.view()); });
  });
}

}  // namespace
}  // namespace cairn::gemm
