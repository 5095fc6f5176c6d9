#include "gemm/fast/catalogue.hpp"
#include "gemm/fast/local.hpp"

namespace cairn::gemm::fast {

Level level_of(std::shared_ptr<const Bilinear> algorithm, Temporaries temporaries) {
  const auto recipe = [&](bool keeps) {
    if (temporaries == Temporaries::one_pass) return one_pass(*algorithm, keeps);
    return algorithm->name == "winograd" ? few_temporaries(keeps) : one_at_a_time(*algorithm, keeps);
  };
  Level level{algorithm, std::make_shared<const Recipe>(recipe(false)),
              std::make_shared<const Recipe>(recipe(true))};
  return level;
}

const Level& winograd_level(Temporaries temporaries) {
  static const Level one = level_of(find_bilinear("winograd"), Temporaries::one_pass);
  static const Level few = level_of(find_bilinear("winograd"), Temporaries::few);
  return temporaries == Temporaries::few ? few : one;
}

}  // namespace cairn::gemm::fast
