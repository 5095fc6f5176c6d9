#include "comm/progress_thread.hpp"

#include <system_error>
#include <utility>

#include "comm/mpi_call.hpp"
#include "comm/patience.hpp"

namespace cairn::comm {

bool ProgressThread::is_allowed() {
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&provided), "MPI_Query_thread");
  return provided >= MPI_THREAD_SERIALIZED;
}

ProgressThread::~ProgressThread() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool ProgressThread::start() {
  if (thread_.joinable()) return true;
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void ProgressThread::beside(const std::function<bool()>& progress, const std::function<void()>& work) {
  {
    const std::scoped_lock lock(mutex_);
    progress_ = &progress;
    thrown_ = nullptr;
    wanted_back_ = false;
  }
  changed_.notify_one();
  try {
    work();
  } catch (...) {
    take_back();
    throw;
  }
  take_back();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void ProgressThread::take_back() {
  wanted_back_ = true;
  const std::scoped_lock lock(mutex_);
  progress_ = nullptr;
}

void ProgressThread::loop() {
  Patience patience;
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (progress_ == nullptr || wanted_back_) {
      changed_.wait(lock);
      patience.renew();
    } else if (drive()) {
      patience.renew();
    } else if (const auto pause = patience.pause()) {
      // Its owner multiplies, maybe on the same core: it naps where a rank that waits would only make way.
      changed_.wait_for(lock, std::max<Patience::Clock::duration>(*pause, Patience::shortest_nap));
    }
  }
}

bool ProgressThread::drive() {
  try {
    return (*progress_)();
  } catch (...) {
    thrown_ = std::current_exception();
    progress_ = nullptr;
    return false;
  }
}

}  // namespace cairn::comm
