#include "cli/html.hpp"

#include <algorithm>

#include "base/xml_text.hpp"

namespace cairn::cli {
namespace {

constexpr const char* style = R"(
:root { --paper: #fdfcf9; --card: #fff; --ink: #22262b; --soft: #6b7178; --line: #e3e0d8; --good: #1b7f4b; --bad: #b3261e;
  --p0: #3b6fb6; --p1: #5fb3d9; --p2: #3f9a5c; --p3: #d0a02c; --p4: #c8574f; --p5: #8a5aa8; --p6: #57808a; --p7: #9a7b4f;
  --wait: #d9d6ce; --received: #3b6fb6; --sent: #d0a02c; --bound: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --card: #1f2226; --ink: #e8e6e1; --soft: #a0a5ab; --line: #34383e;
  --good: #5fc98f; --bad: #ff8a80; --wait: #41464d; --bound: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1200px; margin: 0 auto; padding: 28px 20px 60px; }
header p { margin: 2px 0; color: var(--soft); }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -.01em; }
h2 { font-size: 18px; margin: 0 0 12px; }
h3 { font-size: 14px; margin: 18px 0 6px; color: var(--soft); font-weight: 600; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; margin-top: 18px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(132px, 1fr)); gap: 12px; margin-top: 18px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px; overflow: hidden; }
.tile b { display: block; font-size: 18.5px; white-space: nowrap; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 13px; }
.good { color: var(--good); } .bad { color: var(--bad); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; min-width: 100%; }
th { text-align: right; color: var(--soft); font-weight: 600; padding: 4px 7px; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { text-align: right; padding: 4px 7px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child, td.text, th.text { text-align: left; }
td.text { white-space: normal; min-width: 170px; }
td.long { white-space: normal; overflow-wrap: anywhere; min-width: 150px; }
tr.chosen td { font-weight: 600; }
.rows { display: grid; grid-template-columns: max-content 1fr; gap: 3px 10px; align-items: center; }
.rows > div { color: var(--soft); font-size: 12.5px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
svg.plot { display: block; width: 100%; overflow: visible; font: 11.5px system-ui, "DejaVu Sans", sans-serif; }
svg.plot text { fill: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 13px; color: var(--soft); margin: 0 0 10px; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; vertical-align: -1px; }
.note { color: var(--soft); font-size: 13px; margin: 10px 0 0; }
.bricks svg { width: 100%; height: auto; max-width: 760px; display: block; margin: 14px auto 0; border-radius: 8px; }
.spies { display: grid; grid-template-columns: repeat(auto-fit, minmax(290px, 1fr)); gap: 14px; }
.spies svg { width: 100%; height: auto; display: block; border-radius: 8px; }
.spies svg text { font-size: 17px; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 16px; align-items: start; }
.plots svg { width: 100%; height: auto; display: block; border-radius: 8px; max-width: 640px; }
pre { overflow-x: auto; font-size: 12px; line-height: 1.4; }
summary { cursor: pointer; color: var(--soft); }
@media (max-width: 560px) { main { padding: 18px 10px 40px; } section { padding: 14px 12px; } h1 { font-size: 22px; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; } .tiles { grid-template-columns: 1fr 1fr; gap: 8px; }
  .tile b { font-size: 18px; } .bricks { overflow-x: auto; } .bricks svg { min-width: 620px; } .rows { gap: 3px 6px; } }
@media print { section, .tile { break-inside: avoid; } body { background: #fff; } }
)";

// Such as a tree of bricks: broken into lines, so that the columns beside it are seen.
bool is_long(const std::string& cell) { return cell.size() > 24; }

}  // namespace

std::string html_picture(double height, const std::string& body) {
  return fmt::format("<svg class=\"plot\" height=\"{:.0f}\" role=\"img\">{}</svg>", height, body);
}

std::string html_table(const std::vector<std::vector<std::string>>& rows) {
  std::string text = "<div class=\"wide\"><table>";
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  const bool sentences = columns > 0 && rows.front().back() == "why";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += r == 1 && sentences ? "<tr class=\"chosen\">" : "<tr>";
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const char* cell = r == 0 ? "th" : "td";
      const char* kind = sentences && i + 1 == columns ? " class=\"text\""
                         : is_long(rows[r][i])         ? " class=\"long\""
                                                       : "";
      text += fmt::format("<{0}{2}>{1}</{0}>", cell, xml_escaped(rows[r][i]), kind);
    }
    text += "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string html_section(const std::string& title, const std::string& body) {
  return fmt::format("<section><h2>{}</h2>\n{}</section>\n", xml_escaped(title), body);
}

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>{}</style></head>\n<body><main>\n{}"
      "</main></body></html>\n",
      xml_escaped(title), style, body);
}

int PhaseColours::number(const std::string& phase) {
  constexpr int colours = 8;
  const auto at = std::ranges::find(phases_, phase);
  const auto number = at - phases_.begin();
  if (at == phases_.end()) phases_.push_back(phase);
  return static_cast<int>(number % colours);
}

std::string PhaseColours::legend() const {
  std::string text = "<div class=\"legend\">";
  for (std::size_t i = 0; i < phases_.size(); ++i)
    text +=
        fmt::format("<span><i style=\"background:var(--p{})\"></i>{}</span>", i % 8, xml_escaped(phases_[i]));
  return text + "<span><i style=\"background:var(--wait)\"></i>waiting, packing and summing</span></div>\n";
}

}  // namespace cairn::cli
