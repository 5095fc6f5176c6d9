// The text form of a bilinear algorithm.
#include <fmt/ranges.h>
#include <algorithm>

#include <fstream>
#include <sstream>

#include "gemm/fast/catalogue.hpp"

namespace cairn::gemm::fast {
namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || line[begin] == '#') return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

class BilinearReader {
 public:
  explicit BilinearReader(std::string_view origin) : origin_(origin) {}

  void take(std::string_view line) {
    ++number_;
    const Words words = words_of(line);
    if (words.empty()) return;
    try {
      take(words);
    } catch (const Error& e) {
      fail("{}, line {}: {}", origin_, number_, e.what());
    }
  }

  Bilinear finish() {
    require(!result_.name.empty(), "{}: the line 'name ...' is missing", origin_);
    require(shaped_, "{}: the line 'shape m0 k0 n0' is missing", origin_);
    require(rank_ == result_.rank(), "{}: it has {} products, but its line 'rank' says {}", origin_,
            result_.rank(), rank_);
    try {
      verify(result_);
    } catch (const Error& e) {
      fail("{}: {}", origin_, e.what());
    }
    return std::move(result_);
  }

 private:
  static constexpr int most_ = 64;  // blocks along a dimension

  static int whole(std::string_view word, int most) {
    const Rational x = parse_rational(word);
    require(x.denominator() == 1 && x.numerator() >= 1 && x.numerator() <= most,
            "'{}' is out of range, expected a whole number from 1 to {}", word, most);
    return static_cast<int>(x.numerator());
  }

  void take(const Words& words) {
    if (words[0] == "name") {
      require(words.size() == 2, "'name' has {} words behind it, expected 1", words.size() - 1);
      result_.name = words[1];
    } else if (words[0] == "shape") {
      require(words.size() == 4, "'shape' has {} numbers, expected 3: m0 k0 n0", words.size() - 1);
      result_.m0 = whole(words[1], most_);
      result_.k0 = whole(words[2], most_);
      result_.n0 = whole(words[3], most_);
      shaped_ = true;
    } else if (words[0] == "rank") {
      require(words.size() == 2, "'rank' has {} numbers, expected 1", words.size() - 1);
      rank_ = whole(words[1], most_ * most_ * most_);
    } else {
      take_term(words);
    }
  }

  void take_term(const Words& words) {
    require(shaped_, "a product stands before the line 'shape m0 k0 n0'");
    Term term;
    term.line = number_;
    std::size_t part = 0;
    for (const std::string_view word : words) {
      if (word == "|")
        require(++part < 3, "product {} has more than three parts", result_.rank() + 1);
      else
        term.of[part].push_back(parse_rational(word));
    }
    for (const Matrix x : all_matrices)
      require(static_cast<int>(term[x].size()) == result_.blocks(x),
              "product {} has {} coefficients for {}, expected {}", result_.rank() + 1, term[x].size(),
              name(x), result_.blocks(x));
    result_.terms.push_back(std::move(term));
  }

  std::string_view origin_;
  int number_ = 0;
  bool shaped_ = false;
  int rank_ = 0;
  Bilinear result_;
};

}  // namespace

Bilinear parse_bilinear(std::string_view text, std::string_view origin) {
  BilinearReader reader(origin);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

Bilinear read_bilinear(const std::string& path) {
  std::ifstream file(path);
  require(file.good(), "{}: cannot be read", path);
  std::ostringstream text;
  text << file.rdbuf();
  return parse_bilinear(text.str(), path);
}

std::string bilinear_text(const Bilinear& x) {
  std::string text = fmt::format("name {}\nshape {} {} {}\nrank {}\n", x.name, x.m0, x.k0, x.n0, x.rank());
  for (const Term& t : x.terms)
    for (const Matrix y : all_matrices) {
      std::vector<std::string> words;
      for (const Rational& c : t[y]) words.push_back(c.text());
      text += fmt::format("{}{}", fmt::join(words, " "), y == Matrix::c ? "\n" : " | ");
    }
  return text;
}

}  // namespace cairn::gemm::fast
