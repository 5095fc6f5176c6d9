#include "comm/traffic_table.hpp"

#include <array>
#include <set>

#include "comm/blocks.hpp"
#include "comm/collectives.hpp"

namespace cairn::comm {
namespace {

using Names = std::set<std::string>;

std::string join(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  return text;
}

void add_names(Names& names, const std::string& text) {
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    names.insert(text.substr(at, end - at));
}

void send_text(CommView comm, const std::string& text, int to) {
  const Index length = static_cast<Index>(text.size());
  send(comm, std::span(&length, 1), to);
  send(comm, std::span(text.data(), text.size()), to);
}

std::string receive_text(CommView comm, int from) {
  Index length = 0;
  receive(comm, std::span(&length, 1), from);
  std::string text(static_cast<std::size_t>(length), ' ');
  receive(comm, std::span(text.data(), text.size()), from);
  return text;
}

// The names any rank has: merged up a binary tree, then broadcast.
Names all_names(CommView comm, Names names) {
  const int r = comm.rank(), p = comm.size();
  for (int bit = 1; bit < p; bit *= 2) {
    if ((r & bit) != 0) {
      send_text(comm, join(names), r - bit);
      break;
    }
    if (r + bit < p) add_names(names, receive_text(comm, r + bit));
  }
  std::string text = join(names);
  Index length = static_cast<Index>(text.size());
  broadcast(comm, std::span(&length, 1), 0);
  text.resize(static_cast<std::size_t>(length));
  broadcast(comm, std::span(text.data(), text.size()), 0);
  add_names(names, text);
  return names;
}

constexpr std::size_t columns = 6;

std::array<Index, columns> values_of(const Counters& c) {
  return {c.sent.words,     c.received.words, c.sent.bytes,
          c.received.bytes, c.sent.messages,  c.received.messages};
}

TrafficRow make_row(std::string phase, std::span<const Index> max, std::span<const Index> sum, int p) {
  const auto spread = [&](std::size_t i) { return Spread{max[i], sum[i], static_cast<double>(sum[i]) / p}; };
  return {.phase = std::move(phase),
          .words_sent = spread(0),
          .words_received = spread(1),
          .bytes_sent = spread(2),
          .bytes_received = spread(3),
          .messages_sent = spread(4),
          .messages_received = spread(5)};
}

}  // namespace

std::vector<TrafficRow> gather_traffic(CommView comm, const TrafficSnapshot& mine) {
  const CommView plain = comm.unchecked();
  const TrafficSnapshot untouched = comm.traffic().snapshot();
  Names names;
  for (const auto& [path, counters] : mine.phases) names.insert(path);
  names = all_names(plain, std::move(names));

  std::vector<Index> local;
  for (const std::string& name : names) {
    const auto found = mine.phases.find(name);
    const auto v = values_of(found == mine.phases.end() ? Counters{} : found->second);
    local.insert(local.end(), v.begin(), v.end());
  }
  const auto total = values_of(mine.total());
  local.insert(local.end(), total.begin(), total.end());
  std::vector<Index> max(local.size()), sum(local.size());
  allreduce(plain, std::span<const Index>(local), std::span(max), ReduceOp::max);
  allreduce(plain, std::span<const Index>(local), std::span(sum), ReduceOp::sum);
  comm.traffic().restore(untouched);

  std::vector<TrafficRow> rows;
  std::size_t at = 0;
  const auto add_row = [&](const std::string& name) {
    rows.push_back(make_row(name, std::span(max).subspan(at, columns), std::span(sum).subspan(at, columns),
                            comm.size()));
    at += columns;
  };
  for (const std::string& name : names) add_row(name);
  add_row("total");
  return rows;
}

}  // namespace cairn::comm
