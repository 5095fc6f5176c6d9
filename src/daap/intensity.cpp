#include "daap/intensity.hpp"

namespace cairn::daap {

Intensity intensity(const TileOptimum& optimum, const Symbols& symbols) {
  const Rational& sigma = optimum.sigma;
  if (sigma == 1) return {optimum.constant, symbols.partition, true};
  const Rational ratio = sigma / (sigma - 1);
  const GiNaC::ex rho = optimum.constant * exact_power(ratio, sigma) * exact_power(sigma - 1, 1) *
                        GiNaC::power(symbols.memory, number(sigma - 1));
  return {rho, number(ratio) * symbols.memory, false};
}

}  // namespace cairn::daap
