// Files written and read by plain code, to compare with; a folder for them; and memory with guards.
#pragma once

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <limits>
#include <sstream>

#include "comm/collectives.hpp"
#include "io/files.hpp"
#include "layout/dist_matrix.hpp"
#include "support/mpi_test.hpp"

namespace cairn::test {

// A folder that all ranks of a communicator share; gone when it dies.
class SharedFolder {
 public:
  explicit SharedFolder(comm::CommView comm) : comm_(comm) {
    Index number = getpid();
    comm::broadcast(comm, std::span(&number, 1), 0);
    path_ = std::filesystem::temp_directory_path() / ("cairn-io-test-" + std::to_string(number));
    if (comm.rank() == 0) {
      std::filesystem::remove_all(path_);
      std::filesystem::create_directories(path_);
    }
    comm::barrier(comm);
  }
  ~SharedFolder() {
    comm::barrier(comm_);
    std::error_code ignored;
    if (comm_.rank() == 0) std::filesystem::remove_all(path_, ignored);
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

  // Rank 0 writes; every rank sees it afterwards.
  std::string put(const std::string& name, const std::string& bytes) const {
    if (comm_.rank() == 0) std::ofstream(*this / name, std::ios::binary) << bytes;
    comm::barrier(comm_);
    return *this / name;
  }
  static std::string get(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  comm::CommView comm_;
  std::filesystem::path path_;
};

// A value that a float holds and every (i, j) has its own.
template <Scalar T>
T element(Index i, Index j) {
  const auto re = static_cast<Real<T>>(1000 * i + j) / 8;
  if constexpr (ScalarTraits<T>::is_complex)
    return T(re, static_cast<Real<T>>(j - 3 * i) / 4);
  else
    return re;
}

// What a T is made of element<F>.
template <Scalar F, Scalar T>
T converted(Index i, Index j) {
  const F x = element<F>(i, j);
  if constexpr (ScalarTraits<F>::is_complex && ScalarTraits<T>::is_complex)
    return T(static_cast<Real<T>>(x.real()), static_cast<Real<T>>(x.imag()));
  else if constexpr (!ScalarTraits<F>::is_complex)
    return T(static_cast<Real<T>>(x));
  else
    return T(0);
}

// The elements as bytes in the order of a file.
template <Scalar F>
std::string plain_bytes(Index rows, Index columns, bool by_columns, bool swapped) {
  std::string bytes;
  const auto append = [&](auto real) {
    char b[sizeof(real)];
    std::memcpy(b, &real, sizeof(real));
    if (swapped) std::reverse(b, b + sizeof(real));
    bytes.append(b, sizeof(real));
  };
  for (Index u = 0; u < (by_columns ? columns : rows); ++u)
    for (Index v = 0; v < (by_columns ? rows : columns); ++v) {
      const F x = by_columns ? element<F>(v, u) : element<F>(u, v);
      if constexpr (ScalarTraits<F>::is_complex) {
        append(x.real());
        append(x.imag());
      } else {
        append(x);
      }
    }
  return bytes;
}

template <Scalar F>
std::string plain_npy(Index rows, Index columns, bool by_columns, bool swapped) {
  const std::string kinds[] = {"f4", "f8", "c8", "c16"};
  const bool little = (std::endian::native == std::endian::little) != swapped;
  const std::string text = std::string("{'descr': '") + (little ? "<" : ">") +
                           kinds[static_cast<int>(ScalarTraits<F>::type)] +
                           "', 'fortran_order': " + (by_columns ? "True" : "False") + ", 'shape': (" +
                           std::to_string(rows) + ", " + std::to_string(columns) + "), }\n";
  std::string h("\x93NUMPY\x02\x00", 8);
  for (int b = 0; b < 4; ++b) h += static_cast<char>(text.size() >> (8 * b) & 255);
  return h + text + plain_bytes<F>(rows, columns, by_columns, swapped);
}

// All elements in one text, by columns; `lower` says from which row on.
template <Scalar F, class FirstRow>
std::string plain_numbers(Index rows, Index columns, FirstRow&& first_row) {
  std::ostringstream out;
  out << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (Index j = 0; j < columns; ++j)
    for (Index i = first_row(j); i < rows; ++i) {
      const F x = element<F>(i, j);
      if constexpr (ScalarTraits<F>::is_complex)
        out << x.real() << ' ' << x.imag() << '\n';
      else
        out << x << '\n';
    }
  return out.str();
}

// A view with gaps between the lines and room behind, all of it guarded.
template <Scalar T>
struct GuardedMatrix {
  static constexpr int guard = 7777;

  GuardedMatrix(layout::Layout layout, int rank, Index gap) : rank_(rank) {
    const Index ld = layout.mesh() == nullptr ? 0 : layout.least_leading_dimension(rank) + gap;
    memory.assign(static_cast<std::size_t>(layout.memory_elements(rank, ld) + gap), T(guard));
    view = {std::move(layout), memory.data(), static_cast<Index>(memory.size()), ld};
  }
  template <class F>
  void expect(F&& f, const std::string& what) const {
    std::vector<bool> used(memory.size(), false);
    bool right = true;
    layout::for_each_element(view, rank_, [&](Index i, Index j, const T& x) {
      used[static_cast<std::size_t>(&x - memory.data())] = true;
      right = right && x == f(i, j);
    });
    EXPECT_TRUE(right) << what << " into " << view.layout.text();
    for (std::size_t i = 0; i < memory.size(); ++i) right = right && (used[i] || memory[i] == T(guard));
    EXPECT_TRUE(right) << what << " wrote outside of " << view.layout.text();
  }

  std::vector<T> memory;
  layout::MatrixView<T> view;

 private:
  int rank_;
};

}  // namespace cairn::test
