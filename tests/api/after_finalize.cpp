// Calls after MPI_Finalize end in a CommError that says so, where MPI itself would abort; handles are dropped quietly.
#include <mpi.h>

#include <cstdio>
#include <functional>
#include <string>

#include "cairn/cairn.hpp"

namespace {

// 0 where `call` throws what is expected.
int expect_ended(const char* name, const std::function<void()>& call) {
  try {
    call();
    std::printf("%s: no error\n", name);
  } catch (const cairn::CommError& e) {
    if (std::string(e.what()).find("MPI has ended") != std::string::npos) return 0;
    std::printf("%s: %s\n", name, e.what());
  } catch (const std::exception& e) {
    std::printf("%s: another error: %s\n", name, e.what());
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    const cairn::Context context(MPI_COMM_WORLD);
    const cairn::Layout rows = cairn::Layout::row_blocks(6, 6, context.size());
    cairn::Matrix<double> a(context, rows), b(context, rows), c(context, rows);
    a.fill([](cairn::Index i, cairn::Index j) { return i == j ? 2.0 : 0.0; });
    b.fill([](cairn::Index i, cairn::Index j) { return static_cast<double>(i + j); });
    cairn::multiply(a, b, c);
    MPI_Finalize();
    wrong += expect_ended("multiply", [&] { cairn::multiply(a, b, c); });
    wrong += expect_ended("make_product", [&] { cairn::make_product<double>(context, 3, 3, 3); });
    wrong += expect_ended("Matrix", [&] { cairn::Matrix<double>(context, rows); });
    wrong += expect_ended("at", [&] { c.at(0, 0); });
    wrong += expect_ended("gather", [&] { c.gather(); });
    wrong += expect_ended("redistribute", [&] { cairn::redistribute(1, cairn::Op::none, a, 0, b); });
    wrong += expect_ended("lu", [&] { cairn::lu(a); });
    wrong += expect_ended("solve", [&] { cairn::solve(a, b); });
    wrong += c.rows() == 6 ? 0 : 1;  // what needs no MPI goes on
  }
  return wrong == 0 ? 0 : 1;
}
