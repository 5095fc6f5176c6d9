#include "io/dense_file.hpp"

#include "io/together.hpp"
#include "layout/dist_matrix.hpp"
#include "layout/exchange/redistribute.hpp"

namespace cairn::io {
namespace {

using layout::DistMatrix;
using layout::MatrixView;

// Tells the caller how much of this rank's elements is done.
class Progress {
 public:
  Progress(const Transfer& how, const FileBlocks& blocks) : report_(how.progress), all_(blocks.elements()) {}
  void add(Index elements) {
    done_ += elements;
    if (report_ && elements > 0) report_(static_cast<double>(done_) / static_cast<double>(all_));
  }

 private:
  const std::function<void(double)>& report_;
  Index all_;
  Index done_ = 0;
};

// f(part) for parts of a block of at most `most` elements: some whole lines, or some of one line.
template <class F>
void for_each_part(const FileBlock& block, Index most, F&& f) {
  if (block.run == 0) return;
  const Index lines = std::max<Index>(1, most / block.run), run = std::min(block.run, most);
  for (Index l = 0; l < block.lines; l += lines)
    for (Index e = 0; e < block.run; e += run) {
      FileBlock part = block;
      part.first += l * block.step + e;
      part.memory += l * block.across + e * block.along;
      part.lines = std::min(lines, block.lines - l);
      part.run = std::min(run, block.run - e);
      f(part);
    }
}

// f(first element, count, position) for the stretches of the file that a part is made of, if in memory each
// line lies `memory_step` behind the one before.
template <class F>
void for_each_stretch(const FileBlock& part, Index memory_step, F&& f) {
  if (part.is_one_stretch() && memory_step == part.run) return f(part.first, part.run * part.lines, Index{0});
  for (Index l = 0; l < part.lines; ++l) f(part.first + l * part.step, part.run, l * memory_step);
}

template <class T>
std::span<std::byte> bytes_at(T* at, Index count) {
  return std::as_writable_bytes(std::span(at, static_cast<std::size_t>(count)));
}

// The bytes go straight between file and memory: lines are contiguous in memory, and copying would not make
// fewer of them.
bool is_straight(const FileBlock& part) {
  const bool whole_lines = part.along == 1 || part.run == 1;
  return whole_lines && (part.lines <= 1 || part.across == part.run || !part.is_one_stretch());
}
Index memory_step(const FileBlock& part) { return part.lines <= 1 ? part.run : part.across; }

template <Scalar T>
class Reader {
 public:
  Reader(const File& file, const StoredMatrix& stored, const Transfer& how)
      : file_(file),
        stored_(stored),
        most_(std::max<Index>(1, how.piece_bytes / static_cast<Index>(sizeof(T)))),
        same_(stored.type == ScalarTraits<T>::type && stored.byte_order == native_byte_order) {}

  void read(const FileBlocks& blocks, T* memory, const Transfer& how) {
    Progress progress(how, blocks);
    blocks.for_each([&](const FileBlock& block) {
      for_each_part(block, most_, [&](const FileBlock& part) {
        if (same_ && is_straight(part))
          read_stretches(part, memory_step(part), memory + part.memory);
        else
          read_and_place(part, memory + part.memory);
        progress.add(part.run * part.lines);
      });
    });
  }

 private:
  void read_stretches(const FileBlock& part, Index step, T* to) {
    for_each_stretch(part, step, [&](Index first, Index count, Index position) {
      read_elements(first, to + position, count);
    });
  }

  void read_and_place(const FileBlock& part, T* to) {
    if (elements_.size() == 0) elements_ = Buffer<T>(most_);
    read_stretches(part, part.run, elements_.data());
    layout::strided_update<T>(part.run, part.lines, {elements_.data(), 1, part.run},
                              {to, part.along, part.across}, {});
  }

  void read_elements(Index first, T* to, Index count) {
    if (same_) return file_.read_at(stored_.place_of(first), bytes_at(to, count));
    const Index width = stored_.element_bytes();
    if (bytes_.size() == 0) bytes_ = Buffer<std::byte>(most_ * width);
    file_.read_at(stored_.place_of(first), bytes_.span().first(static_cast<std::size_t>(count * width)));
    decode(bytes_.data(), stored_.type, stored_.byte_order, to, count);
  }

