#include "cli/session.hpp"

#include <mpi.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

#include "base/blas.hpp"
#include "cli/exit_code.hpp"
#include "cli/launched.hpp"
#include "cli/launcher.hpp"
#include "cli/node_memory.hpp"
#include "cli/table.hpp"

namespace cairn::cli {
namespace {

// Set by the launchers of Open MPI, MPICH and its relatives, and Slurm, in every rank.
constexpr std::array launcher_variables{"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK", "PMI_ID",
                                        "SLURM_STEP_ID"};

int cores_of_this_node() { return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

std::string own_path() {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  require<IoError>(length > 0, "cannot find the path of this program: {}", std::strerror(errno));
  return path.data();
}

// True when every rank gets here within `seconds`.
bool all_ranks_arrive(double seconds) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS) return false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int done = 0; std::chrono::steady_clock::now() < end;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void report(int rank, bool name_rank, const std::string& text) {
  const std::string line =
      name_rank ? fmt::format("cairn: [rank {}] {}\n", rank, text) : fmt::format("cairn: {}\n", text);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void end_with_error(int rank, ErrorKind kind, const std::string& text) {
  const bool stuck = kind == ErrorKind::timeout || kind == ErrorKind::comm;
  if (rank == 0 || stuck) report(rank, stuck, text);
  if (all_ranks_arrive(2.0) && !stuck) return;
  if (rank != 0 && !stuck) report(rank, true, text);
  MPI_Abort(MPI_COMM_WORLD, exit_failure);
}

}  // namespace

bool under_launcher() {
  for (const char* name : launcher_variables)
    if (std::getenv(name) != nullptr) return true;
  return false;
}

std::vector<std::string> launch_command(int ranks, const std::vector<std::string>& arguments) {
  require(ranks >= 1, "ranks is {}, expected 1 or more", ranks);
  std::vector<std::string> command = launcher_words();
  command.insert(command.end(), {"-n", std::to_string(ranks), own_path()});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

namespace {

volatile sig_atomic_t launched = 0;

extern "C" void pass_signal_on(int signal) {
  if (launched > 0) kill(static_cast<pid_t>(launched), signal);
}

// In the child: becomes the launcher, and ends with this process whatever ends that.
[[noreturn]] void become(std::vector<std::string> command) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
  fmt::print(stderr, "cairn: cannot start ranks: {}: {}\n", command[0], std::strerror(errno));
  _exit(exit_failure);
}

// What ended a rank. Launchers hand on 128 + the signal, that of MPICH the signal itself, which is none of this program's
// own codes; what the user sent is no news to the user.
int explained(int code) {
  if (code <= exit_failure) return code;
  const int signal = code > 128 ? code - 128 : code;
  if (signal > SIGRTMAX) return exit_failure;  // the launcher's own
  if (signal != SIGINT && signal != SIGTERM && signal != SIGHUP)
    fmt::print(stderr, "cairn: a rank was ended by signal {} ({}){}\n", signal, strsignal(signal),
               signal == SIGKILL ? ": often because the machine ran out of memory" : "");
  return exit_failure;
}

// A rank costs the machine some memory before it holds a matrix, and its share of a core.
void check_ranks(int ranks) {
  constexpr Index bytes_of_a_rank = Index{24} << 20;
  const Index most = std::max<Index>(1, free_memory_bytes() / bytes_of_a_rank);
  require(ranks <= most, "--ranks is {}, expected at most {}: each rank takes about {} of memory by itself",
          ranks, most, bytes_text(static_cast<double>(bytes_of_a_rank)));
  const int cores = cores_of_this_node();
  if (ranks > 16 * cores)
    fmt::print(stderr,
               "cairn: starting {} ranks on {} core{}: this takes a while, and timings will mean little\n",
               ranks, cores, cores == 1 ? "" : "s");
}

}  // namespace

void relaunch(int ranks, const std::vector<std::string>& arguments) {
  check_ranks(ranks);
  std::vector<std::string> command = launch_command(ranks, arguments);
  const std::vector<std::string> quiet = quiet_words();
  command.insert(command.begin() + 1, quiet.begin(), quiet.end());
  std::fflush(nullptr);
  const pid_t child = fork();
  require<IoError>(child >= 0, "cannot start {} ranks: {}", ranks, std::strerror(errno));
  if (child == 0) become(command);
  launched = child;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, pass_signal_on);
  std::exit(explained(wait_for_launcher(child)));
}

std::vector<std::string> with_progress(std::vector<std::string> arguments) {
  if (isatty(STDERR_FILENO) != 0) arguments.emplace_back("--progress");
  return arguments;
}

namespace {

// On some node there are more ranks than cores. The same answer on all ranks.
bool is_crowded(comm::CommView comm) {
  int crowded = comm::ranks_on_this_node(comm) > cores_of_this_node() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, comm.handle());
  return crowded != 0;
}

}  // namespace

int run_on_ranks(double watchdog_seconds, const std::function<void(comm::CommView)>& body) {
  int provided = 0, rank = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int code = 0;
  try {
    const comm::Communicator world =
        comm::Communicator::of(MPI_COMM_WORLD, {.watchdog_seconds = watchdog_seconds});
    world.view().set_crowded(is_crowded(world));
    body(world);
  } catch (const Error& e) {
    end_with_error(rank, e.kind(), e.what());
    code = exit_code_of(e.kind());
  } catch (const std::exception& e) {
    end_with_error(rank, ErrorKind::comm, e.what());
    code = exit_failure;
  }
  MPI_Finalize();
  return code;
}

int share_cores(comm::CommView comm, int threads) {
  const int share = std::max(1, cores_of_this_node() / comm::ranks_on_this_node(comm));
  if (threads == 0) {
    threads = share;
    // Who told the BLAS to use fewer (OPENBLAS_NUM_THREADS) knows what else needs the cores.
    if (const int told = blas::library().threads; told > 0) threads = std::min(threads, told);
  }
  blas::set_threads(threads);
  return threads;
}

}  // namespace cairn::cli
