// A program that calls ScaLAPACK, for the tests: Debian's library, loaded behind ours, process grids, and matrices that
// know every element they were given.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <cctype>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "cairn/scalapack.h"
#include "cairn/types.hpp"
#include "layout/random_layout.hpp"
#include "support/mpi_test.hpp"

#ifndef CAIRN_TEST_SCALAPACK
#error the name of the ScaLAPACK of this MPI
#endif

namespace cairn::test {

// ScaLAPACK itself. Null: not installed.
inline void* scalapack_library() {
  static void* const handle = dlopen(CAIRN_TEST_SCALAPACK, RTLD_NOW | RTLD_GLOBAL);
  return handle;
}

// A routine of ScaLAPACK, with nothing of ours inside it.
template <class... Arguments>
void call_theirs(const std::string& name, Arguments... arguments) {
  cairn_scalapack_set_mode("off");
  reinterpret_cast<void (*)(Arguments...)>(dlsym(scalapack_library(), name.c_str()))(arguments...);
}

// Ours, under one of its names.
template <class... Arguments>
void call_ours(const std::string& symbol, Arguments... arguments) {
  cairn_scalapack_set_mode("on");
  void* const found = dlsym(RTLD_DEFAULT, symbol.c_str());
  ASSERT_NE(found, nullptr) << symbol;
  reinterpret_cast<void (*)(Arguments...)>(found)(arguments...);
  cairn_scalapack_set_mode("off");
}

// Any name of a Fortran routine: with the prefix or without, in every mangling.
inline std::string some_symbol(Random& random, std::string name) {
  if (random() % 2 == 0) name = "cairn_" + name;
  switch (random() % 4) {
    case 0:
      return name;
    case 1:
      return name + "__";
    case 2:
      for (char& c : name) c = static_cast<char>(std::toupper(c));
      return name;
    default:
      return name + "_";
  }
}

template <Scalar T>
std::string name_of(const char* routine) {
  return std::string("p") + ScalarTraits<T>::letter + routine;
}

// A process grid of some of the ranks, dealt to them in any order. Collective over the world.
struct ProcessGrid {
  int context = -1;
  int rows = 1, columns = 1, row = -1, column = -1;

  bool has_me() const { return row >= 0; }
};

inline ProcessGrid make_grid(int rows, int columns, std::vector<int> ranks) {
  ProcessGrid g{.rows = rows, .columns = columns};
  int none = -1, zero = 0, r = rows, c = columns;
  call_theirs("blacs_get_", &none, &zero, &g.context);
  call_theirs("blacs_gridmap_", &g.context, ranks.data(), &r, &r, &c);
  if (g.context >= 0) call_theirs("blacs_gridinfo_", &g.context, &r, &c, &g.row, &g.column);
  if (!g.has_me()) g.context = -1;
  return g;
}

inline ProcessGrid some_grid(Random& random, int most) {
  most = std::min(most, world().size());
  const int rows = pick_int(random, 1, most), columns = pick_int(random, 1, most / rows);
  return make_grid(rows, columns, pick_ranks(random, rows * columns, world().size()));
}

inline void end_grid(const ProcessGrid& g) {
  int context = g.context;
  if (context < 0) return;
  void* const found = dlsym(RTLD_DEFAULT, "blacs_gridexit_");  // ours: what was kept goes
  reinterpret_cast<void (*)(int*)>(found)(&context);
}

// How the rows or columns of a matrix are dealt.
struct Dealt {
  int size = 0, first = 1, block = 1, source = 0;
  std::vector<int> of(int process, int processes) const {  // the indices that it has, in order
    std::vector<int> all;
    for (int i = 0; i < size; ++i) {
      const int b = i < first ? 0 : 1 + (i - first) / block;
      if ((b + source) % processes == process) all.push_back(i);
    }
    return all;
  }
};

template <Scalar T>
T element(std::uint64_t seed, int i, int j) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(i) * 0xbf58476d1ce4e5b9U +
                    static_cast<std::uint64_t>(j) * 0x94d049bb133111ebU;
  const auto next = [&] {
    x ^= x >> 31;
    x *= 0xd6e8feb86659fd93U;
    x ^= x >> 32;
    return static_cast<double>(x >> 11) / 4503599627370496.0 - 1;
  };
  using R = typename ScalarTraits<T>::Real;
  const R re = static_cast<R>(next()), im = static_cast<R>(next());
  if constexpr (ScalarTraits<T>::is_complex) return {re, im};
  return re + 0 * im;
}

// A matrix in memory with room around it; ia and ja count from 1.
template <Scalar T>
struct DealtMatrix {
  ProcessGrid grid;
  Dealt rows, columns;
  int type = 1, ia = 1, ja = 1, m = 0, n = 0;
  int leading = 1;
  std::array<int, 11> descriptor{};
  std::vector<int> my_rows, my_columns;
  std::vector<T> memory;

