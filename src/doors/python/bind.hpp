// What the sources of the extension module share.
#pragma once

#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cairn/cairn.hpp>
#include <vector>

namespace cairn::python {

namespace py = pybind11;

// Collective calls wait for other ranks: other threads of Python run meanwhile.
using WithoutGil = py::call_guard<py::gil_scoped_release>;

// A matrix over memory of NumPy's, which lives as long as the matrix.
template <Scalar T>
struct HeldMatrix {
  Matrix<T> matrix;
  py::array memory;
};

// A vector as an array: NumPy takes its memory, nothing is copied.
template <class T>
py::array_t<T> to_array(std::vector<T> values) {
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  const auto* data = held->data();
  const auto size = static_cast<py::ssize_t>(held->size());
  py::capsule owner(held.release(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return py::array_t<T>(size, data, owner);
}

// f(T{}, "f64") for each of the four types; the names are those of ScalarType.
template <class F>
void for_each_scalar(F&& f) {
  f(float{}, std::string("f32"));
  f(double{}, std::string("f64"));
  f(std::complex<float>{}, std::string("c32"));
  f(std::complex<double>{}, std::string("c64"));
}

void bind_errors(py::module_& module);
void bind_basics(py::module_& module);  // enums, Context, Layout
void bind_plans(py::module_& module);
void bind_matrices(py::module_& module);
void bind_factors(py::module_& module);
void bind_sparse(py::module_& module);

}  // namespace cairn::python
