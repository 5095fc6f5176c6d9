// Faces of a schedule in its native layouts: gathered from slices along a fibre, or in the user's memory where
// the fibre has one rank.
#pragma once

#include "gemm/faces.hpp"
#include "gemm/native.hpp"

namespace cairn::gemm {

class NativeFaces : public FaceSource {
 public:
  NativeFaces(const Schedule& schedule, int rank);

  bool has_brick() const override { return true; }
  bool stays(Matrix x) const override { return s_.grid.extent(missing(x)) == 1; }
  // Those of the longest parts, which rank 0 has, so that they are the same on all ranks: a rank can take words
  // out of another's faces without asking where.
  Index slot_elements(Matrix x) const override;
  Index array_elements(Matrix x) const override;
  bool computes_transposed() const override { return false; }
  Face face(Matrix x, Index round, program::Place slot) const override;
  std::vector<FaceMove> gathers(Index round, const std::array<program::Place, 3>& slots) const override;
  Columns columns_of_part(Index part) const override;
  std::vector<FaceMove> combines(Index round, Index part, program::Place slot) const override;
  std::vector<program::LinearCombination> scale_c() const override;

 private:
  const NativeLayout& layout(Matrix x) const { return layouts_[index(x)]; }
  // The round of a matrix in round r of the brick: it has one only, or all of them.
  Index round_of(Matrix x, Index r) const { return layout(x).rounds() == 1 ? 0 : r; }
  program::Place mine(Matrix x, Index r) const;
  program::Group fibre(Matrix x) const;
  program::Collective collective(Matrix x, const comm::Partition& slices) const;

  const Schedule& s_;
  Coordinates at_;
  std::array<NativeLayout, 3> layouts_;  // of the faces: C has one, however many parts of it are combined
  NativeLayout parts_of_c_;
};

}  // namespace cairn::gemm
