#ifdef CAIRN_HDF5

#include "io/hdf5.hpp"

#include <array>

#include "base/buffer.hpp"
#include "io/format.hpp"
#include "io/hdf5_type.hpp"

namespace cairn::io {

std::string hdf5_error() {
  std::string text = "no reason given";
  const auto keep_first = [](unsigned number, const H5E_error2_t* error, void* data) -> herr_t {
    if (number == 0 && error->desc != nullptr) *static_cast<std::string*>(data) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  return text;
}

namespace {

// Readers do not lock: many ranks read one file, on file systems without locks, too.
Handle open_file(const std::string& path) {
  const Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "make a list of properties");
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access.get(), false, true);
#endif
  return checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), &H5Fclose, "open the file");
}

Handle open_dataset(const Handle& file, const std::string& name) {
  return checked(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), &H5Dclose,
                 fmt::format("open the dataset {}", in_quotes(name)).c_str());
}

Handle space_of(const Handle& dataset) {
  return checked(H5Dget_space(dataset.get()), &H5Sclose, "look at the shape of the dataset");
}

bool is_matrix(hid_t place, const char* name) {
  const Handle dataset(H5Dopen2(place, name, H5P_DEFAULT), &H5Dclose);
  if (dataset.get() < 0) return false;
  const Handle space(H5Dget_space(dataset.get()), &H5Sclose);
  return space.get() >= 0 && H5Sget_simple_extent_ndims(space.get()) == 2;
}

herr_t stop_at_matrix(hid_t place, const char* name, const H5O_info_t* info, void* found) {
  if (info->type != H5O_TYPE_DATASET || !is_matrix(place, name)) return 0;
  *static_cast<std::string*>(found) = std::string("/") + name;
  return 1;
}

std::string default_dataset(const Handle& file) {
  if (H5Lexists(file.get(), "/matrix", H5P_DEFAULT) > 0 && is_matrix(file.get(), "/matrix")) return "/matrix";
  std::string found;
  checked(H5Ovisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, &stop_at_matrix, &found), "list the file");
  require<IoError>(!found.empty(), "it has no dataset of two dimensions");
  return found;
}

void set_shape(const Handle& dataset, const std::string& name, StoredMatrix& m) {
  const Handle space = space_of(dataset);
  const int dimensions = H5Sget_simple_extent_ndims(space.get());
  require<IoError>(dimensions == 1 || dimensions == 2,
                   "the dataset {} has {} dimensions, expected 2 (or 1, a column)", in_quotes(name),
                   dimensions);
  std::array<hsize_t, 2> sizes{1, 1};
  checked(H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr), "look at the shape of the dataset");
  m.rows = narrow<Index>(sizes[0], "rows of the dataset");
  m.columns = narrow<Index>(sizes[1], "columns of the dataset");
  end_of(m);  // all of it fits 64 bits
}

// Where the elements stand, if they stand as they are in one stretch of the file.
bool find_elements(const Handle& dataset, const std::string& name, StoredMatrix& m) {
  const Handle properties = checked(H5Dget_create_plist(dataset.get()), &H5Pclose, "look at the dataset");
  const bool contiguous = H5Pget_layout(properties.get()) == H5D_CONTIGUOUS;
  require<IoError>(
      H5Pget_layout(properties.get()) != H5D_VIRTUAL && H5Pget_external_count(properties.get()) <= 0,
      "the elements of the dataset {} are in other files, expected in this one", in_quotes(name));
  const haddr_t offset = H5Dget_offset(dataset.get());
  if (!contiguous || offset == HADDR_UNDEF || H5Pget_nfilters(properties.get()) != 0) return false;
  m.offset = narrow<Index>(offset, "place of the elements");
  return true;
}

// Rows of a chunk; 1 where there are none.
Index chunk_rows(const Handle& dataset) {
  const Handle properties = checked(H5Dget_create_plist(dataset.get()), &H5Pclose, "look at the dataset");
  std::array<hsize_t, 2> sizes{1, 1};
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return 1;
  checked(H5Pget_chunk(properties.get(), 2, sizes.data()), "look at the chunks");
  return std::max<Index>(1, static_cast<Index>(std::min<hsize_t>(sizes[0], 1U << 30)));
}

struct Rectangle {
  Index row, column, rows, columns;
};

void read_rectangle(const Handle& dataset, const Handle& type, const Rectangle& r, void* to) {
  const Handle space = space_of(dataset);
  const std::array<hsize_t, 2> start{static_cast<hsize_t>(r.row), static_cast<hsize_t>(r.column)};
  const std::array<hsize_t, 2> count{static_cast<hsize_t>(r.rows), static_cast<hsize_t>(r.columns)};
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          "select a part of the dataset");
  const hsize_t elements = count[0] * (H5Sget_simple_extent_ndims(space.get()) == 2 ? count[1] : 1);
  const Handle memory = checked(H5Screate_simple(1, &elements, nullptr), &H5Sclose, "make a shape");
  checked(H5Dread(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, to),
          fmt::format("read rows {} to {} of the dataset", r.row, r.row + r.rows - 1).c_str());
}

