// A, B and C of `cairn multiply` from files: what they hold says m, n, k and the type.
#pragma once

#include "cli/arguments.hpp"
#include "gemm/problem.hpp"
#include "io/files.hpp"

namespace cairn::cli {

struct MultiplyFiles {
  std::string a, b, c, out;      // names; empty: random numbers, or nothing written
  std::string order_text = "F";  // of raw files and of a .npy that is written
  layout::Order order = layout::Order::column_major;
  std::array<std::string, 3> datasets =
      {};  // of HDF5 inputs A, B, C: `a.h5:/group/name`; empty: the usual one
  std::string out_dataset = "/matrix";

  bool any_input() const { return !a.empty() || !b.empty() || !c.empty(); }
  const std::string& of(gemm::Matrix x) const {
    return x == gemm::Matrix::a ? a : x == gemm::Matrix::b ? b : c;
  }
};
void add_file_options(Command app, MultiplyFiles& files);

// Wrong combinations and a result that could not be written: found before anything is read.
void check_files(MultiplyFiles& files, bool uses_c);

// What is known of the product before the files are looked at.
struct ExpectedProduct {
  ProductOptions sizes;
  Op op_a = Op::none, op_b = Op::none;
  std::optional<ScalarType> type;
};
struct FoundProduct {
  bounds::Product sizes;
  ScalarType type = ScalarType::f64;
};
// Collective: reads the heads of the input files. A file that contradicts the options or another file is an
// ArgumentError with its name, what it holds and what was expected.
FoundProduct find_product(comm::CommView comm, const MultiplyFiles& files, const ExpectedProduct& expected);

// ArgumentError naming --out where its folder has less room than the result needs: found before the product.
void check_room(const MultiplyFiles& files, const gemm::Problem& problem);

// How a file with a matrix of the problem is to be read: a raw file does not describe itself.
io::ReadOptions read_options(const MultiplyFiles& files, gemm::Matrix x, const gemm::Problem& problem);

}  // namespace cairn::cli
