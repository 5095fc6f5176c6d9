// Bad files and bad arguments: the same error on every rank, which names the file, the place and what was
// expected; a write that fails leaves nothing behind.
#include <sys/stat.h>

#include "io/files.hpp"
#include "io/hdf5.hpp"
#include "io/plain_files.hpp"
#include "layout/kinds.hpp"

namespace cairn::io {
namespace {

using comm::CommView;
using layout::DistMatrix;
using test::MpiTest;
using test::on_ranks;
using test::SharedFolder;

using FileErrorsMpi = MpiTest;

template <class E = IoError>
void expect_read_error(CommView comm, const std::string& path, const std::string& part,
                       const ReadOptions& options = {}) {
  DistMatrix<double> m(layout::blocked(3, 4, 1, comm.size()), comm.rank());
  test::expect_same_error<E>(
      comm, [&] { read<double>(comm, path, m.view(), options); }, part);
}

TEST_F(FileErrorsMpi, FilesThatAreNotThere) {
  on_ranks(3, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::string missing = folder / "missing.npy";
    expect_read_error(comm, missing,
                      "read '" + missing + "': rank 0: cannot open it: No such file or directory");
    expect_read_error(comm, folder.path().string(), "it is a directory, expected a regular file");
    if (comm.rank() == 0) {
      ASSERT_EQ(mkfifo((folder / "pipe.npy").c_str(), 0600), 0);
    }
    comm::barrier(comm);
    expect_read_error(comm, folder / "pipe.npy", "it is a device or pipe, expected a regular file");
    expect_read_error(comm, "", "cannot open it");
  });
}

TEST_F(FileErrorsMpi, WrongFiles) {
  on_ranks(4, [](CommView comm) {
    const SharedFolder folder(comm);
    const auto expect = [&](const std::string& name, const std::string& bytes, const std::string& part) {
      expect_read_error(comm, folder.put(name, bytes), part);
    };
    const std::string npy = test::plain_npy<double>(3, 4, true, false);
    expect("empty.npy", "", "byte 0: found '', expected '\\x93NUMPY'");
    expect("text.npy", "hello", "byte 0: found 'hello', expected '\\x93NUMPY'");
    expect("unknown", "hello world", "byte 0: found 'hello wo', expected .npy, Matrix Market or HDF5");
    expect("packed.npz", "PK\x03\x04xx", "this is a zip archive (.npz?), expected one matrix");
    expect("packed.mtx", "\x1f\x8bxx", "this is compressed by gzip");
    expect("short.npy", npy.substr(0, npy.size() - 1), "the file ends here, expected");
    expect("wrong.mtx", "3 4\n", "line 1: found '3 4', expected %%MatrixMarket");
    expect("shape.npy", test::plain_npy<double>(4, 3, true, false),
           "the file holds 4 x 3 and the matrix is 3 x 4");
    expect("m.bin", npy, "a raw file does not describe itself");
  });
}

// Every truncation of a good file is an error, the same everywhere.
TEST_F(FileErrorsMpi, EveryTruncation) {
  on_ranks(3, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::string npy = test::plain_npy<double>(3, 4, false, true);
    for (std::size_t n = 0; n < npy.size(); n += 7)
      expect_read_error(comm, folder.put("m.npy", npy.substr(0, n)), "read '");
    const std::string text = "%%MatrixMarket matrix array real general\n%\n3 4\n" +
                             test::plain_numbers<double>(3, 4, [](Index) { return 0; });
    // Without the last number's digits or more; shorter digits are another number.
    for (std::size_t n = 0; n + 8 < text.size(); n += 3)
      expect_read_error(comm, folder.put("m.mtx", text.substr(0, n)), "expected");
  });
}

