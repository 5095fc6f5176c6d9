// Random products with triangles in random layouts, in small integers, so that results are exact in every type:
// every element is compared with the formula, the other triangle and the memory around with what they were, and the
// words with what was counted before.
#include <memory>

#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "layout/guarded.hpp"
#include "layout/random_layout.hpp"
#include "support/mpi_test.hpp"
#include "symmetric/triangle_runner.hpp"

namespace cairn::symmetric {
namespace {

using comm::CommView;
using test::Guarded;
using test::pick;
using test::Random;
using test::value;

bool is_inside(Triangle t, Index i, Index j) { return t == Triangle::lower ? i >= j : i <= j; }

Problem pick_problem(Random& random) {
  const Index most = random() % 4 == 0 ? 150 : 40;
  return {.kind = static_cast<Kind>(random() % 4),
          .hermitian = random() % 2 == 0,
          .side = random() % 2 == 0 ? Side::left : Side::right,
          .triangle = random() % 2 == 0 ? Triangle::lower : Triangle::upper,
          .op = static_cast<Op>(random() % 3),
          .diagonal = random() % 2 == 0 ? Diagonal::stored : Diagonal::unit,
          .n = pick(random, 0, most),
          .k = pick(random, 0, 40)};
}

Settings pick_settings(Random& random) {
  Settings s;
  s.goal = random() % 2 == 0 ? Goal::time : Goal::words;
  if (random() % 3 == 0) s.algorithm = "pattern";
  return s;
}

// One product and all that is known of it.
template <Scalar T>
class Trial {
 public:
  Trial(Random& random, CommView comm, std::uint64_t seed)
      : comm_(comm), p_(pick_problem(random)), seed_(seed % 1000) {
    if (p_.kind == Kind::triangular) p_.hermitian = false;
    alpha_ = scalar(random, p_.kind == Kind::rank_k && p_.hermitian);
    beta_ = p_.kind == Kind::triangular ? T(0) : scalar(random, p_.updates() && p_.hermitian);
    p_.alpha = kind_of(alpha_);
    p_.beta = kind_of(beta_);
    const auto extents = stored_extents(p_);
    for (std::size_t m = 0; m < 3; ++m) {
      layout::Layout l;
      if (extents[m].rows > 0 || extents[m].columns > 0)
        l = test::pick_layout(random, extents[m].rows, extents[m].columns, comm.size());
      matrices_.push_back(std::make_unique<Guarded<T>>(l, comm.rank(), pick(random, 0, 3)));
      layout::fill(matrices_[m]->view, comm.rank(),
                   [&](Index i, Index j) { return initial(static_cast<int>(m), i, j); });
    }
  }

  void run(TriangleRunner& context, const Settings& settings) {
    const comm::TrafficSnapshot before = comm_.traffic().snapshot();
    const auto prepared = context.run<T>(
        p_, settings, alpha_, {matrices_[0]->view, matrices_[1]->view, matrices_[2]->view}, beta_, [] {});
    comm::Counters moved;
    for (const auto& [phase, counters] : (comm_.traffic().snapshot() - before).phases)
      if (!phase.ends_with(comm::agreement_phase)) moved += counters;
    EXPECT_EQ(moved, prepared->moved);
    moved_ = moved;
    plan_ = prepared->plan;
  }

  void verify() const {
    const auto result = static_cast<std::size_t>(result_matrix(p_));
    for (std::size_t m = 0; m < 3; ++m) {
      layout::for_each_element(matrices_[m]->view, comm_.rank(), [&](Index i, Index j, const T& x) {
        const T wanted = m == result && written(i, j) ? expected(i, j) : initial(static_cast<int>(m), i, j);
        const bool same = x == wanted || (std::isnan(std::real(x)) && std::isnan(std::real(wanted)));
        ASSERT_TRUE(same) << "ABC"[m] << "(" << i << ", " << j << ") is " << x << ", expected " << wanted
                          << ": " << text();
      });
      matrices_[m]->expect_guards();
    }
  }
  const Plan& plan() const { return plan_; }
  const comm::Counters& moved() const { return moved_; }
  std::array<layout::Layout, 3> layouts() const {
    return {matrices_[0]->view.layout, matrices_[1]->view.layout, matrices_[2]->view.layout};
  }

 private:
  static T scalar(Random& random, bool real) {
    const T choices[] = {T(0), T(1), T(-2), real ? T(3) : value<T>(random(), 1, 2)};
    return choices[random() % 4];
  }
  std::string text() const {
    return fmt::format(
        "{}, side {}, op {}, diagonal {}, alpha {} beta {}, on {} in {} parts; A {}; B {}; C {}",
        describe(p_), static_cast<int>(p_.side), static_cast<int>(p_.op), static_cast<int>(p_.diagonal),
        std::real(alpha_), std::real(beta_), plan_.best.pattern, plan_.best.parts,
        matrices_[0]->view.layout.text(), matrices_[1]->view.layout.text(), matrices_[2]->view.layout.text());
  }

