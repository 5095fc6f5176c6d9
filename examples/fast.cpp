// Multiplies with Strassen-like steps where they are predicted to be sooner.
//   mpirun -n 7 ./fast [N]
#include <mpi.h>

#include <cairn/cairn.hpp>
#include <cstdio>
#include <cstdlib>

using cairn::Index;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    const Index n = argc > 1 ? std::atoll(argv[1]) : 200;
    const cairn::Context context(MPI_COMM_WORLD);
    auto [a, b, c] = cairn::make_product<double>(context, n, n, n);
    a.fill([](Index i, Index j) { return 1.0 / static_cast<double>(1 + i + j); });
    b.fill([](Index i, Index j) { return i == j ? 1.0 : 0.0; });
    // [fast]
    cairn::MultiplyOptions options{.verify = 2};
    options.planning.fast = "auto";           // or "BBD"; off unless you say so
    options.planning.max_error_growth = 400;  // at most two levels of Winograd's form
    const cairn::MultiplyReport report = cairn::multiply(a, b, c, options);
    const cairn::Plan& plan = report.plan;
    if (context.rank() == 0)
      std::printf("steps '%s', %d levels, error at most %.1e max|A| max|B|\n", plan.steps().c_str(),
                  plan.levels(), plan.error_bound());
    // [end]
    if (plan.error_growth() > 400) failed = 1;
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
