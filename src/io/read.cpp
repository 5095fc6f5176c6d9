#include "io/files.hpp"
#include "io/hdf5.hpp"
#include "io/matrix_market.hpp"
#include "io/together.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::io {
namespace {

using layout::MatrixView;

template <Scalar T>
void check(const MatrixInfo& info, const MatrixView<T>& m, comm::CommView comm) {
  check_conversion(info.type(), ScalarTraits<T>::type);
  require(m.layout.rows() == info.rows() && m.layout.columns() == info.columns(),
          "the file holds {} x {} and the matrix is {} x {}, expected the same", info.rows(), info.columns(),
          m.layout.rows(), m.layout.columns());
  require(m.layout.last_rank() < comm.size(), "the layout names rank {}, expected ranks below {}",
          m.layout.last_rank(), comm.size());
  check_memory(m, comm.rank(), "the matrix");
}

// Compressed and chunked datasets: each rank has the library read its share.
template <Scalar T>
void read_through_hdf5(comm::CommView comm, const std::string& operation, const std::string& path,
                       const MatrixInfo& info, const MatrixView<T>& m, const Transfer& how) {
  std::optional<layout::DistMatrix<T>> share;
  together(comm, operation, [&] {
    share.emplace(share_layout(info.rows(), info.columns(), Order::row_major, comm.size()), comm.rank());
    const Index first = share_cuts(share->layout(), comm.rank()).back();
    read_hdf5<T>(path, {info.matrix, info.is_plain, info.dataset}, first,
                 static_cast<Index>(share->local().size()), share->local().data(), how);
  });
  layout::redistribute<T>(comm, T(1), Op::none, share->view(), T(0), m);
}

}  // namespace

template <Scalar T>
void read(comm::CommView comm, const std::string& path, const MatrixView<T>& m, const ReadOptions& options) {
  const MatrixInfo info = probe(comm, path, options);
  const std::string operation = fmt::format("read '{}'", path);
  File file;
  together(comm, operation,
           [&] {
             check(info, m, comm);
             file = File::open_to_read(path);
             const Index size = file.size();
             require<IoError>(size == info.file_bytes,
                              "it has {} bytes here and {} on rank 0, expected one file that all ranks see",
                              size, info.file_bytes);
           },
           {{"type", static_cast<Index>(ScalarTraits<T>::type)},
            {"layout", m.layout.fingerprint(),
             [&] {
               return std::vector<comm::Argument>{{"layout", m.layout.text()}};
             }},
            {"access", static_cast<Index>(options.transfer.access)}});
  if (info.format == Format::matrix_market)
    read_matrix_market<T>(comm, operation, file, info.market, info.file_bytes, m, options.transfer);
  else if (info.is_plain)
    read_dense<T>(comm, operation, file, info.matrix, m, options.transfer);
  else
    read_through_hdf5<T>(comm, operation, path, info, m, options.transfer);
}

#define CAIRN_INSTANTIATE(T) \
  template void read(comm::CommView, const std::string&, const MatrixView<T>&, const ReadOptions&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
