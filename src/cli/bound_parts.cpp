#include "cli/bound_parts.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/table.hpp"

namespace cairn::cli {
namespace {

using nlohmann::json;

json to_json(const bounds::BoundReport& report) {
  json parts = json::array();
  for (const bounds::BoundPart& part : report.parts)
    parts.push_back({{"name", part.name},
                     {"value", part.cell.value},
                     {"formula", part.cell.formula},
                     {"latex", part.cell.latex}});
  return {{"what", report.what},
          {"bound", report.bound.value},
          {"formula", report.bound.formula},
          {"latex", report.bound.latex},
          {"parts", parts},
          {"symbols", report.symbols},
          {"notes", report.notes}};
}

}  // namespace

std::string symbols_text(const bounds::Symbols& symbols) {
  std::string text;
  for (const auto& [name, value] : symbols)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, number_text(value));
  return text;
}

void print_bound(const bounds::BoundReport& report, bool as_json) {
  if (as_json) return fmt::print("{}\n", to_json(report).dump(2));
  fmt::print("{}: {}\n  = {}\n  with {}\n\n", report.what, number_text(report.bound.value),
             report.bound.formula, symbols_text(report.symbols));
  Table table({"part", "value", "formula"});
  for (const bounds::BoundPart& part : report.parts)
    table.add({part.name, number_text(part.cell.value), part.cell.formula});
  fmt::print("{}", table.text());
  for (const std::string& note : report.notes) fmt::print("note: {}\n", note);
}

}  // namespace cairn::cli
