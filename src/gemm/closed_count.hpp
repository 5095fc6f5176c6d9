// What the collectives of a fibre move, in closed form. The planner asks for millions of them, and a large
// combine written down has a transfer for every half MiB. The tests hold it against comm::count of the
// comm::Schedule that write() makes, for every way, position and kind of slices.
#pragma once

#include "gemm/collective.hpp"

namespace cairn::gemm {

// comm::count(write(schedule, collective, position)). O(1), O(log p) for doubling.
comm::Counters closed_count(const Schedule& schedule, const Collective& collective, int position);
// The same where the way is known already.
comm::Counters closed_count(const Schedule& schedule, const Collective& collective, comm::BlockWay way,
                            int position);

// Elements of work memory: write(schedule, collective, position).work_count.
Index closed_work(const Schedule& schedule, const Collective& collective, int position);

}  // namespace cairn::gemm
