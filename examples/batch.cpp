// Many products of one shape: the first plans and makes what is needed, the others only multiply.
//   mpirun -n 4 ./batch
#include <mpi.h>

#include <cairn/cairn.hpp>
#include <complex>
#include <cstdio>

using cairn::Index;
using cairn::Op;
using Complex = std::complex<double>;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    // [batch]
    cairn::Context context(MPI_COMM_WORLD);
    const Index m = 96, n = 40, steps = 10;
    const cairn::Product product{.m = m, .n = n, .k = m};
    auto [a, x, y] = cairn::make_product<Complex>(context, product, {.objective = cairn::Objective::words});
    a.fill([](Index i, Index j) { return i == (j + 1) % m ? Complex(0, 1) : Complex(0, 0); });
    x.fill([](Index i, Index j) { return Complex(double(i), double(j)); });

    for (int step = 0; step < steps; ++step) {
      cairn::multiply(a, x, y);
      cairn::redistribute(1.0, Op::none, y, 0.0, x);  // what was the result is multiplied next
    }
    context.trim();  // gives the work memory back
    // [end]

    // A moves every row down by one and multiplies it by i.
    x.for_each([&](Index i, Index j, Complex value) {
      const Complex expected = -Complex(double((i - steps + m) % m), double(j));
      if (std::abs(value - expected) > 1e-9) failed = 1;
    });

    // [errors]
    try {
      cairn::multiply(x, a, y);  // x is 96 x 40, a is 96 x 96
    } catch (const cairn::ArgumentError& e) {
      if (context.rank() == 0) std::printf("%s\n", e.what());  // the same text on every rank
    }
    // [end]
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
