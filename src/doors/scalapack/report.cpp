#include "doors/scalapack/report.hpp"

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

#include "doors/scalapack/blacs.hpp"
#include "doors/scalapack/mode.hpp"

namespace cairn::scalapack {
namespace {

std::atomic<long long> answered_ours = 0, answered_passed = 0;

struct Row {
  long long calls = 0;
  double words = 0;
  double seconds = 0;
  Estimate theirs;  // of one call
  std::optional<double> ours = {};
};

struct Table {
  std::mutex mutex;
  bool printed_here = true;
  std::map<std::tuple<std::string, Shape, bool>, Row> rows;

  Table() : printed_here(process_number() == 0) {}
};

// Never destroyed; printed when the program ends. MPI has ended by then, so that each process knows its own calls
// alone, and the first one shows them.
Table& table() {
  static Table* const all = new Table;
  return *all;
}

struct Printer {
  ~Printer() {
    if (mode() != Mode::report || !table().printed_here) return;
    const std::string text = report_text();
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
};

std::string line(const std::string& routine, const Shape& s, bool ours, const Row& row) {
  const auto calls = static_cast<double>(row.calls);
  const std::string shape =
      std::to_string(s.m) + " x " + std::to_string(s.n) + (s.k > 0 ? " x " + std::to_string(s.k) : "");
  char expected[32] = "-", text[256];
  if (row.ours) std::snprintf(expected, sizeof expected, "%.4g", *row.ours * calls);
  std::snprintf(text, sizeof text, "%-10s %-20s %-9s %6lld %10.4g %9.4g  %10.4g %9.4g  %9s\n",
                routine.c_str(), shape.c_str(), ours ? "cairn" : "passed on", row.calls, row.words / calls,
                row.seconds, row.theirs.words, row.theirs.seconds * calls, expected);
  return text;
}

}  // namespace

Counts counts() { return {answered_ours, answered_passed}; }

void count_answer(bool ours) {
  (ours ? answered_ours : answered_passed).fetch_add(1, std::memory_order_relaxed);
}

void keep_answer(const std::string& routine, const Shape& shape, const Answer& answer,
                 const Estimate& theirs) {
  static const Printer at_exit;
  Table& all = table();
  const std::scoped_lock lock(all.mutex);
  Row& row = all.rows[{routine, shape, answer.ours}];
  ++row.calls;
  row.words += answer.words;
  row.seconds += answer.seconds;
  row.theirs = theirs;
  if (answer.expected) row.ours = answer.expected;
}

std::string report_text() {
  Table& all = table();
  const std::scoped_lock lock(all.mutex);
  if (all.rows.empty()) return {};
  std::string text =
      "cairn: ScaLAPACK calls of process 0. Words: elements received per call; seconds: of all calls.\n"
      "                                                                       ScaLAPACK, expected  by Cairn\n"
      "routine    shape                by         calls      words   seconds       words   seconds    "
      "seconds\n";
  for (const auto& [key, row] : all.rows)
    text += line(std::get<0>(key), std::get<1>(key), std::get<2>(key), row);
  return text;
}

}  // namespace cairn::scalapack
