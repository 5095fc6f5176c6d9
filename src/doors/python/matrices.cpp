#include "doors/python/bind.hpp"

namespace cairn::python {
namespace {

// The memory of an array from its first element to its last. Strides are the caller's business: the package hands on
// only what a layout can describe.
template <Scalar T>
std::span<T> span_of(const py::array& array) {
  py::ssize_t last = 0;
  for (py::ssize_t i = 0; i < array.ndim(); ++i) {
    if (array.shape(i) == 0) return {};
    last += (array.shape(i) - 1) * (array.strides(i) / array.itemsize());
  }
  // Inputs may be read-only: Cairn writes to results alone.
  return {static_cast<T*>(const_cast<void*>(array.data())), static_cast<std::size_t>(last + 1)};
}

template <Scalar T>
std::unique_ptr<HeldMatrix<T>> make(const Context& context, const Layout& layout, py::array memory,
                                    Index leading_dimension) {
  const std::span<T> span = span_of<T>(memory);
  auto matrix = [&] {
    const py::gil_scoped_release released;
    return Matrix<T>(context, layout, span, leading_dimension);
  }();
  return std::make_unique<HeldMatrix<T>>(HeldMatrix<T>{std::move(matrix), std::move(memory)});
}

template <Scalar T>
void bind_matrix(py::module_& module, const std::string& suffix) {
  using Held = HeldMatrix<T>;
  py::class_<Held>(module, ("Matrix_" + suffix).c_str())
      .def(py::init(&make<T>))
      .def("gather",
           [](const Held& a, int root) {
             auto whole = [&] {
               const py::gil_scoped_release released;
               return a.matrix.gather(root);
             }();
             return to_array(std::move(whole));
           })
      .def(
          "at", [](const Held& a, Index i, Index j) { return a.matrix.at(i, j); }, WithoutGil());
  module.def(
      "redistribute",
      [](Op op, const Held& x, Held& y) { redistribute<T>(T(1), op, x.matrix, T(0), y.matrix); },
      WithoutGil());
  module.def(
      "multiply",
      [](T alpha, Op op_a, const Held& a, Op op_b, const Held& b, T beta, Held& c,
         const PlanOptions& planning, int verify, int threads) {
        return multiply<T>(alpha, op_a, a.matrix, op_b, b.matrix, beta, c.matrix,
                           {.planning = planning, .verify = verify, .threads = threads});
      },
      WithoutGil());
}

void bind_report(py::module_& module) {
  py::class_<MultiplyReport>(module, "MultiplyReport")
      .def_readonly("plan", &MultiplyReport::plan)
      .def_property_readonly("words_sent",
                             [](const MultiplyReport& r) {
                               return r.gathers_and_combines.words_sent + r.redistribution.words_sent;
                             })
      .def_property_readonly("words_received", [](const MultiplyReport& r) {
        return r.gathers_and_combines.words_received + r.redistribution.words_received;
      });
}

}  // namespace

void bind_matrices(py::module_& module) {
  bind_report(module);
  for_each_scalar([&]<class T>(T, const std::string& suffix) { bind_matrix<T>(module, suffix); });
}

}  // namespace cairn::python
