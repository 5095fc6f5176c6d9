#include "base/workers.hpp"

namespace cairn {

Workers::Workers(int threads) {
  for (int i = 1; i < threads; ++i) others_.emplace_back([this, i] { serve(i); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  work_.notify_all();
  for (std::thread& t : others_) t.join();
}

void Workers::run(const std::function<void(int)>& f) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &f;
    busy_ = static_cast<int>(others_.size());
    ++generation_;
  }
  work_.notify_all();
  f(0);
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return busy_ == 0; });
}

void Workers::serve(int number) {
  long seen = 0;
  while (true) {
    const std::function<void(int)>* job = nullptr;
    {
      std::unique_lock lock(mutex_);
      work_.wait(lock, [&] { return ending_ || generation_ != seen; });
      if (ending_) return;
      seen = generation_;
      job = job_;
    }
    (*job)(number);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) idle_.notify_one();
  }
}

}  // namespace cairn
