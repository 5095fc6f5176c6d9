#include "cairn/sparse.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "doors/c/values.hpp"

using namespace cairn::c_door;
using cairn::Scalar;
using cairn::SparseEntry;
using cairn::SparseMatrix;
using cairn::SparsePattern;

namespace {

// f(matrix) of a live handle, without the others.
template <class F>
cairn_status of_sparse(cairn_sparse_t sparse, F&& f) {
  return guarded([&] { std::visit(std::forward<F>(f), behind(sparse, "sparse")->matrix); });
}

// Entries as three arrays.
template <Scalar T>
void spread_entries(const std::vector<SparseEntry<T>>& entries, int64_t* rows, int64_t* columns,
                    void* values) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    rows[i] = entries[i].row;
    columns[i] = entries[i].column;
    static_cast<T*>(values)[i] = entries[i].value;
  }
}

template <Scalar T>
std::vector<SparseEntry<T>> entries_of(int64_t count, const int64_t* rows, const int64_t* columns,
                                       const void* values) {
  std::vector<SparseEntry<T>> entries(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i] = {rows[i], columns[i], static_cast<const T*>(values)[i]};
  return entries;
}

void require_arrays(int64_t count, const int64_t* rows, const int64_t* columns, const void* values) {
  expect(count >= 0, "count is {}, expected 0 or more", count);
  if (count == 0) return;
  required(rows, "entry_rows");
  required(columns, "entry_columns");
  required(values, "values");
}

cairn::SpgemmOptions spgemm_options(const cairn_spgemm_options* options) {
  const cairn_spgemm_options given = known_options(options, "options");
  cairn::SpgemmOptions o;
  o.algorithm = text_at(given.algorithm, o.algorithm);
  o.semiring = enum_value<cairn::SparseSemiring>(given.semiring, 5, "semiring");
  set_unless_zero(given.layers, o.layers);
  o.fewest_bytes = given.least_time == 0;
  o.verify = given.verify;
  set_unless_zero(given.threads, o.threads);
  set_unless_zero(given.memory_bytes, o.memory_bytes);
  return o;
}

cairn_spgemm_report spgemm_report(const cairn::SpgemmReport& r) {
  cairn_spgemm_report report{};
  copy_name(r.method, report.method);
  report.bytes_sent = r.bytes_sent;
  report.bytes_received = r.bytes_received;
  report.messages_sent = r.messages_sent;
  report.messages_received = r.messages_received;
  report.bytes_around = r.bytes_around;
  report.entries_received = r.entries_received;
  report.expected_bytes = r.expected_bytes;
  report.bound_entries = r.bound_entries;
  report.voxels = r.voxels;
  return report;
}

template <Scalar T>
void give_product(cairn::SpgemmResult<T> done, cairn_sparse_t* c, cairn_spgemm_report* report) {
  write_report(report, spgemm_report(done.report));
  give(c, SparseObject{std::move(done.c), std::move(done.report.explain)});
}

// f(matrix) as a new handle, made by all ranks. `operation`: the library's first agreement.
template <class F>
cairn_status collective_result(const char* operation, cairn_sparse_t sparse, cairn_sparse_t* result, F&& f) {
  return collective(operation, {sparse}, [&] {
    required(result, "result");
    const auto object = behind(sparse, "sparse");
    std::visit([&](const auto& m) { give(result, SparseObject{f(m), {}}); }, object->matrix);
  });
}

// f(a, b, semiring) of two matrices of one type.
template <class F>
cairn_status collective_pair(const char* operation, cairn_sparse_t a, cairn_sparse_t b,
                             cairn_semiring semiring, cairn_sparse_t* result, F&& f) {
  return collective(operation, {a, b}, [&] {
    required(result, "result");
    const auto x = behind(a, "a");
    const auto y = behind(b, "b");
    const auto ring = enum_value<cairn::SparseSemiring>(semiring, 5, "semiring");
    std::visit(
        [&]<Scalar T>(const SparseMatrix<T>& m) {
          give(result, SparseObject{f(m, same_type<T, SparseMatrix>(y->matrix, "b", "a"), ring), {}});
        },
        x->matrix);
  });
}