TEST_F(FileErrorsMpi, TextThatIsNoMatrix) {
  on_ranks(4, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::string head = "%%MatrixMarket matrix array real general\n3 4\n";
    const auto expect = [&](const std::string& numbers, const std::string& part) {
      expect_read_error(comm, folder.put("m.mtx", head + numbers), part);
    };
    expect("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n", "line 14: the file ends here with 11 numbers, expected 12");
    expect("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n",
           "line 16: the file ends here with 13 numbers, expected 12");
    expect("1\n2\n3\n4\n5\n6\n7\neight\n9\n10\n11\n12\n",
           "line 10 (byte 59): found 'eight', expected a number");
    // A comment among the numbers: the word says more than the count.
    expect("1\n2\n3\n4\n% five\n5\n6\n7\n8\n9\n10\n11\n12\n",
           "line 7 (byte 53): found '%', expected a number");
    expect("1 2 3 4 5 6 7 8 9 10 11 1e99999\n", "expected a number that fits");
    expect("1 2 3 4 5 6 7 8 9 10 11 " + std::string(5000, '1'), "a word of more than 1024 characters");
    expect_read_error(
        comm,
        folder.put("i.mtx",
                   "%%MatrixMarket matrix array integer general\n3 4\n1 2 3 4 5 6 7 8 9 10 11 1.5\n"),
        "found '1.5', expected a whole number");
    expect_read_error<ArgumentError>(
        comm,
        folder.put("c.mtx", "%%MatrixMarket matrix array complex general\n3 4\n" +
                                test::plain_numbers<std::complex<double>>(3, 4, [](Index) { return 0; })),
        "the file holds complex<double> and the matrix double, expected a complex type");
  });
}

TEST_F(FileErrorsMpi, RawShapes) {
  on_ranks(2, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::string path = folder.put("m.bin", std::string(96, 'x'));
    const auto expect = [&](const StoredMatrix& raw, const std::string& part) {
      expect_read_error(comm, path, part, {.raw = raw});
    };
    expect({3, 5}, "byte 96: the file ends here, expected 120 bytes");
    expect({3, 3},
           "byte 72: 3 x 3 of double from byte 0 on end here, expected the end of the file, which is at 96");
    expect({-3, 4}, "the matrix is -3 x 4");
    expect({Index{1} << 40, Index{1} << 40}, "expected at most 2^63 bytes in all");
    expect({3, 4, ScalarType::f64, Order::row_major, ByteOrder::little, -8}, "the data start at byte -8");
    DistMatrix<double> m(layout::blocked(3, 4, 1, 2), comm.rank());
    test::expect_same_error<ArgumentError>(
        comm,
        [&] {
          read<double>(comm, path, m.view(), {.raw = StoredMatrix{3, comm.rank() == 1 ? 5 : 4}});
        },
        "columns of raw is 4 on rank 0 and 5 on rank 1");
  });
}

TEST_F(FileErrorsMpi, BadArguments) {
  on_ranks(4, [](CommView comm) {
    const SharedFolder folder(comm);
    const int rank = comm.rank();
    const std::string path = folder.put("m.npy", test::plain_npy<double>(3, 4, true, false));
    const std::string complex = folder.put("c.npy", test::plain_npy<std::complex<float>>(3, 4, true, false));
    DistMatrix<double> m(layout::blocked(3, 4, 1, 4), rank);
    layout::fill(m.view(), rank, [](Index, Index) { return 1.0; });
    const auto expect = [&](const std::string& part, const std::function<void()>& call) {
      test::expect_same_error<ArgumentError>(comm, call, part);
    };
    expect("the file holds complex<float> and the matrix double",
           [&] { read<double>(comm, complex, m.view()); });
    expect("memory of the matrix is null on rank 2", [&] {
      auto view = m.view();
      if (rank == 2) view.data = nullptr;
      read<double>(comm, path, view);
    });
    expect("memory of the matrix has 2 elements on rank 1, expected at least 3", [&] {
      layout::MatrixView<const double> view = m.view();
      if (rank == 1) view.elements = 2;
      write<double>(comm, folder / "out.npy", view);
    });
    expect("the layout names rank 5, expected ranks below 4", [&] {
      DistMatrix<double> far(layout::blocked(3, 4, 2, 3), rank);
      read<double>(comm, path, far.view());
    });
    expect("layout is [", [&] {
      DistMatrix<double> mine(rank == 3 ? layout::elemental(3, 4, 4, 1) : layout::elemental(3, 4, 2, 2),
                              rank);
      read<double>(comm, path, mine.view());
    });
    expect("read a file: the file's name is '" + path + "' on rank 0 and '" + complex + "' on rank 1",
           [&] { read<double>(comm, rank == 1 ? complex : path, m.view()); });
    expect("write a file: the file's name is",
           [&] { write<double>(comm, folder / (rank == 1 ? "a.npy" : "b.npy"), m.view()); });
    expect("the extension is unknown, expected .npy, .mtx, .h5 or .bin",
           [&] { write<double>(comm, folder / "out.txt", m.view()); });
    expect("order is", [&] {
      write<double>(comm, folder / "out.npy", m.view(),
                    {.order = rank == 2 ? Order::row_major : Order::column_major});
    });
    const Transfer mine{.access = rank == 2 ? Access::direct : Access::shared};
    expect("access is", [&] { write<double>(comm, folder / "out.npy", m.view(), {.transfer = mine}); });
    expect("access is", [&] { read<double>(comm, path, m.view(), {.transfer = mine}); });
    read<double>(comm, path, m.view());  // and it still works
    EXPECT_EQ(layout::largest_difference(m.view(), rank, test::element<double>), 0.0);
  });
}

