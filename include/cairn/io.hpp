// Matrices in files, read and written by all ranks at once, straight into and out of any layout. Three lines:
//
//   const cairn::FileInfo info = cairn::probe_file(context, "a.npy");
//   cairn::Matrix<double> a(context, cairn::Layout::row_blocks(info.rows, info.columns, context.size()));
//   cairn::read_file("a.npy", a);
//
// Dense: NumPy .npy, Matrix Market .mtx, HDF5 .h5 and raw binary .bin. Sparse: Matrix Market .mtx and .mtx.gz, and
// SciPy's .npz. Every function is collective. An error on any rank is the same IoError or ArgumentError on every rank;
// it names the file, the place in it and what was expected.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cairn/export.hpp"
#include "cairn/matrix.hpp"
#include "cairn/sparse.hpp"

namespace cairn {

// What is known of a dense matrix from the head of its file.
struct FileInfo {
  std::string format;  // npy, mtx, hdf5, raw
  Index rows = 0;
  Index columns = 0;
  ScalarType type = ScalarType::f64;  // of text: double or complex<double>
  bool row_major = false;
  std::string dataset = {};  // of HDF5
};

// A raw file does not describe itself; its length must be exactly what these values imply.
struct RawFile {
  Index rows = 0;
  Index columns = 0;
  ScalarType type = ScalarType::f64;
  bool row_major = false;
  bool big_endian = false;
  Index offset = 0;  // bytes before the first element
};

struct FileReadOptions {
  std::string format = {};          // default: by the first bytes, then by the name
  std::optional<RawFile> raw = {};  // what a raw file holds; the file is read as raw if this is given
  std::string dataset = {};         // of HDF5; default /matrix, or the first of two dimensions
};
struct FileWriteOptions {
  std::string format = {};             // default: by the name
  std::optional<bool> row_major = {};  // of .npy and raw files; default: as the matrix lies in memory
  std::string dataset = "/matrix";     // of HDF5
};

// Words: a few, from rank 0, which reads the head.
CAIRN_EXPORT FileInfo probe_file(const Context& context, const std::string& path,
                                 const FileReadOptions& options = {});

// The matrix in the file becomes m, which has its shape. Numbers are converted to T; complex ones into a real T are an
// ArgumentError. After an error m may hold a part of the matrix. Words: those that a rank does not read itself.
template <Scalar T>
CAIRN_EXPORT void read_file(const std::string& path, Matrix<T>& m, const FileReadOptions& options = {});

// The file appears under its name when it is complete, and replaces what was there.
template <Scalar T>
CAIRN_EXPORT void write_file(const std::string& path, const Matrix<T>& m,
                             const FileWriteOptions& options = {});

// `layout` as SparseMatrix has it. Duplicate entries are summed.
template <Scalar T>
CAIRN_EXPORT SparseMatrix<T> read_sparse_file(const Context& context, const std::string& path,
                                              std::string_view layout = "rows");
template <Scalar T>
CAIRN_EXPORT void write_sparse_file(const std::string& path, const SparseMatrix<T>& m);

#define CAIRN_EXTERN(T)                                                                                      \
  extern template void read_file<T>(const std::string&, Matrix<T>&, const FileReadOptions&);                 \
  extern template void write_file<T>(const std::string&, const Matrix<T>&, const FileWriteOptions&);         \
  extern template SparseMatrix<T> read_sparse_file<T>(const Context&, const std::string&, std::string_view); \
  extern template void write_sparse_file<T>(const std::string&, const SparseMatrix<T>&);
CAIRN_EXTERN(float)
CAIRN_EXTERN(double)
CAIRN_EXTERN(std::complex<float>)
CAIRN_EXTERN(std::complex<double>)
#undef CAIRN_EXTERN

}  // namespace cairn
