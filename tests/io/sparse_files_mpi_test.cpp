#include "io/sparse_files.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "io/inflate.hpp"
#include "io/plain_files.hpp"

namespace cairn::io {
namespace {

using comm::CommView;
using test::MpiTest;
using test::on_ranks;
using test::SharedFolder;

using SparseFilesMpi = MpiTest;

// Collective. The entries of all ranks in the order of the ranks.
template <Scalar T>
std::vector<Triple<T>> everyones_triples(CommView comm, const std::vector<Triple<T>>& mine) {
  const auto count = static_cast<Index>(mine.size());
  std::vector<Index> counts(static_cast<std::size_t>(comm.size()));
  comm::allgather(comm, std::span<const Index>(&count, 1), std::span(counts));
  std::vector<Triple<T>> all(
      static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), Index{0})));
  comm::allgatherv(comm, std::span<const Triple<T>>(mine), std::span(all), counts);
  return all;
}

// The same on every rank: rows ascend, a few empty; values that need all their digits.
template <Scalar T>
std::vector<Triple<T>> random_triples(Index rows, Index columns, Index count) {
  std::mt19937_64 random(static_cast<std::uint64_t>(rows * 31 + columns));
  std::vector<Triple<T>> triples;
  const auto number = [&] {
    return static_cast<Real<T>>(std::ldexp(static_cast<double>(random() >> 11), -40) - 3000);
  };
  for (Index t = 0; t < count && rows * columns > 0; ++t) {
    Triple<T> x{static_cast<Index>(random() % static_cast<std::uint64_t>(rows)),
                static_cast<Index>(random() % static_cast<std::uint64_t>(columns)), T(number())};
    if constexpr (ScalarTraits<T>::is_complex) x.value = T(number(), number());
    triples.push_back(x);
  }
  std::stable_sort(triples.begin(), triples.end(),
                   [](const auto& a, const auto& b) { return a.row < b.row; });
  return triples;
}

// Ranks with much, little and nothing.
template <Scalar T>
std::vector<Triple<T>> share_of(CommView comm, const std::vector<Triple<T>>& all) {
  const auto cut = [&](int r) {
    return all.size() * static_cast<std::size_t>(r * r) / static_cast<std::size_t>(comm.size() * comm.size());
  };
  return {all.begin() + static_cast<std::ptrdiff_t>(cut(comm.rank())),
          all.begin() + static_cast<std::ptrdiff_t>(cut(comm.rank() + 1))};
}

template <Scalar T>
void write_and_read(CommView comm, Index rows, Index columns, Index count) {
  const SharedFolder folder(comm);
  const auto all = random_triples<T>(rows, columns, count);
  for (const char* const name : {"a.mtx", "a.mtx.gz", "a.npz"}) {
    const std::string path = folder / name;
    write_sparse<T>(comm, path, rows, columns, share_of(comm, all));
    const SparseInfo info = probe_sparse(comm, path);
    EXPECT_EQ(info.rows, rows) << name;
    EXPECT_EQ(info.columns, columns) << name;
    EXPECT_EQ(info.stored, static_cast<Index>(all.size())) << name;
    EXPECT_EQ(is_complex(info.type), ScalarTraits<T>::is_complex) << name;
    auto found = everyones_triples(comm, read_sparse<T>(comm, path));
    // Packed text is dealt in pieces: the order is that of the ranks, not of the file.
    const auto by_place = [](const Triple<T>& a, const Triple<T>& b) {
      return std::tuple(a.row, a.column) < std::tuple(b.row, b.column);
    };
    auto expected = all;
    if (std::string_view(name).ends_with(".gz")) {
      std::stable_sort(found.begin(), found.end(), by_place);
      std::stable_sort(expected.begin(), expected.end(), by_place);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t t = 0; t < found.size(); ++t) {
        ASSERT_EQ(found[t].row, expected[t].row);
        ASSERT_EQ(found[t].column, expected[t].column);
      }
      const auto total = [](const std::vector<Triple<T>>& v) {
        T sum(0);
        for (const auto& t : v) sum += t.value;
        return std::abs(sum);
      };
      EXPECT_NEAR(total(found), total(expected), 1e-3 * total(expected));
    } else {
      EXPECT_TRUE(found == expected) << name << " " << rows << " x " << columns << " on " << comm.size();
    }
  }
}

