#include "cairn/machine.hpp"

#include <bit>
#include <filesystem>
#include <optional>

#include "api/context_state.hpp"
#include "bounds/machine.hpp"
#include "comm/agreement.hpp"
#include "comm/collectives.hpp"
#include "plan/measure_machine.hpp"

namespace cairn {
namespace {

enum class Found : Index { nothing, named, kept };

// Found by rank 0: a file that the user names, which is taken as it is, or what a folder has. That was measured at another
// time, maybe beside other work: it is taken if a short collective takes about as long as it says.
std::optional<Machine> kept_machine(comm::CommView c, const std::string& place) {
  if (place.empty()) return {};
  const int on_node = comm::ranks_on_this_node(c);
  std::optional<Machine> found;
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(place, ignored);
  const std::string file = is_folder ? place + "/" + bounds::kept_machine_name(c.size(), on_node) : place;
  if (c.rank() == 0 && std::filesystem::is_regular_file(file, ignored)) {
    try {
      found = bounds::load_machine(file);
    } catch (const IoError&) {  // measured, then
    }
  }
  auto how = static_cast<Index>(!found ? Found::nothing : is_folder ? Found::kept : Found::named);
  comm::broadcast(c, std::span(&how, 1), 0);
  if (how == static_cast<Index>(Found::nothing)) return {};
  const Machine machine = plan::shared_machine(c, found.value_or(Machine{}));
  if (how == static_cast<Index>(Found::kept) && !plan::still_holds(c, machine)) return {};
  return machine;
}

}  // namespace

Machine measure_machine(const Context& context, const MeasureOptions& o) {
  const comm::CommView c = context.state().comm();
  comm::agree(
      c, "measure_machine",
      [&] { require(o.seconds > 0 && o.seconds <= 1e6, "seconds is {}, expected more than 0", o.seconds); },
      {{"seconds", std::bit_cast<Index>(o.seconds)}, {"kept_in is empty", o.kept_in.empty() ? 1 : 0}});
  const std::optional<Machine> kept = kept_machine(c, o.kept_in);
  return kept ? *kept : plan::measure_machine(c, o.seconds);
}

}  // namespace cairn
