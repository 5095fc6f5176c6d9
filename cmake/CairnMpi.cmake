# How ranks are started on this machine, more of them than cores if need be: CAIRN_MPIEXEC, a list.
if(MPI_C_LIBRARY_VERSION_STRING MATCHES "Open MPI")
  set(CAIRN_MPI_FLAVOUR "Open MPI")
  set(CAIRN_MPIEXEC ${MPIEXEC_EXECUTABLE} --allow-run-as-root --oversubscribe --bind-to none
    --mca mpi_yield_when_idle 1)
  set(CAIRN_MPIEXEC_QUIET_WORDS "\"--quiet\"")
else()
  set(CAIRN_MPI_FLAVOUR "MPICH")
  set(CAIRN_MPIEXEC ${MPIEXEC_EXECUTABLE})
  set(CAIRN_MPIEXEC_QUIET_WORDS "")
endif()
