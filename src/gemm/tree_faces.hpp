// Faces of a schedule whose bricks are cut by a tree, in its native layouts: cells are gathered from the slices of
// those that share them and summed into them, all cells of A and B in one exchange, one message between two ranks.
#pragma once

#include "gemm/bricks.hpp"
#include "gemm/faces.hpp"

namespace cairn::gemm {

class TreeFaces : public FaceSource {
 public:
  TreeFaces(const Schedule& schedule, int rank, int ranks);

  bool has_brick() const override { return !box_.empty(); }
  // The face is a cell that this rank has alone.
  bool stays(Matrix x) const override;
  Index slot_elements(Matrix x) const override;
  Index array_elements(Matrix x) const override;
  bool computes_transposed() const override { return false; }
  Face face(Matrix x, Index round, program::Place slot) const override;
  std::vector<FaceMove> gathers(Index round, const std::array<program::Place, 3>& slots) const override;
  Columns columns_of_part(Index part) const override;
  std::vector<FaceMove> combines(Index round, Index part, program::Place slot) const override;
  std::vector<program::LinearCombination> scale_c() const override;

 private:
  const std::vector<OwnCell>& cells(Matrix x) const { return cells_[index(x)]; }
  // What a sharer of the cell needs of it in a round.
  SharedCell needed(Matrix x, const SharedCell& cell, int sharer, Index round) const;
  program::Operand slices(Matrix x, const OwnCell& own, const SharedCell& part) const;
  program::Operand in_face(Matrix x, Index round, const SharedCell& part, program::Place slot) const;
  FaceMove exchange(std::vector<program::ExchangeMove> moves, std::vector<Matrix> of,
                    std::string_view phase) const;

  const Schedule& s_;
  int rank_, ranks_;
  Box box_;
  std::array<std::vector<OwnCell>, 3> cells_;
};

}  // namespace cairn::gemm
