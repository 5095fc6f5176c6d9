// The extension module cairn._cairn: the public C++ API as Python sees it. The package `cairn` is made of it in Python.
#include <mpi.h>

#include "doors/python/bind.hpp"

namespace cairn::python {
namespace {

// Of the kind, from the package's own table: it knows which built-in exception each one also is.
void throw_in_python(const Error& e) {
  const py::object table = py::module_::import("cairn._errors").attr("BY_KIND");
  const py::object type = table[py::int_(static_cast<int>(e.kind()))];
  PyErr_SetString(type.ptr(), e.what());
}

// mpi4py knows where its handle lies; what is there is an MPI_Comm of the MPI this module was linked with, which the
// package has made sure of.
Context context_at(std::uintptr_t address) {
  return Context(*reinterpret_cast<MPI_Comm*>(address));  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& e) {
      throw_in_python(e);
    }
  });
}

void bind_basics(py::module_& module) {
  module.attr("version") = CAIRN_VERSION;
  module.attr("size_of_communicator") = sizeof(MPI_Comm);

  py::enum_<Op>(module, "Op")
      .value("none", Op::none)
      .value("transpose", Op::transpose)
      .value("adjoint", Op::adjoint);
  py::enum_<Triangle>(module, "Triangle").value("lower", Triangle::lower).value("upper", Triangle::upper);
  py::enum_<ScalarType>(module, "ScalarType")
      .value("f32", ScalarType::f32)
      .value("f64", ScalarType::f64)
      .value("c32", ScalarType::c32)
      .value("c64", ScalarType::c64);

  py::class_<Context>(module, "Context")
      .def(py::init(&context_at), WithoutGil())
      .def_property_readonly("rank", &Context::rank)
      .def_property_readonly("size", &Context::size)
      .def("trim", &Context::trim);

  py::class_<Layout>(module, "Layout")
      .def_static("parse", &Layout::parse)
      .def_static("row_blocks", &Layout::row_blocks)
      .def_static("block_cyclic",
                  [](Index rows, Index columns, std::pair<int, int> grid, std::pair<Index, Index> block,
                     std::pair<int, int> source, bool row_major) {
                    return Layout::block_cyclic(rows, columns,
                                                {.process_rows = grid.first,
                                                 .process_columns = grid.second,
                                                 .mb = block.first,
                                                 .nb = block.second,
                                                 .row_source = source.first,
                                                 .column_source = source.second,
                                                 .row_major = row_major});
                  })
      .def_property_readonly("rows", &Layout::rows)
      .def_property_readonly("columns", &Layout::columns)
      .def("local_elements", &Layout::local_elements, py::arg("rank"), py::arg("leading_dimension") = 0)
      .def("owner", &Layout::owner)
      .def_property_readonly("text", &Layout::text)
      .def("__eq__", [](const Layout& x, const Layout& y) { return x == y; });
}

}  // namespace cairn::python

PYBIND11_MODULE(_cairn, module) {
  using namespace cairn::python;
  bind_errors(module);
  bind_basics(module);
  bind_plans(module);
  bind_matrices(module);
  bind_factors(module);
  bind_sparse(module);
}
