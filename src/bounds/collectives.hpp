// What collectives cost: paper 003 ("Parallel Matrix Multiplication: A Systematic Journey"), Table 4.2, the
// column "cost used for analysis". `words` is n of that table: the whole vector x of Table 4.1 for every
// collective but all-to-all and permute, where it is what one rank holds. One rank alone moves nothing.
//
// The extracted text of the paper has lost Table 4.2; the entries are those its sections 4 to 7 use, and for
// allreduce (which they do not use) reduce-scatter followed by allgather.
#pragma once

#include "bounds/cost.hpp"

namespace cairn::bounds::collectives {

Cost permute(double words);                       // alpha + n beta
Cost broadcast(double ranks, double words);       // log2(p) alpha + n beta
Cost reduce(double ranks, double words);          // log2(p) alpha + n (beta + gamma)
Cost scatter(double ranks, double words);         // log2(p) alpha + (p-1)/p n beta
Cost gather(double ranks, double words);          // the same
Cost allgather(double ranks, double words);       // the same
Cost reduce_scatter(double ranks, double words);  // log2(p) alpha + (p-1)/p n (beta + gamma)
Cost allreduce(double ranks, double words);       // 2 log2(p) alpha + (p-1)/p n (2 beta + gamma)
// log2(p) alpha + (p-1)/p n beta: words and messages each at their own minimum, which no algorithm reaches
// together (section 6.2).
Cost all_to_all(double ranks, double words);

}  // namespace cairn::bounds::collectives
