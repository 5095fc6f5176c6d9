// The text forms of distributions and layouts.
#include <charconv>
#include <functional>
#include <map>

#include "layout/kinds.hpp"

namespace cairn::layout {
namespace {

// ---- "[(0,1),()]" ---------------------------------------------------------------------------------------
class NotationReader {
 public:
  explicit NotationReader(std::string_view text) : text_(text) {}

  Notation read() {
    Notation n;
    expect('[');
    n.rows = list();
    expect(',');
    n.columns = list();
    expect(']');
    skip();
    if (at_ < text_.size()) wrong("the end");
    return n;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  [[noreturn]] void wrong(std::string_view expected) const {
    fail("distribution '{}' is wrong at character {}: expected {}; the form is [(0),(1)], [(0,1),()], ...",
         text_, at_ + 1, expected);
  }
  void expect(char c) {
    if (peek() != c) wrong(fmt::format("'{}'", c));
    ++at_;
  }
  std::vector<int> list() {
    std::vector<int> dimensions;
    expect('(');
    while (peek() != ')') {
      if (!dimensions.empty()) expect(',');
      dimensions.push_back(number());
    }
    ++at_;
    return dimensions;
  }
  int number() {
    skip();
    int value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 0) wrong("a mesh dimension 0, 1, ...");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// ---- "block-cyclic 2x3 mb=64 nb=32" ---------------------------------------------------------------------
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  int depth = 0;  // spaces within [( )] do not end a word
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool ends = i == text.size() || (depth == 0 && (text[i] == ' ' || text[i] == '\t'));
    if (!ends) {
      depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
      continue;
    }
    if (i > start) words.push_back(text.substr(start, i - start));
    start = i + 1;
  }
  return words;
}

std::vector<Index> numbers(std::string_view text, char separator, std::string_view word) {
  std::vector<Index> values;
  std::size_t at = 0;
  while (true) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    Index value = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, value);
    require(error == std::errc{} && stop == text.data() + end,
            "layout: '{}' in '{}' is not a number, expected whole numbers separated by '{}'",
            text.substr(at, end - at), word, separator);
    values.push_back(value);
    if (end == text.size()) return values;
    at = end + 1;
  }
}

