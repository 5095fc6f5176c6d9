#include <algorithm>
#include <span>

#include "doors/c/values.hpp"

using namespace cairn::c_door;
using cairn::Matrix;
using cairn::Scalar;

extern "C" {

cairn_status cairn_matrix_create(cairn_context_t context, cairn_scalar type, cairn_layout_t layout,
                                 cairn_matrix_t* matrix) {
  return collective("matrix", {context}, [&] {
    required(matrix, "matrix");
    const auto c = behind(context, "context");
    const auto l = behind(layout, "layout");
    with_type(type, [&]<class T>(T) { give(matrix, Matrix<T>(*c, *l)); });
  });
}

cairn_status cairn_matrix_wrap(cairn_context_t context, cairn_scalar type, cairn_layout_t layout,
                               void* memory, int64_t elements, int64_t leading_dimension,
                               cairn_matrix_t* matrix) {
  return collective("matrix", {context}, [&] {
    required(matrix, "matrix");
    const auto c = behind(context, "context");
    const auto l = behind(layout, "layout");
    expect(elements >= 0, "elements is {}, expected 0 or more", elements);
    with_type(type, [&]<class T>(T) {
      const std::span<T> span(static_cast<T*>(memory), static_cast<std::size_t>(elements));
      give(matrix, Matrix<T>(*c, *l, span, leading_dimension));
    });
  });
}

cairn_status cairn_matrix_shape(cairn_matrix_t matrix, int64_t* rows, int64_t* columns) {
  return guarded([&] {
    std::visit(
        [&](const auto& m) {
          if (rows != nullptr) *rows = m.rows();
          if (columns != nullptr) *columns = m.columns();
        },
        *behind(matrix, "matrix"));
  });
}

cairn_status cairn_matrix_type(cairn_matrix_t matrix, cairn_scalar* type) {
  return guarded([&] { *required(type, "type") = static_cast<int>(behind(matrix, "matrix")->index()); });
}

cairn_status cairn_matrix_layout(cairn_matrix_t matrix, cairn_layout_t* layout) {
  return guarded([&] {
    required(layout, "layout");
    std::visit([&](const auto& m) { give(layout, m.layout()); }, *behind(matrix, "matrix"));
  });
}

cairn_status cairn_matrix_context(cairn_matrix_t matrix, cairn_context_t* context) {
  return guarded([&] {
    required(context, "context");
    std::visit([&](const auto& m) { give(context, m.context()); }, *behind(matrix, "matrix"));
  });
}

cairn_status cairn_matrix_local(cairn_matrix_t matrix, void** memory, int64_t* elements,
                                int64_t* leading_dimension) {
  return guarded([&] {
    std::visit(
        [&](const auto& m) {
          if (memory != nullptr) *memory = m.local().data();
          if (elements != nullptr) *elements = std::ssize(m.local());
          if (leading_dimension != nullptr) *leading_dimension = m.leading_dimension();
        },
        *behind(matrix, "matrix"));
  });
}

cairn_status cairn_matrix_for_each(cairn_matrix_t matrix, cairn_element_function f, void* user) {
  return guarded([&] {
    required(f, "f");
    std::visit([&](const auto& m) { m.for_each([&](int64_t i, int64_t j, auto& x) { f(i, j, &x, user); }); },
               *behind(matrix, "matrix"));
  });
}

cairn_status cairn_matrix_for_each_strip(cairn_matrix_t matrix, cairn_strip_function f, void* user) {
  return guarded([&] {
    required(f, "f");
    std::visit(
        [&](const auto& m) {
          m.for_each_strip([&](int64_t row, int64_t column, int64_t count, auto* data, int64_t stride) {
            f(row, column, count, data, stride, user);
          });
        },
        *behind(matrix, "matrix"));
  });
}

cairn_status cairn_matrix_gather(cairn_matrix_t matrix, int root, void* whole) {
  return collective("gather", {matrix}, [&] {
    std::visit(
        [&]<Scalar T>(const Matrix<T>& m) {
          if (m.context().rank() == root && m.rows() > 0 && m.columns() > 0) required(whole, "whole");
          std::ranges::copy(m.gather(root), static_cast<T*>(whole));
        },
        *behind(matrix, "matrix"));
  });
}

cairn_status cairn_matrix_at(cairn_matrix_t matrix, int64_t i, int64_t j, void* value) {
  return collective("at", {matrix}, [&] {
    required(value, "value");
    std::visit([&]<Scalar T>(const Matrix<T>& m) { *static_cast<T*>(value) = m.at(i, j); },
               *behind(matrix, "matrix"));
  });
}

cairn_status cairn_matrix_free(cairn_matrix_t* matrix) { return free_handle(matrix); }

cairn_status cairn_redistribute(const void* alpha, cairn_op op, cairn_matrix_t x, const void* beta,
                                cairn_matrix_t y) {
  return collective("redistribute", {x, y}, [&] {
    const auto from = behind(x, "x");
    const auto to = behind(y, "y");
    const cairn::Op how = op_value(op, "op");
    std::visit(
        [&]<Scalar T>(const Matrix<T>& m) {
          cairn::redistribute<T>(number_at(alpha, T(1)), how, m, number_at(beta, T(0)),
                                 same_type<T, Matrix>(*to, "y", "x"));
        },
        *from);
  });
}
}