TEST_F(SparseFilesMpi, WhatIsWrittenIsRead) {
  for (const int ranks : {1, 2, 3, 7, 16})
    on_ranks(ranks, [](CommView comm) {
      write_and_read<double>(comm, 50, 70, 400);
      write_and_read<float>(comm, 1, 1, 1);
      write_and_read<std::complex<float>>(comm, 40, 3, 60);
      write_and_read<std::complex<double>>(comm, 3, 400, 100);
      write_and_read<double>(comm, 0, 5, 0);
      write_and_read<double>(comm, 5, 7, 0);
    });
}

TEST_F(SparseFilesMpi, LongFiles) {
  on_ranks(3, [](CommView comm) { write_and_read<double>(comm, 30000, 30000, 120000); });
}

TEST_F(SparseFilesMpi, LargeSides) {
  on_ranks(3, [](CommView comm) {
    const SharedFolder folder(comm);
    const auto all = random_triples<double>(Index{1} << 33, Index{1} << 40, 20);
    write_sparse<double>(comm, folder / "a.mtx", Index{1} << 33, Index{1} << 40, share_of(comm, all));
    EXPECT_EQ(everyones_triples(comm, read_sparse<double>(comm, folder / "a.mtx")), all);
  });
}

TEST_F(SparseFilesMpi, HalvesAreCompleted) {
  for (const int ranks : {1, 2, 5})
    on_ranks(ranks, [](CommView comm) {
      using C = std::complex<double>;
      const SharedFolder folder(comm);
      const std::string body = "4 4 3\n1 1 5 0\n3 2 1 2\n4 1 -7 0.5\n";
      const auto read_of = [&](const std::string& symmetry) {
        const std::string path = folder.put(
            symmetry + ".mtx", "%%MatrixMarket matrix coordinate complex " + symmetry + "\n" + body);
        auto all = everyones_triples(comm, read_sparse<C>(comm, path));
        comm::barrier(comm);
        return all;
      };
      EXPECT_EQ(read_of("general").size(), 3U);
      EXPECT_EQ(read_of("symmetric"),
                (std::vector<Triple<C>>{
                    {0, 0, 5}, {2, 1, {1, 2}}, {1, 2, {1, 2}}, {3, 0, {-7, 0.5}}, {0, 3, {-7, 0.5}}}));
      EXPECT_EQ(read_of("hermitian"),
                (std::vector<Triple<C>>{
                    {0, 0, 5}, {2, 1, {1, 2}}, {1, 2, {1, -2}}, {3, 0, {-7, 0.5}}, {0, 3, {-7, -0.5}}}));
      const std::string path =
          folder.put("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 1\n");
      EXPECT_TRUE(probe_sparse(comm, path).pattern);
      EXPECT_EQ(everyones_triples(comm, read_sparse<float>(comm, path)),
                (std::vector<Triple<float>>{{0, 2, 1}, {1, 0, 1}}));
    });
}

void expect_bad_file(CommView comm, const std::string& path, const std::string& part) {
  test::expect_same_error<IoError>(
      comm, [&] { read_sparse<double>(comm, path); }, part);
}

