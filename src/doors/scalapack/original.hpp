// The routines of the ScaLAPACK and of the BLACS that are in the process. Nothing here is linked with them.
#pragma once

#include <string>

namespace cairn::scalapack {

// A routine by its Fortran name in lower case ("pdgemm"), under whichever mangling it is there (pdgemm_, pdgemm,
// pdgemm__, PDGEMM), and never one of ours. Looked for behind this library in the order of the dynamic loader; then
// in every library that is loaded, because extensions are often loaded where the loader's order does not see them;
// then a ScaLAPACK of this MPI is loaded. Null where there is none.
void* find_original(const std::string& fortran_name);
// The same for a name of the C interface ("Cpdgemr2d").
void* find_exactly(const std::string& name);

// How deep this thread is inside routines that were passed on: what ScaLAPACK calls inside itself comes through our
// symbols as well.
int depth();
class Inside {
 public:
  Inside();
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

// Calls an original. All arguments of the family are pointers, or int in the C interface; the hidden lengths of
// Fortran's strings follow them, and are 1.
template <class... Arguments>
void call_original(void* routine, Arguments... arguments) {
  const Inside inside;
  reinterpret_cast<void (*)(Arguments...)>(routine)(arguments...);
}

}  // namespace cairn::scalapack
