#include "gemm/fast/catalogue.hpp"

#include <fmt/ranges.h>
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "gemm/fast/catalogue_texts.hpp"

namespace cairn::gemm::fast {
namespace {

using Entry = std::shared_ptr<const Bilinear>;

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list;
    for (const CatalogueText& t : catalogue_texts())
      list.push_back(std::make_shared<const Bilinear>(parse_bilinear(t.text, t.file)));
    std::stable_sort(list.begin(), list.end(), [](const Entry& x, const Entry& y) {
      return std::tuple(x->m0 * x->k0 * x->n0, y->rank()) < std::tuple(y->m0 * y->k0 * y->n0, x->rank());
    });
    return list;
  }();
  return all;
}

std::optional<std::array<int, 3>> parse_shape(std::string_view name) {
  std::array<int, 3> shape{};
  std::size_t part = 0;
  for (const char ch : name) {
    if (ch == 'x' && part < 2 && shape[part] > 0)
      ++part;
    else if (ch >= '0' && ch <= '9' && shape[part] < 100)
      shape[part] = 10 * shape[part] + (ch - '0');
    else
      return std::nullopt;
  }
  if (part != 2 || shape[2] == 0) return std::nullopt;
  return shape;
}

bool is_permutation_of(const Bilinear& x, std::array<int, 3> shape) {
  std::array<int, 3> mine{x.m0, x.k0, x.n0};
  std::sort(mine.begin(), mine.end());
  std::sort(shape.begin(), shape.end());
  return mine == shape;
}

// The lowest rank; of equal ones the later, which has fewer additions by the order of the catalogue.
Entry by_shape(const std::array<int, 3>& shape) {
  Entry best;
  for (const Entry& e : entries())
    if (is_permutation_of(*e, shape) && (!best || e->rank() <= best->rank())) best = e;
  if (!best) return nullptr;
  return std::make_shared<const Bilinear>(with_shape(*best, shape[0], shape[1], shape[2]));
}

Entry look_up(std::string_view name) {
  if (const std::size_t star = name.find('*'); star != std::string_view::npos)
    return std::make_shared<const Bilinear>(
        composed(*find_bilinear(name.substr(0, star)), *find_bilinear(name.substr(star + 1))));
  for (const Entry& e : entries())
    if (e->name == name) return e;
  if (const auto shape = parse_shape(name)) return by_shape(*shape);
  return nullptr;
}

}  // namespace

std::vector<std::string> catalogue_names() {
  std::vector<std::string> names;
  for (const Entry& e : entries()) names.push_back(e->name);
  return names;
}

std::shared_ptr<const Bilinear> find_bilinear(std::string_view name) {
  Entry found = look_up(name);
  require(found != nullptr, "'{}' is not a bilinear algorithm, expected one of {}, or a shape such as 3x2x2",
          name, fmt::join(catalogue_names(), ", "));
  return found;
}

std::shared_ptr<const Bilinear> bilinear_of(const std::string& text) {
  const bool is_path = text.find('/') != std::string::npos || text.ends_with(".txt");
  return is_path ? std::make_shared<const Bilinear>(read_bilinear(text)) : find_bilinear(text);
}

}  // namespace cairn::gemm::fast
