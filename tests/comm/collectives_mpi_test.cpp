// Random collectives against a plain reference: every rank knows what every other rank puts in, and so what
// must come out. Several operations are under way at once and are waited for in an order that differs between
// ranks.
#include "comm/collectives.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "base/scalar.hpp"
#include "support/mpi_test.hpp"

namespace cairn::comm {
namespace {

using test::for_each_size;
using test::MpiTest;
using Random = std::mt19937_64;

Index pick(Random& random, Index least, Index most) {
  return std::uniform_int_distribution<Index>(least, most)(random);
}

// What rank `r` puts at place i in case `seed`: small integers, so that sums are exact in every type.
template <class T>
T value(std::uint64_t seed, int r, Index i) {
  std::uint64_t x = seed + static_cast<std::uint64_t>(r + 1) * 0x9E3779B97F4A7C15U;
  x ^= static_cast<std::uint64_t>(i + 3) * 0xBF58476D1CE4E5B9U;
  const int small = static_cast<int>((x >> 29) % 17);
  if constexpr (Scalar<T>) {
    if constexpr (ScalarTraits<T>::is_complex)
      return T(static_cast<Real<T>>(small), static_cast<Real<T>>(17 - small));
    else
      return static_cast<T>(small);
  } else {
    return static_cast<T>(small);
  }
}

template <class T>
std::vector<T> values(std::uint64_t seed, int r, Index n) {
  std::vector<T> v(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = value<T>(seed, r, i);
  return v;
}

template <class T>
std::vector<T> slice(const std::vector<T>& v, Index at, Index n) {
  return {v.begin() + at, v.begin() + at + n};
}

template <class T>
std::vector<T> combined(std::uint64_t seed, int p, Index n, ReduceOp op) {
  std::vector<T> result = values<T>(seed, 0, n);
  for (int r = 1; r < p; ++r) {
    const std::vector<T> v = values<T>(seed, r, n);
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (op == ReduceOp::sum) {
        result[i] = static_cast<T>(result[i] + v[i]);
      } else if constexpr (std::is_arithmetic_v<T>) {
        result[i] = op == ReduceOp::max ? std::max(result[i], v[i]) : std::min(result[i], v[i]);
      }
    }
  }
  return result;
}

struct AnyCase {
  virtual ~AnyCase() = default;
  virtual Ongoing start(CommView comm) = 0;
  virtual void verify() const = 0;
};

enum Kind {
  broadcast_,
  reduce_,
  allreduce_,
  allgather_,
  allgatherv_,
  reduce_scatter_,
  reduce_scatterv_,
  alltoall_,
  alltoallv_,
  gather_,
  gatherv_,
  scatter_,
  scatterv_,
  barrier_,
  ring_,
  kinds
};

// One operation: the same description on every rank of the communicator.
template <class T>
class Case final : public AnyCase {
 public:
  Case(Random& random, int p, int r) : p_(p), r_(r) {
    kind_ = static_cast<Kind>(pick(random, 0, kinds - 1));
    seed_ = random();
    root_ = static_cast<int>(pick(random, 0, p - 1));
    const Index most = pick(random, 0, 9) == 0 ? 3000 : pick(random, 0, 3) == 0 ? 0 : 60;
    for (int i = 0; i < p; ++i) counts_.push_back(pick(random, 0, 2) == 0 ? 0 : pick(random, 0, most));
    const bool even =
        kind_ != allgatherv_ && kind_ != reduce_scatterv_ && kind_ != gatherv_ && kind_ != scatterv_;
    if (even) std::fill(counts_.begin(), counts_.end(), counts_[0]);
    n_ = std::accumulate(counts_.begin(), counts_.end(), Index{0});
    if (std::is_arithmetic_v<T>) op_ = static_cast<ReduceOp>(pick(random, 0, 2));
    in_place_ = pick(random, 0, 3) == 0;
  }

