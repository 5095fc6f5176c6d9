// What calls took, beside what was predicted: how the door comes to know this machine and this program. Pure.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <string>

namespace cairn::scalapack {

enum class Way { ours, theirs };
inline Way other(Way way) { return way == Way::ours ? Way::theirs : Way::ours; }

// One kind of call: what each way is predicted to take and took here, in seconds.
struct Trial {
  std::array<double, 2> predicted{};
  std::array<double, 2> measured{};  // the least of those timed
  std::array<int, 2> times{};        // timed so often
  long long calls = 0;
  Way way = Way::theirs;
  bool settled = false;  // nothing is timed any more, until
  long long again =
      std::numeric_limits<long long>::max();  // this call: from then on the other way may be tried
  bool tries_other = false;

  bool is_known(Way w) const { return times[static_cast<std::size_t>(w)] >= enough; }
  void keep(Way w, double seconds);

  static constexpr int enough = 2;  // the first call plans, and touches its memory
};

// How far predictions were off, by routine and way. The same on all ranks where they are told the same.
class Experience {
 public:
  // What the way is expected to take: as it took; or the prediction, off as far as it was for other calls of this routine
  // this way, or else the other way: a machine that is slower than said is slower both ways. But that ours is slower than
  // said excuses only ours until theirs has been seen, once a routine. Other routines do not count: how far a model is off
  // differs from routine to routine.
  double expected(const std::string& routine, const Trial& trial, Way way) const;
  void learn(const std::string& routine, Way way, double predicted, double measured);

  // Which way the next call goes. Ours must be quicker by a margin as long as one of the two is a prediction. Settled
  // when the way it goes is known. The other way is tried as well, as soon as that is expected to cost a small part of
  // what calls like this have taken.
  void choose(const std::string& routine, Trial& trial) const;

  static constexpr double margin = 0.9;
  static constexpr double price_of_trying = 0.03;

 private:
  struct Ratio {  // of measured to predicted: the mean of the logarithm, of which the last one counts half
    double log = 0;
    bool known = false;
  };
  std::map<std::string, std::array<Ratio, 2>> routines_;

  static void add(Ratio& ratio, double log);
  double ratio(const std::string& routine, Way way) const;
};

}  // namespace cairn::scalapack
