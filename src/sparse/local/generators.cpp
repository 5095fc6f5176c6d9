#include "sparse/local/generators.hpp"

#include <charconv>
#include <map>

#include "sparse/local/generator_places.hpp"
#include "sparse/local/random_bits.hpp"

namespace cairn::sparse {
namespace {

// "name key=value key=value": values are looked up, and what is left over is a mistake.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) add(text.substr(at, end - at));
      at = end + 1;
    }
    require(!name_.empty(), "the generator is '{}', expected a name like er, rmat, stencil5, banded", text);
  }
  std::string_view name() const { return name_; }
  bool has(std::string_view key) const { return values_.contains(key); }

  template <class Number>
  Number take(std::string_view key, Number least, Number most) {
    const auto at = values_.find(key);
    require(at != values_.end(), "generator '{}': {} is missing", text_, key);
    Number value{};
    const std::string_view word = at->second;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    require(error == std::errc() && stop == word.data() + word.size() && value >= least && value <= most,
            "generator '{}': {} is '{}', expected a number from {} to {}", text_, key, word, least, most);
    values_.erase(at);
    return value;
  }
  template <class Number>
  Number take_or(std::string_view key, Number otherwise, Number least, Number most) {
    return has(key) ? take(key, least, most) : otherwise;
  }
  void done() const {
    require(values_.empty(), "generator '{}' has no key {}", text_,
            values_.empty() ? "" : values_.begin()->first);
  }

 private:
  void add(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      require(name_.empty(), "generator '{}': found '{}', expected key=value", text_, word);
      name_ = word;
      return;
    }
    const bool fresh = values_.emplace(word.substr(0, equals), word.substr(equals + 1)).second;
    require(fresh, "generator '{}': {} is given twice", text_, word.substr(0, equals));
  }

  std::string_view text_, name_;
  std::map<std::string_view, std::string_view> values_;
};

constexpr Index longest = Index{1} << 40;  // rows of a generated matrix

void parse_sides(Words& words, Generator& g) {
  if (words.has("n")) {
    g.rows = g.columns = words.take<Index>("n", 0, longest);
  } else {
    g.rows = words.take<Index>("rows", 0, longest);
    g.columns = words.take<Index>("columns", 0, longest);
  }
}

void parse_grid(Words& words, Generator& g) {
  constexpr Index widest = Index{1} << 20;
  g.nx = words.take<Index>("nx", 1, widest);
  g.ny = words.take_or<Index>("ny", g.nx, 1, widest);
  g.nz = g.family == Family::stencil3 ? words.take_or<Index>("nz", g.nx, 1, widest) : 1;
  g.rows = g.columns = checked_mul(checked_mul(g.nx, g.ny, "points of the grid"), g.nz, "points of the grid");
}

void parse_rmat(Words& words, Generator& g) {
  g.scale = words.take<int>("scale", 0, 40);
  g.d = words.take_or<double>("d", 8, 0, 1e6);
  g.rows = g.columns = Index{1} << g.scale;
}

bool is_stencil(const Generator& g) { return g.family == Family::stencil2 || g.family == Family::stencil3; }

std::vector<Place> places_of_entries(const Generator& g, const Block& block) {
  switch (g.family) {
    case Family::er:
      return er_places(g, block);
    case Family::rmat:
      return rmat_places(g, block);
    case Family::banded:
      return banded_places(g, block);
    case Family::stencil2:
    case Family::stencil3:
      break;
  }
  return stencil_places(g, block);
}

template <Scalar T>
T value_of(const Generator& g, const Place& p) {
  if (is_stencil(g)) return T(p.row == p.column ? static_cast<Real<T>>(g.points - 1) : Real<T>(-1));
  Stream random(~g.seed, static_cast<std::uint64_t>(p.row), static_cast<std::uint64_t>(p.column));
  const auto x = static_cast<Real<T>>(random.uniform());
  if constexpr (ScalarTraits<T>::is_complex)
    return {x, static_cast<Real<T>>(random.uniform())};
  else
    return x;
}

}  // namespace

Generator parse_generator(std::string_view text) {
  Words words(text);
  Generator g;
  const std::string_view name = words.name();
  if (name == "er" || name == "banded") {
    parse_sides(words, g);
    g.family = name == "er" ? Family::er : Family::banded;
    if (name == "er") g.d = words.take_or<double>("d", 8, 0, 1e9);
    if (name == "banded") g.width = words.take_or<Index>("width", 1, 0, longest);
  } else if (name == "rmat") {
    g.family = Family::rmat;
    parse_rmat(words, g);
  } else if (name == "stencil5" || name == "stencil9" || name == "stencil7" || name == "stencil27") {
    g.points = name == "stencil5" ? 5 : name == "stencil9" ? 9 : name == "stencil7" ? 7 : 27;
    g.family = g.points == 5 || g.points == 9 ? Family::stencil2 : Family::stencil3;
    parse_grid(words, g);
  } else {
    fail("the generator is '{}', expected er, rmat, stencil5, stencil9, stencil7, stencil27 or banded", name);
  }
  g.seed = words.take_or<std::uint64_t>("seed", 1, 0, UINT64_MAX);
  words.done();
  return g;
}

std::string to_string(const Generator& g) {
  const std::string sides = g.rows == g.columns ? fmt::format("n={}", g.rows)
                                                : fmt::format("rows={} columns={}", g.rows, g.columns);
  switch (g.family) {
    case Family::er:
      return fmt::format("er {} d={} seed={}", sides, g.d, g.seed);
    case Family::rmat:
      return fmt::format("rmat scale={} d={} seed={}", g.scale, g.d, g.seed);
    case Family::banded:
      return fmt::format("banded {} width={} seed={}", sides, g.width, g.seed);
    case Family::stencil2:
      return fmt::format("stencil{} nx={} ny={} seed={}", g.points, g.nx, g.ny, g.seed);
    case Family::stencil3:
      break;
  }
  return fmt::format("stencil{} nx={} ny={} nz={} seed={}", g.points, g.nx, g.ny, g.nz, g.seed);
}

double expected_entries(const Generator& g) {
  const double rows = as_real(g.rows), columns = as_real(g.columns);
  if (is_stencil(g)) return rows * g.points;
  const double each = g.family == Family::banded ? 2 * as_real(g.width) + 1 : g.d;
  return rows * (g.family == Family::rmat ? each : std::min(each, columns));
}

template <Scalar T>
Csr<T> generate(const Generator& g, const Block& block) {
  require(block.row >= 0 && block.rows >= 0 && block.row + block.rows <= g.rows && block.column >= 0 &&
              block.columns >= 0 && block.column + block.columns <= g.columns,
          "the block has rows {} to {} and columns {} to {}, expected a part of {} x {}", block.row,
          block.row + block.rows, block.column, block.column + block.columns, g.rows, g.columns);
  const std::vector<Place> places = places_of_entries(g, block);
  std::vector<Triple<T>> triples;
  triples.reserve(places.size());
  for (const Place& p : places) triples.push_back({p.row, p.column, value_of<T>(g, p)});
  return from_triples<PlusTimes<T>>(triples, block);
}

#define CAIRN_INSTANTIATE(T) template Csr<T> generate(const Generator&, const Block&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::sparse