TEST_F(SparseFilesMpi, ErrorsNameTheLineAndTheColumn) {
  for (const int ranks : {1, 3, 8})
    on_ranks(ranks, [](CommView comm) {
      const SharedFolder folder(comm);
      const std::string head = "%%MatrixMarket matrix coordinate real general\n% c\n100 100 60\n";
      for (const int bad : {0, 29, 59}) {
        std::string text = head;
        for (int line = 0; line < 60; ++line) text += line == bad ? "12  101 3\n" : "12 13 14.25\n";
        const std::string what =
            "line " + std::to_string(4 + bad) + ", column 5: found '101', expected a column from 1 to 100";
        expect_bad_file(comm, folder.put("bad.mtx", text), what);
        comm::barrier(comm);
        expect_bad_file(
            comm, folder.put("bad.mtx.gz", gzip_block(text.substr(0, 200)) + gzip_block(text.substr(200))),
            what);
        comm::barrier(comm);
      }
      expect_bad_file(comm, folder.put("few.mtx", head + "1 1 1\n" + std::string(600, '\n')),
                      "the file has 1 entries, expected 60 as line 3 says");
      expect_bad_file(comm, folder.put("many.mtx", head + "1 1 1\n"),
                      "line 3: 60 entries, expected at most 1 in the 6 bytes");
      expect_bad_file(comm,
                      folder.put("long.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n" +
                                                 std::string(5000, ' ') + "1 1 1\n"),
                      "line 3, column 1024: the line goes on");
      expect_bad_file(comm, folder.put("cut.mtx.gz", gzip_block(head).substr(0, 40)),
                      "the file ends here, inside its packed data");
      expect_bad_file(comm, folder.put("no.mtx.gz", head), "the packed data is damaged");
      expect_bad_file(comm, folder.put("no.npz", head), "the archive has no directory");
      expect_bad_file(comm, folder / "missing.mtx", "cannot open it");
      test::expect_same_error<ArgumentError>(
          comm, [&] { read_sparse<double>(comm, folder / "a.txt"); }, "expected .mtx, .mtx.gz or .npz");
      const std::string complex =
          folder.put("c.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n");
      test::expect_same_error<ArgumentError>(
          comm, [&] { read_sparse<double>(comm, complex); }, "complex numbers");
    });
}

TEST_F(SparseFilesMpi, BadEntriesAreNotWritten) {
  on_ranks(3, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::vector<Triple<double>> mine{{comm.rank() == 1 ? Index{9} : Index{2}, 0, 1.0}};
    test::expect_same_error<ArgumentError>(
        comm, [&] { write_sparse<double>(comm, folder / "a.mtx", 9, 9, mine); }, "an entry is at (9, 0)");
    test::expect_same_error<ArgumentError>(
        comm, [&] { write_sparse<double>(comm, folder / "a.npz", 10, 9, mine); }, "row 2 comes after row 9");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.mtx"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.npz"));
  });
}

// What the members of an archive say is compared.
TEST_F(SparseFilesMpi, ArchivesThatContradictThemselves) {
  on_ranks(2, [](CommView comm) {
    const SharedFolder folder(comm);
    const std::string path = folder / "a.npz";
    const auto all = random_triples<double>(20, 30, 50);
    write_sparse<double>(comm, path, 20, 30, share_of(comm, all));
    const std::string good = SharedFolder::get(path);
    comm::barrier(comm);
    const auto spoiled = [&](const std::string& from, const std::string& to) {
      std::string bytes = good;
      const std::size_t at = bytes.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      bytes.replace(at, from.size(), to);
      comm::barrier(comm);
      return folder.put("b.npz", bytes);
    };
    expect_bad_file(comm, spoiled("(50,)", "(51,)"), "member 'indices.npy' has 51 elements");
    expect_bad_file(comm, spoiled("(21,)", "(20,)"), "indptr has 20 elements, expected 21");
    expect_bad_file(comm, spoiled("csr", "coo"), "the format is 'coo', expected csr or csc");
    expect_bad_file(comm, spoiled("<f8", "<U2"), "member 'data.npy': the elements are of type '<U2'");
    const std::int32_t wrong = 30;
    const std::string is(reinterpret_cast<const char*>(&wrong), 4);
    std::string bytes = good;
    bytes.replace(bytes.find('\n') + 1, 4, is);
    comm::barrier(comm);
    expect_bad_file(comm, folder.put("c.npz", bytes), "indices: element 0 is 30, expected 0 to 29");
  });
}

}  // namespace
}  // namespace cairn::io
