// libFuzzer target: any text gives an analysis or an error that points at a place, never a crash or a hang.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cairn/error.hpp"
#include "daap/analysis.hpp"

namespace cairn::daap {
namespace {

void must(bool condition) {
  if (!condition) std::abort();
}

// Numbers of an analysis that worked: evaluating it must not crash either.
void evaluate_all(const Analysis& analysis) {
  Setting setting{{}, 16, 4096.0};
  for (const std::string& name : analysis.parameters) setting.sizes[name] = 50;
  try {
    must(evaluate(analysis, setting).sequential >= 0);
  } catch (const cairn::ArgumentError&) {  // sizes outside of the conditions
  }
}

void run(std::string_view text, const Options& options) {
  try {
    const Analysis analysis = analyse(text, "fuzz", options);
    must(!analysis.sequential.text.empty() && !analysis.sequential.latex.empty());
    evaluate_all(analysis);
  } catch (const cairn::Error& error) {
    must(std::string_view(error.what()).size() > 10);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  run(text, {});
  run(text, {Overlap::shared, OutputReuse::free});
  return 0;
}

}  // namespace cairn::daap
