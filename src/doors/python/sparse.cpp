#include "doors/python/bind.hpp"

namespace cairn::python {
namespace {

template <class T>
using Values = py::array_t<T, py::array::c_style>;

// Three arrays as the library's list of entries, and back: the one copy that a sparse matrix costs.
template <Scalar T>
std::vector<SparseEntry<T>> entries_of(const Values<Index>& rows, const Values<Index>& columns,
                                       const Values<T>& values) {
  std::vector<SparseEntry<T>> entries(static_cast<std::size_t>(values.size()));
  const Index *i = rows.data(), *j = columns.data();
  const T* x = values.data();
  for (std::size_t e = 0; e < entries.size(); ++e) entries[e] = {i[e], j[e], x[e]};
  return entries;
}

template <Scalar T>
py::tuple arrays_of(const std::vector<SparseEntry<T>>& entries) {
  std::vector<Index> rows, columns;
  std::vector<T> values;
  rows.reserve(entries.size());
  columns.reserve(entries.size());
  values.reserve(entries.size());
  for (const SparseEntry<T>& e : entries) {
    rows.push_back(e.row);
    columns.push_back(e.column);
    values.push_back(e.value);
  }
  return py::make_tuple(to_array(std::move(rows)), to_array(std::move(columns)), to_array(std::move(values)));
}

SparseSemiring semiring_of(const std::string& name) {
  using enum SparseSemiring;
  for (const auto& [known, value] :
       {std::pair("plus-times", plus_times), std::pair("min-plus", min_plus), std::pair("max-plus", max_plus),
        std::pair("or-and", or_and), std::pair("plus-pair", plus_pair)})
    if (name == known) return value;
  throw ArgumentError("semiring is '" + name +
                      "', expected plus-times, min-plus, max-plus, or-and or plus-pair");
}

std::span<const Index> span_of(const Values<Index>& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

template <Scalar T>
void bind_matrix_of(py::module_& module, const std::string& suffix) {
  using M = SparseMatrix<T>;
  py::class_<M>(module, ("SparseMatrix_" + suffix).c_str())
      .def(py::init([](const Context& context, Index rows, Index columns, const Values<Index>& i,
                       const Values<Index>& j, const Values<T>& x, const std::string& layout) {
        const auto entries = entries_of<T>(i, j, x);
        const py::gil_scoped_release released;
        return M(context, rows, columns, entries, layout);
      }))
      .def_property_readonly("rows", &M::rows)
      .def_property_readonly("columns", &M::columns)
      .def_property_readonly("layout", &M::layout)
      .def_property_readonly("local_entries", &M::local_entries)
      .def("entries", &M::entries, WithoutGil())
      .def("local", [](const M& a) { return arrays_of(a.local()); })
      .def("gather",
           [](const M& a, int root) {
             const auto all = [&] {
               const py::gil_scoped_release released;
               return a.gather(root);
             }();
             return arrays_of(all);
           })
      .def("in_layout", &M::in_layout, WithoutGil())
      .def("transposed", &M::transposed)
      .def("adjoint", &M::adjoint)
      .def("prune", &M::prune)
      .def("shuffled", &M::shuffled, WithoutGil())
      .def("unshuffled", &M::unshuffled, WithoutGil())
      .def("extract",
           [](const M& a, const Values<Index>& rows, const Values<Index>& columns) {
             const auto i = span_of(rows), j = span_of(columns);
             const py::gil_scoped_release released;
             return a.extract(i, j);
           })
      .def("permuted",
           [](const M& a, const Values<Index>& new_row, const Values<Index>& new_column) {
             const auto i = span_of(new_row), j = span_of(new_column);
             const py::gil_scoped_release released;
             return a.permuted(i, j);
           })
      .def("sums", [](const M& a, bool of_rows, const std::string& semiring) {
        auto sums = [&] {
          const py::gil_scoped_release released;
          return of_rows ? a.row_sums(semiring_of(semiring)) : a.column_sums(semiring_of(semiring));
        }();
        return to_array(std::move(sums));
      });
}

template <Scalar T>
void bind_products_of(py::module_& module) {
  using M = SparseMatrix<T>;
  module.def(
      "spgemm",
      [](const M& a, const M& b, const SpgemmOptions& o) {
        auto result = spgemm<T>(a, b, o);
        return std::pair(std::move(result.c), std::move(result.report));
      },
      WithoutGil());
  module.def(
      "spgemm_masked",
      [](const M& a, const M& b, const M& mask, bool complement, const SpgemmOptions& o) {
        auto result = spgemm_masked<T>(a, b, mask, complement, o);
        return std::pair(std::move(result.c), std::move(result.report));
      },
      WithoutGil());
  const auto paired = [](SpgemmResult<T> result) {
    return std::pair(std::move(result.c), std::move(result.report));
  };
  module.def(
      "galerkin",
      [=](const M& a, const M& p, const SpgemmOptions& o) { return paired(galerkin<T>(a, p, o)); },
      WithoutGil());
  module.def(
      "power",
      [=](const M& a, Index exponent, const SpgemmOptions& o) { return paired(power<T>(a, exponent, o)); },
      WithoutGil());
  module.def(
      "add",
      [](const M& a, const M& b, const std::string& semiring) { return add<T>(a, b, semiring_of(semiring)); },
      WithoutGil());
  module.def(
      "multiply_elements",
      [](const M& a, const M& b, const std::string& semiring) {
        return multiply_elements<T>(a, b, semiring_of(semiring));
      },
      WithoutGil());
  module.def("spmm", [](const M& a, const Values<T>& x, Index columns) {
    const std::span<const T> rows(x.data(), static_cast<std::size_t>(x.size()));
    auto y = [&] {
      const py::gil_scoped_release released;
      return spmm<T>(a, rows, columns);
    }();
    return to_array(std::move(y));
  });
}

}  // namespace

void bind_sparse(py::module_& module) {
  py::class_<SpgemmOptions>(module, "SpgemmOptions")
      .def(py::init<>())
      .def_readwrite("algorithm", &SpgemmOptions::algorithm)
      .def_readwrite("layers", &SpgemmOptions::layers)
      .def_property(
          "semiring", [](const SpgemmOptions& o) { return static_cast<int>(o.semiring); },
          [](SpgemmOptions& o, const std::string& name) { o.semiring = semiring_of(name); })
      .def_readwrite("memory_bytes", &SpgemmOptions::memory_bytes)
      .def_readwrite("shuffle", &SpgemmOptions::shuffle)
      .def_readwrite("verify", &SpgemmOptions::verify)
      .def_readwrite("threads", &SpgemmOptions::threads);
  py::class_<SpgemmReport>(module, "SpgemmReport")
      .def_readonly("method", &SpgemmReport::method)
      .def_readonly("explain", &SpgemmReport::explain)
      .def_readonly("bytes_sent", &SpgemmReport::bytes_sent)
      .def_readonly("bytes_received", &SpgemmReport::bytes_received)
      .def_readonly("entries_received", &SpgemmReport::entries_received)
      .def_readonly("bound_entries", &SpgemmReport::bound_entries)
      .def("__repr__", [](const SpgemmReport& r) { return r.explain; });
  module.def("dense_rows", [](const Context& context, Index length) {
    const DenseRows rows = dense_rows(context, length);
    return std::pair(rows.first, rows.count);
  });
  for_each_scalar([&]<class T>(T, const std::string& suffix) {
    bind_matrix_of<T>(module, suffix);
    bind_products_of<T>(module);
  });
}

}  // namespace cairn::python
