// From a communication of a Program to what runs: the comm::RankSchedule of a collective or of messages, with ranks
// of the communicator as peers. Counting, simulating and running all take it from here.
#pragma once

#include "program/program.hpp"

namespace cairn::program {

// What the rank does. One-sided: the peers of gets are ranks of the communicator, the window is its work
// memory; a barrier of the group before (the blocks are in place) and one after (they have been read).
comm::RankSchedule write(const Collective& collective, int rank, ScalarType type);

// The same schedule among the ranks of a group: positions become ranks of the communicator.
comm::RankSchedule among(const Group& group, comm::RankSchedule schedule);

// What one rank sends and receives.
comm::Counters moved(const Communicate& communicate, int rank, ScalarType type);

// Work memory beyond the arrays while it is under way: slots of an exchange, landing places of a schedule.
Index transient_bytes(const Communicate& communicate, int rank, ScalarType type);

}  // namespace cairn::program
