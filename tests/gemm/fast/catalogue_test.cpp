// The catalogue: every entry proves itself, and a wrong coefficient is found.
#include "gemm/fast/catalogue.hpp"

#include <gtest/gtest.h>

#include "gemm/fast/sums.hpp"

namespace cairn::gemm::fast {
namespace {

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const ArgumentError& e) {
    return e.what();
  }
  return "(no error)";
}

void expect_message(const std::function<void()>& f, const std::string& part) {
  const std::string text = message_of(f);
  EXPECT_NE(text.find(part), std::string::npos) << "got: " << text << "\nwanted: ..." << part << "...";
}

TEST(Catalogue, HasTheKnownRanks) {
  const std::vector<std::pair<std::string, int>> known{
      {"classical", 8}, {"strassen", 7}, {"winograd", 7}, {"laderman", 23}, {"3x2x2", 11}, {"2x3x2", 11},
      {"2x2x3", 11},    {"3x2x3", 15},   {"2x3x3", 15},   {"3x3x2", 15},    {"4x2x3", 20}, {"3x4x2", 20},
      {"4x2x4", 26},    {"2x4x4", 26},   {"2x2x2", 7},    {"3x3x3", 23},    {"2x2x5", 18}};
  for (const auto& [name, rank] : known) {
    const auto x = find_bilinear(name);
    EXPECT_EQ(x->rank(), rank) << name;
    EXPECT_NO_THROW(verify(*x)) << name;
  }
}

TEST(Catalogue, ComposesAndPermutes) {
  for (const std::string& name : catalogue_names()) {
    const Bilinear x = *find_bilinear(name);
    for (const Bilinear& y : {transposed(x), rotated(x), rotated(rotated(x)), transposed(rotated(x))})
      EXPECT_NO_THROW(verify(y)) << y.name;
    EXPECT_NO_THROW(verify(joined(x, classical(1, x.k0, x.n0), Dim::m)));
    EXPECT_NO_THROW(verify(joined(x, classical(x.m0, 2, x.n0), Dim::k)));
    EXPECT_NO_THROW(verify(joined(x, classical(x.m0, x.k0, 1), Dim::n)));
  }
  const auto twice = find_bilinear("winograd*strassen");
  EXPECT_EQ(twice->shape(), "<4,4,4;49>");
  EXPECT_NO_THROW(verify(*twice));
  EXPECT_EQ(find_bilinear("3x2x2*2x3x2")->shape(), "<6,6,4;121>");
  EXPECT_NO_THROW(verify(*find_bilinear("3x2x2*2x3x2")));
}

TEST(Catalogue, FilesAreReadAsTheyAreWritten) {
  for (const std::string& name : catalogue_names()) {
    const Bilinear x = *find_bilinear(name);
    EXPECT_EQ(bilinear_text(parse_bilinear(bilinear_text(x), "text")), bilinear_text(x));
  }
}

// Every coefficient in turn is changed: the message names its line, its product, its block and the right
// value.
TEST(Catalogue, FindsEveryWrongCoefficient) {
  for (const std::string name : {"strassen", "winograd", "laderman"}) {
    const Bilinear x = *find_bilinear(name);
    for (std::size_t term = 0; term < x.terms.size(); ++term)
      for (const Matrix y : all_matrices)
        for (std::size_t i = 0; i < x.terms[term][y].size(); ++i) {
          Bilinear wrong = x;
          const Rational right = wrong.terms[term][y][i];
          wrong.terms[term][y][i] = right + Rational(3, 2);
          const auto columns = static_cast<std::size_t>(x.columns(y));
          expect_message([&] { parse_bilinear(bilinear_text(wrong), "my.txt"); },
                         fmt::format("my.txt: {} {} is not the product: line {}, product {}: the coefficient "
                                     "of {}({},{}) is {}, expected {}",
                                     name, x.shape(), term + 4, term + 1, gemm::name(y), i / columns + 1,
                                     i % columns + 1, (right + Rational(3, 2)).text(), right.text()));
        }
  }
}

