#ifndef CAIRN_HDF5

#include "io/hdf5.hpp"

namespace cairn::io {
namespace {
[[noreturn]] void absent() {
  fail<IoError>(
      "this is an HDF5 file and Cairn was built without HDF5; on Debian install libhdf5-openmpi-dev or "
      "libhdf5-mpich-dev, whichever is the MPI in use, and build again from an empty build directory");
}
}  // namespace

bool has_hdf5() noexcept { return false; }
Hdf5Dataset probe_hdf5(const std::string&, const std::string&) { absent(); }
Index create_hdf5(const std::string&, const std::string&, const StoredMatrix&) { absent(); }

template <Scalar T>
void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, T*, const Transfer&) {
  absent();
}

template void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, float*, const Transfer&);
template void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, double*, const Transfer&);
template void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, std::complex<float>*,
                        const Transfer&);
template void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, std::complex<double>*,
                        const Transfer&);

}  // namespace cairn::io

#endif
