#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "comm/collectives.hpp"
#include "support/mpi_test.hpp"

namespace cairn::test {
namespace {

// The watchdog shows as a failure of the case, the limit ends the program. Under the sanitizers a case, which
// some ranks may sit out, takes minutes.
#ifdef __SANITIZE_ADDRESS__
constexpr double library_watchdog_seconds = 590;
constexpr double case_limit_seconds = 600;
#else
constexpr double library_watchdog_seconds = 60;
constexpr double case_limit_seconds = 240;
#endif

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// Plain MPI throughout: what is tested must not carry its own verdict.
std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& mine) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(size)), offsets(static_cast<std::size_t>(size));
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm);
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
  std::string all(static_cast<std::size_t>(offsets.back() + lengths.back()), ' ');
  MPI_Allgatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR, comm);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    texts.push_back(all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(lengths[i])));
  return texts;
}

// Remembers what failed on this rank in the case that is running.
class FailureLog : public testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    text_ += std::string(result.file_name() != nullptr ? result.file_name() : "?") + ":" +
             std::to_string(result.line_number()) + ": " + result.message() + "\n";
  }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

FailureLog* failure_log = nullptr;

// Ends the program when one case takes too long, and says which.
class Deadline : public testing::EmptyTestEventListener {
 public:
  Deadline() : thread_([this] { watch(); }) {}
  ~Deadline() override {
    stop_ = true;
    thread_.join();
  }
  void OnTestStart(const testing::TestInfo& info) override {
    const std::lock_guard lock(mutex_);
    name_ = std::string(info.test_suite_name()) + "." + info.name();
    seconds_ = 0;
  }
  void OnTestEnd(const testing::TestInfo&) override {
    const std::lock_guard lock(mutex_);
    name_.clear();
  }

 private:
  // Time in which the program was stopped does not count: a gap is a second at most.
  void watch() {
    using Clock = std::chrono::steady_clock;
    for (Clock::time_point last = Clock::now(); !stop_;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      const Clock::time_point now = Clock::now();
      const std::lock_guard lock(mutex_);
      seconds_ += std::min(1.0, std::chrono::duration<double>(now - std::exchange(last, now)).count());
      if (name_.empty() || seconds_ < case_limit_seconds) continue;
      std::fprintf(stderr, "[rank %d] %s hangs: ended after %.0f s\n", rank_, name_.c_str(), seconds_);
      std::_Exit(3);
    }
  }

  const int rank_ = world_rank();
  std::mutex mutex_;
  std::string name_;
  double seconds_ = 0;  // of the case that runs
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

comm::Communicator& world_owner() {
  static comm::Communicator owner =
      comm::Communicator::of(MPI_COMM_WORLD, {.watchdog_seconds = library_watchdog_seconds});
  return owner;
}

// Sizes that run side by side, largest first: each list fits into 16 ranks.
const std::vector<std::vector<int>>& waves() {
  static const std::vector<std::vector<int>> w{{16}, {12, 4}, {9, 7}, {8, 5, 3}, {2, 1}};
  return w;
}

}  // namespace

comm::CommView world() { return world_owner(); }

comm::CommView least_words_world() {
  static const comm::Communicator owner = [] {
    MPI_Comm copy = MPI_COMM_NULL;  // with options of its own
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    return comm::Communicator::of(
        copy, {.cost = {.alpha = 0, .sigma = 0}, .watchdog_seconds = library_watchdog_seconds});
  }();
  return owner;
}

const std::vector<int>& all_sizes() {
  static const std::vector<int> sizes{1, 2, 3, 4, 5, 7, 8, 9, 12, 16};
  return sizes;
}

void for_each_size(const std::function<void(comm::CommView)>& body) { for_each_size(world(), body); }

void for_each_size(comm::CommView whole, const std::function<void(comm::CommView)>& body) {
  for (const std::vector<int>& wave : waves()) on_parts(whole, wave, body);
}

namespace {
// The watchdog waits for what others may still be doing in their part of a case.
class CaseLong {
 public:
  explicit CaseLong(comm::CommView comm) : comm_(comm) { comm_.set_watchdog(case_limit_seconds); }
  ~CaseLong() { comm_.set_watchdog(library_watchdog_seconds); }
  CaseLong(const CaseLong&) = delete;
  CaseLong& operator=(const CaseLong&) = delete;

 private:
  comm::CommView comm_;
};

comm::Communicator split_after_others(comm::CommView whole, int color) {
  const CaseLong patience(whole);
  return whole.split(color, whole.rank());
}
}  // namespace

void on_parts(comm::CommView whole, const std::vector<int>& sizes,
              const std::function<void(comm::CommView)>& body) {
  int color = -1, end = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (whole.rank() >= end && whole.rank() < end + sizes[i]) color = static_cast<int>(i);
    end += sizes[i];
  }
  ASSERT_LE(end, whole.size()) << "launch these tests on 16 ranks";
  const comm::Communicator part = split_after_others(whole, color);
  if (part) {
    SCOPED_TRACE("on " + std::to_string(part.view().size()) + " ranks");
    body(part);
  }
}

void on_ranks(int size, const std::function<void(comm::CommView)>& body) {
  ASSERT_LE(size, world().size());
  const comm::Communicator part = split_after_others(world(), world().rank() < size ? 0 : -1);
  if (part) body(part);
}

std::vector<std::string> texts_of_all(comm::CommView comm, const std::string& mine) {
  return gather_texts(comm.handle(), mine);
}

void MpiTest::TearDown() {
  // Ranks that have nothing to do wait here, giving way to those that have: MPI's own waiting may not. As long as a
  // case may take.
  const CaseLong patience(world());
  try {
    barrier(world().unchecked());
  } catch (const Error& e) {
    ADD_FAILURE() << "the ranks do not come together after the case: " << e.what();
  }
  const std::vector<std::string> texts = gather_texts(MPI_COMM_WORLD, failure_log->take());
  if (world_rank() != 0) return;
  for (std::size_t r = 1; r < texts.size(); ++r)
    if (!texts[r].empty()) ADD_FAILURE() << "[rank " << r << "] " << texts[r];
}

void install_listeners() {
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (world_rank() != 0) {
    delete listeners.Release(listeners.default_result_printer());
    delete listeners.Release(listeners.default_xml_generator());
  }
  listeners.Append(failure_log = new FailureLog);
  listeners.Append(new Deadline);
}

}  // namespace cairn::test