// What stands in the folder, by name.
std::vector<std::string> listed(const SharedFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_F(FileErrorsMpi, AWriteThatFailsLeavesNothing) {
  on_ranks(3, [](CommView comm) {
    const SharedFolder folder(comm);
    DistMatrix<double> m(layout::blocked(3, 4, 1, 3), comm.rank());
    layout::fill(m.view(), comm.rank(), test::element<double>);
    const std::string old = folder.put("old.npy", "something else");
    const auto expect_error = [&](const std::string& path, const std::string& part,
                                  const WriteOptions& options = {}) {
      test::expect_same_error<IoError>(
          comm, [&] { write<double>(comm, path, m.view(), options); }, part);
    };
    expect_error(folder / "nowhere/m.npy", "cannot open it: No such file or directory");
    if (comm.rank() == 0) std::filesystem::create_directory(folder / "directory.npy");
    comm::barrier(comm);
    expect_error(folder / "directory.npy", "it is a directory, expected a regular file or no file");
    expect_error("", "the name of the file is empty", {.format = Format::npy});
    if (has_hdf5())
      expect_error(old, "HDF5 cannot make the dataset", {.format = Format::hdf5, .dataset = "/"});
    // In the middle of the work: a rank that cannot go on.
    for (const Format format : {Format::npy, Format::matrix_market, Format::raw}) {
      Transfer stops;
      stops.progress = [&](double) {
        if (comm.rank() == 1) fail<IoError>("byte 17: cannot write: the disk is on fire");
      };
      expect_error(old, "rank 1: byte 17: cannot write: the disk is on fire",
                   {.format = format, .transfer = stops});
    }
    EXPECT_EQ(listed(folder), (std::vector<std::string>{"directory.npy", "old.npy"}));
    EXPECT_TRUE(SharedFolder::get(old) == "something else");
    comm::barrier(comm);
    write<double>(comm, old, m.view());
    EXPECT_EQ(listed(folder), (std::vector<std::string>{"directory.npy", "old.npy"}));
    EXPECT_EQ(probe(comm, old).columns(), 4);
  });
}

TEST_F(FileErrorsMpi, ReplacesWhatALinkNamesAndKeepsPermissions) {
  on_ranks(2, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::string target = folder.put("target.npy", "old");
    if (comm.rank() == 0) {
      std::filesystem::create_symlink("target.npy", folder / "link.npy");
      ASSERT_EQ(chmod(target.c_str(), 0640), 0);
    }
    comm::barrier(comm);
    DistMatrix<float> m(layout::blocked(2, 2, 1, 2), comm.rank());
    layout::fill(m.view(), comm.rank(), test::element<float>);
    write<float>(comm, folder / "link.npy", m.view());
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
    EXPECT_EQ(probe(comm, target).type(), ScalarType::f32);
    struct stat status {};
    ASSERT_EQ(stat(target.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0640U);
  });
}

// No memory for a matrix that the head promises is an error of the caller's allocation; the file's length is
// checked first.
TEST_F(FileErrorsMpi, HeadsThatPromiseTooMuch) {
  on_ranks(2, [](CommView comm) {
    const SharedFolder folder(comm);
    std::string npy = test::plain_npy<double>(3, 4, true, false);
    const std::size_t at = npy.find("(3, 4)");
    npy.replace(at, 6, "(300000000, 400000000)");
    const std::size_t header = npy.find('\n') + 1 - 12;
    npy[8] = static_cast<char>(header & 255);
    test::expect_same_error<IoError>(
        comm, [&] { probe(comm, folder.put("m.npy", npy)); }, "the file ends here, expected 960000000000000");
    test::expect_same_error<IoError>(
        comm,
        [&] {
          probe(comm,
                folder.put("m.mtx", "%%MatrixMarket matrix array real general\n300000000 400000000\n1\n2\n"));
        },
        "line 2: the matrix is 300000000 x 400000000, expected at most 2 elements in the 4 bytes that "
        "follow");
  });
}

}  // namespace
}  // namespace cairn::io
