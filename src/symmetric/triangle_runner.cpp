#include "symmetric/triangle_runner.hpp"

#include <algorithm>
#include <cstring>

#include "comm/agreement.hpp"
#include "program/count.hpp"

namespace cairn::symmetric {
namespace {

constexpr std::size_t most_prepared = 16;

template <Scalar T>
Index bits_of(T alpha, T beta) {
  const std::array<T, 2> values{alpha, beta};
  std::array<Index, 4> words{};
  static_assert(sizeof(values) <= sizeof(words));
  std::memcpy(words.data(), values.data(), sizeof(values));
  return comm::fingerprint(words);
}

Index fingerprint(const Problem& p, const Operands& operands) {
  std::vector<Index> values{static_cast<Index>(p.kind), p.hermitian ? 1 : 0,
                            static_cast<Index>(p.side), static_cast<Index>(p.triangle),
                            static_cast<Index>(p.op),   static_cast<Index>(p.diagonal),
                            static_cast<Index>(p.type)};
  for (const layout::Layout& l : operands.layouts) values.push_back(l.fingerprint());
  return comm::fingerprint(values);
}

Index fingerprint(const Settings& s) {
  return comm::fingerprint(std::array<Index, 4>{static_cast<Index>(s.goal),
                                                static_cast<Index>(s.algorithm.size()), s.parts.value_or(0),
                                                s.memory_bytes.value_or(-1)});
}

std::vector<comm::Argument> arguments_of(const Problem& p, const Operands& operands) {
  std::vector<comm::Argument> all{{"operation", std::to_string(static_cast<int>(p.kind))},
                                  {"whether it is Hermitian", p.hermitian ? "yes" : "no"},
                                  {"side", p.side == Side::left ? "left" : "right"},
                                  {"triangle", p.triangle == Triangle::lower ? "lower" : "upper"},
                                  {"op", comm::op_text(p.op)},
                                  {"diagonal", p.diagonal == Diagonal::unit ? "unit" : "stored"},
                                  {"type", std::string(name(p.type))}};
  constexpr std::array names{"layout of the triangle", "layout of the first panel",
                             "layout of the second panel"};
  for (std::size_t i = 0; i < operands.layouts.size(); ++i)
    all.push_back({names[i], operands.layouts[i].text()});
  return all;
}

std::vector<comm::Argument> arguments_of(const Settings& s) {
  return {{"objective", s.goal == Goal::words ? "words" : "time"},
          {"algorithm", s.algorithm},
          {"parts", s.parts ? std::to_string(*s.parts) : "not given"},
          {"memory_bytes", s.memory_bytes ? std::to_string(*s.memory_bytes) : "not given"}};
}

}  // namespace

std::shared_ptr<const TriangleRunner::Prepared> TriangleRunner::prepare(const Problem& problem,
                                                                        const Settings& settings,
                                                                        const Operands& operands) {
  const auto found = std::ranges::find_if(prepared_, [&](const auto& p) {
    return p->problem == problem && p->settings == settings && p->operands.leading == operands.leading &&
           p->operands.layouts == operands.layouts;
  });
  if (found != prepared_.end()) {
    prepared_.splice(prepared_.begin(), prepared_, found);
    return prepared_.front();
  }
  auto fresh = std::make_shared<Prepared>(Prepared{.problem = problem,
                                                   .operands = operands,
                                                   .settings = settings,
                                                   .plan = {},
                                                   .program = {},
                                                   .moved = {}});
  fresh->plan = plan_product(problem, operands.layouts, comm_.size(), settings);
  fresh->program = dispatch(problem.type, [&]<class T>() {
    return compile<T>(problem, *fresh->plan.shape, operands, comm_.rank(), comm_.size());
  });
  fresh->moved = program::count(fresh->program).total();
  return fresh;
}

template <Scalar T>
std::shared_ptr<const TriangleRunner::Prepared> TriangleRunner::run(
    Problem problem, const Settings& settings, T alpha, const std::array<layout::MatrixView<T>, 3>& matrices,
    T beta, const std::function<void()>& check, int threads) {
  problem.type = ScalarTraits<T>::type;
  problem.alpha = kind_of(alpha);
  problem.beta = kind_of(beta);
  Operands operands;
  for (std::size_t m = 0; m < 3; ++m) {
    operands.layouts[m] = matrices[m].layout;
    operands.leading[m] = matrices[m].leading_dimension;
  }
  std::shared_ptr<const Prepared> prepared;
  Pool::Lease work;
  comm::agree(
      comm_, "product with a triangle",
      [&] {
        check();
        prepared = prepare(problem, settings, operands);
        work = pool_.lease(checked_mul(prepared->program.array_counts[0], sizeof(T), "bytes of work memory"));
      },
      {{"n", problem.n},
       {"k", problem.k},
       {"operation and layouts", fingerprint(problem, operands),
        [&] { return arguments_of(problem, operands); }},
       {"options", fingerprint(settings), [&] { return arguments_of(settings); }},
       {"alpha and beta", bits_of(alpha, beta), [&] {
          return std::vector<comm::Argument>{{"alpha", comm::scalar_text(alpha)},
                                             {"beta", comm::scalar_text(beta)}};
        }}});
  if (prepared_.empty() || prepared_.front() != prepared) prepared_.push_front(prepared);
  if (prepared_.size() > most_prepared) prepared_.pop_back();
  std::array<T, 2> scalars{alpha, beta};
  const std::array<T*, 5> arrays{work.template as<T>().data(), matrices[0].data, matrices[1].data,
                                 matrices[2].data, scalars.data()};
  program::run<T>(prepared->program, comm_, {arrays, scalars}, {.trace = trace_, .threads = threads});
  return prepared;
}

#define CAIRN_INSTANTIATE(T)                                                       \
  template std::shared_ptr<const TriangleRunner::Prepared> TriangleRunner::run(    \
      Problem, const Settings&, T, const std::array<layout::MatrixView<T>, 3>&, T, \
      const std::function<void()>&, int);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::symmetric
