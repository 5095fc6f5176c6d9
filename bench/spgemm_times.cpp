#include "bench/spgemm_times.hpp"

#include <cmath>
#include <optional>

#include "bench/driver.hpp"
#include "bench/petsc.hpp"
#include "cli/table.hpp"
#include "comm/collectives.hpp"
#include "sparse/generate_sparse.hpp"
#include "sparse/spgemm_run.hpp"

namespace cairn::bench {
namespace {

using comm::CommView;
using nlohmann::json;
using sparse::DistSparse;

// Both start from row blocks. Ours: planning, bringing A and B there, the product; and with the plan known. Theirs: the
// symbolic and the numeric phase. C stays where each leaves it.
json time_square(CommView c, const Petsc& petsc, const std::string& text, int rounds) {
  const sparse::Generator g = sparse::parse_generator(text);
  const auto rows = sparse::SparseLayout::row_blocks(g.rows, g.columns, c.size());
  const DistSparse<double> a = sparse::generate_sparse<double>(g, rows, c.rank());
  const Petsc::Matrix theirs(petsc, c, a.local, g.rows);
  sparse::SpgemmRunOptions<double> planned, known;
  planned.planning.objective = sparse::SpgemmObjective::time;
  known.method = sparse::multiply_sparse(c, a, a, planned).method;
  Index ours_entries = 0, their_entries = 0;
  const std::vector<Way> ways{
      [&] { sparse::multiply_sparse(c, a, a, planned); },
      [&] { ours_entries = sparse::multiply_sparse(c, a, a, known).c.local.entries(); },
      [&] { their_entries = Petsc::Matrix(petsc, theirs, theirs).entries(); }};
  const Timings times = interleaved(c, ways, 0, rounds, rounds);
  ours_entries = comm::allreduce(c, ours_entries, comm::ReduceOp::sum);
  require<ResultError>(ours_entries == their_entries, "{}: PETSc's product has {} entries and ours {}", text,
                       their_entries, ours_entries);
  return {{"kind", "time"},
          {"ranks", c.size()},
          {"case", text},
          {"method", known.method->describe()},
          {"nnz_product", ours_entries},
          {"seconds", times.median(0)},
          {"seconds_planned_before", times.median(1)},
          {"petsc", times.median(2)},
          {"ratio", times.ratio(2, 0)},
          {"ratio_planned_before", times.ratio(2, 1)}};
}

double mean_ratio(const json& rows, const char* key) {
  double sum = 0;
  for (const json& r : rows) sum += std::log(r[key].get<double>());
  return rows.empty() ? 1 : std::exp(sum / static_cast<double>(rows.size()));
}

}  // namespace

json time_beside_petsc(CommView c, const std::vector<std::string>& matrices, int rounds) {
  json rows = json::array();
  std::optional<Petsc> petsc;
  try {
    petsc.emplace();
  } catch (const IoError& e) {
    if (c.rank() == 0) fmt::print(stderr, "cairn bench spgemm: without a peer: {}\n", e.what());
    return rows;
  }
  for (const std::string& text : matrices) rows.push_back(time_square(c, *petsc, text, rounds));
  return rows;
}

void print_times(const json& rows) {
  if (rows.empty()) return;
  cli::Table table({"ranks", "A (C = A A)", "method", "seconds", "planned before", "PETSc", "PETSc / ours",
                    "/ planned before"});
  const auto seconds = [](const json& x) { return fmt::format("{:.4f}", x.get<double>()); };
  const auto ratio = [](const json& x) { return fmt::format("{:.2f}", x.get<double>()); };
  for (const json& r : rows)
    table.add({std::to_string(r["ranks"].get<int>()), r["case"], r["method"], seconds(r["seconds"]),
               seconds(r["seconds_planned_before"]), seconds(r["petsc"]), ratio(r["ratio"]),
               ratio(r["ratio_planned_before"])});
  fmt::print("\n{}\ngeometric mean of PETSc / ours: {:.2f}, planned before {:.2f}\n", table.text(),
             mean_ratio(rows, "ratio"), mean_ratio(rows, "ratio_planned_before"));
}

}  // namespace cairn::bench
