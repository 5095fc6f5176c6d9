// From a gather or combine of a Program to the very comm::Schedule that runs, for any position of the fibre.
#pragma once

#include "gemm/program.hpp"

namespace cairn::gemm {

// One collective along a fibre, as all of its ranks see it.
struct Collective {
  Matrix matrix = Matrix::a;
  comm::Partition slices;
  Index face = 0;  // offset of the face in every rank's work buffer
};
Collective collective_of(const Gather& gather);
Collective collective_of(const Combine& combine);

// By which way a schedule moves these slices, two-sided.
comm::BlockWay way_of(const Schedule& schedule, const comm::Partition& slices);

// What the rank at `position` of the fibre does. Input and output: my slice and the face of a gather, the
// face and my slice of a combine. One-sided, peers of gets are positions of the fibre, too, and the window is
// the work buffer; a barrier before (the faces are filled) and one after (they have been read).
comm::Schedule write(const Schedule& schedule, const Collective& collective, int position);

}  // namespace cairn::gemm