  // What a test may choose: the blocks and where it begins.
  void place(const ProcessGrid& g, int pad) {
    grid = g;
    if (g.has_me()) {
      my_rows = rows.of(g.row, g.rows);
      my_columns = columns.of(g.column, g.columns);
    }
    leading = std::max<int>(1, static_cast<int>(my_rows.size())) + pad;
    if (type == 1)
      descriptor = {1,           g.context,      rows.size, columns.size, rows.block, columns.block,
                    rows.source, columns.source, leading};
    else
      descriptor = {2,          g.context,     rows.size,   columns.size,   rows.first, columns.first,
                    rows.block, columns.block, rows.source, columns.source, leading};
    memory.assign(static_cast<std::size_t>(leading) * (my_columns.size() + 1) + 3, T(7777));
  }
  const int* d() const { return descriptor.data(); }
  T* data() { return memory.data(); }

  // f(i, j, x) for each element of this process, i and j counted from the sub-matrix; those outside it too.
  template <class F>
  void for_each(F&& f) {
    for (std::size_t c = 0; c < my_columns.size(); ++c)
      for (std::size_t r = 0; r < my_rows.size(); ++r)
        f(my_rows[r] - ia + 1, my_columns[c] - ja + 1, memory[c * static_cast<std::size_t>(leading) + r]);
  }
  bool has(int i, int j) const { return i >= 0 && i < m && j >= 0 && j < n; }
  template <class F>
  void fill(F&& f) {
    for_each([&](int i, int j, T& x) { x = f(i, j); });
  }
};

// A random sub-matrix of m x n, with blocks, sources and descriptors of all kinds.
template <Scalar T>
DealtMatrix<T> some_matrix(Random& random, const ProcessGrid& g, int m, int n, std::uint64_t seed) {
  DealtMatrix<T> x;
  x.m = m;
  x.n = n;
  x.type = random() % 3 == 0 ? 2 : 1;
  x.ia = pick_int(random, 1, 20);
  x.ja = pick_int(random, 1, 20);
  const auto dealt = [&](int size, int processes) {
    Dealt d{.size = size, .block = pick_int(random, 1, 9), .source = pick_int(random, 0, processes - 1)};
    d.first = x.type == 1 ? d.block : pick_int(random, 1, 12);
    return d;
  };
  x.rows = dealt(x.ia - 1 + m + pick_int(random, 0, 5), g.rows);
  x.columns = dealt(x.ja - 1 + n + pick_int(random, 0, 5), g.columns);
  x.place(g, pick_int(random, 0, 3));
  x.fill([&](int i, int j) { return element<T>(seed, i, j); });
  return x;
}

// One that ScaLAPACK factors: square blocks, from the first element of a block on.
template <Scalar T>
DealtMatrix<T> some_factorable(Random& random, const ProcessGrid& g, int m, int n) {
  DealtMatrix<T> x;
  x.m = m;
  x.n = n;
  const int block = pick_int(random, 1, 9), down = pick_int(random, 0, 3), across = pick_int(random, 0, 3);
  x.ia = 1 + down * block;
  x.ja = 1 + across * block;
  x.rows = {x.ia - 1 + m + pick_int(random, 0, 5), block, block, pick_int(random, 0, g.rows - 1)};
  x.columns = {x.ja - 1 + n + pick_int(random, 0, 5), block, block, pick_int(random, 0, g.columns - 1)};
  x.place(g, pick_int(random, 0, 3));
  return x;
}

// Right-hand sides for it: blocks of as many rows, and the first on the same process row.
template <Scalar T>
DealtMatrix<T> some_sides(Random& random, const DealtMatrix<T>& a, int columns, std::uint64_t seed) {
  DealtMatrix<T> x;
  const ProcessGrid& g = a.grid;
  x.m = a.n;
  x.n = columns;
  const int block = a.rows.block, down = pick_int(random, 0, 3),
            first = (a.rows.source + (a.ia - 1) / block) % g.rows;
  x.ia = 1 + down * block;
  x.ja = pick_int(random, 1, 10);
  const int nb = pick_int(random, 1, 9);
  x.rows = {x.ia - 1 + x.m + pick_int(random, 0, 5), block, block,
            ((first - down) % g.rows + g.rows) % g.rows};
  x.columns = {x.ja - 1 + columns + pick_int(random, 0, 5), nb, nb, pick_int(random, 0, g.columns - 1)};
  x.place(g, pick_int(random, 0, 3));
  x.fill([&](int i, int j) { return element<T>(seed, i, j); });
  return x;
}

// Over all ranks of the launch.
inline double largest(double mine) {
  double result = 0;
  MPI_Allreduce(&mine, &result, 1, MPI_DOUBLE, MPI_MAX, world().handle());
  return result;
}
template <Scalar T>
double largest_element(DealtMatrix<T>& x) {
  double mine = 0;
  x.for_each([&](int i, int j, const T& e) {
    if (x.has(i, j)) mine = std::max(mine, static_cast<double>(std::abs(e)));
  });
  return largest(mine);
}

}  // namespace cairn::test
