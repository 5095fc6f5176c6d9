// HDF5 against files that the library itself writes and reads, called plainly here.
#ifdef CAIRN_HDF5

#include <hdf5.h>

#include "io/files.hpp"
#include "io/plain_files.hpp"
#include "layout/random_layout.hpp"

namespace cairn::io {
namespace {

using comm::CommView;
using test::for_each_size;
using test::GuardedMatrix;
using test::MpiTest;
using test::on_ranks;
using test::Random;
using test::SharedFolder;

using Hdf5Mpi = MpiTest;

struct PlainDataset {
  std::string name = "/matrix";
  std::vector<hsize_t> sizes;
  hid_t type = -1;
  hid_t memory_type = -1;
  std::vector<hsize_t> chunk = {};
  bool deflate = false;
};

// The numbers as they lie in memory -> a file of one or more datasets.
void plain_write(const std::string& path, const std::vector<PlainDataset>& datasets, const void* data,
                 hsize_t user_block = 0) {
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  if (user_block > 0) H5Pset_userblock(creation, user_block);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  for (const PlainDataset& d : datasets) {
    const hid_t space = H5Screate_simple(static_cast<int>(d.sizes.size()), d.sizes.data(), nullptr);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (!d.chunk.empty()) H5Pset_chunk(how, static_cast<int>(d.chunk.size()), d.chunk.data());
    if (d.deflate) H5Pset_deflate(how, 6);
    const hid_t set = H5Dcreate2(file, d.name.c_str(), d.type, space, links, how, H5P_DEFAULT);
    ASSERT_GE(set, 0) << d.name;
    if (d.memory_type >= 0) {
      ASSERT_GE(H5Dwrite(set, d.memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
    }
    H5Dclose(set);
    H5Pclose(links);
    H5Pclose(how);
    H5Sclose(space);
  }
  H5Fclose(file);
  H5Pclose(creation);
}

hid_t pair_of(hid_t part, const char* re = "r", const char* im = "i") {
  const std::size_t width = H5Tget_size(part);
  const hid_t pair = H5Tcreate(H5T_COMPOUND, 2 * width);
  H5Tinsert(pair, re, 0, part);
  H5Tinsert(pair, im, width, part);
  return pair;
}

template <Scalar F>
hid_t file_type(bool big) {
  const bool single = sizeof(Real<F>) == 4;
  const hid_t part =
      big ? (single ? H5T_IEEE_F32BE : H5T_IEEE_F64BE) : (single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE);
  return ScalarTraits<F>::is_complex ? pair_of(part) : H5Tcopy(part);
}
template <Scalar F>
hid_t memory_type() {
  const hid_t part = sizeof(Real<F>) == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  return ScalarTraits<F>::is_complex ? pair_of(part) : H5Tcopy(part);
}

template <Scalar F>
void plain_matrix(CommView comm, Random& random, const std::string& path, Index rows, Index columns) {
  const bool big = random() % 3 == 0, chunked = random() % 2 == 0, deflate = random() % 2 == 0;
  const hsize_t user_block = random() % 4 == 0 ? 1024 : 0;
  const hsize_t chunk_rows = random() % 9 + 1, chunk_columns = random() % 9 + 1;
  if (comm.rank() == 0) {
    PlainDataset d{.sizes = {static_cast<hsize_t>(rows), static_cast<hsize_t>(columns)},
                   .type = file_type<F>(big),
                   .memory_type = memory_type<F>()};
    if (chunked && rows > 0 && columns > 0) {
      d.chunk = {std::min<hsize_t>(chunk_rows, d.sizes[0]), std::min<hsize_t>(chunk_columns, d.sizes[1])};
      d.deflate = deflate;
    }
    const std::string bytes = test::plain_bytes<F>(rows, columns, false, false);
    plain_write(path, {d}, bytes.data(), user_block);
    H5Tclose(d.type);
    H5Tclose(d.memory_type);
  }
  comm::barrier(comm);
}

TEST_F(Hdf5Mpi, ReadsWhatTheLibraryWrites) {
  for_each_size([](CommView comm) {
    const SharedFolder folder(comm);
    for (int k = 0; k < 40; ++k) {
      Random random(static_cast<std::uint64_t>(1000 * k + comm.size()));
      const Index rows = test::pick(random, 0, 40), columns = test::pick(random, 0, 40);
      const std::string path = folder / "m.h5";
      const auto check = [&]<class F, class T>() {
        plain_matrix<F>(comm, random, path, rows, columns);
        GuardedMatrix<T> m(test::pick_layout(random, rows, columns, comm.size()), comm.rank(), 1);
        const Transfer how{.access = random() % 2 == 0 ? Access::direct : Access::automatic,
                           .piece_bytes = random() % 2 == 0 ? 300 : 1 << 20};
        const MatrixInfo info = probe(comm, path);
        EXPECT_EQ(info.type(), ScalarTraits<F>::type);
        EXPECT_EQ(info.dataset, "/matrix");
        read<T>(comm, path, m.view, {.transfer = how});
        m.expect([](Index i, Index j) { return test::converted<F, T>(i, j); }, "HDF5");
      };
      switch (k % 4) {
        case 0:
          check.template operator()<double, double>();
          break;
        case 1:
          check.template operator()<float, std::complex<double>>();
          break;
        case 2:
          check.template operator()<std::complex<double>, std::complex<float>>();
          break;
        default:
          check.template operator()<std::complex<float>, std::complex<float>>();
      }
    }
  });
}

TEST_F(Hdf5Mpi, TheLibraryReadsWhatWeWrite) {
  for_each_size([](CommView comm) {
    const SharedFolder folder(comm);
    for (int k = 0; k < 16; ++k) {
      Random random(static_cast<std::uint64_t>(1000 * k + comm.size()));
      const Index rows = test::pick(random, 0, 40), columns = test::pick(random, 0, 40);
      dispatch(static_cast<ScalarType>(k % 4), [&]<class T>() {
        GuardedMatrix<T> m(test::pick_layout(random, rows, columns, comm.size()), comm.rank(), 1);
        layout::fill(m.view, comm.rank(), test::element<T>);
        write<T>(comm, folder / "m.h5", m.view, {.dataset = "/group/of mine/a"});
        if (comm.rank() == 0) {
          const hid_t file = H5Fopen((folder / "m.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
          ASSERT_GE(file, 0);
          const hid_t set = H5Dopen2(file, "/group/of mine/a", H5P_DEFAULT);
          ASSERT_GE(set, 0);
          const hid_t space = H5Dget_space(set), type = memory_type<T>();
          hsize_t sizes[2] = {99, 99};
          H5Sget_simple_extent_dims(space, sizes, nullptr);
          EXPECT_EQ(sizes[0], static_cast<hsize_t>(rows));
          EXPECT_EQ(sizes[1], static_cast<hsize_t>(columns));
          std::string data(static_cast<std::size_t>(rows * columns) * sizeof(T), '?');
          if (!data.empty()) {
            EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
          }
          EXPECT_TRUE(data == test::plain_bytes<T>(rows, columns, false, false));
          H5Tclose(type);
          H5Sclose(space);
          H5Dclose(set);
          H5Fclose(file);
        }
        comm::barrier(comm);
      });
    }
  });
}

TEST_F(Hdf5Mpi, FindsTheDataset) {
  on_ranks(3, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::string path = folder / "m.h5";
    const std::string bytes = test::plain_bytes<double>(6, 4, false, false);
    if (comm.rank() == 0) {
      const auto set = [](const std::string& name, std::vector<hsize_t> sizes, bool filled = true) {
        return PlainDataset{.name = name,
                            .sizes = std::move(sizes),
                            .type = H5T_IEEE_F64LE,
                            .memory_type = filled ? H5T_NATIVE_DOUBLE : hid_t{-1}};
      };
      plain_write(path,
                  {set("/a/vector", {24}), set("/b/c/first", {6, 4}), set("/z", {4, 6}),
                   set("/cube", {2, 3, 4}), set("/never written", {3, 3}, false)},
                  bytes.data());
    }
    comm::barrier(comm);
    EXPECT_EQ(probe(comm, path).dataset, "/b/c/first");
    EXPECT_EQ(probe(comm, path, {.dataset = "z"}).rows(), 4);
    EXPECT_EQ(probe(comm, path, {.dataset = "/a/vector"}).rows(), 24);  // a column
    GuardedMatrix<double> column(layout::row_blocks(24, 1, 3), comm.rank(), 0);
    read<double>(comm, path, column.view, {.dataset = "/a/vector"});
    column.expect([](Index i, Index) { return test::element<double>(i / 4, i % 4); }, "column");
    GuardedMatrix<double> zero(layout::row_blocks(3, 3, 3), comm.rank(), 0);
    read<double>(comm, path, zero.view, {.dataset = "/never written"});
    zero.expect([](Index, Index) { return 0.0; }, "never written");
    const auto expect = [&](const std::string& dataset, const std::string& part) {
      test::expect_same_error<IoError>(
          comm, [&] { probe(comm, path, {.dataset = dataset}); }, part);
    };
    expect("/cube", "the dataset '/cube' has 3 dimensions, expected 2 (or 1, a column)");
    expect("/nothing", "HDF5 cannot open the dataset '/nothing'");
    expect("/a", "HDF5 cannot open the dataset '/a'");
  });
}

TEST_F(Hdf5Mpi, WrongFilesAndTypes) {
  on_ranks(3, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::vector<double> data(64, 1.0);
    const auto expect = [&](const std::string& part, const std::function<void(const std::string&)>& make) {
      const std::string path = folder / "m.h5";
      if (comm.rank() == 0) make(path);
      comm::barrier(comm);
      GuardedMatrix<double> m(layout::row_blocks(4, 4, 3), comm.rank(), 0);
      test::expect_same_error<IoError>(
          comm, [&] { read<double>(comm, path, m.view); }, part);
      comm::barrier(comm);
    };
    const auto of_type = [&](hid_t type) {
      return [&, type](const std::string& path) {
        plain_write(path, {{.sizes = {4, 4}, .type = type}}, data.data());
      };
    };
    expect("its elements are integers, expected float, double or pairs {r, i}", of_type(H5T_STD_I32LE));
    expect("its elements are floating-point numbers of 16 bytes", of_type(H5T_NATIVE_LDOUBLE));
    expect("its elements are structures {'x', 'y'}", of_type(pair_of(H5T_IEEE_F64LE, "x", "y")));
    expect("pairs of integers", of_type(pair_of(H5T_STD_I32LE)));
    expect("it has no dataset of two dimensions", [&](const std::string& path) {
      plain_write(path, {{.sizes = {16}, .type = H5T_IEEE_F64LE}}, data.data());
    });
    const auto good = [&](const std::string& path, bool chunked) {
      PlainDataset d{.sizes = {4, 4}, .type = H5T_IEEE_F64LE, .memory_type = H5T_NATIVE_DOUBLE};
      if (chunked) d.chunk = {2, 2};
      d.deflate = chunked;
      plain_write(path, {d}, data.data());
    };
    expect("HDF5 cannot open the file", [&](const std::string& path) {
      good(path, false);
      std::filesystem::resize_file(path, 600);
    });
    expect("HDF5 cannot open the file",
           [&](const std::string& path) { std::ofstream(path) << "\x89HDF\r\n\x1a\n"; });
    expect("HDF5 cannot open the file", [&](const std::string& path) { std::ofstream(path) << "hello"; });
    // A chunk that is damaged: whichever rank meets it.
    expect("HDF5 cannot read rows", [&](const std::string& path) {
      good(path, true);
      std::string bytes = SharedFolder::get(path);
      int damaged = 0;
      for (std::size_t at = 0; (at = bytes.find("\x78\x9c", at)) != std::string::npos; ++damaged)
        bytes.replace(at, 8, std::string(8, '\xff'));
      EXPECT_EQ(damaged, 4);
      std::ofstream(path, std::ios::binary) << bytes;
    });
  });
}

}  // namespace
}  // namespace cairn::io

#endif
