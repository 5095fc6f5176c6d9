#include "cli/multiply_files.hpp"

#include <unistd.h>

#include <filesystem>

#include "cli/table.hpp"

namespace cairn::cli {
namespace {

using gemm::Dim;
using gemm::Matrix;

std::string option_of(Matrix x) { return x == Matrix::a ? "--a" : x == Matrix::b ? "--b" : "--c"; }
std::string option_of(Dim d) { return fmt::format("-{}", name(d)); }

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
      info_[index(x)] = io::probe(comm_, files_.of(x), {.dataset = files_.datasets[index(x)]});
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
        reasons += fmt::format("{}{} is {} by {}", reasons.empty() ? "" : ", ", name(dims[i]), size->value,
                               size->by);
    }
    require(expected == found, "{}, which holds {} x {}, expected {} x {}: {}", file(x), found[0], found[1],
            expected[0], expected[1], reasons);
  }

  // The narrowest type that holds all of them: complex if one is, double if one is. Text has numbers of any
  // precision and makes the product complex at most.
  void find_type() {
    if (type_) return;
    bool binary = false, wide = false, complex = false;
    for_each_file([&](Matrix x) {
      const auto& info = info_[index(x)];
      if (!info) return;
      const bool text = info->format == io::Format::matrix_market;
      binary = binary || !text;
      wide = wide || (!text && is_double(info->type()));
      complex = complex || is_complex(info->type());
    });
    wide = wide || !binary;
    type_ = {
        complex ? (wide ? ScalarType::c64 : ScalarType::c32) : (wide ? ScalarType::f64 : ScalarType::f32),
        "the files"};
  }

  // Real numbers become complex ones and precisions change on reading; imaginary parts are not dropped.
  void check_type(Matrix x) const {
    const io::MatrixInfo& info = *info_[index(x)];
    require(!is_complex(info.type()) || is_complex(type_->value),
            "{}, which holds {}, expected {}: the type by {}", file(x), name(info.type()), name(type_->value),
            type_->by);
  }
  static bool is_complex(ScalarType type) {
    return dispatch(type, []<class T>() { return ScalarTraits<T>::is_complex; });
  }
  static bool is_double(ScalarType type) { return type == ScalarType::f64 || type == ScalarType::c64; }

  void check_raw(Matrix x) {
    gemm::Problem p = problem_;
    p.type = type_->value;
    for (const Dim d : {row_dim(p, x), col_dim(p, x)}) {
      const auto& size = sizes_[index(d)];
      require(size.has_value(), "{}, a raw file, which does not store its shape: expected {}", file(x),
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

std::string folder_of(const std::string& file) {
  return std::filesystem::absolute(file).parent_path().string();
}

// `results.h5:/run3/a` is dataset /run3/a of results.h5. A file that has the whole name is meant as it is.
void split_dataset(std::string& path, std::string& dataset) {
  const std::size_t colon = path.rfind(":/");
  if (colon == std::string::npos || std::filesystem::exists(path)) return;
  if (io::format_by_extension(path.substr(0, colon)) != io::Format::hdf5) return;
  dataset = path.substr(colon + 1);
  path.resize(colon);
}

// Numbers as text take up to 25 characters each.
double bytes_to_write(const std::string& out, const gemm::Problem& p) {
  const double elements = static_cast<double>(p.m) * static_cast<double>(p.n);
  const double size = dispatch(p.type, []<class T>() { return static_cast<double>(sizeof(T)); });
  const bool text = io::format_by_extension(out) == io::Format::matrix_market;
  return elements * size * (text ? 25.0 / 8 : 1.0);
}

void check_out(const std::string& out) {
  require(io::format_by_extension(out).has_value(),
          "--out is '{}', whose extension is unknown: expected .npy, .mtx, .h5 or .bin", out);
  require<IoError>(access(folder_of(out).c_str(), W_OK) == 0,
                   "--out is '{}', expected a folder that exists and can be written to", out);
}

}  // namespace

void add_file_options(Command app, MultiplyFiles& f) {
  const std::string group = "Matrices in files";
  app.add_option("--a", f.a,
                 "Read A, as it is stored: .npy, .mtx, .h5 (one dataset: data.h5:/group/name) or .bin")
      .type_name("FILE")
      .group(group);
  app.add_option("--b", f.b, "Read B").type_name("FILE").group(group);
  app.add_option("--c", f.c, "Read C, if --beta is not 0").type_name("FILE").group(group);
  app.add_option("--out", f.out, "Write the result; the file's extension gives the format")
      .type_name("FILE")
      .group(group);
  app.add_option("--order", f.order_text,
                 "Order of raw files (.bin) and of a .npy that is written: F, column-major (default), or C")
      .type_name("F|C")
      .group(group);
}

void check_files(MultiplyFiles& f, bool uses_c) {
  f.order = parse_order("--order", f.order_text);
  split_dataset(f.a, f.datasets[0]);
  split_dataset(f.b, f.datasets[1]);
  split_dataset(f.c, f.datasets[2]);
  split_dataset(f.out, f.out_dataset);
  require(f.a.empty() == f.b.empty(), "--a is '{}' and --b is '{}', expected both or none", f.a, f.b);
  require(f.c.empty() || uses_c,
          "--c is '{}' and --beta is 0, so C would not be read: expected another --beta", f.c);
  require(f.a.empty() || !uses_c || !f.c.empty(),
          "--a and --b are files and --beta is not 0, expected --c FILE as well");
  require(f.c.empty() || !f.a.empty(), "--c is '{}', expected --a and --b as well", f.c);
  if (!f.out.empty()) check_out(f.out);
}

void check_room(const MultiplyFiles& files, const gemm::Problem& problem) {
  if (files.out.empty()) return;
  const double need = bytes_to_write(files.out, problem);
  std::error_code failed;
  const auto room = std::filesystem::space(folder_of(files.out), failed);
  if (failed) return;  // writing will say what is wrong
  require<IoError>(static_cast<double>(room.available) >= need,
                   "--out is '{}': C needs {}, and its folder has room for {}", files.out, bytes_text(need),
                   bytes_text(static_cast<double>(room.available)));
}

FoundProduct find_product(comm::CommView c, const MultiplyFiles& files, const ExpectedProduct& expected) {
  return Finder(c, files, expected).find();
}

io::ReadOptions read_options(const MultiplyFiles& files, Matrix x, const gemm::Problem& p) {
  io::ReadOptions options{.dataset = files.datasets[index(x)]};
  if (is_raw(files.of(x)))
    options.raw = {
        .rows = stored_rows(p, x), .columns = stored_columns(p, x), .type = p.type, .order = files.order};
  return options;
}

}  // namespace cairn::cli
