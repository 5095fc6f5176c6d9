#include "support/mpi_test.hpp"
