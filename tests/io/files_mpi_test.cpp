// Every format, type and order, from and to random layouts on 1 to 16 ranks, against files of plain code.
#include "io/files.hpp"

#include "io/hdf5.hpp"
#include "io/plain_files.hpp"
#include "layout/random_layout.hpp"

namespace cairn::io {
namespace {

using comm::CommView;
using layout::Layout;
using test::for_each_size;
using test::GuardedMatrix;
using test::MpiTest;
using test::Random;
using test::SharedFolder;

using FilesMpi = MpiTest;

constexpr Access accesses[] = {Access::automatic, Access::direct, Access::shared};

// All ranks stop together: one that went on alone would wait for the others.
bool failed_anywhere(CommView comm) {
  return comm::allreduce(comm, testing::Test::HasFailure() ? 1.0 : 0.0, comm::ReduceOp::max) > 0;
}

struct Shape {
  Index rows, columns;
};
Shape pick_shape(Random& random) {
  const Index most = random() % 5 == 0 ? 130 : 25;
  switch (random() % 6) {
    case 0:
      return {test::pick(random, 0, 3), test::pick(random, 0, most)};
    case 1:
      return {test::pick(random, 0, most), test::pick(random, 0, 3)};
    default:
      return {test::pick(random, 0, most), test::pick(random, 0, most)};
  }
}

Transfer pick_transfer(Random& random) {
  Transfer t;
  t.access = accesses[random() % 3];
  t.piece_bytes = random() % 3 == 0 ? test::pick(random, 1, 300) : Index{4} << 20;
  return t;
}

// Calls f<F, T>() for every pair of types where F can be read as T, the k-th of them.
template <class G>
void with_types(std::uint64_t k, G&& g) {
  const auto from = static_cast<ScalarType>(k % 4), to = static_cast<ScalarType>(k / 4 % 4);
  dispatch(from, [&]<class F>() {
    dispatch(to, [&]<class T>() {
      if constexpr (!ScalarTraits<F>::is_complex || ScalarTraits<T>::is_complex)
        g.template operator()<F, T>();
      else
        g.template operator()<Real<F>, T>();
    });
  });
}

template <Scalar F, Scalar T>
void read_and_check(CommView comm, Random& random, const std::string& path, const Shape& s,
                    const ReadOptions& options) {
  GuardedMatrix<T> m(test::pick_layout(random, s.rows, s.columns, comm.size()), comm.rank(),
                     test::pick(random, 0, 3));
  read<T>(comm, path, m.view, options);
  m.expect([](Index i, Index j) { return test::converted<F, T>(i, j); }, path);
}

TEST_F(FilesMpi, ReadsNpyAndRawIntoAnyLayout) {
  for_each_size([](CommView comm) {
    const SharedFolder folder(comm);
    for (int k = 0; k < 64 && !failed_anywhere(comm); ++k) {
      Random random(static_cast<std::uint64_t>(1000 * k + comm.size()));
      const Shape s = pick_shape(random);
      const bool by_columns = random() % 2 == 0, swapped = random() % 3 == 0, raw = random() % 3 == 0;
      with_types(static_cast<std::uint64_t>(k), [&]<class F, class T>() {
        ReadOptions options{.transfer = pick_transfer(random)};
        std::string bytes = test::plain_npy<F>(s.rows, s.columns, by_columns, swapped);
        if (raw) {
          bytes = "12345" + test::plain_bytes<F>(s.rows, s.columns, by_columns, swapped);
          const ByteOrder other = native_byte_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
          options.raw = {s.rows,
                         s.columns,
                         ScalarTraits<F>::type,
                         by_columns ? Order::column_major : Order::row_major,
                         swapped ? other : native_byte_order,
                         5};
        } else {
          bytes += "behind";  // NumPy reads such files, too
        }
        const std::string path = folder.put(raw ? "m.any" : "m.npy", bytes);
        const MatrixInfo info = probe(comm, path, options);
        EXPECT_EQ(info.format, raw ? Format::raw : Format::npy);
        EXPECT_EQ(info.rows(), s.rows);
        EXPECT_EQ(info.columns(), s.columns);
        EXPECT_EQ(info.type(), ScalarTraits<F>::type);
        EXPECT_EQ(info.order(), by_columns ? Order::column_major : Order::row_major);
        read_and_check<F, T>(comm, random, path, s, options);
      });
    }
  });
}

struct Half {
  const char* name;
  Symmetry symmetry;
};
constexpr Half halves[] = {{"general", Symmetry::general},
                           {"symmetric", Symmetry::symmetric},
                           {"skew-symmetric", Symmetry::skew},
                           {"hermitian", Symmetry::hermitian}};

template <Scalar F>
F mirrored(const Half& half, Index i, Index j) {
  if (half.symmetry == Symmetry::general || i > j) return test::element<F>(i, j);
  if (i == j) return half.symmetry == Symmetry::skew ? F(0) : test::element<F>(i, j);
  const F x = test::element<F>(j, i);
  return half.symmetry == Symmetry::skew ? -x : half.symmetry == Symmetry::hermitian ? conj(x) : x;
}

template <Scalar F, Scalar T>
void read_text(CommView comm, Random& random, const SharedFolder& folder, const Half& half) {
  Shape s = pick_shape(random);
  if (half.symmetry != Symmetry::general) s.columns = s.rows;
  const std::string numbers = test::plain_numbers<F>(s.rows, s.columns, [&](Index j) {
    return half.symmetry == Symmetry::general ? 0 : half.symmetry == Symmetry::skew ? j + 1 : j;
  });
  const char* const field = ScalarTraits<F>::is_complex ? "complex" : "real";
  const std::string path =
      folder.put("m.mtx", fmt::format("%%MatrixMarket matrix array {} {}\n% by hand\n{} {}\n{}", field,
                                      half.name, s.rows, s.columns, numbers));
  GuardedMatrix<T> m(test::pick_layout(random, s.rows, s.columns, comm.size()), comm.rank(),
                     test::pick(random, 0, 3));
  read<T>(comm, path, m.view, {.transfer = pick_transfer(random)});
  m.expect(
      [&](Index i, Index j) {
        const F x = mirrored<F>(half, i, j);
        if constexpr (ScalarTraits<F>::is_complex)
          return T(static_cast<Real<T>>(x.real()), static_cast<Real<T>>(x.imag()));
        else
          return T(static_cast<Real<T>>(x));
      },
      half.name);
}

TEST_F(FilesMpi, ReadsMatrixMarketIntoAnyLayout) {
  for_each_size([](CommView comm) {
    const SharedFolder folder(comm);
    for (int k = 0; k < 48 && !failed_anywhere(comm); ++k) {
      Random random(static_cast<std::uint64_t>(1000 * k + comm.size()));
      const Half& half = halves[random() % 4];
      with_types(static_cast<std::uint64_t>(k), [&]<class F, class T>() {
        if constexpr (ScalarTraits<F>::is_complex)
          read_text<F, T>(comm, random, folder, half);
        else
          read_text<F, T>(comm, random, folder, half.symmetry == Symmetry::hermitian ? halves[1] : half);
      });
    }
  });
}

TEST_F(FilesMpi, ReadsMatrixMarketHoweverItIsSpaced) {
  for_each_size([](CommView comm) {
    const SharedFolder folder(comm);
    // Two complex numbers per line, parts of one on two lines, blank lines, no end of line.
    const std::string path = folder.put(
        "m.mtx", "%%MatrixMarket matrix array complex general\n2 2\n\n1 2 3 4\n  5\r\n6\n\n\t7   8");
    GuardedMatrix<std::complex<double>> m(layout::elemental(2, 2, comm.size(), 1), comm.rank(), 1);
    read<std::complex<double>>(comm, path, m.view, {.transfer = {.piece_bytes = 1}});
    m.expect(
        [](Index i, Index j) {
          const auto k = static_cast<double>(i + 2 * j);
          return std::complex<double>(2 * k + 1, 2 * k + 2);
        },
        "spaced");
    const std::string whole =
        folder.put("i.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n1 -2 +3\n");
    GuardedMatrix<float> w(layout::row_blocks(2, 2, comm.size()), comm.rank(), 0);
    read<float>(comm, whole, w.view);
    w.expect([](Index i, Index j) { return i == j ? (i == 0 ? 1.0F : 3.0F) : -2.0F; }, "integers");
  });
}

// The file that plain code writes for the same matrix.
template <Scalar T>
std::string expected_file(Format format, const Shape& s, bool by_columns) {
  if (format == Format::raw) return test::plain_bytes<T>(s.rows, s.columns, by_columns, false);
  const std::string kinds[] = {"f4", "f8", "c8", "c16"};
  std::string text = "{'descr': '" + std::string(std::endian::native == std::endian::little ? "<" : ">") +
                     kinds[static_cast<int>(ScalarTraits<T>::type)] +
                     "', 'fortran_order': " + (by_columns ? "True" : "False") + ", 'shape': (" +
                     std::to_string(s.rows) + ", " + std::to_string(s.columns) + "), }";
  while ((10 + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string h("\x93NUMPY\x01\x00", 8);
  h += static_cast<char>(text.size() & 255);
  h += static_cast<char>(text.size() >> 8);
  return h + text + test::plain_bytes<T>(s.rows, s.columns, by_columns, false);
}

TEST_F(FilesMpi, WritesNpyAndRawByteForByte) {
  for_each_size([](CommView comm) {
    const SharedFolder folder(comm);
    for (int k = 0; k < 48 && !failed_anywhere(comm); ++k) {
      Random random(static_cast<std::uint64_t>(1000 * k + comm.size()));
      const Shape s = pick_shape(random);
      const Format format = random() % 2 == 0 ? Format::npy : Format::raw;
      const bool by_columns = random() % 2 == 0;
      dispatch(static_cast<ScalarType>(k % 4), [&]<class T>() {
        GuardedMatrix<T> m(test::pick_layout(random, s.rows, s.columns, comm.size()), comm.rank(),
                           test::pick(random, 0, 3));
        layout::fill(m.view, comm.rank(), [](Index i, Index j) { return test::element<T>(i, j); });
        const std::string path = folder / "written";
        write<T>(comm, path, m.view,
                 {.format = format,
                  .order = by_columns ? Order::column_major : Order::row_major,
                  .transfer = pick_transfer(random)});
        EXPECT_TRUE(SharedFolder::get(path) == expected_file<T>(format, s, by_columns))
            << m.view.layout.text();
        comm::barrier(comm);
      });
    }
  });
}

template <Scalar T>
void round_trip(CommView comm, Random& random, const std::string& path) {
  const Shape s = pick_shape(random);
  GuardedMatrix<T> m(test::pick_layout(random, s.rows, s.columns, comm.size()), comm.rank(),
                     test::pick(random, 0, 3));
  // All bits of a number, also where they are no short decimal fraction.
  const auto value = [](Index i, Index j) {
    const T x = test::element<T>(i, j);
    return x / T(3) + (i == j ? std::numeric_limits<Real<T>>::min() : Real<T>(0));
  };
  layout::fill(m.view, comm.rank(), value);
  write<T>(comm, path, m.view, {.transfer = pick_transfer(random)});
  GuardedMatrix<T> back(test::pick_layout(random, s.rows, s.columns, comm.size()), comm.rank(), 2);
  const MatrixInfo info = probe(comm, path);
  EXPECT_EQ(info.rows(), s.rows);
  EXPECT_EQ(info.columns(), s.columns);
  read<T>(comm, path, back.view, {.transfer = pick_transfer(random)});
  back.expect(value, path);
}

TEST_F(FilesMpi, EveryFormatComesBackBitForBit) {
  for_each_size([](CommView comm) {
    const SharedFolder folder(comm);
    for (int k = 0; k < 60 && !failed_anywhere(comm); ++k) {
      Random random(static_cast<std::uint64_t>(1000 * k + comm.size()));
      std::vector<std::string> names{"m.npy", "m.mtx"};
      if (has_hdf5()) names.push_back("m.h5");
      dispatch(static_cast<ScalarType>(k % 4), [&]<class T>() {
        round_trip<T>(comm, random, folder / names[static_cast<std::size_t>(k) % names.size()]);
      });
    }
  });
}

TEST_F(FilesMpi, MatrixMarketIsTextThatOthersRead) {
  for_each_size([](CommView comm) {
    const SharedFolder folder(comm);
    GuardedMatrix<std::complex<float>> m(layout::blocked(9, 4, 1, comm.size()), comm.rank(), 1);
    layout::fill(m.view, comm.rank(),
                 [](Index i, Index j) { return test::element<std::complex<float>>(i, j); });
    write<std::complex<float>>(comm, folder / "m.mtx", m.view);
    std::istringstream in(SharedFolder::get(folder / "m.mtx"));
    std::string banner, sizes;
    std::getline(in, banner);
    std::getline(in, sizes);
    EXPECT_EQ(banner, "%%MatrixMarket matrix array complex general");
    EXPECT_EQ(sizes, "9 4");
    for (Index j = 0; j < 4; ++j)
      for (Index i = 0; i < 9; ++i) {
        std::string line;
        std::getline(in, line);
        std::istringstream numbers(line);
        float re = 0, im = 0;
        EXPECT_TRUE(numbers >> re >> im) << line;
        EXPECT_EQ(std::complex<float>(re, im), test::element<std::complex<float>>(i, j));
      }
  });
}

TEST_F(FilesMpi, LongRunsAreReadWhereTheyAre) {
  test::on_ranks(4, [](CommView comm) {
    const SharedFolder folder(comm);
    const Index n = 20000, columns = 8;
    const std::string path = folder.put("m.npy", test::plain_npy<double>(n, columns, true, false));
    const auto words_of = [&](const Layout& layout) {
      GuardedMatrix<double> m(layout, comm.rank(), 3);
      const comm::TrafficSnapshot before = comm.traffic().snapshot();
      read<double>(comm, path, m.view);
      m.expect([](Index i, Index j) { return test::element<double>(i, j); }, path);
      const Index mine = (comm.traffic().snapshot() - before).phases["redistribute"].received.words;
      return comm::allreduce(comm, mine, comm::ReduceOp::sum);
    };
    EXPECT_EQ(words_of(layout::column_blocks(n, columns, 4)), 0);
    EXPECT_EQ(words_of(layout::blocked(n, columns, 2, 2)), 0);      // runs of 80 kB
    EXPECT_GT(words_of(layout::elemental(n, columns, 2, 2)), 0);    // of 8 bytes
    EXPECT_GT(words_of(layout::replicated(n, columns, 4)), 3 * n);  // once from the disk, then by messages
  });
}

TEST_F(FilesMpi, ProgressGoesFromNothingToAll) {
  test::on_ranks(3, [](CommView comm) {
    const SharedFolder folder(comm);
    GuardedMatrix<double> m(layout::row_blocks(50, 20, 3), comm.rank(), 0);
    layout::fill(m.view, comm.rank(), [](Index i, Index j) { return test::element<double>(i, j); });
    for (const std::string name : {"m.npy", "m.mtx"}) {
      std::vector<double> seen;
      const Transfer how{.piece_bytes = 200, .progress = [&](double part) { seen.push_back(part); }};
      const auto check = [&] {
        ASSERT_GT(seen.size(), 3U);
        EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
        EXPECT_GT(seen.front(), 0.0);
        EXPECT_EQ(seen.back(), 1.0);
        seen.clear();
      };
      write<double>(comm, folder / name, m.view, {.transfer = how});
      check();
      read<double>(comm, folder / name, m.view, {.transfer = how});
      check();
    }
  });
}

}  // namespace
}  // namespace cairn::io
