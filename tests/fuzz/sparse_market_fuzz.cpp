// libFuzzer target: any text gives a header and entries, or an error that names a place; and the same ones
// however the text is cut into stretches and pieces. The first two bytes choose the cuts.
#include <cstdlib>

#include "cairn/error.hpp"
#include "io/sparse_market.hpp"

namespace cairn::io {
namespace {

void must(bool condition) {
  if (!condition) std::abort();
}

struct Outcome {
  std::vector<Triple<double>> triples;
  std::string error;
  Index line = 0, column = 0;
};

// A number that is none is not equal to itself.
bool same(const Outcome& a, const Outcome& b) {
  if (a.error != b.error || a.triples.size() != b.triples.size()) return false;
  if (!a.error.empty()) return a.line == b.line && a.column == b.column;
  for (std::size_t t = 0; t < a.triples.size(); ++t)
    if (a.triples[t].row != b.triples[t].row || a.triples[t].column != b.triples[t].column) return false;
  return true;
}

// As ranks would read it that cut the text at this place.
Outcome read_cut(const SparseMarketHeader& h, std::string_view text, std::size_t cut, std::size_t piece) {
  Outcome all;
  EntryParser<double> parser(h);
  const std::size_t cuts[] = {static_cast<std::size_t>(h.data_offset), cut, text.size()};
  for (int part = 0; part < 2; ++part) {
    const std::size_t begin = cuts[part];
    LineReader reader(part == 0 || begin == cuts[0] || text[begin - 1] == '\n',
                      static_cast<Index>(cuts[part + 1] - begin));
    try {
      for (std::size_t at = begin; at < text.size() && begin < cuts[part + 1];) {
        const std::string here(text.substr(at, piece));  // on the heap: reads beyond it are seen
        at += here.size();
        if (!reader.feed(here, at == text.size(),
                         [&](std::string_view line) { parser.parse(line, all.triples); }))
          break;
      }
    } catch (const LineError& e) {
      must(e.column >= 1 && !e.what.empty());
      all.error = e.what;
      all.line += reader.lines();
      all.column = e.column;
      all.triples.clear();
      return all;
    }
    all.line += reader.lines();
  }
  must(static_cast<Index>(all.triples.size()) <= 2 * h.entries);
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  std::optional<SparseMarketHeader> header;
  try {
    header = parse_sparse_market_header(text, true, static_cast<Index>(text.size()));
  } catch (const IoError& e) {
    must(std::string_view(e.what()).starts_with("line "));
    return 0;
  }
  must(header && header->rows >= 0 && header->columns >= 0 &&
       header->entries <= static_cast<Index>(text.size()));
  const auto body = text.size() - static_cast<std::size_t>(header->data_offset);
  const std::size_t cut = static_cast<std::size_t>(header->data_offset) + data[0] * body / 255;
  must(same(read_cut(*header, text, text.size(), text.size() + 1),
            read_cut(*header, text, cut, 1U + data[1] % 64)));
  return 0;
}

}  // namespace cairn::io
