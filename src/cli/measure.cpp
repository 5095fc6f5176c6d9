#include "cli/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/buffer.hpp"

namespace cairn::cli {
namespace {

// The least of several runs: what the machine can do when nothing else disturbs it.
template <class F>
double least_seconds(int runs, F&& f) {
  double least = 1e300;
  for (int i = 0; i < runs; ++i) {
    const double start = seconds_now();
    f();
    least = std::min(least, seconds_now() - start);
  }
  return least;
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double copy_bytes_per_second(Index bytes) {
  Buffer<char> from(bytes), to(bytes);
  std::memset(from.data(), 1, static_cast<std::size_t>(bytes));
  std::memset(to.data(), 2, static_cast<std::size_t>(bytes));
  const double seconds =
      least_seconds(6, [&] { std::memcpy(to.data(), from.data(), static_cast<std::size_t>(bytes)); });
  return static_cast<double>(bytes) / seconds;
}

}  // namespace cairn::cli