  // The half of the triangle that is not stored is not a number where it is only read; so is a result that beta = 0
  // must not read.
  T initial(int m, Index i, Index j) const {
    const bool triangle = m == triangle_matrix(p_), result = m == result_matrix(p_);
    const bool unread = triangle && !result &&
                        (!is_inside(p_.triangle, i, j) ||
                         (i == j && p_.kind == Kind::triangular && p_.diagonal == Diagonal::unit));
    const bool overwritten = result && p_.kind != Kind::triangular && beta_ == T(0) && written(i, j);
    if (unread || overwritten) return T(std::numeric_limits<Real<T>>::quiet_NaN());
    return value<T>(seed_ + static_cast<std::uint64_t>(m), i, j);
  }
  bool written(Index i, Index j) const { return !p_.updates() || is_inside(p_.triangle, i, j); }

  // Row i, column l of a panel of an update.
  T panel(int m, Index i, Index l) const {
    if (p_.op == Op::none) return initial(m, i, l);
    return p_.op == Op::adjoint ? conj(initial(m, l, i)) : initial(m, l, i);
  }
  T other(T x) const { return p_.hermitian ? conj(x) : x; }
  T symmetric_at(Index i, Index j) const {
    if (i == j && p_.hermitian) return T(std::real(initial(0, i, j)));
    return is_inside(p_.triangle, i, j) ? initial(0, i, j) : other(initial(0, j, i));
  }
  T stored_at(Index i, Index j) const {
    if (i == j && p_.diagonal == Diagonal::unit) return T(1);
    return is_inside(p_.triangle, i, j) ? initial(0, i, j) : T(0);
  }
  T square_at(Index i, Index j) const {
    if (p_.kind == Kind::symmetric) return symmetric_at(i, j);
    if (p_.op == Op::none) return stored_at(i, j);
    return p_.op == Op::adjoint ? conj(stored_at(j, i)) : stored_at(j, i);
  }

  T expected(Index i, Index j) const {
    const T old = beta_ == T(0) ? T(0) : initial(result_matrix(p_), i, j);
    if (!p_.updates()) {
      T sum(0);
      for (Index l = 0; alpha_ != T(0) && l < p_.n; ++l)
        sum +=
            p_.side == Side::left ? square_at(i, l) * initial(1, l, j) : initial(1, i, l) * square_at(l, j);
      return alpha_ == T(0) ? beta_ * old : alpha_ * sum + beta_ * old;
    }
    if (!p_.multiplies() && beta_ == T(1)) return old;
    T sum(0);
    for (Index l = 0; l < p_.k; ++l) {
      const int b = p_.kind == Kind::rank_2k ? 1 : 0;
      sum += alpha_ * panel(0, i, l) * other(panel(b, j, l));
      if (p_.kind == Kind::rank_2k) sum += other(alpha_) * panel(1, i, l) * other(panel(0, j, l));
    }
    const T all = sum + beta_ * old;
    return p_.hermitian && i == j ? T(std::real(all)) : all;
  }

  CommView comm_;
  Problem p_;
  std::uint64_t seed_;
  T alpha_, beta_;
  std::vector<std::unique_ptr<Guarded<T>>> matrices_;
  Plan plan_;
  comm::Counters moved_;
};

template <Scalar T>
void random_product(Random& random, TriangleRunner& context, CommView comm, const Settings& settings,
                    std::uint64_t seed, bool counts) {
  Trial<T> trial(random, comm, seed);
  trial.run(context, settings);
  trial.verify();
  // What the plan counts for this rank is what it moved.
  if (counts) {
    EXPECT_EQ(count(trial.plan(), trial.layouts())[static_cast<std::size_t>(comm.rank())], trial.moved());
  }
}

class SymmetricMpi : public test::MpiTest {};

TEST_F(SymmetricMpi, RandomProductsInAnyLayout) {
  const int cases = test::trials(240);  // on each of the ten numbers of ranks
  test::for_each_size([&](CommView comm) {
    TriangleRunner context(comm);
    for (int k = 0; k < cases; ++k) {
      Random random(static_cast<std::uint64_t>(k * 100 + comm.size()));
      const std::uint64_t seed = random();
      const Settings settings = pick_settings(random);
      try {
        dispatch(static_cast<ScalarType>(k % 4),
                 [&]<class T>() { random_product<T>(random, context, comm, settings, seed, k % 8 == 0); });
      } catch (const Error& e) {
        ADD_FAILURE() << e.what();
      }
      if (comm::allreduce(comm, testing::Test::HasFailure() ? 1.0 : 0.0, comm::ReduceOp::max) > 0) return;
    }
  });
}

}  // namespace
}  // namespace cairn::symmetric