TEST(Catalogue, RefusesWhatIsNoFile) {
  const auto refuses = [](const std::string& text, const std::string& part) {
    expect_message([&] { parse_bilinear(text, "x"); }, part);
  };
  refuses("", "the line 'name ...' is missing");
  refuses("name a\n", "the line 'shape m0 k0 n0' is missing");
  refuses("name a\nshape 1 1\n", "x, line 2: 'shape' has 2 numbers, expected 3");
  refuses("name a\nshape 1 0 1\n", "x, line 2: '0' is out of range");
  refuses("name a\nshape 1 1 1\nrank 2\n1 | 1 | 1\n", "it has 1 products, but its line 'rank' says 2");
  refuses("name a\nshape 1 1 1\nrank 1\n1 | 1 1 | 1\n", "x, line 4: product 1 has 2 coefficients for B");
  refuses("name a\nshape 1 1 1\nrank 1\n1 | 1\n", "product 1 has 0 coefficients for C, expected 1");
  refuses("name a\nshape 1 1 1\nrank 1\n1 | 1 | x\n", "x, line 4: 'x' is not a coefficient");
  refuses("name a\nshape 1 1 1\nrank 1\n1 | 1 | 1/0\n", "the denominator of 1/0 is 0");
  refuses("name a\nshape 1 1 1\nrank 1\n1 | 1 | 99999999999999999999\n", "is not a coefficient");
  refuses("name a\nshape 1 1 1\nrank 1\n4611686018427387904 | 4 | 1\n", "exceeds 64 bits");
  refuses("name a\nshape 1 1 1\nrank 1\n2 | 1/2 | -1\n", "the coefficient of C(1,1) is -1, expected 1");
  EXPECT_EQ(parse_bilinear("name a\nshape 1 1 1\nrank 1\n2 | 1/2 | 1 # fine\n", "x").rank(), 1);
  expect_message([] { find_bilinear("nothing"); }, "'nothing' is not a bilinear algorithm, expected one of");
  expect_message([] { read_bilinear("/does/not/exist"); }, "/does/not/exist: cannot be read");
}

std::vector<std::vector<Rational>> rows_of(const Bilinear& x, Matrix y) {
  std::vector<std::vector<Rational>> rows;
  for (const Term& t : x.terms) rows.push_back(t[y]);
  return rows;
}

// Each output of the steps, multiplied out.
std::vector<std::vector<Rational>> expand(const Sums& s) {
  std::vector<std::vector<Rational>> values;
  for (int i = 0; i < s.inputs; ++i) {
    values.emplace_back(static_cast<std::size_t>(s.inputs));
    values.back()[static_cast<std::size_t>(i)] = 1;
  }
  for (const SumStep& step : s.steps) {
    std::vector<Rational> v(static_cast<std::size_t>(s.inputs));
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = step.cx * values[static_cast<std::size_t>(step.x)][i];
      if (step.y >= 0) v[i] = v[i] + step.cy * values[static_cast<std::size_t>(step.y)][i];
    }
    values.push_back(v);
  }
  std::vector<std::vector<Rational>> result;
  for (const int o : s.outputs)
    result.push_back(o >= 0 ? values[static_cast<std::size_t>(o)]
                            : std::vector<Rational>(static_cast<std::size_t>(s.inputs)));
  return result;
}

TEST(Sums, AreWhatTheyStandFor) {
  for (const std::string& name : catalogue_names())
    for (const Matrix y : {Matrix::a, Matrix::b}) {
      const auto rows = rows_of(*find_bilinear(name), y);
      EXPECT_EQ(expand(eliminate(rows, find_bilinear(name)->blocks(y))), rows) << name;
    }
  const std::vector<std::vector<Rational>> odd{{0, 0, 0}, {2, 0, 0}, {Rational(1, 2), -3, 1}, {1, -6, 2}};
  EXPECT_EQ(expand(eliminate(odd, 3)), odd);
}

TEST(Sums, OfWinogradAreFifteen) {
  const Bilinear x = *find_bilinear("winograd");
  EXPECT_EQ(eliminate(rows_of(x, Matrix::a), 4).additions(), 4);
  EXPECT_EQ(eliminate(rows_of(x, Matrix::b), 4).additions(), 4);
}

}  // namespace
}  // namespace cairn::gemm::fast