  Ongoing start(CommView c) override {
    switch (kind_) {
      case broadcast_:
        output_ = r_ == root_ ? values<T>(seed_, root_, n_) : blank(n_);
        expected_ = values<T>(seed_, root_, n_);
        return start_broadcast(c, std::span(output_), root_);
      case reduce_:
        reduction(r_ == root_);
        return start_reduce(c, input(), std::span(output_), op_, root_);
      case allreduce_:
        reduction(true);
        return start_allreduce(c, input(), std::span(output_), op_);
      case allgather_:
        gathering(true);
        return start_allgather(c, input(), std::span(output_));
      case allgatherv_:
        gathering(true);
        return start_allgatherv(c, input(), std::span(output_), counts_);
      case gather_:
        gathering(r_ == root_);
        return start_gather(c, input(), std::span(output_), root_);
      case gatherv_:
        gathering(r_ == root_);
        return start_gatherv(c, input(), std::span(output_), counts_, root_);
      case reduce_scatter_:
        reduce_scattering();
        return start_reduce_scatter(c, input(), std::span(output_), op_);
      case reduce_scatterv_:
        reduce_scattering();
        return start_reduce_scatterv(c, input(), std::span(output_), counts_, op_);
      case scatter_:
        scattering();
        return start_scatter(c, input(), std::span(output_), root_);
      case scatterv_:
        scattering();
        return start_scatterv(c, input(), std::span(output_), counts_, root_);
      case alltoall_:
        exchanging([&](int, int) { return counts_[0]; });
        return start_alltoall(c, input(), std::span(output_));
      case alltoallv_:
        exchanging([&](int from, int to) { return Index{(from * 7 + to * 3 + counts_[0]) % 11}; });
        return start_alltoallv(c, input(), send_counts_, std::span(output_), receive_counts_);
      case barrier_:
        return start_barrier(c);
      case ring_:
        return start_ring(c);
      case kinds:
        break;
    }
    return {};
  }

  void verify() const override {
    ASSERT_EQ(output_, expected_) << "kind " << kind_ << " p " << p_ << " rank " << r_ << " root " << root_
                                  << " counts " << testing::PrintToString(counts_);
    ASSERT_TRUE(in_place_ || input_ == input_before_) << "the input was changed";
  }

 private:
  static std::vector<T> blank(Index n) { return std::vector<T>(static_cast<std::size_t>(n), T(99)); }
  Index count(int r) const { return counts_[static_cast<std::size_t>(r)]; }
  Index offset(int r) const { return std::accumulate(counts_.begin(), counts_.begin() + r, Index{0}); }

  // The input, or the part of the output that holds it already.
  std::span<const T> input() {
    input_before_ = input_;
    if (!in_place_) return input_;
    return {output_.data() + place_, input_.size()};
  }
  void put_in_place(Index place) {
    place_ = place;
    std::copy(input_.begin(), input_.end(), output_.begin() + place);
  }

