// Dense matrices in files: read and written by all ranks at once, straight into and out of any layout.
//
//   const io::MatrixInfo info = io::probe(comm, "a.npy");
//   layout::DistMatrix<double> a(layout::blocked(info.rows(), info.columns(), 2, 3), comm.rank());
//   io::read<double>(comm, "a.npy", a.view());
//   io::write<double>(comm, "a.h5", a.view());
//
// Every call is collective. An error on any rank is the same error on every rank; it names the file, the
// place in it, and what was expected. Nothing in a file is believed before it is checked against the file's
// length.
#pragma once

#include "io/dense_file.hpp"
#include "io/format.hpp"
#include "io/matrix_market_header.hpp"

namespace cairn::io {

struct ReadOptions {
  std::optional<Format> format = {};     // default: by the first bytes, then by the name
  std::optional<StoredMatrix> raw = {};  // what a raw file holds; it is read as raw if this is given
  std::string dataset = {};              // of HDF5; default /matrix or the first of two dimensions
  Transfer transfer = {};
};

struct WriteOptions {
  std::optional<Format> format = {};  // default: by the name
  std::optional<Order> order = {};    // of .npy and raw files; default: the order of the layout
  std::string dataset = "/matrix";    // of HDF5
  Transfer transfer = {};
};

// What is known of a matrix from the head of its file.
struct FileFacts {
  Format format = Format::raw;
  Index file_bytes = 0;
  StoredMatrix matrix;
  bool is_plain = true;  // the elements stand as they are from matrix.offset on; neither text nor compressed
  MatrixMarketHeader market;

  Index rows() const { return matrix.rows; }
  Index columns() const { return matrix.columns; }
  ScalarType type() const { return matrix.type; }  // text: double or complex<double>
  Order order() const { return matrix.order; }
};
struct MatrixInfo : FileFacts {
  std::string dataset;  // of HDF5
};

// Rank 0 reads the head of the file. Words: a few, from rank 0 to the others.
MatrixInfo probe(comm::CommView comm, const std::string& path, const ReadOptions& options = {});

// The matrix in the file -> m, of the same shape. Numbers are converted to T; complex ones to a real T are an
// ArgumentError. After an error m may hold a part of the matrix.
// Words: none where each rank reads its own parts; otherwise (docs/internals/io.md) those that are not yet
// where m wants them, once each (Matrix Market: twice).
template <Scalar T>
void read(comm::CommView comm, const std::string& path, const layout::MatrixView<T>& m,
          const ReadOptions& options = {});

// m -> a file with elements of T. It appears under its name when it is complete, and replaces what was there.
template <Scalar T>
void write(comm::CommView comm, const std::string& path, const layout::MatrixView<const T>& m,
           const WriteOptions& options = {});

}  // namespace cairn::io
