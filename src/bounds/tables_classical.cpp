// Table 2 of paper 000 ("Red-Blue Pebbling Revisited"): the general case and its two special cases, each as
// derived (model/decompositions.hpp) beside what is printed.
#include <cmath>

#include "bounds/decompositions.hpp"
#include "bounds/tables_detail.hpp"

namespace cairn::bounds::detail {
namespace {

// S - a^2, and 0 without rounding where eq. (4) takes a = sqrt(S).
double room(const classical::Domain& domain, double memory) {
  return domain.a == std::sqrt(memory) ? 0 : memory - domain.a * domain.a;
}

void add_general(Table& t) {
  add_row(
      t, "2D, general",
      {"k*(m + n)/sqrt(P) + m*n/P", "k*(m + n)/sqrt(P) + m*n/P", "2*k*log2(sqrt(P))", "2*k*log2(sqrt(P))"});
  add_row(t, "2.5D, general",
          {"k*(m + n)/sqrt(P*c) + m*n*c/P", "(k*(m + n))^(3/2)/(P*sqrt(S)) + m*n*S/(k*(m + n))",
           "k*(m + n)/sqrt(P*c)/max(0, S - m*n*c/P) + 3*log2(c)",
           "(k*(m + n))^(5/2)/(P*S^(3/2)*(k*m + k*n - m*n)) + 3*log2(P*S/(m*k + n*k))"});
  add_row(t, "recursive, general",
          {"2*max(sqrt(3)*V/sqrt(S), V^(2/3)) + V^(2/3)", "2*min(sqrt(3)*V/sqrt(S), V^(2/3)) + V^(2/3)",
           "3^(3/2)*V/S^(3/2) + 3*log2(P)", "3^(3/2)*V/S^(3/2) + 3*log2(P)"});
  add_row(t, "COSMA, general",
          {"2*a*b + a^2", "min(2*V/sqrt(S) + S, 3*V^(2/3))", "2*V/(e*(S - e^2))*log2(max(1, m*n/e^2))",
           "2*a*b/r*log2(m*n/a^2)"});
}

// m = n = k, S = 2n^2/P. Derived columns: the general rows with these sizes.
void add_square(Table& t) {
  add_row(t, "2D, square, limited memory",
          {"2*n^2/sqrt(P) + n^2/P", "2*n^2*(sqrt(P) + 1)/P", "2*n*log2(sqrt(P))", "2*n*log2(sqrt(P))"});
  add_row(t, "2.5D, square, limited memory",
          {"2*n^2/sqrt(P) + n^2/P", "2*n^2*(sqrt(P) + 1)/P", "2*sqrt(P)", "sqrt(P)"});
  add_row(t, "recursive, square, limited memory",
          {"2*n^2*max(sqrt(3/(2*P)), P^(-2/3)) + n^2*P^(-2/3)", "2*n^2*(sqrt(3/(2*P)) + 1/(2*P^(2/3)))",
           "(3/2)^(3/2)*sqrt(P) + 3*log2(P)", "(3/2)^(3/2)*sqrt(P)*log2(P)"});
  add_row(t, "COSMA, square, limited memory, S - n^2/P for buffers",
          {"2*n^2/sqrt(P) + n^2/P", "2*n^2*(sqrt(P) + 1)/P", "2*sqrt(P)*log2(P)", "sqrt(P)*log2(P)"});
}

// m = n = sqrt(P), k = P^(3/2)/4, S = 2nk/P^(2/3).
void add_tall(Table& t) {
  add_row(t, "2D, tall, extra memory",
          {"P^(3/2)/2 + 1", "P^(3/2)/2", "P^(3/2)*log2(sqrt(P))/2", "P^(3/2)*log2(sqrt(P))/4"});
  add_row(t, "2.5D, tall, extra memory",
          {"P^(4/3)/2 + P^(1/3)", "P^(4/3)/2 + P^(1/3)", "1/(1 - 2/P) + log2(P)", "1"});
  add_row(t, "recursive, tall, extra memory, less owned inputs",
          {"5*P/4 - P/2", "3*P/4", "3^(3/2)/sqrt(2*P) + 3*log2(P)", "1"});
  add_row(t, "COSMA, tall, extra memory, less owned inputs",
          {"3*P/2^(4/3) - P/2", "P*(3 - 2^(1/3))/2^(4/3)",
           "2*P/2^(4/3)/(P^(4/3)/2 - P/2^(4/3))*log2(2^(4/3))", "1"});
}

}  // namespace

Table table_000_2(const TableArguments& x) {
  const Product p{x.m, x.n, x.k};
  require_valid(p);
  const classical::Domain domain = classical::optimal_domain(p, x.ranks, x.memory);
  Table t{
      "000.2",
      "2D, 2.5D, recursive and COSMA decompositions",
      {"Q", "Q printed", "L", "L printed"},
      {},
      {{"m", as_real(x.m)},
       {"n", as_real(x.n)},
       {"k", as_real(x.k)},
       {"P", as_real(x.ranks)},
       {"S", x.memory},
       {"V", voxels(p) / as_real(x.ranks)},
       {"a", domain.a},
       {"b", domain.b},
       {"c", classical::layers_25d(p, x.ranks, x.memory)},
       {"e", classical::feasible_side(p, x.ranks, x.memory)},
       {"r", room(domain, x.memory)}},
      {"Q: words of the faces of a rank's brick, owned ones included; L: messages",
       "V = m n k / P; a, b of eq. (4); r = S - a^2; e = min(a, sqrt(S + 1) - 1)",
       "c = P S / (m k + n k) held to 1..P", "Q and L are derived; the printed recursive row has min for max",
       "the printed COSMA min is always its second term",
       "square, limited memory: m = n = k, S = 2 n^2 / P; the printed Q is n^2 / P above the general rows",
       "square, limited memory: the printed L of 2.5D and COSMA is half of the general rows'",
       "tall, extra memory: m = n = sqrt(P), k = P^(3/2) / 4, S = 2 n k / P^(2/3)"}};
  add_general(t);
  add_square(t);
  add_tall(t);
  return t;
}

}  // namespace cairn::bounds::detail
