#include "cli/multiply_files.hpp"

#include <unistd.h>

#include <filesystem>

namespace cairn::cli {
namespace {

using gemm::Dim;
using gemm::Matrix;

std::string option_of(Matrix x) { return x == Matrix::a ? "--a" : x == Matrix::b ? "--b" : "--c"; }
std::string option_of(Dim d) { return fmt::format("-{}", gemm::name(d)); }

bool is_raw(const std::string& path) { return io::format_by_extension(path) == io::Format::raw; }

template <class T>
struct Known {
  T value;
  std::string by;  // the option that says so
};

class Finder {
 public:
  Finder(comm::CommView c, const MultiplyFiles& files, const ExpectedProduct& expected)
      : comm_(c), files_(files), problem_{.op_a = expected.op_a, .op_b = expected.op_b} {
    know_given(Dim::m, expected.sizes.m, expected.sizes.all);
    know_given(Dim::n, expected.sizes.n, expected.sizes.all);
    know_given(Dim::k, expected.sizes.k, expected.sizes.all);
    if (expected.type) type_ = {*expected.type, "--type"};
  }

  FoundProduct find() {
    for_each_file([&](Matrix x) {
      if (is_raw(files_.of(x))) return;
      info_[index(x)] = io::probe(comm_, files_.of(x));
      check_shape(x);
    });
    find_type();
    for_each_file([&](Matrix x) { is_raw(files_.of(x)) ? check_raw(x) : check_type(x); });
    return {{sizes_[0]->value, sizes_[1]->value, sizes_[2]->value}, type_->value};
  }

 private:
  template <class F>
  void for_each_file(F&& f) const {
    for (const Matrix x : gemm::all_matrices)
      if (!files_.of(x).empty()) f(x);
  }
  std::string file(Matrix x) const { return fmt::format("{} is '{}'", option_of(x), files_.of(x)); }

  void know_given(Dim d, const std::optional<Index>& own, const std::optional<Index>& all) {
    if (own)
      sizes_[index(d)] = {*own, option_of(d)};
    else if (all)
      sizes_[index(d)] = {*all, "-N"};
  }

  // The shape of a file is what is known already, or becomes known.
  void check_shape(Matrix x) {
    const std::array dims{row_dim(problem_, x), col_dim(problem_, x)};
    const io::MatrixInfo& info = *info_[index(x)];
    const std::array found{info.rows(), info.columns()};
    std::array expected = found;
    std::string reasons;
    for (std::size_t i = 0; i < 2; ++i) {
      std::optional<Known<Index>>& size = sizes_[index(dims[i])];
      if (!size) size = {found[i], option_of(x)};
      expected[i] = size->value;
      if (expected[i] != found[i])
        reasons += fmt::format("{}{} is {} by {}", reasons.empty() ? "" : ", ", gemm::name(dims[i]),
                               size->value, size->by);
    }
    require(expected == found, "{}, which holds {} x {}, expected {} x {}: {}", file(x), found[0], found[1],
            expected[0], expected[1], reasons);
  }

  // That of the first file with elements of a type; text has numbers of any precision.
  void find_type() {
    for_each_file([&](Matrix x) {
      const auto& info = info_[index(x)];
      if (!type_ && info && info->format != io::Format::matrix_market) type_ = {info->type(), option_of(x)};
    });
    for_each_file([&](Matrix x) {
      const auto& info = info_[index(x)];
      if (!type_ && info && info->type() == ScalarType::c64) type_ = {info->type(), option_of(x)};
    });
    if (!type_) type_ = {ScalarType::f64, "default"};
  }

  void check_type(Matrix x) const {
    const io::MatrixInfo& info = *info_[index(x)];
    const bool text = info.format == io::Format::matrix_market;
    const bool fits =
        text ? info.type() == ScalarType::f64 || is_complex(type_->value) : info.type() == type_->value;
    require(fits, "{}, which holds {}, expected {}: the type by {}", file(x), name(info.type()),
            name(type_->value), type_->by);
  }
  static bool is_complex(ScalarType type) {
    return dispatch(type, []<class T>() { return ScalarTraits<T>::is_complex; });
  }

  void check_raw(Matrix x) {
    gemm::Problem p = problem_;
    p.type = type_->value;
    for (const Dim d : {row_dim(p, x), col_dim(p, x)}) {
      const auto& size = sizes_[index(d)];
      require(size.has_value(), "{}, a raw file, which says nothing of its shape: expected {}", file(x),
              option_of(d));
      (d == Dim::m ? p.m : d == Dim::n ? p.n : p.k) = size->value;
    }
    io::probe(comm_, files_.of(x), read_options(files_, x, p));
  }

  comm::CommView comm_;
  const MultiplyFiles& files_;
  gemm::Problem problem_;  // its ops
  std::array<std::optional<Known<Index>>, 3> sizes_;
  std::optional<Known<ScalarType>> type_;
  std::array<std::optional<io::MatrixInfo>, 3> info_;
};

void check_out(const std::string& out) {
  require(io::format_by_extension(out).has_value(),
          "--out is '{}', whose name says no format: expected .npy, .mtx, .h5 or .bin at its end", out);
  const std::filesystem::path parent = std::filesystem::absolute(out).parent_path();
  require<IoError>(access(parent.c_str(), W_OK) == 0,
                   "--out is '{}', expected a folder that exists and can be written to", out);
}

}  // namespace

void add_file_options(Command app, MultiplyFiles& f) {
  const std::string group = "Matrices in files";
  app.add_option("--a", f.a, "Read A, as it is stored: .npy, .mtx, .h5 or .bin")
      .type_name("FILE")
      .group(group);
  app.add_option("--b", f.b, "Read B").type_name("FILE").group(group);
  app.add_option("--c", f.c, "Read C, where --beta is not 0").type_name("FILE").group(group);
  app.add_option("--out", f.out, "Write the result; the end of its name says the format")
      .type_name("FILE")
      .group(group);
  app.add_option("--order", f.order_text,
                 "Of raw files (.bin), and of a .npy that is written: F, column-major (default), or C")
      .type_name("F|C")
      .group(group);
}

void check_files(MultiplyFiles& f, bool uses_c) {
  f.order = parse_order("--order", f.order_text);
  require(f.a.empty() == f.b.empty(), "--a is '{}' and --b is '{}', expected both or none", f.a, f.b);
  require(f.c.empty() || uses_c, "--c is '{}' and --beta is 0, expected another --beta: C is not read", f.c);
  require(f.a.empty() || !uses_c || !f.c.empty(),
          "--a and --b are files and --beta is not 0, expected --c FILE as well");
  require(f.c.empty() || !f.a.empty(), "--c is '{}', expected --a and --b as well", f.c);
  if (!f.out.empty()) check_out(f.out);
}

FoundProduct find_product(comm::CommView c, const MultiplyFiles& files, const ExpectedProduct& expected) {
  return Finder(c, files, expected).find();
}

io::ReadOptions read_options(const MultiplyFiles& files, Matrix x, const gemm::Problem& p) {
  io::ReadOptions options;
  if (is_raw(files.of(x)))
    options.raw = {
        .rows = stored_rows(p, x), .columns = stored_columns(p, x), .type = p.type, .order = files.order};
  return options;
}

}  // namespace cairn::cli
