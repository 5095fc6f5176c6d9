#include "io/sparse_files.hpp"

#include "comm/collectives.hpp"
#include "comm/partition.hpp"
#include "io/sparse_market_file.hpp"
#include "io/sparse_npz.hpp"
#include "io/sparse_npz_write.hpp"
#include "io/together.hpp"

namespace cairn::io {
namespace {

std::string operation_on(std::string_view verb, const std::string& path) {
  return fmt::format("{} '{}'", verb, path);
}

// Collective. A plain value of rank 0, on every rank.
template <class V>
V broadcast_value(comm::CommView comm, V value) {
  comm::broadcast(comm.unchecked(), std::span(&value, 1), 0);
  return value;
}

// An open file and what its head says.
struct OpenSparse {
  File file;
  SparseFormat format = SparseFormat::matrix_market;
  SparseMarketHeader market;
  NpzHeader npz;
};

// Collective. Rank 0 reads the head; then every rank opens the file.
OpenSparse open_sparse(comm::CommView comm, const std::string& operation, const std::string& path) {
  agree_on_name(comm, operation, path);
  OpenSparse open;
  together(comm, operation, [&] {
    open.format = sparse_format_of(path);
    open.file = File::open_to_read(path);
    if (comm.rank() != 0) return;
    if (open.format == SparseFormat::npz)
      open.npz = read_npz_header(open.file);
    else
      open.market = read_sparse_market_head(open.file, open.format == SparseFormat::matrix_market_gz);
  });
  open.market = broadcast_value(comm, open.market);
  open.npz = broadcast_value(comm, open.npz);
  return open;
}

SparseInfo info_of(const OpenSparse& open) {
  SparseInfo info;
  info.format = open.format;
  if (open.format == SparseFormat::npz) {
    info.rows = open.npz.rows;
    info.columns = open.npz.columns;
    info.stored = open.npz.entries;
    info.type = open.npz.type();
    return info;
  }
  info.rows = open.market.rows;
  info.columns = open.market.columns;
  info.stored = open.market.entries;
  info.type = open.market.field == SparseField::complex ? ScalarType::c64 : ScalarType::f64;
  info.symmetry = open.market.symmetry;
  info.pattern = open.market.field == SparseField::pattern;
  return info;
}

// Collective. An even cut of the entries.
template <Scalar T>
std::vector<Triple<T>> read_npz(comm::CommView comm, const std::string& operation, const File& file,
                                const NpzHeader& header) {
  const auto cut = comm::Partition::balanced(comm.size(), header.entries);
  std::vector<Triple<T>> triples;
  together(comm, operation, [&] {
    triples = read_npz_part<T>(file, header, cut.offset(comm.rank()), cut.count(comm.rank()));
  });
  return triples;
}

template <Scalar T>
void check_entries(Index rows, Index columns, std::span<const Triple<T>> entries) {
  require(rows >= 0 && columns >= 0, "the matrix is {} x {}, expected sides of 0 or more", rows, columns);
  for (const Triple<T>& t : entries)
    require(t.row >= 0 && t.row < rows && t.column >= 0 && t.column < columns,
            "an entry is at ({}, {}), expected a position within {} x {}", t.row, t.column, rows, columns);
}

}  // namespace

SparseFormat sparse_format_of(const std::string& path) {
  const std::string_view name = path;
  if (name.ends_with(".mtx") || name.ends_with(".mm")) return SparseFormat::matrix_market;
  if (name.ends_with(".mtx.gz") || name.ends_with(".mm.gz")) return SparseFormat::matrix_market_gz;
  require(name.ends_with(".npz"), "the file of a sparse matrix is '{}', expected .mtx, .mtx.gz or .npz",
          path);
  return SparseFormat::npz;
}

SparseInfo probe_sparse(comm::CommView comm, const std::string& path) {
  return info_of(open_sparse(comm, operation_on("read", path), path));
}

template <Scalar T>
std::vector<Triple<T>> read_sparse(comm::CommView comm, const std::string& path) {
  const std::string operation = operation_on("read", path);
  const OpenSparse open = open_sparse(comm, operation, path);
  const SparseInfo info = info_of(open);
  require(!is_complex(info.type) || ScalarTraits<T>::is_complex,
          "{}: the file holds complex numbers, expected real ones for {}", operation,
          name(ScalarTraits<T>::type));
  if (open.format == SparseFormat::npz) return read_npz<T>(comm, operation, open.file, open.npz);
  return read_sparse_market<T>(comm, operation, open.file, open.market,
                               open.format == SparseFormat::matrix_market_gz);
}

template <Scalar T>
void write_sparse(comm::CommView comm, const std::string& path, Index rows, Index columns,
                  std::span<const Triple<T>> entries) {
  const std::string operation = operation_on("write", path);
  agree_on_name(comm, operation, path);
  SparseFormat format = SparseFormat::npz;
  comm::agree(comm, operation,
              [&] {
                format = sparse_format_of(path);
                check_entries(rows, columns, entries);
              },
              {{"rows", rows}, {"columns", columns}});
  if (format == SparseFormat::npz) return write_npz<T>(comm, operation, path, rows, columns, entries);
  write_sparse_market<T>(comm, operation, path, rows, columns, entries,
                         format == SparseFormat::matrix_market_gz);
}

#define CAIRN_INSTANTIATE(T)                                                       \
  template std::vector<Triple<T>> read_sparse(comm::CommView, const std::string&); \
  template void write_sparse(comm::CommView, const std::string&, Index, Index, std::span<const Triple<T>>);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
