// libFuzzer target: any text gives a header and numbers, or an error that names a line; and the same ones
// however the text is cut into stretches and pieces. The first four bytes choose the cuts.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cairn/error.hpp"
#include "io/matrix_market_header.hpp"
#include "io/number_text.hpp"

namespace cairn::io {
namespace {

void must(bool condition) {
  if (!condition) std::abort();
}

struct Outcome {
  std::vector<double> numbers;
  std::string error;
  Index tokens = 0;

  bool operator==(const Outcome& o) const {
    return error == o.error && tokens == o.tokens && numbers.size() == o.numbers.size() &&
           (numbers.empty() ||
            std::memcmp(numbers.data(), o.numbers.data(), numbers.size() * sizeof(double)) == 0);
  }
};

void read_stretch(std::string_view text, const NumberStretch& s, std::size_t piece, Outcome& all) {
  NumberReader<double> reader(s);
  for (auto at = static_cast<std::size_t>(s.begin);;) {
    const std::string part(text.substr(at, piece));  // on the heap: reads beyond it are seen
    at += part.size();
    if (!reader.feed(part, at == text.size(), [&](double x) { all.numbers.push_back(x); })) return;
  }
}

// All numbers of the text behind the header, as ranks would read them that cut it at these places.
Outcome read_all(std::string_view text, const MatrixMarketHeader& h, std::vector<Index> cuts,
                 std::size_t piece) {
  Outcome all;
  Index lines = 0;
  cuts.insert(cuts.begin(), h.data_offset);
  cuts.push_back(static_cast<Index>(text.size()));
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    NumberStretch s{.begin = cuts[k],
                    .end = cuts[k + 1],
                    .line = h.data_line + lines,
                    .before = k == 0 ? ' ' : text[static_cast<std::size_t>(cuts[k] - 1)],
                    .skip = (h.numbers_an_entry() - all.tokens % h.numbers_an_entry()) % h.numbers_an_entry(),
                    .group = h.numbers_an_entry(),
                    .whole = h.field == Field::integer};
    if (k > 0 && cuts[k] == h.data_offset) s.before = ' ';
    const TextCounts c = count_tokens(
        text.substr(static_cast<std::size_t>(s.begin), static_cast<std::size_t>(s.end - s.begin)), s.before);
    all.tokens += c.tokens;
    lines += c.lines;
    try {
      if (all.error.empty()) read_stretch(text, s, piece, all);
    } catch (const IoError& e) {
      all.error = e.what();
      all.numbers.clear();
    }
  }
  return all;
}

std::optional<MatrixMarketHeader> parse(std::string_view text) {
  // A head that is cut short says "more", an error, or the same header: never another one.
  std::optional<MatrixMarketHeader> whole;
  const auto file_bytes = static_cast<Index>(text.size());
  try {
    whole = parse_matrix_market_header(text, file_bytes);
    must(whole.has_value() && whole->rows >= 0 && whole->columns >= 0);
    must(whole->data_offset <= file_bytes && whole->numbers() <= file_bytes);
  } catch (const IoError& e) {
    must(std::string_view(e.what()).starts_with("line "));
  }
  for (std::size_t n : {text.size() / 2, text.size() - std::min<std::size_t>(1, text.size())}) try {
      const std::string part(text.substr(0, n));
      const auto cut = parse_matrix_market_header(part, file_bytes);
      must(!cut || !whole || *cut == *whole);
    } catch (const IoError&) {
    }
  return whole;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 4, size - 4);
  const auto header = parse(text);
  if (!header) return 0;
  const Index body = static_cast<Index>(text.size()) - header->data_offset;
  std::vector<Index> cuts;
  for (int k : {0, 1, 2}) cuts.push_back(header->data_offset + data[k] * body / 255);
  std::sort(cuts.begin(), cuts.end());
  const Outcome one = read_all(text, *header, {}, text.size() + 1);
  must(one.error.empty() == (std::cmp_equal(one.numbers.size(), one.tokens)));
  must(one == read_all(text, *header, cuts, 1U + data[3] % 64));
  return 0;
}

}  // namespace cairn::io
