#include "pebble/problems.hpp"

#include <algorithm>
#include <utility>

namespace cairn::pebble {
namespace {

void require_size(Index size, std::string_view name) {
  require(size >= 1, "{} is {}, expected 1 or more", name, size);
}

Coordinate at(Index i, Index j, Index k) {
  return {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), static_cast<std::int32_t>(k)};
}

// Adds vertices and their coordinates side by side.
struct Writer {
  Problem& problem;
  Vertex add(std::initializer_list<Vertex> parents, Coordinate coordinate) {
    problem.coordinates.push_back(coordinate);
    return problem.graph.add(parents);
  }
};

std::string multiply_name(Vertex v, Index m, Index n, Index k, bool accumulate) {
  Index x = v;
  if (x < m * k) return fmt::format("A({},{})", x / k, x % k);
  x -= m * k;
  if (x < k * n) return fmt::format("B({},{})", x / n, x % n);
  x -= k * n;
  if (accumulate && x < m * n) return fmt::format("C({},{})", x / n, x % n);
  if (accumulate) x -= m * n;
  return fmt::format("C({},{}) after step {}", x / k / n, x / k % n, x % k);
}

// The newest version of every element of an n x n matrix while a factorization is written down.
class Versions {
 public:
  explicit Versions(Index n) : n_(n), newest_(static_cast<std::size_t>(n * n), -1) {}
  Vertex& operator()(Index i, Index j) { return newest_[static_cast<std::size_t>(i * n_ + j)]; }

 private:
  Index n_;
  std::vector<Vertex> newest_;
};

void write_lu_step(Writer writer, Versions& newest, Index n, Index k) {
  for (Index i = k + 1; i < n; ++i) {
    newest(i, k) = writer.add({newest(i, k), newest(k, k)}, at(i, k, k));
    for (Index j = k + 1; j < n; ++j)
      newest(i, j) = writer.add({newest(i, j), newest(i, k), newest(k, j)}, at(i, j, k));
  }
}

void write_cholesky_step(Writer writer, Versions& newest, Index n, Index k) {
  newest(k, k) = writer.add({newest(k, k)}, at(k, k, k));
  for (Index i = k + 1; i < n; ++i) {
    newest(i, k) = writer.add({newest(i, k), newest(k, k)}, at(i, k, k));
    for (Index j = k + 1; j <= i; ++j)
      newest(i, j) = writer.add({newest(i, j), newest(i, k), newest(j, k)}, at(i, j, k));
  }
}

std::string updated(char matrix, Index i, Index j, Index k) {
  return fmt::format("{}({},{}) after step {}", matrix, i, j, k);
}

// Names are for messages, so they are found by walking over the steps instead of being stored.
std::string lu_name(Vertex v, Index n) {
  if (v < n * n) return fmt::format("A({},{})", v / n, v % n);
  Index x = v - n * n, k = 0;
  while (x >= (n - k - 1) * (n - k)) {
    x -= (n - k - 1) * (n - k);
    ++k;
  }
  return updated('A', k + 1 + x / (n - k), k + x % (n - k), k);
}

std::string cholesky_name(Vertex v, Index n) {
  Index x = v, i = 0;
  for (i = 0; i < n && x > i; ++i) x -= i + 1;
  if (i < n) return fmt::format("L({},{})", i, x);
  for (Index k = 0; k < n; ++k) {
    if (x == 0) return updated('L', k, k, k);
    --x;
    for (i = k + 1; i < n && x > i - k; ++i) x -= i - k + 1;
    if (i < n) return updated('L', i, k + x, k);
  }
  return fmt::format("v{}", v);
}

std::string syrk_name(Vertex v, Index n, Index k) {
  if (v < n * k) return fmt::format("A({},{})", v / k, v % k);
  Index x = v - n * k, i = 0;
  for (; x >= (i + 1) * k; ++i) x -= (i + 1) * k;
  return updated('C', i, x / k, x % k);
}

}  // namespace

std::string_view to_string(Kernel kernel) {
  switch (kernel) {
    case Kernel::multiply:
      return "multiply";
    case Kernel::lu:
      return "lu";
    case Kernel::cholesky:
      return "cholesky";
    case Kernel::syrk:
      return "syrk";
  }
  return "?";
}

Index Problem::updates() const {
  if (kernel == Kernel::multiply || kernel == Kernel::syrk) return graph.computed();
  return std::count_if(coordinates.begin(), coordinates.end(), [](const Coordinate& c) { return c.j > c.k; });
}

Problem multiply_problem(Index m, Index n, Index k, bool accumulate) {
  require_size(m, "m");
  require_size(n, "n");
  require_size(k, "k");
  const Index inputs = m * k + k * n + (accumulate ? m * n : 0);
  const auto name = [=](Vertex v) { return multiply_name(v, m, n, k, accumulate); };
  Problem problem{Kernel::multiply, {m, n, k}, accumulate, Cdag(inputs, name), {}};
  Writer writer{problem};
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      Vertex c = accumulate ? static_cast<Vertex>(m * k + k * n + i * n + j) : -1;
      for (Index l = 0; l < k; ++l) {
        const auto a = static_cast<Vertex>(i * k + l), b = static_cast<Vertex>(m * k + l * n + j);
        c = c < 0 ? writer.add({a, b}, at(i, j, l)) : writer.add({a, b, c}, at(i, j, l));
      }
      problem.graph.mark_output(c);
    }
  return problem;
}

Problem lu_problem(Index n) {
  require_size(n, "n");
  Problem problem{Kernel::lu, {n, n, n}, false, Cdag(n * n, [n](Vertex v) { return lu_name(v, n); }), {}};
  Versions newest(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) newest(i, j) = static_cast<Vertex>(i * n + j);
  for (Index k = 0; k < n; ++k) write_lu_step({problem}, newest, n, k);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) problem.graph.mark_output(newest(i, j));
  return problem;
}

Problem cholesky_problem(Index n) {
  require_size(n, "n");
  const Index inputs = n * (n + 1) / 2;
  const auto name = [n](Vertex v) { return cholesky_name(v, n); };
  Problem problem{Kernel::cholesky, {n, n, n}, false, Cdag(inputs, name), {}};
  Versions newest(n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) newest(i, j) = static_cast<Vertex>(i * (i + 1) / 2 + j);
  for (Index k = 0; k < n; ++k) write_cholesky_step({problem}, newest, n, k);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) problem.graph.mark_output(newest(i, j));
  return problem;
}

Problem syrk_problem(Index n, Index k) {
  require_size(n, "n");
  require_size(k, "k");
  const auto name = [=](Vertex v) { return syrk_name(v, n, k); };
  Problem problem{Kernel::syrk, {n, n, k}, false, Cdag(n * k, name), {}};
  Writer writer{problem};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) {
      Vertex c = -1;
      for (Index l = 0; l < k; ++l) {
        const auto x = static_cast<Vertex>(i * k + l), y = static_cast<Vertex>(j * k + l);
        c = c < 0 ? writer.add({x, y}, at(i, j, l)) : writer.add({x, y, c}, at(i, j, l));
      }
      problem.graph.mark_output(c);
    }
  return problem;
}

}  // namespace cairn::pebble
