// Faces of matrices that are where their users have them: filled by an exchange, or read where they lie.
#pragma once

#include "gemm/faces.hpp"
#include "gemm/placement.hpp"

namespace cairn::gemm {

class PlacedFaces : public FaceSource {
 public:
  // leading: of the users' memory on this rank, by matrix; 0: the least.
  PlacedFaces(const Schedule& schedule, int rank, int ranks, const std::array<Index, 3>& leading);

  bool has_brick() const override { return brick_.has_value(); }
  bool stays(Matrix x) const override { return stays_[index(x)]; }
  // Of C summed first: the face, and after it this rank's slice of the sum.
  Index slot_elements(Matrix x) const override {
    return face_elements(s_, x, rank_) + (x == Matrix::c ? sum_elements(s_, rank_) : 0);
  }
  Index array_elements(Matrix x) const override;
  bool computes_transposed() const override { return order_of_c() == layout::Order::row_major; }
  Face face(Matrix x, Index round, program::Place slot) const override;
  // A and B in one exchange: one message between two ranks, not one a matrix.
  std::vector<FaceMove> gathers(Index round, const std::array<program::Place, 3>& slots) const override;
  Columns columns_of_part(Index part) const override;
  std::vector<FaceMove> combines(Index round, Index part, program::Place slot) const override;
  std::vector<program::LinearCombination> scale_c() const override;

 private:
  layout::Order order_of_c() const { return layout_of(s_, Matrix::c).order(); }
  program::Operand user(Matrix x, Index round) const;
  program::Operand in_slot(Matrix x, Index round, int layer, program::Place slot) const;
  program::Exchange exchange(std::vector<layout::Move> moves,
                             layout::PassOn pass_on = layout::PassOn::allowed) const;
  std::optional<FaceMove> sum(Index round, program::Place slot) const;
  program::Place place_of_sum(program::Place slot) const {
    return slot + face_elements(s_, Matrix::c, rank_);
  }
  std::vector<program::LinearCombination> scale(const program::Operand& c) const;
  Op told_to_blas(Matrix x, layout::Order memory) const;

  const Schedule& s_;
  int rank_, ranks_;
  std::optional<int> brick_;
  std::array<Index, 3> leading_;
  std::array<bool, 3> stays_;
};

}  // namespace cairn::gemm