  const File& file_;
  const StoredMatrix& stored_;
  Index most_;
  bool same_;
  Buffer<T> elements_;
  Buffer<std::byte> bytes_;
};

template <Scalar T>
void write_blocks(const File& file, const StoredMatrix& stored, const FileBlocks& blocks, const T* memory,
                  const Transfer& how) {
  const Index most = std::max<Index>(1, how.piece_bytes / static_cast<Index>(sizeof(T)));
  Buffer<T> packed;
  Progress progress(how, blocks);
  const auto write_part = [&](const FileBlock& part) {
    const bool straight = is_straight(part);
    const T* from = memory + part.memory;
    if (!straight) {
      if (packed.size() == 0) packed = Buffer<T>(most);
      layout::strided_update<T>(part.run, part.lines, {from, part.along, part.across},
                                {packed.data(), 1, part.run}, {});
      from = packed.data();
    }
    for_each_stretch(
        part, straight ? memory_step(part) : part.run, [&](Index first, Index count, Index position) {
          file.write_at(stored.place_of(first),
                        std::as_bytes(std::span(from + position, static_cast<std::size_t>(count))));
        });
    progress.add(part.run * part.lines);
  };
  blocks.for_each([&](const FileBlock& block) { for_each_part(block, most, write_part); });
}

Access settle(comm::CommView comm, Access wanted, const FileBlocks& blocks, const StoredMatrix& stored) {
  return wanted == Access::automatic ? choose_access(comm, blocks, stored) : wanted;
}

// This rank's stretch of the file as a matrix of its own, made where running out of memory can be told.
template <Scalar T>
DistMatrix<T> make_share(const StoredMatrix& stored, comm::CommView comm) {
  return DistMatrix<T>(share_layout(stored.rows, stored.columns, stored.order, comm.size()), comm.rank());
}

}  // namespace

template <Scalar T>
void read_dense(comm::CommView comm, const std::string& operation, const File& file,
                const StoredMatrix& stored, const MatrixView<T>& m, const Transfer& how) {
  const int rank = comm.rank();
  FileBlocks blocks(m.layout, m.leading_dimension, rank, stored.order, false);
  std::optional<DistMatrix<T>> share;
  const bool shared = settle(comm, how.access, blocks, stored) == Access::shared;
  together(comm, operation, [&] {
    if (shared) {
      share.emplace(make_share<T>(stored, comm));
      blocks = FileBlocks(share->layout(), 0, rank, stored.order, false);
    }
    Reader<T>(file, stored, how).read(blocks, shared ? share->local().data() : m.data, how);
  });
  if (shared) layout::redistribute<T>(comm, T(1), Op::none, share->view(), T(0), m);
}

template <Scalar T>
void write_dense(comm::CommView comm, const std::string& operation, const File& file,
                 const StoredMatrix& stored, const MatrixView<const T>& m, const Transfer& how) {
  const int rank = comm.rank();
  FileBlocks blocks(m.layout, m.leading_dimension, rank, stored.order, true);
  std::optional<DistMatrix<T>> share;
  const bool shared = settle(comm, how.access, blocks, stored) == Access::shared;
  if (shared) {
    together(comm, operation, [&] { share.emplace(make_share<T>(stored, comm)); });
    layout::redistribute<T>(comm, T(1), Op::none, m, T(0), share->view());
    blocks = FileBlocks(share->layout(), 0, rank, stored.order, true);
  }
  together(comm, operation,
           [&] { write_blocks<T>(file, stored, blocks, shared ? share->local().data() : m.data, how); });
}

#define CAIRN_INSTANTIATE(T)                                                                      \
  template void read_dense(comm::CommView, const std::string&, const File&, const StoredMatrix&,  \
                           const MatrixView<T>&, const Transfer&);                                \
  template void write_dense(comm::CommView, const std::string&, const File&, const StoredMatrix&, \
                            const MatrixView<const T>&, const Transfer&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::io