// Elements first .. first+count-1 in rectangles of about `most`: a part of a row, or whole rows that end with
// the chunks, so that no chunk is unpacked twice.
template <class F>
void for_each_rectangle(const StoredMatrix& m, Index first, Index count, Index most, Index chunk, F&& f) {
  const Index rows_at_once = std::max<Index>(1, most / m.columns / chunk) * chunk;
  for (const Index end = first + count; first < end;) {
    const Index row = first / m.columns, column = first % m.columns;
    Rectangle r{row, column, 1, std::min(m.columns - column, end - first)};
    if (r.columns == m.columns) r.rows = std::min(rows_at_once - row % chunk, (end - first) / m.columns);
    f(r);
    first += r.rows * r.columns;
  }
}

Handle creation_properties() {
  Handle p = checked(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, "make a list of properties");
  checked(H5Pset_layout(p.get(), H5D_CONTIGUOUS), "set the layout");
  checked(H5Pset_alloc_time(p.get(), H5D_ALLOC_TIME_EARLY), "set the time of allocation");
  checked(H5Pset_fill_time(p.get(), H5D_FILL_TIME_NEVER), "set the time of filling");
  return p;
}

Handle link_properties() {
  Handle p = checked(H5Pcreate(H5P_LINK_CREATE), &H5Pclose, "make a list of properties");
  checked(H5Pset_create_intermediate_group(p.get(), 1), "set the making of groups");
  return p;
}

}  // namespace

bool has_hdf5() noexcept { return true; }

Hdf5Dataset probe_hdf5(const std::string& path, const std::string& dataset) {
  const QuietHdf5 quiet;
  const Handle file = open_file(path);
  Hdf5Dataset result;
  result.name = dataset.empty() ? default_dataset(file) : dataset;
  const Handle opened = open_dataset(file, result.name);
  const Handle type = checked(H5Dget_type(opened.get()), &H5Tclose, "look at the type of the dataset");
  const Hdf5Type t = hdf5_type_of(type.get());
  result.matrix.type = t.type;
  result.matrix.byte_order = t.byte_order;
  result.matrix.order = Order::row_major;
  set_shape(opened, result.name, result.matrix);
  result.is_plain = find_elements(opened, result.name, result.matrix) && t.is_plain;
  return result;
}

Index create_hdf5(const std::string& path, const std::string& dataset, const StoredMatrix& m) {
  const QuietHdf5 quiet;
  Handle file =
      checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), &H5Fclose, "make the file");
  const Handle type = native_type({.type = m.type});
  const std::array<hsize_t, 2> sizes{static_cast<hsize_t>(m.rows), static_cast<hsize_t>(m.columns)};
  const Handle space = checked(H5Screate_simple(2, sizes.data(), nullptr), &H5Sclose, "make a shape");
  Handle made = checked(H5Dcreate2(file.get(), dataset.c_str(), type.get(), space.get(),
                                   link_properties().get(), creation_properties().get(), H5P_DEFAULT),
                        &H5Dclose, fmt::format("make the dataset {}", in_quotes(dataset)).c_str());
  const haddr_t offset = H5Dget_offset(made.get());
  require<IoError>(offset != HADDR_UNDEF || m.rows == 0 || m.columns == 0,
                   "HDF5 gives no place to the elements");
  checked(made.close(), "close the dataset");
  checked(file.close(), "close the file");
  return offset == HADDR_UNDEF ? 0 : narrow<Index>(offset, "place of the elements");
}

template <Scalar T>
void read_hdf5(const std::string& path, const Hdf5Dataset& dataset, Index first, Index count, T* to,
               const Transfer& how) {
  if (count == 0) return;
  const QuietHdf5 quiet;
  const Handle file = open_file(path);
  const Handle opened = open_dataset(file, dataset.name);
  const Handle stored_type = checked(H5Dget_type(opened.get()), &H5Tclose, "look at the type of the dataset");
  const Handle type = native_type(hdf5_type_of(stored_type.get()));
  const Index width = dataset.matrix.element_bytes();
  const bool straight = dataset.matrix.type == ScalarTraits<T>::type;
  Buffer<std::byte> piece;
  Index done = 0;
  const auto read_part = [&](const Rectangle& r) {
    const Index elements = r.rows * r.columns;
    if (!straight && piece.size() < elements * width) piece = Buffer<std::byte>(elements * width);
    read_rectangle(opened, type, r, straight ? static_cast<void*>(to + done) : piece.data());
    if (!straight) decode(piece.data(), dataset.matrix.type, native_byte_order, to + done, elements);
    done += elements;
    if (how.progress) how.progress(static_cast<double>(done) / static_cast<double>(count));
  };
  for_each_rectangle(dataset.matrix, first, count, how.piece_bytes / width, chunk_rows(opened), read_part);
}

template void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, float*, const Transfer&);
template void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, double*, const Transfer&);
template void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, std::complex<float>*,
                        const Transfer&);
template void read_hdf5(const std::string&, const Hdf5Dataset&, Index, Index, std::complex<double>*,
                        const Transfer&);

}  // namespace cairn::io

#endif
