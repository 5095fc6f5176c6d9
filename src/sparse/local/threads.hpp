// Work on rows, spread over threads.
#pragma once

#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "base/workers.hpp"
#include "sparse/local/array.hpp"

namespace cairn::sparse {

inline int thread_count(const Workers* workers) { return workers == nullptr ? 1 : workers->threads(); }

// f(0) .. f(threads-1); throws what one of them threw. Without workers f(0) here.
template <class F>
void on_threads(Workers* workers, F&& f) {
  if (workers == nullptr || workers->threads() == 1) return f(0);
  std::mutex mutex;
  std::exception_ptr first;
  workers->run([&](int thread) {
    try {
      f(thread);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  });
  if (first) std::rethrow_exception(first);
}

// Rows cut[t] .. cut[t+1]-1 for thread t: nearly equal shares of `work`, of which every row has its own, and
// of the rows themselves.
std::vector<Index> cut_rows(std::span<const Index> work, int threads);

}  // namespace cairn::sparse