std::span<const cairn::Index> list_at(const int64_t* list, int64_t count, const char* name) {
  expect(count >= 0, "the length of {} is {}, expected 0 or more", name, count);
  if (count > 0) required(list, name);
  return {list, static_cast<std::size_t>(count)};
}
std::span<const cairn::Index> permutation_at(const int64_t* list, cairn::Index count) {
  if (list == nullptr) return {};
  return {list, static_cast<std::size_t>(count)};
}

}  // namespace

extern "C" {

cairn_status cairn_sparse_create(cairn_context_t context, cairn_scalar type, int64_t rows, int64_t columns,
                                 int64_t count, const int64_t* entry_rows, const int64_t* entry_columns,
                                 const void* values, const char* layout, cairn_sparse_t* sparse) {
  return collective("sparse layout", {context}, [&] {
    required(sparse, "sparse");
    const auto c = behind(context, "context");
    require_arrays(count, entry_rows, entry_columns, values);
    with_type(type, [&]<class T>(T) {
      const auto mine = entries_of<T>(count, entry_rows, entry_columns, values);
      give(sparse, SparseObject{SparseMatrix<T>(*c, rows, columns, mine, text_at(layout, "rows"))});
    });
  });
}

cairn_status cairn_sparse_shape(cairn_sparse_t sparse, int64_t* rows, int64_t* columns) {
  return of_sparse(sparse, [&](const auto& m) {
    if (rows != nullptr) *rows = m.rows();
    if (columns != nullptr) *columns = m.columns();
  });
}

cairn_status cairn_sparse_type(cairn_sparse_t sparse, cairn_scalar* type) {
  return guarded(
      [&] { *required(type, "type") = static_cast<int>(behind(sparse, "sparse")->matrix.index()); });
}

cairn_status cairn_sparse_layout(cairn_sparse_t sparse, char* buffer, size_t size, size_t* length) {
  return of_sparse(sparse, [&](const auto& m) { copy_text(m.layout(), buffer, size, length); });
}

cairn_status cairn_sparse_local_entries(cairn_sparse_t sparse, int64_t* count) {
  return of_sparse(sparse, [&](const auto& m) { *required(count, "count") = m.local_entries(); });
}

cairn_status cairn_sparse_entries(cairn_sparse_t sparse, int64_t* count) {
  return of_sparse(sparse, [&](const auto& m) {
    const cairn::Index all = m.entries();
    *required(count, "count") = all;
  });
}

cairn_status cairn_sparse_local(cairn_sparse_t sparse, int64_t* entry_rows, int64_t* entry_columns,
                                void* values) {
  return of_sparse(sparse, [&]<Scalar T>(const SparseMatrix<T>& m) {
    require_arrays(m.local_entries(), entry_rows, entry_columns, values);
    spread_entries<T>(m.local(), entry_rows, entry_columns, values);
  });
}

cairn_status cairn_sparse_gather(cairn_sparse_t sparse, int root, int64_t* entry_rows, int64_t* entry_columns,
                                 void* values) {
  return collective("gather", {sparse}, [&] {
    const auto object = behind(sparse, "sparse");
    std::visit(
        [&]<Scalar T>(const SparseMatrix<T>& m) {
          if (m.context().rank() == root) require_arrays(1, entry_rows, entry_columns, values);
          spread_entries<T>(m.gather(root), entry_rows, entry_columns, values);
        },
        object->matrix);
  });
}

cairn_status cairn_sparse_in_layout(cairn_sparse_t sparse, const char* layout, cairn_sparse_t* result) {
  return collective("sparse layout", {sparse}, [&] {
    required(result, "result");
    const auto object = behind(sparse, "sparse");
    std::visit(
        [&](const auto& m) {
          give(result, SparseObject{m.in_layout(required(layout, "layout")), {}});
        },
        object->matrix);
  });
}

cairn_status cairn_sparse_transposed(cairn_sparse_t sparse, cairn_sparse_t* result) {
  return of_sparse(sparse, [&](const auto& m) {
    required(result, "result");
    give(result, SparseObject{m.transposed(), {}});
  });
}

cairn_status cairn_sparse_adjoint(cairn_sparse_t sparse, cairn_sparse_t* result) {
  return of_sparse(sparse, [&](const auto& m) {
    required(result, "result");
    give(result, SparseObject{m.adjoint(), {}});
  });
}

cairn_status cairn_sparse_prune(cairn_sparse_t sparse, double threshold, cairn_sparse_t* result) {
  return of_sparse(sparse, [&](const auto& m) {
    required(result, "result");
    give(result, SparseObject{m.prune(threshold), {}});
  });
}

cairn_status cairn_sparse_extract(cairn_sparse_t sparse, const int64_t* rows, int64_t row_count,
                                  const int64_t* columns, int64_t column_count, cairn_sparse_t* result) {
  return collective_result("rows and columns of a sparse matrix", sparse, result, [&](const auto& m) {
    return m.extract(list_at(rows, row_count, "rows"), list_at(columns, column_count, "columns"));
  });
}

cairn_status cairn_sparse_permuted(cairn_sparse_t sparse, const int64_t* new_row, const int64_t* new_column,
                                   cairn_sparse_t* result) {
  return collective_result("permutation of a sparse matrix", sparse, result, [&](const auto& m) {
    return m.permuted(permutation_at(new_row, m.rows()), permutation_at(new_column, m.columns()));
  });
}

cairn_status cairn_sparse_shuffled(cairn_sparse_t sparse, int64_t seed, int back, cairn_sparse_t* result) {
  const auto number = static_cast<std::uint64_t>(seed);
  return collective_result("shuffle", sparse, result, [&](const auto& m) {
    return back != 0 ? m.unshuffled(number) : m.shuffled(number);
  });
}

cairn_status cairn_sparse_add(cairn_sparse_t a, cairn_sparse_t b, cairn_semiring semiring,
                              cairn_sparse_t* result) {
  return collective_pair("sum of sparse matrices", a, b, semiring, result,
                         [](const auto& x, const auto& y, auto ring) { return cairn::add(x, y, ring); });
}

cairn_status cairn_sparse_multiply_elements(cairn_sparse_t a, cairn_sparse_t b, cairn_semiring semiring,
                                            cairn_sparse_t* result) {
  return collective_pair(
      "element-wise product of sparse matrices", a, b, semiring, result,
      [](const auto& x, const auto& y, auto ring) { return cairn::multiply_elements(x, y, ring); });
}

cairn_status cairn_sparse_sums(cairn_sparse_t sparse, int of_columns, cairn_semiring semiring, void* sums) {
  return collective("sparse times dense", {sparse}, [&] {
    const auto object = behind(sparse, "sparse");
    const auto ring = enum_value<cairn::SparseSemiring>(semiring, 5, "semiring");
    std::visit(
        [&]<Scalar T>(const SparseMatrix<T>& m) {
          const cairn::Index length = of_columns != 0 ? m.columns() : m.rows();
          if (cairn::dense_rows(m.context(), length).count > 0) required(sums, "sums");
          std::ranges::copy(of_columns != 0 ? m.column_sums(ring) : m.row_sums(ring), static_cast<T*>(sums));
        },
        object->matrix);
  });
}

cairn_status cairn_sparse_explain(cairn_sparse_t sparse, char* buffer, size_t size, size_t* length) {
  return guarded([&] { copy_text(behind(sparse, "sparse")->explain, buffer, size, length); });
}

cairn_status cairn_sparse_free(cairn_sparse_t* sparse) { return free_handle(sparse); }

cairn_status cairn_pattern_create(cairn_scalar type, cairn_pattern_t* pattern) {
  return guarded([&] {
    required(pattern, "pattern");
    with_type(type, [&]<class T>(T) { give(pattern, SparsePattern<T>()); });
  });
}

cairn_status cairn_pattern_known(cairn_pattern_t pattern, int* known) {
  return guarded([&] {
    *required(known, "known") =
        std::visit([](const auto& p) { return p.known() ? 1 : 0; }, *behind(pattern, "pattern"));
  });
}

cairn_status cairn_pattern_free(cairn_pattern_t* pattern) { return free_handle(pattern); }

cairn_status cairn_spgemm(cairn_sparse_t a, cairn_sparse_t b, const cairn_spgemm_options* options,
                          cairn_pattern_t pattern, cairn_sparse_t* c, cairn_spgemm_report* report) {
  return collective("spgemm", {a, b}, [&] {
    required(c, "c");
    check_report(report, "report");
    const auto x = behind(a, "a");
    const auto y = behind(b, "b");
    const auto known = pattern == nullptr ? nullptr : behind(pattern, "pattern");
    const cairn::SpgemmOptions o = spgemm_options(options);
    std::visit(
        [&]<Scalar T>(const SparseMatrix<T>& m) {
          SparsePattern<T>* const p = known ? &same_type<T, SparsePattern>(*known, "pattern", "a") : nullptr;
          give_product<T>(cairn::spgemm<T>(m, same_type<T, SparseMatrix>(y->matrix, "b", "a"), o, p), c,
                          report);
        },
        x->matrix);
  });
}

cairn_status cairn_spgemm_masked(cairn_sparse_t a, cairn_sparse_t b, cairn_sparse_t mask, int complement,
                                 const cairn_spgemm_options* options, cairn_sparse_t* c,
                                 cairn_spgemm_report* report) {
  return collective("spgemm", {a, b, mask}, [&] {
    required(c, "c");
    check_report(report, "report");
    const auto x = behind(a, "a");
    const auto y = behind(b, "b");
    const auto z = behind(mask, "mask");
    const cairn::SpgemmOptions o = spgemm_options(options);
    std::visit(
        [&]<Scalar T>(const SparseMatrix<T>& m) {
          give_product<T>(
              cairn::spgemm_masked<T>(m, same_type<T, SparseMatrix>(y->matrix, "b", "a"),
                                      same_type<T, SparseMatrix>(z->matrix, "mask", "a"), complement != 0, o),
              c, report);
        },
        x->matrix);
  });
}

cairn_status cairn_galerkin(cairn_sparse_t a, cairn_sparse_t p, const cairn_spgemm_options* options,
                            cairn_sparse_t* c, cairn_spgemm_report* report) {
  return collective("spgemm", {a, p}, [&] {
    required(c, "c");
    check_report(report, "report");
    const auto x = behind(a, "a");
    const auto y = behind(p, "p");
    const cairn::SpgemmOptions o = spgemm_options(options);
    std::visit(
        [&]<Scalar T>(const SparseMatrix<T>& m) {
          give_product<T>(cairn::galerkin<T>(m, same_type<T, SparseMatrix>(y->matrix, "p", "a"), o), c,
                          report);
        },
        x->matrix);
  });
}

cairn_status cairn_power(cairn_sparse_t a, int64_t exponent, const cairn_spgemm_options* options,
                         cairn_sparse_t* c, cairn_spgemm_report* report) {
  return collective("power", {a}, [&] {
    required(c, "c");
    check_report(report, "report");
    const auto x = behind(a, "a");
    const cairn::SpgemmOptions o = spgemm_options(options);
    std::visit([&]<Scalar T>(
                   const SparseMatrix<T>& m) { give_product<T>(cairn::power<T>(m, exponent, o), c, report); },
               x->matrix);
  });
}

cairn_status cairn_dense_rows(cairn_context_t context, int64_t length, int64_t* first, int64_t* count) {
  return guarded([&] {
    const cairn::DenseRows rows = cairn::dense_rows(*behind(context, "context"), length);
    if (first != nullptr) *first = rows.first;
    if (count != nullptr) *count = rows.count;
  });
}

cairn_status cairn_spmm(cairn_sparse_t a, const void* x, int64_t width, cairn_semiring semiring, void* y) {
  return collective("sparse times dense", {a}, [&] {
    const auto object = behind(a, "a");
    const auto ring = enum_value<cairn::SparseSemiring>(semiring, 5, "semiring");
    expect(width >= 0, "width is {}, expected 0 or more", width);
    std::visit(
        [&]<Scalar T>(const SparseMatrix<T>& m) {
          const cairn::Index given = cairn::dense_rows(m.context(), m.columns()).count * width;
          if (given > 0) required(x, "x");
          if (cairn::dense_rows(m.context(), m.rows()).count * width > 0) required(y, "y");
          const std::span<const T> mine(static_cast<const T*>(x), static_cast<std::size_t>(given));
          std::ranges::copy(cairn::spmm<T>(m, mine, width, ring), static_cast<T*>(y));
        },
        object->matrix);
  });
}
}
