#include "comm/collectives.hpp"
#include "io/files.hpp"
#include "io/hdf5.hpp"
#include "io/matrix_market.hpp"
#include "io/npy_header.hpp"
#include "io/replacement.hpp"
#include "io/together.hpp"

namespace cairn::io {
namespace {

using layout::MatrixView;

Format format_of(const std::string& path, const WriteOptions& options) {
  const std::optional<Format> format = options.format ? options.format : format_by_extension(path);
  require(format.has_value(), "the extension is unknown, expected .npy, .mtx, .h5 or .bin");
  return *format;
}

Order order_of(Format format, Order of_layout, const WriteOptions& options) {
  if (format == Format::hdf5) return Order::row_major;
  if (format == Format::matrix_market) return Order::column_major;
  return options.order.value_or(of_layout);
}

void write_text(const std::string& path, const std::string& text) {
  const File file = File::open_to_write(path);
  file.write_at(0, std::as_bytes(std::span(text)));
}

// Rank 0: everything of the new file but its elements. Returns where they belong.
template <Scalar T>
Index prepare(const std::string& path, Format format, const StoredMatrix& m, const std::string& dataset) {
  Index offset = 0, end = 0;
  if (format == Format::hdf5) {
    offset = create_hdf5(path, dataset, m);
  } else if (format != Format::raw) {
    const std::string header =
        format == Format::npy ? make_npy_header(m)
                              : make_matrix_market_header(m.rows, m.columns, ScalarTraits<T>::is_complex);
    write_text(path, header);
    offset = static_cast<Index>(header.size());
  }
  StoredMatrix placed = m;
  placed.offset = offset;
  end = format == Format::matrix_market ? matrix_market_bytes<T>(m.rows, m.columns) : end_of(placed);
  const File file = File::open_to_write(path);
  file.reserve(std::max(end, file.size()));
  return offset;
}

}  // namespace

template <Scalar T>
void write(comm::CommView comm, const std::string& path, const MatrixView<const T>& m,
           const WriteOptions& options) {
  agree_on_name(comm, "write a file", path);
  const std::string operation = fmt::format("write '{}'", path);
  Format format = Format::raw;
  StoredMatrix stored{.rows = m.layout.rows(), .columns = m.layout.columns(), .type = ScalarTraits<T>::type};
  together(comm, operation,
           [&] {
             format = format_of(path, options);
             require(m.layout.last_rank() < comm.size(), "the layout names rank {}, expected ranks below {}",
                     m.layout.last_rank(), comm.size());
             check_memory(m, comm.rank(), "the matrix");
             end_of(stored);
           },
           {{"type", static_cast<Index>(stored.type)},
            {"layout", m.layout.fingerprint(),
             [&] {
               return std::vector<comm::Argument>{{"layout", m.layout.text()}};
             }},
            {"format", options.format ? static_cast<Index>(*options.format) : -1},
            {"order", options.order ? static_cast<Index>(*options.order) : -1},
            {"dataset", comm::fingerprint(options.dataset),
             [&] {
               return std::vector<comm::Argument>{{"dataset", fmt::format("'{}'", options.dataset)}};
             }},
            {"access", static_cast<Index>(options.transfer.access)}});
  stored.order = order_of(format, m.layout.order(), options);
  Replacement replacement(comm, operation, path, [&](const std::string& name) {
    stored.offset = prepare<T>(name, format, stored, options.dataset);
  });
  comm::broadcast(comm.unchecked(), std::span(&stored.offset, 1), 0);
  if (format == Format::matrix_market)
    write_matrix_market<T>(comm, operation, replacement.file(), m, options.transfer);
  else
    write_dense<T>(comm, operation, replacement.file(), stored, m, options.transfer);
  replacement.commit();
}

#define CAIRN_INSTANTIATE(T) \
  template void write(comm::CommView, const std::string&, const MatrixView<const T>&, const WriteOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
