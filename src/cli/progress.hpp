// One line on a terminal that says what is being done and for how long, written over and taken away at the
// end. It shows once something has taken a second.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace cairn::cli {

class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void say(std::string what) { step(std::move(what), 0, 0); }  // "planning"
  void step(std::string what, int step, int steps);  // "multiply 2 of 5, 3 s passed, about 4 s left"

 private:
  void show_until_stopped();
  std::string line() const;

  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false, shown_ = false;
  std::string what_;
  int step_ = 0, steps_ = 0;
  double start_ = 0, steps_start_ = 0;
  std::thread thread_;
};

}  // namespace cairn::cli
