#include "cairn/vector.hpp"

#include "api/checks.hpp"
#include "api/context_state.hpp"
#include "api/matrix_view.hpp"
#include "cairn/multiply.hpp"
#include "comm/agreement.hpp"
#include "gemm/level2.hpp"

namespace cairn {
namespace {

bool is_vector(const Layout& v) { return v.rows() == 1 || v.columns() == 1; }
Index length(const Layout& v) { return v.columns() == 1 ? v.rows() : v.columns(); }

template <Scalar T>
void check_vector_argument(std::string_view name, const Matrix<T>& v, Index expected) {
  require(is_vector(v.layout()) && length(v.layout()) == expected, "{} is {} x {}, expected {} x 1 or 1 x {}",
          name, v.rows(), v.columns(), expected, expected);
}

// A lies on a mesh of two dimensions that all ranks sit on, in the order of a ProcessGrid: then the collectives of
// paper 003 do it.
template <Scalar T>
bool is_on_whole_mesh(const Matrix<T>& a) {
  if (a.layout().is_native()) return false;
  const layout::Mesh* mesh = a.layout().state().general().mesh();
  if (mesh == nullptr || mesh->dimensions() != 2 || mesh->positions() != a.context().size()) return false;
  return *mesh == layout::Mesh({mesh->extent(0), mesh->extent(1)});
}

template <Scalar T>
const comm::ProcessGrid& grid_of(const Matrix<T>& a) {
  const layout::Mesh& mesh = *a.layout().state().general().mesh();
  return a.context().state().grid({mesh.extent(0), mesh.extent(1)});
}

// The same memory seen as a column: a row is the column of the transposed matrix.
template <Scalar T>
Matrix<T> column_of(const Matrix<T>& v) {
  const layout::Layout& general = v.layout().state().general();
  const Layout layout(
      std::make_shared<const detail::LayoutState>(v.columns() == 1 ? general : general.transposed()));
  return Matrix<T>(v.context(), layout, v.local(), v.leading_dimension());
}

}  // namespace

template <Scalar T>
void matvec(std::type_identity_t<T> alpha, Op op, const Matrix<T>& a, const Matrix<T>& x,
            std::type_identity_t<T> beta, Matrix<T>& y) {
  comm::agree(a.context().state().comm(), "matvec", [&] {
    detail::check_op("op", op);
    require(a.context() == x.context() && a.context() == y.context(),
            "A, x and y have different contexts, expected one");
    check_vector_argument("x", x, op == Op::none ? a.columns() : a.rows());
    check_vector_argument("y", y, op == Op::none ? a.rows() : a.columns());
  });
  if (is_on_whole_mesh(a))
    return gemm::gemv<T>(grid_of(a), alpha, op, detail::view_of(a), detail::view_of(x), beta,
                         detail::view_of(y));
  Matrix<T> result = column_of(y);
  multiply<T>(alpha, op, a, Op::none, column_of(x), beta, result);
}

template <Scalar T>
void rank1(std::type_identity_t<T> alpha, const Matrix<T>& y, Op op, const Matrix<T>& x, Matrix<T>& a) {
  comm::agree(a.context().state().comm(), "rank1", [&] {
    detail::check_op("op", op);
    require(op != Op::none, "op of x is none, expected transpose or adjoint");
    require(a.context() == x.context() && a.context() == y.context(),
            "A, x and y have different contexts, expected one");
    check_vector_argument("y", y, a.rows());
    check_vector_argument("x", x, a.columns());
  });
  if (is_on_whole_mesh(a))
    return gemm::ger<T>(grid_of(a), alpha, detail::view_of(y), op, detail::view_of(x), detail::view_of(a));
  multiply<T>(alpha, Op::none, column_of(y), op, column_of(x), T(1), a);
}

#define CAIRN_INSTANTIATE(T)                                                               \
  template void matvec<T>(std::type_identity_t<T>, Op, const Matrix<T>&, const Matrix<T>&, \
                          std::type_identity_t<T>, Matrix<T>&);                            \
  template void rank1<T>(std::type_identity_t<T>, const Matrix<T>&, Op, const Matrix<T>&, Matrix<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
