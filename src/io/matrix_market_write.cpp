#include <charconv>
#include <optional>

#include "io/matrix_market.hpp"
#include "io/together.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::io {
namespace {

// The longest text of a number with the digits it needs: -1.7976931348623157e+308, -1.17549435e-38.
template <class R>
constexpr Index width = sizeof(R) == 8 ? 24 : 15;

template <Scalar T>
constexpr Index numbers = ScalarTraits<T>::is_complex ? 2 : 1;

template <Scalar T>
constexpr Index line_bytes = numbers<T>*(width<Real<T>> + 1);

template <class R>
void append_number(std::string& text, R value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), value);
  require(error == std::errc(), "a number does not fit {} characters", sizeof(digits));
  const Index length = end - digits;
  text.append(static_cast<std::size_t>(width<R> - length), ' ').append(digits, end);
}

template <Scalar T>
void append_line(std::string& text, const T& x) {
  if constexpr (ScalarTraits<T>::is_complex) {
    append_number(text, x.real());
    append_number(text += ' ', x.imag());
  } else {
    append_number(text, x);
  }
  text += '\n';
}

// The elements from `first` on, one a line.
template <Scalar T>
void write_lines(const File& file, Index begin, Index first, std::span<const T> elements,
                 const Transfer& how) {
  const auto piece = static_cast<std::size_t>(std::max<Index>(1, how.piece_bytes / line_bytes<T>));
  std::string text;
  text.reserve(std::min(piece, elements.size()) * static_cast<std::size_t>(line_bytes<T>));
  for (std::size_t at = 0; at < elements.size(); at += piece) {
    const auto part = elements.subspan(at, std::min(piece, elements.size() - at));
    text.clear();
    for (const T& x : part) append_line(text, x);
    file.write_at(begin + (first + static_cast<Index>(at)) * line_bytes<T>, std::as_bytes(std::span(text)));
    if (how.progress)
      how.progress(static_cast<double>(at + part.size()) / static_cast<double>(elements.size()));
  }
}

template <Scalar T>
Index header_bytes(Index rows, Index columns) {
  return static_cast<Index>(make_matrix_market_header(rows, columns, ScalarTraits<T>::is_complex).size());
}

}  // namespace

template <Scalar T>
Index matrix_market_bytes(Index rows, Index columns) {
  const Index text = checked_mul(checked_mul(rows, columns, "elements"), line_bytes<T>, "bytes of the file");
  return checked_add(text, header_bytes<T>(rows, columns), "bytes of the file");
}

template <Scalar T>
void write_matrix_market(comm::CommView comm, const std::string& operation, const File& file,
                         const layout::MatrixView<const T>& m, const Transfer& how) {
  const Index rows = m.layout.rows(), columns = m.layout.columns();
  std::optional<layout::DistMatrix<T>> share;
  together(comm, operation, [&] {
    share.emplace(share_layout(rows, columns, Order::column_major, comm.size()), comm.rank());
  });
  layout::redistribute<T>(comm, T(1), Op::none, m, T(0), share->view());
  const Index first = share_cuts(share->layout(), comm.rank()).back();
  together(comm, operation,
           [&] { write_lines<T>(file, header_bytes<T>(rows, columns), first, share->local(), how); });
}

#define CAIRN_INSTANTIATE(T)                                                         \
  template Index matrix_market_bytes<T>(Index, Index);                               \
  template void write_matrix_market(comm::CommView, const std::string&, const File&, \
                                    const layout::MatrixView<const T>&, const Transfer&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
