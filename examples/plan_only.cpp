// How many words will a product move on a machine you do not have? Needs no ranks.
//   ./plan_only
#include <cairn/error.hpp>
#include <cairn/plan.hpp>
#include <cstdio>

int main() {
  try {
    // [plan]
    const cairn::Product product{.m = 17408, .n = 17408, .k = 3735552};
    for (const char* algorithm : {"cosma", "summa2d-c", "2.5d", "carma"}) {
      const cairn::Plan plan = cairn::plan_multiply(product, 2304, {.algorithm = algorithm});
      std::printf("%-10s %s: %.3g words on the busiest rank, %.2f times the least possible\n", algorithm,
                  plan.describe().c_str(), static_cast<double>(plan.words().busiest), plan.words().ratio);
    }
    std::printf("\n%s", cairn::plan_multiply(product, 2304).explain().c_str());
    // [end]
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
