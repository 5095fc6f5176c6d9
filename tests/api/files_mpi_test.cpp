// Files through the front door: what is written is read again, whatever the layouts.
#include <filesystem>

#include "api/support.hpp"

namespace cairn::test {
namespace {

class ApiFiles : public MpiTest {};

// One folder for the ranks of a context; rank 0 makes and removes it.
class Folder {
 public:
  explicit Folder(const Context& context) : context_(context) {
    path_ = std::filesystem::temp_directory_path() /
            ("cairn-api-files-" +
             std::to_string(over_ranks(context, context.rank() == 0 ? getpid() : 0, MPI_MAX)));
    if (context.rank() == 0) std::filesystem::create_directories(path_);
    sum_over_ranks(context, 0);
  }
  ~Folder() {
    sum_over_ranks(context_, 0);
    if (context_.rank() == 0) std::filesystem::remove_all(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  const Context& context_;
  std::filesystem::path path_;
};

template <Scalar T>
void write_and_read(const Context& context, const std::string& path, const FileWriteOptions& how = {},
                    const FileReadOptions& as = {}) {
  const Index m = 17, n = 9;
  Matrix<T> a(context, cairn::Layout::block_cyclic(
                           m, n, {.process_rows = 1, .process_columns = context.size(), .mb = 3, .nb = 2}));
  fill(a, 5);
  write_file(path, a, how);
  const FileInfo info = probe_file(context, path, as);
  EXPECT_EQ(info.rows, m);
  EXPECT_EQ(info.columns, n);
  EXPECT_EQ(info.type, ScalarTraits<T>::type);
  Matrix<T> b(context, cairn::Layout::row_blocks(m, n, context.size()));
  read_file(path, b, as);
  b.for_each([](Index i, Index j, T x) { EXPECT_EQ(x, element<T>(5, i, j)); });
}

TEST_F(ApiFiles, Dense) {
  for (const int size : {1, 3})
    on_context(size, [](const Context& context) {
      const Folder folder(context);
      write_and_read<double>(context, folder / "a.npy");
      write_and_read<std::complex<float>>(context, folder / "c.npy", {.row_major = true});
      write_and_read<double>(context, folder / "a.mtx");
      write_and_read<float>(context, folder / "a.bin", {.row_major = false},
                            {.raw = RawFile{.rows = 17, .columns = 9, .type = ScalarType::f32}});
      EXPECT_EQ(probe_file(context, folder / "a.npy").format, "npy");
    });
}

TEST_F(ApiFiles, Sparse) {
  for (const int size : {1, 4})
    on_context(size, [](const Context& context) {
      const Folder folder(context);
      std::vector<SparseEntry<double>> mine;
      if (context.rank() == 0)
        for (Index i = 0; i < 20; ++i)
          mine.push_back({(7 * i) % 20, (3 * i) % 11, static_cast<double>(i + 1)});
      const SparseMatrix<double> a(context, 20, 11, mine, "columns");
      for (const char* name : {"a.mtx", "a.mtx.gz", "a.npz"}) {
        write_sparse_file(folder / name, a);
        const SparseMatrix<double> b = read_sparse_file<double>(context, folder / name);
        EXPECT_EQ(b.gather(), a.in_layout("rows").gather()) << name;
      }
    });
}

TEST_F(ApiFiles, Errors) {
  on_context(3, [](const Context& context) {
    const comm::CommView c = context.state().comm();
    Matrix<double> a(context, cairn::Layout::row_blocks(3, 3, 3));
    expect_same_error<IoError>(
        c, [&] { read_file("/dev/null/none/a.npy", a); }, "/dev/null/none/a.npy");
    expect_same_error<ArgumentError>(
        c, [&] { read_file("a.npy", a, {.format = "xls"}); }, "xls");
    expect_same_error<IoError>(
        c, [&] { write_file("/dev/null/none/a.npy", a); }, "/dev/null/none");
  });
}

}  // namespace
}  // namespace cairn::test
