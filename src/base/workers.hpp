// A few threads that wait for work: for loops that are too short to start threads for each.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cairn {

class Workers {
 public:
  // The caller is one of them: `threads` - 1 are started, none for 1.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const noexcept { return static_cast<int>(others_.size()) + 1; }
  // f(0) .. f(threads-1), each on a thread of its own; returns when all are done. f must not throw.
  void run(const std::function<void(int)>& f);

 private:
  void serve(int number);

  std::mutex mutex_;
  std::condition_variable work_, idle_;
  const std::function<void(int)>* job_ = nullptr;
  long generation_ = 0;
  int busy_ = 0;
  bool ending_ = false;
  std::vector<std::thread> others_;
};

}  // namespace cairn
