#include "doors/c/values.hpp"

using namespace cairn::c_door;

extern "C" {

cairn_status cairn_context_create(MPI_Comm comm, const cairn_context_options* options,
                                  cairn_context_t* context) {
  return guarded([&] {
    required(context, "context");
    cairn::ContextOptions o;
    o.watchdog_seconds = known_options(options, "options").watchdog_seconds;
    give(context, cairn::Context(comm, o));
  });
}

cairn_status cairn_context_create_f(MPI_Fint comm, const cairn_context_options* options,
                                    cairn_context_t* context) {
  return cairn_context_create(MPI_Comm_f2c(comm), options, context);
}

cairn_status cairn_context_rank(cairn_context_t context, int* rank, int* size) {
  return guarded([&] {
    const auto c = behind(context, "context");
    if (rank != nullptr) *rank = c->rank();
    if (size != nullptr) *size = c->size();
  });
}

cairn_status cairn_context_trim(cairn_context_t context) {
  return guarded([&] { behind(context, "context")->trim(); });
}

cairn_status cairn_context_free(cairn_context_t* context) { return free_handle(context); }
}
