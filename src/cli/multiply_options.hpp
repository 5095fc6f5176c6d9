// What `cairn plan multiply` and `cairn multiply` are asked for.
#pragma once

#include "cli/multiply_fast.hpp"
#include "cli/multiply_files.hpp"
#include "cli/operation.hpp"
#include "plan/plan.hpp"

namespace cairn::cli {

// Of matrices that already lie somewhere.
struct LayoutTexts {
  std::string a, b, c;
  bool any() const { return !a.empty() || !b.empty() || !c.empty(); }
};
void add_layout_options(Command app, LayoutTexts& texts);

// Of a given grid: rounds that are gathered ahead, and parts of C that are combined one after the other.
struct Overlap {
  int lookahead = 0;
  Index combines = 1;
};

// Read and checked as far as that can be without the number of ranks.
struct MultiplyRequest {
  gemm::Problem problem;
  std::complex<double> alpha = 1, beta = 0;
  std::string algorithm;  // "grid" where the grid was given
  std::optional<gemm::Grid> grid;
  std::shared_ptr<const gemm::Tree> tree;  // given instead of the grid, which is then [1, 1, 1]
  Rounds rounds;                           // of a given grid
  Overlap overlap;                         // of a given grid
  gemm::NamedOptions options;              // of a named algorithm
  plan::Settings settings;
};

// As given on the command line.
struct MultiplyOptions {
  ProductOptions product;
  std::string algorithm, grid, rounds;
  std::optional<Index> layers;
  std::string objective = "time", type, op_a = "N", op_b = "N";
  std::string overlap = "off", transport = "two-sided";
  std::string alpha = "1", beta = "0";
  std::string draw;
  MultiplyFiles files;
  LayoutTexts layouts;
  FastChoice fast;

  MultiplyRequest request;  // all of the above, once it has been read
};
void add_multiply_options(Command app, MultiplyOptions& o, Verb verb);

MultiplyRequest read_request(const MultiplyOptions& o, const SharedOptions& shared,
                             const bounds::Product& sizes, ScalarType type);
std::optional<ScalarType> given_type(const MultiplyOptions& o);
gemm::Schedule given_schedule(const MultiplyRequest& request);  // of a given grid

// alpha and beta in the type of the product.
template <Scalar T>
T as_scalar(std::complex<double> x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return T(x);
  else
    return static_cast<T>(x.real());
}

}  // namespace cairn::cli
