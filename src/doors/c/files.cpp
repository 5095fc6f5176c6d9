#include "cairn/io.hpp"
#include "doors/c/values.hpp"

using namespace cairn::c_door;
using cairn::Matrix;
using cairn::Scalar;
using cairn::SparseMatrix;

namespace {

cairn::FileReadOptions read_options(const cairn_read_options* options) {
  const cairn_read_options given = known_options(options, "options");
  cairn::FileReadOptions o;
  o.format = text_at(given.format, o.format);
  o.dataset = text_at(given.dataset, o.dataset);
  if (const cairn_raw_file* raw = given.raw)
    o.raw = cairn::RawFile{.rows = raw->rows,
                           .columns = raw->columns,
                           .type = scalar_type(raw->type),
                           .row_major = raw->row_major != 0,
                           .big_endian = raw->big_endian != 0,
                           .offset = raw->offset};
  return o;
}

cairn::FileWriteOptions write_options(const cairn_write_options* options) {
  const cairn_write_options given = known_options(options, "options");
  expect(given.row_major == 0 || given.column_major == 0, "{}",
         "row_major and column_major are both set, expected one of them at most");
  cairn::FileWriteOptions o;
  o.format = text_at(given.format, o.format);
  o.dataset = text_at(given.dataset, o.dataset);
  if (given.row_major != 0 || given.column_major != 0) o.row_major = given.row_major != 0;
  return o;
}

cairn_file_info info_of(const cairn::FileInfo& found) {
  cairn_file_info info{};
  copy_name(found.format, info.format);
  copy_name(found.dataset, info.dataset);
  info.rows = found.rows;
  info.columns = found.columns;
  info.type = static_cast<int>(found.type);
  info.row_major = found.row_major ? 1 : 0;
  return info;
}

}  // namespace

extern "C" {

cairn_status cairn_probe_file(cairn_context_t context, const char* path, const cairn_read_options* options,
                              cairn_file_info* info) {
  return collective("probe_file", {context}, [&] {
    check_report(required(info, "info"), "info");
    const auto c = behind(context, "context");
    write_report(info, info_of(cairn::probe_file(*c, required(path, "path"), read_options(options))));
  });
}

cairn_status cairn_read_file(const char* path, cairn_matrix_t matrix, const cairn_read_options* options) {
  return collective("read_file", {matrix}, [&] {
    const auto m = behind(matrix, "matrix");
    const cairn::FileReadOptions o = read_options(options);
    std::visit([&]<Scalar T>(Matrix<T>& x) { cairn::read_file<T>(required(path, "path"), x, o); }, *m);
  });
}

cairn_status cairn_write_file(const char* path, cairn_matrix_t matrix, const cairn_write_options* options) {
  return collective("write_file", {matrix}, [&] {
    const auto m = behind(matrix, "matrix");
    const cairn::FileWriteOptions o = write_options(options);
    std::visit([&]<Scalar T>(const Matrix<T>& x) { cairn::write_file<T>(required(path, "path"), x, o); }, *m);
  });
}

cairn_status cairn_read_sparse_file(cairn_context_t context, cairn_scalar type, const char* path,
                                    const char* layout, cairn_sparse_t* sparse) {
  return collective("read_sparse_file", {context}, [&] {
    required(sparse, "sparse");
    const auto c = behind(context, "context");
    with_type(type, [&]<class T>(T) {
      give(sparse,
           SparseObject{cairn::read_sparse_file<T>(*c, required(path, "path"), text_at(layout, "rows")), {}});
    });
  });
}

cairn_status cairn_write_sparse_file(const char* path, cairn_sparse_t sparse) {
  return collective("sparse layout", {sparse}, [&] {
    const auto object = behind(sparse, "sparse");
    std::visit(
        [&]<Scalar T>(const SparseMatrix<T>& m) { cairn::write_sparse_file<T>(required(path, "path"), m); },
        object->matrix);
  });
}
}