  void reduction(bool has_output) {
    input_ = values<T>(seed_, r_, n_);
    in_place_ = in_place_ && has_output;
    output_ = has_output ? blank(n_) : std::vector<T>();
    expected_ = has_output ? combined<T>(seed_, p_, n_, op_) : std::vector<T>();
    if (in_place_) put_in_place(0);
  }
  void gathering(bool has_output) {
    input_ = values<T>(seed_, r_, count(r_));
    in_place_ = in_place_ && has_output;
    output_ = has_output ? blank(n_) : std::vector<T>();
    if (in_place_) put_in_place(offset(r_));
    if (!has_output) return;
    for (int r = 0; r < p_; ++r) {
      const std::vector<T> v = values<T>(seed_, r, count(r));
      expected_.insert(expected_.end(), v.begin(), v.end());
    }
  }
  void reduce_scattering() {
    in_place_ = false;
    input_ = values<T>(seed_, r_, n_);
    output_ = blank(count(r_));
    expected_ = slice(combined<T>(seed_, p_, n_, op_), offset(r_), count(r_));
  }
  void scattering() {
    in_place_ = false;
    if (r_ == root_) input_ = values<T>(seed_, root_, n_);
    output_ = blank(count(r_));
    expected_ = slice(values<T>(seed_, root_, n_), offset(r_), count(r_));
  }
  template <class Between>
  void exchanging(Between between) {
    in_place_ = false;
    for (int i = 0; i < p_; ++i) {
      send_counts_.push_back(between(r_, i));
      receive_counts_.push_back(between(i, r_));
      Index at = 0;
      for (int j = 0; j < r_; ++j) at += between(i, j);
      const std::vector<T> theirs = values<T>(seed_, i, at + between(i, r_));
      expected_.insert(expected_.end(), theirs.begin() + at, theirs.end());
    }
    input_ = values<T>(seed_, r_, std::accumulate(send_counts_.begin(), send_counts_.end(), Index{0}));
    output_ = blank(static_cast<Index>(expected_.size()));
  }
  // Everybody sends to the rank ahead: two messages between two ranks with tags of their own.
  Ongoing start_ring(CommView c) {
    in_place_ = false;
    input_ = values<T>(seed_, r_, count(r_));
    const int behind = (r_ + p_ - 1) % p_;
    output_ = blank(count(behind));
    expected_ = values<T>(seed_, behind, count(behind));
    const int tag = static_cast<int>(seed_ % user_tags);
    sending_ = start_send(c, input(), (r_ + 1) % p_, tag);
    return start_receive(c, std::span(output_), behind, tag);
  }

