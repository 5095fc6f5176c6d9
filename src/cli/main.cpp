// cairn: the command line.
#include <cairn/version.hpp>
#include <cstdio>

#include "base/error.hpp"
#include "cli/commands.hpp"

int main(int argc, char** argv) {
  cairn::cli::Invocation invocation;
  invocation.arguments.assign(argv + 1, argv + argc);

  CLI::App app("Cairn: distributed linear algebra that moves the fewest words and says how close it came",
               "cairn");
  app.set_version_flag("--version", "cairn " CAIRN_VERSION);
  app.add_option("--watchdog", invocation.watchdog_seconds,
                 "End with an error when nothing progresses for so many seconds (0: never)")
      ->check(CLI::NonNegativeNumber);
  app.require_subcommand(1);
  app.fallthrough();
  cairn::cli::add_info(app, invocation);
  cairn::cli::add_demo(app, invocation);
  cairn::cli::add_bench(app, invocation);
  cairn::cli::add_bound(app);
  cairn::cli::add_pebble(app);
  cairn::cli::add_layout(app);
  cairn::cli::add_plan(app);
  cairn::cli::add_redistribute(app, invocation);
  cairn::cli::add_multiply(app, invocation);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "cairn: %s\n", e.what());
    return 1;
  }
  return invocation.exit_code;
}
