#include <zlib.h>

#include <array>
#include <bit>
#include <cstring>

#include "comm/collectives.hpp"
#include "io/npy_header.hpp"
#include "io/replacement.hpp"
#include "io/sparse_npz_write.hpp"
#include "io/together.hpp"
#include "io/zip_archive.hpp"

namespace cairn::io {
namespace {

// What a rank adds to each of the long vectors, and what the others do.
struct Rows {
  Index entries = 0;    // of this rank
  Index first_row = 0;  // of its entries; -1: it has none
  Index last_row = 0;
};

template <class N>
void append_bytes(std::string& to, N number) {
  static_assert(std::endian::native == std::endian::little, "the arrays are written as little-endian");
  to.append(reinterpret_cast<const char*>(&number), sizeof(N));
}

void append_index(std::string& to, Index number, int bytes) {
  if (bytes == 4)
    append_bytes(to, static_cast<std::int32_t>(number));
  else
    append_bytes(to, number);
}

template <Scalar T>
constexpr std::string_view npy_type() {
  constexpr std::string_view names[] = {"<f4", "<f8", "<c8", "<c16"};
  return names[static_cast<std::size_t>(ScalarTraits<T>::type)];
}

// One array of the archive: its head, and the parts of the ranks one behind the other.
class ArrayMember {
 public:
  ArrayMember(std::string name, NpyArray array, std::string part)
      : head_(make_npy_array_header(array)), part_(std::move(part)) {
    member_.name = std::move(name);
  }
  // Collective. Places it from `offset` on; returns where the next begins.
  Index place(comm::CommView comm, Index offset) {
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(part_.data()), part_.size());
    const std::array<Index, 2> mine{static_cast<Index>(part_.size()), static_cast<Index>(crc)};
    std::vector<Index> all(2 * static_cast<std::size_t>(comm.size()));
    comm::allgather(comm.unchecked(), std::span<const Index>(mine), std::span(all));
    auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(head_.data()), head_.size());
    Index bytes = static_cast<Index>(head_.size());
    for (std::size_t r = 0; r < static_cast<std::size_t>(comm.size()); ++r) {
      if (std::cmp_equal(r, comm.rank())) before_ = bytes;
      bytes += all[2 * r];
      sum = crc32_combine(sum, static_cast<uLong>(all[2 * r + 1]), all[2 * r]);
    }
    member_.bytes = member_.packed_bytes = bytes;
    member_.crc = static_cast<std::uint32_t>(sum);
    member_.local_offset = offset;
    local_ = make_zip_local_header(member_);
    return offset + static_cast<Index>(local_.size()) + bytes;
  }
  // On this rank alone: its part; rank 0 writes the head as well.
  void write(const File& file, bool head_too) const {
    const Index data = member_.local_offset + static_cast<Index>(local_.size());
    if (head_too) file.write_at(member_.local_offset, std::as_bytes(std::span<const char>(local_ + head_)));
    file.write_at(data + before_, std::as_bytes(std::span<const char>(part_)));
  }
  const ZipMember& member() const { return member_; }

 private:
  ZipMember member_;
  std::string head_, part_, local_;
  Index before_ = 0;  // bytes of the member before this rank's
};

// Collective. The rows of every rank; throws where they do not ascend.
template <Scalar T>
std::vector<Rows> rows_of_ranks(comm::CommView comm, const std::string& operation,
                                std::span<const Triple<T>> entries) {
  Rows mine{static_cast<Index>(entries.size()), -1, -1};
  if (!entries.empty()) mine = {mine.entries, entries.front().row, entries.back().row};
  std::vector<Rows> all(static_cast<std::size_t>(comm.size()));
  comm::allgather(comm.unchecked(), std::span<const Rows>(&mine, 1), std::span(all));
  comm::agree(comm, operation, [&] {
    Index before = -1;
    for (std::size_t r = 0; r < static_cast<std::size_t>(comm.rank()); ++r)
      before = std::max(before, all[r].last_row);
    for (const Triple<T>& t : entries) {
      require(t.row >= before, "row {} comes after row {}, expected the rows of a .npz file to ascend", t.row,
              before);
      before = t.row;
    }
  });
  return all;
}

// The starts of the rows whose first entry, or the next that there is, is this rank's. Rank p-1 has the rest.
template <Scalar T>
std::string starts_of(comm::CommView comm, const std::vector<Rows>& ranks, std::span<const Triple<T>> entries,
                      Index rows, int bytes) {
  Index row = 0, offset = 0;  // the first row that is still to come
  for (std::size_t r = 0; r < static_cast<std::size_t>(comm.rank()); ++r) {
    row = std::max(row, ranks[r].last_row + 1);
    offset += ranks[r].entries;
  }
  std::string text;
  for (const Triple<T>& t : entries) {
    for (; row <= t.row; ++row) append_index(text, offset, bytes);
    ++offset;
  }
  if (comm.rank() == comm.size() - 1)
    for (; row <= rows; ++row) append_index(text, offset, bytes);
  return text;
}

}  // namespace

template <Scalar T>
void write_npz(comm::CommView comm, const std::string& operation, const std::string& path, Index rows,
               Index columns, std::span<const Triple<T>> entries) {
  const std::vector<Rows> ranks = rows_of_ranks(comm, operation, entries);
  Index total = 0;
  for (const Rows& r : ranks) total += r.entries;
  const int bytes = std::max({rows, columns, total}) <= INT32_MAX ? 4 : 8;
  const std::string index_type = fmt::format("<i{}", bytes);
  std::vector<ArrayMember> members;
  together(comm, operation, [&] {
    std::string indices, values, shape;
    for (const Triple<T>& t : entries) {
      append_index(indices, t.column, bytes);
      append_bytes(values, t.value);
    }
    const bool first = comm.rank() == 0;
    if (first) append_bytes(shape, rows), append_bytes(shape, columns);
    members.emplace_back("indices.npy", NpyArray{index_type, false, {total}}, std::move(indices));
    members.emplace_back("indptr.npy", NpyArray{index_type, false, {rows + 1}},
                         starts_of(comm, ranks, entries, rows, bytes));
    members.emplace_back("format.npy", NpyArray{"|S3", false, {}}, first ? "csr" : "");
    members.emplace_back("shape.npy", NpyArray{"<i8", false, {2}}, std::move(shape));
    members.emplace_back("data.npy", NpyArray{std::string(npy_type<T>()), false, {total}}, std::move(values));
  });
  Index end = 0;
  std::vector<ZipMember> listed;
  for (ArrayMember& m : members) {
    end = m.place(comm, end);
    listed.push_back(m.member());
  }
  Replacement replacement(comm, operation, path, [](const std::string&) {});
  together(comm, operation, [&] {
    for (const ArrayMember& m : members) m.write(replacement.file(), comm.rank() == 0);
    if (comm.rank() == 0)
      replacement.file().write_at(end, std::as_bytes(std::span<const char>(make_zip_directory(listed, end))));
  });
  replacement.commit();
}

#define CAIRN_INSTANTIATE(T)                                                                    \
  template void write_npz(comm::CommView, const std::string&, const std::string&, Index, Index, \
                          std::span<const Triple<T>>);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