  int p_, r_;
  Kind kind_;
  std::uint64_t seed_;
  int root_;
  std::vector<Index> counts_;
  Index n_;
  ReduceOp op_ = ReduceOp::sum;
  bool in_place_ = false;
  Index place_ = 0;
  std::vector<Index> send_counts_, receive_counts_;
  std::vector<T> input_, input_before_, output_, expected_;
  Ongoing sending_;
};

std::unique_ptr<AnyCase> random_case(Random& random, int p, int r) {
  switch (pick(random, 0, 6)) {
    case 0:
      return std::make_unique<Case<float>>(random, p, r);
    case 1:
      return std::make_unique<Case<double>>(random, p, r);
    case 2:
      return std::make_unique<Case<std::complex<float>>>(random, p, r);
    case 3:
      return std::make_unique<Case<std::complex<double>>>(random, p, r);
    case 4:
      return std::make_unique<Case<std::int32_t>>(random, p, r);
    case 5:
      return std::make_unique<Case<std::int64_t>>(random, p, r);
    default:
      return std::make_unique<Case<std::uint64_t>>(random, p, r);
  }
}

class CollectivesTest : public MpiTest {};

// 10 sizes x 330 operations = 3,300 cases.
TEST_F(CollectivesTest, RandomOperationsMatchThePlainReference) {
  constexpr int operations_per_size = 330;
  for_each_size([](CommView checked) {
    Random shared(static_cast<std::uint64_t>(checked.size()));      // the same on every rank
    Random own(static_cast<std::uint64_t>(1000 + checked.rank()));  // different
    for (int done = 0; done < operations_per_size;) {
      const int batch = static_cast<int>(pick(shared, 1, 5));
      const CommView c = pick(shared, 0, 1) == 0 ? checked : checked.unchecked();
      c.set_crowded(pick(shared, 0, 1) == 0);
      std::vector<std::unique_ptr<AnyCase>> cases;
      std::vector<Ongoing> operations;
      for (int i = 0; i < batch; ++i) {
        cases.push_back(random_case(shared, c.size(), c.rank()));
        operations.push_back(cases.back()->start(c));
        if (pick(own, 0, 2) == 0) c.progress();
      }
      std::shuffle(operations.begin(), operations.end(), own);
      for (Ongoing& operation : operations) {
        for (int i = 0; i < 3; ++i) operation.test();
        operation.wait();
      }
      operations.clear();
      for (const auto& one : cases) one->verify();
      if (testing::Test::HasFatalFailure()) return;
      done += batch;
    }
    checked.set_crowded(false);
  });
}

TEST_F(CollectivesTest, WordsAreTheFewest) {
  for_each_size([](CommView checked) {
    const CommView c = checked.unchecked();
    const int p = c.size();
    const Index each = 40000, n = each * p;  // 320 KB a block: large
    std::vector<double> all(static_cast<std::size_t>(n), 1.0), mine(static_cast<std::size_t>(each));
    const auto moved = [&](auto&& call) {
      const TrafficSnapshot before = c.traffic().snapshot();
      call();
      return (c.traffic().snapshot() - before).total();
    };
    const Counters ag = moved([&] { allgather(c, std::span<const double>(mine), std::span(all)); });
    const Counters rs =
        moved([&] { reduce_scatter(c, std::span<const double>(all), std::span(mine), ReduceOp::sum); });
    for (const Counters& m : {ag, rs}) {
      EXPECT_EQ(m.sent.words, n - each);
      EXPECT_EQ(m.received.words, n - each);
    }
    const int root = p / 2;
    const Counters bc = moved([&] { broadcast(c, std::span(all), root); });
    EXPECT_LE(bc.sent.words, n);
    EXPECT_EQ(bc.received.words, c.rank() == root ? 0 : n);
    std::vector<double> sum(all.size());
    const Counters rd =
        moved([&] { reduce(c, std::span<const double>(all), std::span(sum), ReduceOp::sum, root); });
    EXPECT_LE(rd.received.words, n);
    EXPECT_EQ(rd.sent.words, c.rank() == root ? 0 : n);
  });
}

// What the command line says of every launch with more ranks than cores.
TEST_F(CollectivesTest, BroadcastsWhereRanksShareCores) {
  for_each_size([](CommView checked) {
    const CommView c = checked.unchecked();
    const int p = c.size();
    c.set_crowded(true);
    for (const Index n : {1, 1000, 50000, 400001})
      for (const int root : {0, p / 2, p - 1}) {
        const std::vector<double> expected = values<double>(static_cast<std::uint64_t>(n), root, n);
        std::vector<double> data = c.rank() == root ? expected : std::vector<double>(expected.size(), -1.0);
        const TrafficSnapshot before = c.traffic().snapshot();
        broadcast(c, std::span(data), root);
        const Counters moved = (c.traffic().snapshot() - before).total();
        ASSERT_EQ(data, expected);
        EXPECT_EQ(moved.received.words, c.rank() == root ? 0 : n);
        if (n >= 50000) {
          EXPECT_LE(moved.sent.words, 2 * n * (p - 1) / p);
        }
      }
    c.set_crowded(false);
  });
}

TEST_F(CollectivesTest, SumsHaveTheSameBitsEverywhereAndEveryTime) {
  for_each_size([](CommView c) {
    for (const Index n : {3, 5000}) {
      std::vector<double> x(static_cast<std::size_t>(n)), first(x.size()), second(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / (static_cast<double>(i) + 3.0 * c.rank() + 1.0);
      allreduce(c, std::span<const double>(x), std::span(first), ReduceOp::sum);
      allreduce(c, std::span<const double>(x), std::span(second), ReduceOp::sum);
      EXPECT_EQ(first, second);
      std::vector<double> of_root = first;
      broadcast(c, std::span(of_root), 0);
      EXPECT_EQ(first, of_root);
    }
  });
}

// Memory that every rank of the launch shows to the others, large enough for all the cases here.
struct Shown {
  std::vector<double> memory = std::vector<double>(20000);
  Window window{test::world(), std::span(memory)};

  std::span<double> fill(const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), memory.begin());
    return std::span(memory).first(values.size());
  }
};

TEST_F(CollectivesTest, OneSidedGivesTheSame) {
  Shown mine, whole;
  for_each_size([&](CommView c) {
    const int p = c.size(), r = c.rank();
    std::vector<Index> counts;
    for (int i = 0; i < p; ++i) counts.push_back(i % 3 == 1 ? 0 : 100 + 37 * i);
    const Index n = std::accumulate(counts.begin(), counts.end(), Index{0});
    const Index own = counts[static_cast<std::size_t>(r)];
    const auto block = mine.fill(values<double>(1, r, own)), vector = whole.fill(values<double>(2, r, n));
    std::vector<double> gathered(vector.size()), expected(vector.size()), sum(block.size()),
        sum_expected(block.size());
    const TrafficSnapshot before = c.traffic().snapshot();
    allgatherv(c.unchecked(), block, std::span(gathered), counts, {Transport::one_sided, &mine.window});
    const Counters moved = (c.traffic().snapshot() - before).total();
    EXPECT_EQ(moved.received.words, n - own);
    EXPECT_EQ(moved.sent.words, own * (p - 1));
    allgatherv(c, block, std::span(expected), counts);
    EXPECT_EQ(gathered, expected);
    reduce_scatterv(c, vector, std::span(sum), counts, ReduceOp::sum, {Transport::one_sided, &whole.window});
    reduce_scatterv(c, vector, std::span(sum_expected), counts, ReduceOp::sum);
    EXPECT_EQ(sum, sum_expected);
  });
}

TEST_F(CollectivesTest, OneSidedOperationsOverlap) {
  Shown mine, whole;
  for_each_size([&](CommView c) {
    const int p = c.size();
    const auto block = mine.fill(values<double>(5, c.rank(), 500));
    const auto vector = whole.fill(values<double>(6, c.rank(), 500 * p));
    std::vector<double> all(vector.size()), sum(block.size());
    for (int repeat = 0; repeat < 3; ++repeat) {
      Ongoing gather = start_allgather(c, block, std::span(all), {Transport::one_sided, &mine.window});
      Ongoing reduce = start_reduce_scatter(c, vector, std::span(sum), ReduceOp::sum,
                                            {Transport::one_sided, &whole.window});
      (c.rank() % 2 == 0 ? gather : reduce).wait();
      (c.rank() % 2 == 0 ? reduce : gather).wait();
      for (int r = 0; r < p; ++r) ASSERT_EQ(slice(all, 500 * r, 500), values<double>(5, r, 500));
      ASSERT_EQ(sum, slice(combined<double>(6, p, 500 * p, ReduceOp::sum), 500 * c.rank(), 500));
    }
  });
}

TEST_F(CollectivesTest, WindowsGetPutAndAccumulate) {
  const CommView c = test::world();
  const int p = c.size(), r = c.rank();
  std::vector<double> memory(static_cast<std::size_t>(p) + 1, 0.0);
  {
    Window window(c, std::span(memory));
    const double mine = r + 1;
    for (int to = 0; to < p; ++to) {
      window.put(to, r, std::span(&mine, 1));
      window.accumulate(to, p, std::span<const double>(&mine, 1));
    }
    barrier(c);
    std::vector<double> got(2);
    window.get((r + 1) % p, p - 1, std::span(got));
    EXPECT_EQ(got[0], p);
    EXPECT_EQ(got[1], p * (p + 1) / 2);
    barrier(c);
  }
  for (int i = 0; i < p; ++i) EXPECT_EQ(memory[static_cast<std::size_t>(i)], i + 1);
}

TEST_F(CollectivesTest, WindowsOfPartsAreRefused) {
  for_each_size([](CommView c) {
    std::vector<double> memory(4);
    test::expect_same_error<ArgumentError>(
        c, [&] { Window(c, std::span(memory)); }, "a part that was split off");
  });
}

#ifdef CAIRN_MESSAGE_ELEMENTS
TEST_F(CollectivesTest, LongMessagesAreCut) {
  test::on_ranks(2, [](CommView c) {
    std::vector<double> data(CAIRN_MESSAGE_ELEMENTS * 3 + 1, c.rank());
    const TrafficSnapshot before = c.traffic().snapshot();
    broadcast(c.unchecked(), std::span(data), 0);
    EXPECT_EQ(data.back(), 0.0);
    EXPECT_EQ((c.traffic().snapshot() - before).total().received.messages, c.rank() == 0 ? 0 : 4);
  });
}
#endif

}  // namespace
}  // namespace cairn::comm
