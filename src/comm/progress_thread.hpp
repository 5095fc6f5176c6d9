// Words move only while somebody drives MPI. While its owner multiplies, this thread does.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace cairn::comm {

class ProgressThread {
 public:
  // Whether MPI was started so that threads may call it in turn (MPI_THREAD_SERIALIZED or more).
  static bool is_allowed();

  ProgressThread() = default;
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  ~ProgressThread();

  // Starts the thread unless it runs already; false if the system has none to give.
  bool start();

  // Of a thread that was started. Does `work` here, and calls `progress` on the thread, again and again,
  // until work is done: at once while it says that something happened, else after a nap. The owner's own
  // calls of MPI come before or after, never meanwhile, so that no two threads are in MPI, or in what
  // `progress` touches, at the same time. What either throws is thrown here, when both are over.
  void beside(const std::function<bool()>& progress, const std::function<void()>& work);

 private:
  void loop();
  bool drive();  // false: nothing happened
  void take_back();

  std::mutex mutex_;  // held by the thread while it drives
  std::condition_variable changed_;
  const std::function<bool()>* progress_ = nullptr;
  std::exception_ptr thrown_;
  std::atomic<bool> wanted_back_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace cairn::comm
