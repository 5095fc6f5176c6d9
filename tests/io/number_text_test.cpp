#include "io/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"

namespace cairn::io {
namespace {

// All numbers of a text by streams: an independent reader.
std::vector<double> by_stream(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> numbers;
  for (std::string word; in >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  return numbers;
}

struct Feed {
  const std::string& text;
  std::size_t piece;
};

std::vector<double> read_stretch(const Feed& feed, const NumberStretch& s) {
  NumberReader<double> reader(s);
  std::vector<double> numbers;
  for (auto at = static_cast<std::size_t>(s.begin);;) {
    const std::string part = feed.text.substr(at, feed.piece);  // a copy: reads beyond it are seen
    at += part.size();
    if (!reader.feed(part, at == feed.text.size(), [&](double x) { numbers.push_back(x); })) return numbers;
  }
}

const std::string sample = "  1 2.5\n-3e2\r\n\n\t+4 \v 5e-3\n6.0 -7 inf 8\n.5 1e5 9 \n";

TEST(NumberText, AnyCutIntoStretchesAndPiecesGivesTheSameNumbers) {
  const std::vector<double> expected = by_stream(sample);
  ASSERT_EQ(expected.size(), 12U);
  const auto n = static_cast<Index>(sample.size());
  for (const Index group : {1, 2, 3})
    for (const std::size_t piece : {1U, 2U, 3U, 7U, 100U})
      for (Index a = 0; a <= n; ++a)
        for (Index b = a; b <= n; b += 3) {
          const Index cuts[] = {0, a, b, n};
          std::vector<double> all;
          Index tokens = 0, lines = 0;
          for (int k = 0; k < 3; ++k) {
            NumberStretch s{.begin = cuts[k], .end = cuts[k + 1], .line = 1 + lines, .group = group};
            s.before = cuts[k] == 0 ? ' ' : sample[static_cast<std::size_t>(cuts[k] - 1)];
            s.skip = (group - tokens % group) % group;
            const TextCounts c =
                count_tokens(std::string_view(sample).substr(static_cast<std::size_t>(cuts[k]),
                                                             static_cast<std::size_t>(cuts[k + 1] - cuts[k])),
                             s.before);
            tokens += c.tokens;
            lines += c.lines;
            const std::vector<double> part = read_stretch({sample, piece}, s);
            EXPECT_EQ(part.size() % static_cast<std::size_t>(group), 0U);
            all.insert(all.end(), part.begin(), part.end());
          }
          ASSERT_EQ(all, expected) << "cuts " << a << ", " << b << ", pieces of " << piece;
          ASSERT_EQ(tokens, 12);
          ASSERT_EQ(lines, 6);
        }
}

template <class R>
R value(const std::string& text) {
  return parse_real<R>({text, 0, 1});
}

TEST(NumberText, NumbersAreReadToTheLastBit) {
  for (const char* text : {"0.1", "1.7976931348623157e308", "2.2250738585072014e-308", "5e-324",
                           "123456789012345678", "-0", "3.4028235e38", "1e-45"}) {
    EXPECT_EQ(value<double>(text), std::strtod(text, nullptr)) << text;
    EXPECT_EQ(value<float>(text), std::strtof(text, nullptr)) << text;
  }
  EXPECT_TRUE(std::signbit(value<double>("-0")));
  EXPECT_TRUE(std::isnan(value<double>("nan")));
  EXPECT_EQ(value<double>("1e400"), INFINITY);  // as a conversion from a wider type
  EXPECT_EQ(value<double>("-1e-400"), 0.0);
  EXPECT_EQ(value<float>("1e300"), INFINITY);
}

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const IoError& e) {
    return e.what();
  }
  return "(no error)";
}

TEST(NumberText, ErrorsNameTheLineAndTheByte) {
  const auto number = [](const std::string& text) {
    return error_of([&] { parse_real<double>({text, 17, 4}); });
  };
  EXPECT_EQ(number("abc"), "line 4 (byte 17): found 'abc', expected a number");
  for (const char* text : {"1.5x", "+", "-", "+-1", "++1", "--1", "1,5", "0x10", "1e", "%", "\x01", ""})
    EXPECT_NE(number(text).find("expected a number"), std::string::npos) << text << ": " << number(text);
  EXPECT_EQ(number("1e99999"), "line 4 (byte 17): found '1e99999', expected a number that fits");
  const auto whole = [](const std::string& text) { return error_of([&] { require_whole({text, 17, 4}); }); };
  EXPECT_EQ(whole("-12"), "(no error)");
  EXPECT_EQ(whole("1.0"), "line 4 (byte 17): found '1.0', expected a whole number, as line 1 says");
  EXPECT_NE(whole("-"), "(no error)");
  const std::string long_word = "1 2\n" + std::string(2000, '7') + "\n3\n";
  for (const std::size_t piece : {10U, 1000U, 5000U})
    EXPECT_EQ(error_of([&] {
                read_stretch({long_word, piece}, {.begin = 0, .end = 2000});
              }),
              "line 2: a word of more than 1024 characters, expected a number");
}

}  // namespace
}  // namespace cairn::io
