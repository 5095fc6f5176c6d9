// Random fast products on 49 ranks: two BFS steps of seven products, and one of every entry of the catalogue.
#include "api/fast_products.hpp"

namespace cairn {
namespace {

class ApiFastOn49 : public test::MpiTest, public testing::WithParamInterface<int> {};

TEST_P(ApiFastOn49, ProductsAreWithinTheBoundOfTheirPlan) {
  test::on_context(49, [](const Context& context) {
    test::random_fast_products(context, 1000 * GetParam(), test::trials(40));
  });
}
INSTANTIATE_TEST_SUITE_P(Parts, ApiFastOn49, testing::Range(0, 5));

}  // namespace
}  // namespace cairn