class SpecReader {
 public:
  SpecReader(std::string_view text, Index rows, Index columns)
      : text_(text), words_(words_of(text)), rows_(rows), columns_(columns) {
    require(!words_.empty(), "layout is empty, expected one of {}", kinds);
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const std::size_t equals = words_[i].find('=');
      if (equals == std::string_view::npos)
        plain_.push_back(words_[i]);
      else
        values_[words_[i].substr(0, equals)] = words_[i].substr(equals + 1);
    }
  }

  Layout read() {
    Layout layout = base();
    for (const auto& [key, value] : values_)
      require(used_.contains(key), "layout '{}': unknown option '{}' for {}", text_, key, words_.front());
    return layout;
  }

 private:
  static constexpr std::string_view kinds =
      "block-cyclic, elemental, blocked, rows, columns, rank, replicated, cuts, or a distribution like "
      "[(0),(1)]";

  Layout base() {
    const std::string_view kind = words_.front();
    if (kind.starts_with('[')) return finish(notation());
    if (kind == "block-cyclic") return finish(cyclic());
    if (kind == "elemental") return finish(elemental(rows_, columns_, shape().first, shape().second));
    if (kind == "blocked") return finish(blocked(rows_, columns_, shape().first, shape().second));
    if (kind == "rows") return finish(row_blocks(rows_, columns_, count("ranks")), Order::row_major);
    if (kind == "columns") return finish(column_blocks(rows_, columns_, count("ranks")));
    if (kind == "replicated") return finish(replicated(rows_, columns_, count("ranks")));
    if (kind == "rank") return finish(on_one_rank(rows_, columns_, count("rank")));
    if (kind == "cuts") return finish(cuts());
    fail("layout '{}': '{}' is not a kind of layout, expected {}", text_, kind, kinds);
  }

  std::vector<int> extents() {
    require(plain_.size() == 1, "layout '{}': expected one mesh like 2x3 after '{}', found {} words", text_,
            words_.front(), plain_.size());
    std::vector<int> result;
    for (const Index e : numbers(plain_.front(), 'x', plain_.front())) {
      require(e >= 1, "layout '{}': mesh '{}' has an extent of {}, expected 1 or more", text_, plain_.front(),
              e);
      result.push_back(narrow<int>(e, "extent of a mesh"));
    }
    return result;
  }
  std::pair<int, int> shape() {
    const std::vector<int> e = extents();
    require(e.size() == 2, "layout '{}': mesh '{}' has {} dimensions, expected 2, like 2x3", text_,
            plain_.front(), e.size());
    return {e[0], e[1]};
  }
  int count(std::string_view what) {
    require(plain_.size() == 1, "layout '{}': expected one number ({}) after '{}', found {} words", text_,
            what, words_.front(), plain_.size());
    const Index value = numbers(plain_.front(), ',', plain_.front()).front();
    const Index least = what == "rank" ? 0 : 1;
    require(value >= least, "layout '{}': {} is {}, expected {} or more", text_, what, value, least);
    return narrow<int>(value, what);
  }

  std::string_view value(std::string_view key, std::string_view otherwise) {
    used_[key] = true;
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
  }
  Index number(std::string_view key, Index otherwise) {
    const std::string_view text = value(key, "");
    if (text.empty()) return otherwise;
    const std::vector<Index> all = numbers(text, ',', text);
    require(all.size() == 1, "layout '{}': {} is '{}', expected one number", text_, key, text);
    return all.front();
  }
  bool row_major(std::string_view key, bool otherwise) {
    const std::string_view text = value(key, otherwise ? "row-major" : "column-major");
    require(text == "row-major" || text == "column-major",
            "layout '{}': {} is '{}', expected row-major or column-major", text_, key, text);
    return text == "row-major";
  }

  Layout notation() {
    parse_notation(words_.front());  // its errors come first
    return by_notation(rows_, columns_, words_.front(), mesh(), number("block", 1));
  }
  Mesh mesh() {
    return Mesh(extents(), row_major("grid", false) ? MeshOrder::row_major : MeshOrder::column_major);
  }
  Layout cyclic() {
    const auto [process_rows, process_columns] = shape();
    return block_cyclic(
        rows_, columns_,
        {.process_rows = process_rows,
         .process_columns = process_columns,
         .mb = number("mb", 64),
         .nb = number("nb", number("mb", 64)),
         .row_source = narrow<int>(number("rsrc", 0), "rsrc"),
         .column_source = narrow<int>(number("csrc", 0), "csrc"),
         .mesh_order = row_major("grid", false) ? MeshOrder::row_major : MeshOrder::column_major});
  }
  IndexMap cut_map(std::string_view key, Index n) {
    const std::string_view text = value(key, "");
    require(!text.empty(), "layout '{}': {}= is missing, expected the cuts, like {}=0,10,{}", text_, key, key,
            n);
    IndexMap map = IndexMap::of_cuts(numbers(text, ',', text));
    require(map.size() == n, "layout '{}': the last of {} is {}, expected {}", text_, key, map.size(), n);
    return map;
  }
  Layout cuts() {
    require(plain_.empty(), "layout '{}': '{}' is not expected after cuts", text_,
            plain_.empty() ? "" : plain_.front());
    IndexMap rows = cut_map("rows", rows_), columns = cut_map("columns", columns_);
    const Mesh mesh({rows.parts(), columns.parts()});
    return Layout::on_mesh(mesh, {std::move(rows), {0}}, {std::move(columns), {1}});
  }

  Layout finish(const Layout& made, Order usual = Order::column_major) {
    const bool by_rows = row_major("order", usual == Order::row_major);
    Layout layout = with_order(made, by_rows ? Order::row_major : Order::column_major);
    const std::string_view ranks = value("ranks", "");
    if (ranks.empty()) return layout;
    std::vector<int> table;
    for (const Index r : numbers(ranks, ',', ranks)) table.push_back(narrow<int>(r, "rank"));
    return layout.on_ranks(std::move(table));
  }
  static Layout with_order(const Layout& made, Order order) {
    return made.order() == order ? made : made.in_order(order);
  }

  std::string_view text_;
  std::vector<std::string_view> words_, plain_;
  std::map<std::string_view, std::string_view> values_;
  std::map<std::string_view, bool> used_;
  Index rows_, columns_;
};

}  // namespace

Notation parse_notation(std::string_view text) { return NotationReader(text).read(); }

Layout parse_layout(std::string_view text, Index rows, Index columns) {
  return SpecReader(text, rows, columns).read();
}

}  // namespace cairn::layout
