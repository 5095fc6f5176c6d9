#include "comm/agreement.hpp"

#include <fmt/ranges.h>

#include <array>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "comm/collectives.hpp"

namespace cairn::comm {
namespace {

constexpr int most_values = 6;
constexpr int fields = most_values + 1;  // the operation's own fingerprint comes first

// For every field the greatest value and the greatest negated value, each with the rank that has it: both
// come out of one maximum.
struct Extreme {
  Index value;
  Index rank;
};

struct Record {
  Index no_error_before;             // minus the lowest rank with an error, or a very low number
  std::array<Extreme, fields> high;  // the greatest
  std::array<Extreme, fields> low;   // the greatest of the negated
};

void keep_greater(Extreme& a, const Extreme& b) {
  if (b.value > a.value || (b.value == a.value && b.rank < a.rank)) a = b;
}

void merge(const void* a, const void* b, void* out, Index count) {
  for (Index i = 0; i < count; ++i) {
    Record r = static_cast<const Record*>(a)[i];
    const Record& other = static_cast<const Record*>(b)[i];
    r.no_error_before = std::max(r.no_error_before, other.no_error_before);
    for (std::size_t f = 0; f < fields; ++f) {
      keep_greater(r.high[f], other.high[f]);
      keep_greater(r.low[f], other.low[f]);
    }
    static_cast<Record*>(out)[i] = r;
  }
}

struct Caught {
  ErrorKind kind;
  std::string text;
};

std::optional<Caught> run_check(const std::function<void()>& check) {
  try {
    if (check) check();
  } catch (const Error& e) {
    return Caught{e.kind(), e.what()};
  } catch (const std::bad_alloc&) {
    return Caught{ErrorKind::memory, "out of memory"};
  }
  return std::nullopt;
}

constexpr Index no_error = std::numeric_limits<Index>::min();

Record make_record(int rank, bool failed, Index operation, std::span<const Same> same) {
  Record r{.no_error_before = failed ? -Index{rank} : no_error, .high = {}, .low = {}};
  for (std::size_t f = 0; f < fields; ++f) {
    const Index value = f == 0 ? operation : f - 1 < same.size() ? same[f - 1].value : 0;
    r.high[f] = {value, rank};
    r.low[f] = {-value, rank};
  }
  return r;
}

// The error of rank `source`, on every rank. Its kind and text travel in one message of fixed length.
[[noreturn]] void throw_everywhere(CommView comm, int source, std::string_view operation,
                                   const Caught* mine) {
  std::array<char, 1024> text{};
  if (mine != nullptr) {
    text[0] = static_cast<char>(mine->kind);
    mine->text.copy(text.data() + 1, text.size() - 2);
  }
  broadcast(comm, std::span<char>(text), source);
  throw_error(static_cast<ErrorKind>(text[0]),
              fmt::format("{}: rank {}: {}", operation, source, text.data() + 1));
}

// Arguments as one text: name, fingerprint and value of each. Long values are cut; their fingerprints are whole.
constexpr char between_fields = '\x1f', between_arguments = '\x1e';
constexpr std::size_t most_letters = 160;

std::string packed(const std::vector<Argument>& arguments) {
  std::string text;
  for (const Argument& a : arguments)
    text += fmt::format("{}{}{}{}{}{}{}", a.name, between_fields, fingerprint(a.value), between_fields,
                        a.value.substr(0, most_letters), a.value.size() > most_letters ? " ..." : "",
                        between_arguments);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0, end; (end = text.find(at, begin)) != std::string_view::npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  return parts;
}

// What rank `source` has packed, on every rank.
std::string packed_on(CommView comm, Index source, const std::string& mine) {
  std::array<char, 8192> text{};
  if (comm.rank() == source) mine.copy(text.data(), text.size() - 1);
  broadcast(comm, std::span<char>(text), static_cast<int>(source));
  return text.data();
}

// The first argument that two ranks have differently. The lower rank is named first.
[[noreturn]] void throw_difference(CommView comm, std::string_view operation, const Same& same, Index x,
                                   Index y) {
  const Index low = std::min(x, y), high = std::max(x, y);
  const std::string mine = packed(same.arguments());
  const std::string of_low = packed_on(comm, low, mine), of_high = packed_on(comm, high, mine);
  const std::vector<std::string_view> a = split(of_low, between_arguments),
                                      b = split(of_high, between_arguments);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] == b[i]) continue;
    const std::size_t end = a[i].find(between_fields);
    fail("{}: {} is {} on rank {} and {} on rank {}, expected the same on every rank", operation,
         a[i].substr(0, end), a[i].substr(a[i].rfind(between_fields) + 1), low,
         b[i].substr(b[i].rfind(between_fields) + 1), high);
  }
  fail("{}: {} differs between ranks {} and {}, expected the same on every rank", operation, same.name, low,
       high);
}

}  // namespace

Index fingerprint(std::string_view text) {
  const std::vector<Index> codes(text.begin(), text.end());
  return fingerprint(codes);
}

std::string op_text(Op op) { return op == Op::none ? "none" : op == Op::transpose ? "transpose" : "adjoint"; }

std::string list_text(std::span<const Index> values) { return fmt::format("{}", fmt::join(values, ", ")); }

Index fingerprint(std::span<const Index> values) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const Index value : values)
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ ((static_cast<std::uint64_t>(value) >> (8 * byte)) & 255)) * 1099511628211ULL;
  return static_cast<Index>(hash >> 2);  // stays positive when negated and compared
}

void agree(CommView comm, std::string_view operation, const std::function<void()>& check,
           std::span<const Same> same) {
  require(same.size() <= most_values, "agreement on {} values, expected at most {}", same.size(),
          most_values);
  const Phase phase(comm.traffic(), agreement_phase);
  const CommView plain = comm.unchecked();
  const std::optional<Caught> mine = run_check(check);
  const Record record = make_record(comm.rank(), mine.has_value(), fingerprint(operation), same);
  Record all{};
  static const ElementType record_type{.bytes = sizeof(Record), .max = &merge};
  const Seat seat{comm.rank(), comm.size()};
  plain.start(allreduce_doubling(seat, 1), {&record, &all, &record_type, &merge, "agreement on arguments"})
      .wait();

  const auto differs = [&](std::size_t f) { return all.high[f].value != -all.low[f].value; };
  require(!differs(0),
          "{}: ranks {} and {} are in different operations; all ranks of a communicator must make the same "
          "calls in the same order",
          "collective", std::min(all.high[0].rank, all.low[0].rank),
          std::max(all.high[0].rank, all.low[0].rank));
  if (all.no_error_before != no_error) {
    const int source = static_cast<int>(-all.no_error_before);
    throw_everywhere(plain, source, operation, source == comm.rank() ? &*mine : nullptr);
  }
  for (std::size_t f = 1; f < fields; ++f)
    if (differs(f)) {
      if (same[f - 1].arguments)
        throw_difference(plain, operation, same[f - 1], all.high[f].rank, all.low[f].rank);
      fail("{}: {} is {} on rank {} and {} on rank {}, expected the same on every rank", operation,
           same[f - 1].name, all.high[f].value, all.high[f].rank, -all.low[f].value, all.low[f].rank);
    }
}

void agree(CommView comm, std::string_view operation, const std::function<void()>& check,
           std::initializer_list<Same> same) {
  agree(comm, operation, check, std::span(same.begin(), same.size()));
}

}  // namespace cairn::comm
