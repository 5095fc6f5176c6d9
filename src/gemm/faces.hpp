// What a compiler asks of the faces of one rank. There are two sources of them: NativeFaces, whose faces are
// gathered from slices along fibres, and PlacedFaces, which fills them from the users' layouts.
#pragma once

#include <optional>
#include <vector>

#include "gemm/schedule.hpp"
#include "program/program.hpp"

namespace cairn::gemm {

// Arrays and parameters of a multiply's Program.
constexpr int array_of(Matrix x) { return 1 + static_cast<int>(index(x)); }
inline constexpr program::Factor alpha_factor{1, 0};
inline constexpr program::Factor beta_factor{1, 1};

// A face, or the part of the user's matrix that is one, as BLAS reads it: rows x columns of the stored matrix.
struct Face {
  program::Place at = {};
  Index rows = 0, columns = 0;
  Index ld = 1;
  Op op = Op::none;
};

// A communication that fills faces of A or B, or empties one of C.
struct FaceMove {
  decltype(program::Communicate::what) what;
  std::vector<Matrix> of;
  std::string_view phase;
  // Done by this rank before it starts: beta C, added to its own contribution or scaled where it is.
  std::vector<program::LinearCombination> before = {};
};

// Where the slots of the faces lie in the work memory; unused where a matrix stays.
struct FacePlaces {
  std::array<program::Place, 3> base{};
  std::array<Index, 3> slot_elements{};

  program::Place slot(Matrix x, Index number) const {
    return base[index(x)] + number * slot_elements[index(x)];
  }
};

class FaceSource {
 public:
  virtual ~FaceSource() = default;
  virtual bool has_brick() const = 0;
  virtual bool stays(Matrix x) const = 0;
  // Of one slot: the longest face over the rounds.
  virtual Index slot_elements(Matrix x) const = 0;
  virtual Index array_elements(Matrix x) const = 0;
  // C is computed as C^T = op(B)^T op(A)^T.
  virtual bool computes_transposed() const = 0;
  virtual Face face(Matrix x, Index round, program::Place slot) const = 0;
  // The moves that fill the faces of A and B in this round, into these slots.
  virtual std::vector<FaceMove> gathers(Index round, const std::array<program::Place, 3>& slots) const = 0;
  // Parts of C that are combined one after the other, and the columns of the face that a part is.
  struct Columns {
    Index first = 0;
    Index count = 0;
  };
  virtual Columns columns_of_part(Index part) const = 0;
  // The moves that empty the face of C of a round, or a part of it, one after the other.
  virtual std::vector<FaceMove> combines(Index round, Index part, program::Place slot) const = 0;
  // C := beta C, where nothing is multiplied.
  virtual std::vector<program::LinearCombination> scale_c() const = 0;
};

}  // namespace cairn::gemm
