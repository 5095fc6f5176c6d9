#include <numeric>

#include "comm/collectives.hpp"
#include "io/inflate.hpp"
#include "io/replacement.hpp"
#include "io/sparse_market_file.hpp"
#include "io/together.hpp"

namespace cairn::io {
namespace {

// The shortest digits that give the same bits when they are read.
template <Scalar T>
void append_line(std::string& text, const Triple<T>& t) {
  if constexpr (ScalarTraits<T>::is_complex)
    fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", t.row + 1, t.column + 1, t.value.real(),
                   t.value.imag());
  else
    fmt::format_to(std::back_inserter(text), "{} {} {}\n", t.row + 1, t.column + 1, t.value);
}

template <Scalar T>
std::string text_of(std::span<const Triple<T>> entries) {
  std::string text;
  for (const Triple<T>& t : entries) append_line(text, t);
  return text;
}

// Collective. x of every rank.
std::vector<Index> everyones(comm::CommView comm, Index x) {
  std::vector<Index> all(static_cast<std::size_t>(comm.size()));
  comm::allgather(comm.unchecked(), std::span<const Index>(&x, 1), std::span(all));
  return all;
}

}  // namespace

template <Scalar T>
void write_sparse_market(comm::CommView comm, const std::string& operation, const std::string& path,
                         Index rows, Index columns, std::span<const Triple<T>> entries, bool packed) {
  const std::vector<Index> counts = everyones(comm, static_cast<Index>(entries.size()));
  const Index total = std::accumulate(counts.begin(), counts.end(), Index{0});
  std::string text;
  together(comm, operation, [&] {
    if (comm.rank() == 0) text = make_sparse_market_header(rows, columns, total, ScalarTraits<T>::is_complex);
    text += text_of(entries);
    if (packed) text = gzip_block(text);
  });
  const std::vector<Index> bytes = everyones(comm, static_cast<Index>(text.size()));
  const Index before = std::accumulate(bytes.begin(), bytes.begin() + comm.rank(), Index{0});
  Replacement replacement(comm, operation, path, [](const std::string&) {});
  together(comm, operation,
           [&] { replacement.file().write_at(before, std::as_bytes(std::span<const char>(text))); });
  replacement.commit();
}

#define CAIRN_INSTANTIATE(T)                                                                              \
  template void write_sparse_market(comm::CommView, const std::string&, const std::string&, Index, Index, \
                                    std::span<const Triple<T>>, bool);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
