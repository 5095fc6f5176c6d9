// The parts of the report page: pieces of HTML with pictures in SVG whose texts keep their size at any width.
#pragma once

#include <string>
#include <vector>

#include "cli/render.hpp"

namespace cairn::cli {

// A picture of `height` pixels as wide as its place; positions across are in percent.
std::string html_picture(double height, const std::string& body);
std::string html_table(const std::vector<std::vector<std::string>>& rows);  // the first is the header
std::string html_section(const std::string& title, const std::string& body);
std::string html_page(const std::string& title, const std::string& body);

// One colour a phase, in the order in which they are first asked for; the page's style has both themes.
class PhaseColours {
 public:
  int number(const std::string& phase);
  std::string legend() const;

 private:
  std::vector<std::string> phases_;
};

// Words received and sent by each rank, what was counted before, and the bound.
std::string html_words(const Shown& shown);
// Timelines: measured, and simulated on the machine of the plan, on one scale.
std::string html_timeline(const Shown& shown);

}  // namespace cairn::cli
