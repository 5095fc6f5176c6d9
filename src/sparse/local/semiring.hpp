// Semirings: what stands for + and * in a product. A user's own is a type like these:
//
//   struct MaxMin {
//     using Value = double;
//     static double zero() { return 0; }                              // add(zero(), x) == x
//     static double add(double x, double y) { return std::max(x, y); }        // associative, commutative
//     static double multiply(double x, double y) { return std::min(x, y); }
//   };
//
// Entries that are not stored are zero() and never multiplied; an entry whose value comes out as zero()
// stays.
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <mutex>
#include <string_view>

#include "base/scalar.hpp"
#include "base/size.hpp"
#include "cairn/semiring.hpp"

namespace cairn::sparse {

template <class S>
concept SemiringType = requires(typename S::Value x) {
  { S::zero() } -> std::convertible_to<typename S::Value>;
  { S::add(x, x) } -> std::convertible_to<typename S::Value>;
  { S::multiply(x, x) } -> std::convertible_to<typename S::Value>;
};

template <class T>
struct PlusTimes {
  using Value = T;
  static T zero() { return T(0); }
  static T add(T x, T y) { return x + y; }
  static T multiply(T x, T y) {
    // As written: the library's product of complex numbers looks for infinities, ten times slower.
    if constexpr (requires { x.imag(); })
      return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
    else
      return x * y;
  }
};

template <class T>
constexpr T greatest() {
  if constexpr (std::numeric_limits<T>::has_infinity)
    return std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::max();
}
template <class T>
constexpr T least() {
  if constexpr (std::numeric_limits<T>::has_infinity)
    return -std::numeric_limits<T>::infinity();
  else
    return std::numeric_limits<T>::lowest();
}

// Shortest paths.
template <class T>
struct MinPlus {
  using Value = T;
  static T zero() { return greatest<T>(); }
  static T add(T x, T y) { return std::min(x, y); }
  static T multiply(T x, T y) { return x + y; }
};

// Longest paths.
template <class T>
struct MaxPlus {
  using Value = T;
  static T zero() { return least<T>(); }
  static T add(T x, T y) { return std::max(x, y); }
  static T multiply(T x, T y) { return x + y; }
};

// What can be reached: anything but 0 is true, and 1 comes out wherever two meet.
template <class T>
struct OrAnd {
  using Value = T;
  static T zero() { return T(0); }
  static T add(T x, T y) { return x == T(0) ? y : y == T(0) ? x : T(1); }
  static T multiply(T x, T y) { return T(x != T(0) && y != T(0)); }
};

// How many pairs meet, whatever their values: triangles, common neighbours.
template <class T>
struct PlusPair {
  using Value = T;
  static T zero() { return T(0); }
  static T add(T x, T y) { return x + y; }
  static T multiply(T, T) { return T(1); }
};

// The semiring that is given at the moment, by whoever holds the lock: products ask a type, not an object. Hold it for
// local work only: who waits for other ranks meanwhile may wait for a rank that waits for its lock.
template <class T>
class Given {
 public:
  using Value = T;
  static T zero() { return semiring_.zero; }
  static T add(T x, T y) { return semiring_.add(x, y); }
  static T multiply(T x, T y) { return semiring_.multiply(x, y); }

  class Lock {
   public:
    explicit Lock(const OwnSemiring<T>& semiring) : lock_(mutex_) { semiring_ = semiring; }

   private:
    std::lock_guard<std::mutex> lock_;
  };

 private:
  static inline std::mutex mutex_;
  static inline OwnSemiring<T> semiring_;
};

using Semiring = SparseSemiring;
inline constexpr Semiring all_semirings[] = {Semiring::plus_times, Semiring::min_plus, Semiring::max_plus,
                                             Semiring::or_and, Semiring::plus_pair};

std::string_view name(Semiring semiring);        // "plus-times", "min-plus", ...
Semiring parse_semiring(std::string_view text);  // as printed by name(); throws ArgumentError

// Calls f.template operator()<S>() with the semiring over T. Complex numbers have no order and are neither
// true nor false: with them anything but plus-times is an ArgumentError.
template <Scalar T, class F>
decltype(auto) dispatch(Semiring semiring, F&& f) {
  if constexpr (!ScalarTraits<T>::is_complex) {
    switch (semiring) {
      case Semiring::min_plus:
        return f.template operator()<MinPlus<T>>();
      case Semiring::max_plus:
        return f.template operator()<MaxPlus<T>>();
      case Semiring::or_and:
        return f.template operator()<OrAnd<T>>();
      case Semiring::plus_pair:
        return f.template operator()<PlusPair<T>>();
      case Semiring::plus_times:
        break;
    }
  } else {
    require(semiring == Semiring::plus_times, "the semiring is {} with complex numbers, expected plus-times",
            name(semiring));
  }
  return f.template operator()<PlusTimes<T>>();
}

// The semirings that the library is compiled for: X(S) for each.
#define CAIRN_FOR_EACH_SEMIRING(X)   \
  X(PlusTimes<float>)                \
  X(PlusTimes<double>)               \
  X(PlusTimes<std::complex<float>>)  \
  X(PlusTimes<std::complex<double>>) \
  X(Given<float>)                    \
  X(Given<double>)                   \
  X(Given<std::complex<float>>)      \
  X(Given<std::complex<double>>)     \
  X(MinPlus<float>)                  \
  X(MinPlus<double>)                 \
  X(MaxPlus<float>) X(MaxPlus<double>) X(OrAnd<float>) X(OrAnd<double>) X(PlusPair<float>) X(PlusPair<double>)
#define CAIRN_FOR_EACH_SCALAR(X) X(float) X(double) X(std::complex<float>) X(std::complex<double>)

}  // namespace cairn::sparse
