#include <optional>

#include "comm/collectives.hpp"
#include "comm/partition.hpp"
#include "io/matrix_market.hpp"
#include "io/number_text.hpp"
#include "io/together.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"
#include "layout/kinds.hpp"

namespace cairn::io {
namespace {

using layout::DistMatrix;
using layout::IndexMap;
using layout::Layout;
using layout::MatrixView;

// f(piece, at_end) -> bool: the bytes begin .. end-1 in pieces, then short ones up to the end of the file,
// until f says false.
template <class F>
void for_each_piece(const File& file, Index begin, Index end, Index file_bytes, Index piece_bytes, F&& f) {
  constexpr Index short_piece = 512;
  Buffer<char> buffer(std::max(short_piece, std::min(piece_bytes, end - begin)));
  for (Index at = begin;;) {
    const Index count = std::min(buffer.size(), at < end ? end - at : std::min(short_piece, file_bytes - at));
    file.read_at(at, std::as_writable_bytes(buffer.span().first(static_cast<std::size_t>(count))));
    at += count;
    if (!f(std::string_view(buffer.data(), static_cast<std::size_t>(count)), at == file_bytes)) return;
    if (at == file_bytes) return;
  }
}

// What each rank found in its stretch of the text.
struct Found {
  std::vector<TextCounts> of_rank;

  TextCounts before(int rank) const {
    TextCounts sum;
    for (int r = 0; r < rank; ++r) {
      sum.tokens += of_rank[static_cast<std::size_t>(r)].tokens;
      sum.lines += of_rank[static_cast<std::size_t>(r)].lines;
    }
    return sum;
  }
};

class TextOfRank {
 public:
  TextOfRank(comm::CommView comm, const std::string& operation, const File& file,
             const MatrixMarketHeader& header, Index file_bytes, const Transfer& how)
      : comm_(comm), operation_(operation), file_(file), header_(header), file_bytes_(file_bytes), how_(how) {
    const auto cut = comm::Partition::balanced(comm.size(), file_bytes - header.data_offset);
    stretch_.begin = header.data_offset + cut.offset(comm.rank());
    stretch_.end = stretch_.begin + cut.count(comm.rank());
    stretch_.group = header.numbers_an_entry();
    stretch_.whole = header.field == Field::integer;
  }

  // Collective. Throws where the file has too few or too many numbers.
  void count() {
    TextCounts mine;
    together(comm_, operation_, [&] { mine = count_here(); });
    found_.of_rank.resize(static_cast<std::size_t>(comm_.size()));
    comm::allgather(comm_.unchecked(), std::span<const TextCounts>(&mine, 1), std::span(found_.of_rank));
    const TextCounts before = found_.before(comm_.rank());
    stretch_.line = header_.data_line + before.lines;
    stretch_.skip = (stretch_.group - before.tokens % stretch_.group) % stretch_.group;
    if (found_.before(comm_.size()).tokens != header_.numbers()) explain_wrong_count();
  }

  // The first entry that starts in the stretch of each rank, and the end.
  std::vector<Index> cuts() const {
    std::vector<Index> cuts{0};
    Index tokens = 0;
    for (const TextCounts& c : found_.of_rank) cuts.push_back(ceil_div(tokens += c.tokens, stretch_.group));
    return cuts;
  }

  // The entries that start here. This rank alone.
  template <Scalar T>
  void parse(std::span<T> entries) const {
    using R = Real<T>;
    const Index step = ScalarTraits<T>::is_complex && header_.field != Field::complex ? 2 : 1;
    if (step == 2) std::fill(entries.begin(), entries.end(), T(0));
    const Index room = static_cast<Index>(entries.size()) * static_cast<Index>(sizeof(T) / sizeof(R)) / step;
    R* const to = reinterpret_cast<R*>(entries.data());
    Index at = 0;
    parse_numbers<R>([&](R x) {
      require<IoError>(at < room, "it changed while it was read");
      to[step * at++] = x;
    });
    require<IoError>(at == room, "it changed while it was read");
  }

 private:
  char character_before() const {
    std::byte c{};
    if (stretch_.begin == header_.data_offset) return ' ';
    file_.read_at(stretch_.begin - 1, std::span(&c, 1));
    return static_cast<char>(c);
  }

  TextCounts count_here() {
    stretch_.before = character_before();
    TextCounts sum;
    char before = stretch_.before;
    const Index end = stretch_.end;
    for_each_piece(file_, stretch_.begin, end, end, how_.piece_bytes, [&](std::string_view piece, bool) {
      const TextCounts c = count_tokens(piece, before);
      sum.tokens += c.tokens;
      sum.lines += c.lines;
      if (!piece.empty()) before = piece.back();
      return true;
    });
    return sum;
  }

  template <class R, class F>
  void parse_numbers(F&& f) const {
    NumberReader<R> reader(stretch_);
    const double all = static_cast<double>(std::max<Index>(1, stretch_.end - stretch_.begin));
    Index done = 0;
    const auto take = [&](std::string_view piece, bool at_end) {
      const bool more = reader.feed(piece, at_end, f);
      done += static_cast<Index>(piece.size());
      if (how_.progress) how_.progress(std::min(1.0, static_cast<double>(done) / all));
      return more;
    };
    for_each_piece(file_, stretch_.begin, stretch_.end, file_bytes_, how_.piece_bytes, take);
  }

