// Operations that combine entries where they stand: add, multiply, mask, prune, sums.
#include <cmath>

#include "sparse/local/operations.hpp"

namespace cairn::sparse {
namespace {

void check_same_shape(const PatternView& a, const PatternView& b) {
  require(a.rows == b.rows && a.columns == b.columns,
          "A is {} x {} and B is {} x {}, expected the same shape", a.rows, a.columns, b.rows, b.columns);
  require(a.sorted && b.sorted, "the rows of {} are not sorted, expected sort_rows before this",
          a.sorted ? "B" : "A");
}

// Walks two sorted rows at once: f(column, place in a or -1, place in b or -1).
template <class F>
void for_each_pair(const PatternView& a, const PatternView& b, Index row, F&& f) {
  Index p = a.starts[row], q = b.starts[row];
  const Index a_end = a.starts[row + 1], b_end = b.starts[row + 1];
  while (p < a_end || q < b_end) {
    const Index x = p < a_end ? a.columns_of[p] : a.columns, y = q < b_end ? b.columns_of[q] : a.columns;
    f(static_cast<Local>(std::min(x, y)), x <= y ? p : -1, y <= x ? q : -1);
    p += x <= y ? 1 : 0;
    q += y <= x ? 1 : 0;
  }
}

template <class T>
void append(Csr<T>& c, Local column, T value) {
  c.columns_of.push_back(column);
  c.values.push_back(value);
}

}  // namespace

template <class T>
Csr<T> conjugate(Csr<T> a) {
  if constexpr (ScalarTraits<T>::is_complex)
    for (T& x : a.values) x = std::conj(x);
  return a;
}

template <SemiringType S>
Csr<typename S::Value> add(const Csr<typename S::Value>& a, const Csr<typename S::Value>& b) {
  using T = typename S::Value;
  check_same_shape(a.pattern(), b.pattern());
  Csr<T> c = Csr<T>::zero(a.rows, a.columns);
  c.columns_of.reserve(a.entries() + b.entries());
  c.values.reserve(a.entries() + b.entries());
  for (Index i = 0; i < a.rows; ++i) {
    for_each_pair(a.pattern(), b.pattern(), i, [&](Local column, Index p, Index q) {
      append(c, column, p < 0 ? b.values[q] : q < 0 ? a.values[p] : S::add(a.values[p], b.values[q]));
    });
    c.starts[i + 1] = c.columns_of.size();
  }
  c.columns_of.trim();
  c.values.trim();
  return c;
}

template <SemiringType S>
Csr<typename S::Value> multiply_elements(const Csr<typename S::Value>& a, const Csr<typename S::Value>& b) {
  using T = typename S::Value;
  check_same_shape(a.pattern(), b.pattern());
  Csr<T> c = Csr<T>::zero(a.rows, a.columns);
  for (Index i = 0; i < a.rows; ++i) {
    for_each_pair(a.pattern(), b.pattern(), i, [&](Local column, Index p, Index q) {
      if (p >= 0 && q >= 0) append(c, column, T(S::multiply(a.values[p], b.values[q])));
    });
    c.starts[i + 1] = c.columns_of.size();
  }
  return c;
}

template <class T>
Csr<T> mask(const Csr<T>& a, const PatternView& pattern, bool complement) {
  check_same_shape(a.pattern(), pattern);
  Csr<T> c = Csr<T>::zero(a.rows, a.columns);
  for (Index i = 0; i < a.rows; ++i) {
    for_each_pair(a.pattern(), pattern, i, [&](Local column, Index p, Index q) {
      if (p >= 0 && (q >= 0) != complement) append(c, column, a.values[p]);
    });
    c.starts[i + 1] = c.columns_of.size();
  }
  return c;
}

template <class T>
Csr<T> prune(const Csr<T>& a, double threshold) {
  return select(a, [&](Index, Index, const T& x) { return static_cast<double>(std::abs(x)) > threshold; });
}

template <class T>
Csr<T> lower_triangle(const Csr<T>& a, Index diagonal) {
  return select(a, [&](Index i, Index j, const T&) { return j - i <= diagonal; });
}

template <class T>
Csr<T> upper_triangle(const Csr<T>& a, Index diagonal) {
  return select(a, [&](Index i, Index j, const T&) { return j - i >= diagonal; });
}

template <SemiringType S>
Array<typename S::Value> row_sums(const Csr<typename S::Value>& a) {
  Array<typename S::Value> sums(a.rows, S::zero());
  for (Index i = 0; i < a.rows; ++i)
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p) sums[i] = S::add(sums[i], a.values[p]);
  return sums;
}

template <SemiringType S>
Array<typename S::Value> column_sums(const Csr<typename S::Value>& a) {
  Array<typename S::Value> sums(a.columns, S::zero());
  for (Index p = 0; p < a.entries(); ++p) {
    typename S::Value& sum = sums[a.columns_of[p]];
    sum = S::add(sum, a.values[p]);
  }
  return sums;
}

#define CAIRN_INSTANTIATE(S)                                                               \
  template Csr<S::Value> add<S>(const Csr<S::Value>&, const Csr<S::Value>&);               \
  template Csr<S::Value> multiply_elements<S>(const Csr<S::Value>&, const Csr<S::Value>&); \
  template Array<S::Value> row_sums<S>(const Csr<S::Value>&);                              \
  template Array<S::Value> column_sums<S>(const Csr<S::Value>&);
CAIRN_FOR_EACH_SEMIRING(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE
#define CAIRN_INSTANTIATE(T)                                     \
  template Csr<T> conjugate(Csr<T>);                             \
  template Csr<T> mask(const Csr<T>&, const PatternView&, bool); \
  template Csr<T> prune(const Csr<T>&, double);                  \
  template Csr<T> lower_triangle(const Csr<T>&, Index);          \
  template Csr<T> upper_triangle(const Csr<T>&, Index);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::sparse
