#include "doors/python/bind.hpp"

namespace cairn::python {
namespace {

template <Scalar T>
void bind_lu(py::module_& module, const std::string& suffix) {
  using F = LuFactors<T>;
  using Held = HeldMatrix<T>;
  py::class_<F>(module, ("LuFactors_" + suffix).c_str())
      .def_property_readonly("rows", &F::rows)
      .def_property_readonly("columns", &F::columns)
      .def("info", &F::info, WithoutGil())
      .def("growth", &F::growth, WithoutGil())
      .def("permutation", [](const F& f) { return to_array(std::vector<Index>(f.permutation())); })
      .def("swaps", [](const F& f) { return to_array(f.swaps()); })
      .def(
          "solve", [](const F& f, Held& b, Op op) { f.solve(b.matrix, op); }, WithoutGil())
      .def(
          "copy_lower", [](const F& f, Held& l) { f.copy_lower(l.matrix); }, WithoutGil())
      .def(
          "copy_upper", [](const F& f, Held& u) { f.copy_upper(u.matrix); }, WithoutGil())
      .def(
          "copy_factors", [](const F& f, Held& u) { f.copy_factors(u.matrix); }, WithoutGil())
      .def(
          "log_determinant",
          [](const F& f) {
            const auto d = f.log_determinant();
            return std::pair(d.sign, d.log);
          },
          WithoutGil())
      .def("reciprocal_condition", &F::reciprocal_condition, WithoutGil())
      .def("describe", [](const F& f) { return f.report().describe(); });
  module.def(
      "lu", [](const Held& a, const FactorOptions& o) { return lu<T>(a.matrix, o); }, WithoutGil());
}

template <Scalar T>
void bind_cholesky(py::module_& module, const std::string& suffix) {
  using F = CholeskyFactor<T>;
  using Held = HeldMatrix<T>;
  py::class_<F>(module, ("CholeskyFactor_" + suffix).c_str())
      .def_property_readonly("order", &F::order)
      .def("info", &F::info, WithoutGil())
      .def(
          "solve", [](const F& f, Held& b) { f.solve(b.matrix); }, WithoutGil())
      .def(
          "copy_factor", [](const F& f, Held& l) { f.copy_factor(l.matrix); }, WithoutGil())
      .def("log_determinant", &F::log_determinant, WithoutGil())
      .def("reciprocal_condition", &F::reciprocal_condition, WithoutGil())
      .def("describe", [](const F& f) { return f.report().describe(); });
  module.def(
      "cholesky",
      [](const Held& a, Triangle triangle, const FactorOptions& o) {
        return cholesky<T>(a.matrix, triangle, o);
      },
      WithoutGil());
}

}  // namespace

void bind_factors(py::module_& module) {
  py::class_<FactorOptions>(module, "FactorOptions")
      .def(py::init<>())
      .def_readwrite("algorithm", &FactorOptions::algorithm)
      .def_readwrite("layers", &FactorOptions::layers)
      .def_readwrite("step", &FactorOptions::step)
      .def_readwrite("memory_bytes", &FactorOptions::memory_bytes)
      .def_readwrite("check_finite", &FactorOptions::check_finite);
  for_each_scalar([&]<class T>(T, const std::string& suffix) {
    bind_lu<T>(module, suffix);
    bind_cholesky<T>(module, suffix);
    module.def(
        "solve",
        [](const HeldMatrix<T>& a, HeldMatrix<T>& b, const FactorOptions& o) {
          solve<T>(a.matrix, b.matrix, o);
        },
        WithoutGil());
  });
}

}  // namespace cairn::python