  // A word that is not a number says more than the count.
  void explain_wrong_count() const {
    together(comm_, operation_, [&] { parse_numbers<double>([](double) {}); });
    const TextCounts all = found_.before(comm_.size());
    fail<IoError>(
        "{}: line {}: the file ends here with {} numbers, expected {}: {} for each of the {} elements "
        "that are stored of a {} x {} matrix",
        operation_, header_.data_line + all.lines, all.tokens, header_.numbers(), stretch_.group,
        header_.entries(), header_.rows, header_.columns);
  }

  comm::CommView comm_;
  const std::string& operation_;
  const File& file_;
  const MatrixMarketHeader& header_;
  Index file_bytes_;
  const Transfer& how_;
  NumberStretch stretch_;
  Found found_;
};

// A vector that is cut at these places, one part per rank.
Layout vector_layout(const std::vector<Index>& cuts, int ranks) {
  return Layout::on_mesh(layout::Mesh({ranks}), {IndexMap::of_cuts(cuts), {0}}, {IndexMap::whole(1), {}});
}

// The entries of this rank's columns as they stand in the file -> the lower triangle of the columns.
template <Scalar T>
void spread_columns(const MatrixMarketHeader& h, Index first_column, Index columns, const T* entries, T* to) {
  std::fill_n(to, h.rows * columns, T(0));
  for (Index c = 0; c < columns; ++c) {
    const Index top = first_column + c + (h.symmetry == Symmetry::skew ? 1 : 0);
    const Index count = h.rows - top;
    std::copy_n(entries, count, to + c * h.rows + top);
    entries += count;
  }
}

// What stands above the diagonal came from below it, mirrored; at and below it stands what was read.
template <Scalar T>
void join_halves(const MatrixMarketHeader& h, Index first_column, Index columns, const T* lower, T* whole) {
  for (Index c = 0; c < columns; ++c) {
    T* const column = whole + c * h.rows;
    const Index diagonal = first_column + c;
    if (h.symmetry == Symmetry::skew)
      for (Index i = 0; i < diagonal; ++i) column[i] = -column[i];
    std::copy(lower + c * h.rows + diagonal, lower + (c + 1) * h.rows, column + diagonal);
  }
}

// The matrix in blocks of columns, made of the halves the file holds.
template <Scalar T>
DistMatrix<T> complete(comm::CommView comm, const std::string& operation, const MatrixMarketHeader& h,
                       const DistMatrix<T>& parsed) {
  const Layout by_columns = layout::column_blocks(h.rows, h.columns, comm.size());
  const IndexMap& map = by_columns.column_map();
  std::vector<Index> firsts;  // column of each rank
  std::vector<Index> wanted;
  for (int r = 0; r <= comm.size(); ++r) {
    firsts.push_back(r == 0 ? 0 : firsts.back() + map.count(r - 1));
    wanted.push_back(h.entries_before(firsts.back()));
  }
  const auto rank = static_cast<std::size_t>(comm.rank());
  const Index first = firsts[rank], columns = firsts[rank + 1] - first;
  std::optional<DistMatrix<T>> entries, lower, whole;
  together(comm, operation, [&] {
    entries.emplace(vector_layout(wanted, comm.size()), comm.rank());
    lower.emplace(by_columns, comm.rank());
    whole.emplace(by_columns, comm.rank());
  });
  layout::redistribute<T>(comm, T(1), Op::none, parsed.view(), T(0), entries->view());
  spread_columns<T>(h, first, columns, entries->local().data(), lower->local().data());
  const Op mirror = h.symmetry == Symmetry::hermitian ? Op::adjoint : Op::transpose;
  layout::redistribute<T>(comm, T(1), mirror, lower->view(), T(0), whole->view());
  join_halves<T>(h, first, columns, lower->local().data(), whole->local().data());
  return std::move(*whole);
}

}  // namespace

template <Scalar T>
void read_matrix_market(comm::CommView comm, const std::string& operation, const File& file,
                        const MatrixMarketHeader& header, Index file_bytes, const MatrixView<T>& m,
                        const Transfer& how) {
  TextOfRank text(comm, operation, file, header, file_bytes, how);
  text.count();
  const std::vector<Index> cuts = text.cuts();
  std::optional<DistMatrix<T>> parsed;
  together(comm, operation, [&] {
    parsed.emplace(vector_layout(cuts, comm.size()), comm.rank());
    text.parse<T>(parsed->local());
  });
  const auto deliver = [&](const MatrixView<const T>& from) {
    layout::redistribute<T>(comm, T(1), Op::none, from, T(0), m);
  };
  if (header.symmetry != Symmetry::general)
    return deliver(complete<T>(comm, operation, header, *parsed).view());
  std::optional<DistMatrix<T>> share;
  together(comm, operation, [&] {
    share.emplace(share_layout(header.rows, header.columns, Order::column_major, comm.size()), comm.rank());
  });
  const Layout as_vector = vector_layout(share_cuts(share->layout(), comm.size()), comm.size());
  const MatrixView<T> to{as_vector, share->local().data(), static_cast<Index>(share->local().size()), 0};
  layout::redistribute<T>(comm, T(1), Op::none, parsed->view(), T(0), to);
  deliver(share->view());
}

#define CAIRN_INSTANTIATE(T)                                                        \
  template void read_matrix_market(comm::CommView, const std::string&, const File&, \
                                   const MatrixMarketHeader&, Index, const MatrixView<T>&, const Transfer&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
