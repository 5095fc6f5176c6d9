#include "io/files.hpp"
#include "api/context_state.hpp"
#include "api/matrix_view.hpp"
#include "cairn/io.hpp"
#include "comm/agreement.hpp"
#include "io/sparse_files.hpp"

namespace cairn {
namespace {

layout::Order storage_order(bool row_major) {
  return row_major ? layout::Order::row_major : layout::Order::column_major;
}

std::optional<io::Format> format_of(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(io::parse_format(text));
}

io::StoredMatrix stored(const RawFile& raw) {
  return {.rows = raw.rows,
          .columns = raw.columns,
          .type = raw.type,
          .order = storage_order(raw.row_major),
          .byte_order = raw.big_endian ? io::ByteOrder::big : io::ByteOrder::little,
          .offset = raw.offset};
}

io::ReadOptions inner(const FileReadOptions& o) {
  io::ReadOptions options{.format = format_of(o.format), .dataset = o.dataset};
  if (o.raw) options.raw = stored(*o.raw);
  return options;
}

io::WriteOptions inner(const FileWriteOptions& o) {
  io::WriteOptions options{.format = format_of(o.format), .dataset = o.dataset};
  if (o.row_major) options.order = storage_order(*o.row_major);
  return options;
}

// What the options say, or one rank's mistake as everybody's error.
template <class Options>
auto agreed_options(comm::CommView comm, std::string_view what, const Options& o) {
  decltype(inner(o)) options;
  comm::agree(comm, what, [&] { options = inner(o); });
  return options;
}

comm::CommView comm_for_files(const Context& context) { return context.state().comm(); }

}  // namespace

FileInfo probe_file(const Context& context, const std::string& path, const FileReadOptions& o) {
  const comm::CommView comm = comm_for_files(context);
  const io::MatrixInfo info = io::probe(comm, path, agreed_options(comm, "probe_file", o));
  return {.format = std::string(io::name(info.format)),
          .rows = info.rows(),
          .columns = info.columns(),
          .type = info.type(),
          .row_major = info.order() == layout::Order::row_major,
          .dataset = info.dataset};
}

template <Scalar T>
void read_file(const std::string& path, Matrix<T>& m, const FileReadOptions& o) {
  const comm::CommView comm = comm_for_files(m.context());
  io::read<T>(comm, path, detail::view_of(m), agreed_options(comm, "read_file", o));
}

template <Scalar T>
void write_file(const std::string& path, const Matrix<T>& m, const FileWriteOptions& o) {
  const comm::CommView comm = comm_for_files(m.context());
  io::write<T>(comm, path, detail::view_of(m), agreed_options(comm, "write_file", o));
}

template <Scalar T>
SparseMatrix<T> read_sparse_file(const Context& context, const std::string& path, std::string_view layout) {
  const comm::CommView comm = comm_for_files(context);
  const io::SparseInfo info = io::probe_sparse(comm, path);
  std::vector<SparseEntry<T>> mine;
  for (const io::Triple<T>& t : io::read_sparse<T>(comm, path)) mine.push_back({t.row, t.column, t.value});
  return SparseMatrix<T>(context, info.rows, info.columns, mine, layout);
}

// .npz wants the rows in order, from rank to rank: they go into blocks of rows first, if they are elsewhere.
template <Scalar T>
void write_sparse_file(const std::string& path, const SparseMatrix<T>& m) {
  const comm::CommView comm = comm_for_files(m.context());
  const SparseMatrix<T> by_rows = m.in_layout("rows");
  std::vector<io::Triple<T>> mine;
  mine.reserve(static_cast<std::size_t>(by_rows.local_entries()));
  by_rows.for_each([&](Index i, Index j, const T& x) { mine.push_back({i, j, x}); });
  io::write_sparse<T>(comm, path, m.rows(), m.columns(), mine);
}

#define CAIRN_INSTANTIATE(T)                                                                          \
  template void read_file<T>(const std::string&, Matrix<T>&, const FileReadOptions&);                 \
  template void write_file<T>(const std::string&, const Matrix<T>&, const FileWriteOptions&);         \
  template SparseMatrix<T> read_sparse_file<T>(const Context&, const std::string&, std::string_view); \
  template void write_sparse_file<T>(const std::string&, const SparseMatrix<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
