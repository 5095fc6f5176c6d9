// How the ranks share the reading or writing of one file, and who needs which bytes of it.
#pragma once

#include <vector>

#include "comm/communicator.hpp"
#include "io/stored_matrix.hpp"
#include "layout/matrix_view.hpp"

namespace cairn::io {

// The elements of a matrix in the order of the file, cut into one stretch per rank, in the order of the ranks.
// Cuts lie between lines, or, where there are fewer lines than ranks, at even places within each line. Rank
// r's cell is one block of memory without gaps that holds the stretch as it stands in the file.
layout::Layout share_layout(Index rows, Index columns, Order order, int ranks);
// The first element of each rank's stretch, and the end.
std::vector<Index> share_cuts(const layout::Layout& share, int ranks);

// A block of a rank's memory and where its elements stand in the file: `lines` times `run` elements side by
// side, the first at element `first`, each line `step` elements after the one before.
struct FileBlock {
  Index first = 0;
  Index run = 0;
  Index lines = 0;
  Index step = 0;
  Index memory = 0;  // element of the rank's memory
  Index along = 1;   // strides in memory, within a line and between lines
  Index across = 1;

  bool is_one_stretch() const { return lines <= 1 || run == step; }
};

// All blocks of a rank, made one by one: O(runs of its rows + runs of its columns) memory.
class FileBlocks {
 public:
  // `once`: only of cells whose first owner it is, so that of copies one is written.
  FileBlocks(const layout::Layout& layout, Index leading_dimension, int rank, Order order, bool once);

  Index elements() const;
  Index stretches() const;  // of the file, each one side by side
  template <class F>
  void for_each(F&& f) const;

 private:
  struct Lines {  // of a cell
    std::vector<layout::Run> within, across;
    Index offset, along_stride, across_stride;
  };
  Index line_length_;
  std::vector<Lines> cells_;
};

enum class Access { automatic, direct, shared };

// Collective, the same on every rank: each rank moves its own blocks (direct), or a share that is then
// redistributed (shared). Direct where the runs are long enough that their number does not matter, and no
// part of the file is read over and over for copies: see docs/internals/io.md.
Access choose_access(comm::CommView comm, const FileBlocks& blocks, const StoredMatrix& stored);

inline constexpr Index worthwhile_run_bytes = 16 << 10;

template <class F>
void FileBlocks::for_each(F&& f) const {
  for (const Lines& c : cells_)
    for (const layout::Run& over : c.across)
      for (const layout::Run& run : c.within)
        f(FileBlock{.first = run.begin + over.begin * line_length_,
                    .run = run.count(),
                    .lines = over.count(),
                    .step = line_length_,
                    .memory = c.offset + run.local * c.along_stride + over.local * c.across_stride,
                    .along = c.along_stride,
                    .across = c.across_stride});
}

}  // namespace cairn::io
