// Random calls of the family, answered by Cairn, beside the same call of ScaLAPACK in the same process.
#include <limits>

#include "doors/scalapack/program.hpp"

namespace cairn::test {
namespace {

template <Scalar T>
constexpr double roundoff = static_cast<double>(ScalarTraits<T>::roundoff) *
                            (ScalarTraits<T>::is_complex ? 4 : 1);

template <Scalar T>
T scalar(Random& random) {
  switch (random() % 5) {
    case 0:
      return T(0);
    case 1:
      return T(1);
    default:
      return element<T>(random(), 1, 2);
  }
}

char letter(Random& random, const char* letters) {
  const char c = letters[random() % std::strlen(letters)];
  return random() % 2 == 0 ? c : static_cast<char>(std::tolower(c));
}
Op op_of(char c) {
  switch (std::toupper(c)) {
    case 'N':
      return Op::none;
    case 'T':
      return Op::transpose;
    default:
      return Op::adjoint;
  }
}

template <Scalar T>
T magnitude(const T& x) {
  return T(std::abs(x));
}
template <Scalar T>
DealtMatrix<T> magnitudes(DealtMatrix<T> x) {
  for (T& e : x.memory) e = magnitude(e);
  return x;
}

// Everything outside the part that `written` names is as it was, bit by bit.
template <Scalar T, class Written>
void expect_untouched(DealtMatrix<T>& after, DealtMatrix<T>& before, Written&& written) {
  std::vector<char> may(after.memory.size(), 0);
  after.for_each([&](int i, int j, const T& x) {
    if (after.has(i, j) && written(i, j)) may[static_cast<std::size_t>(&x - after.memory.data())] = 1;
  });
  for (std::size_t at = 0; at < may.size(); ++at)
    ASSERT_TRUE(may[at] != 0 || std::memcmp(&after.memory[at], &before.memory[at], sizeof(T)) == 0)
        << "element " << at << " was touched";
}
template <Scalar T>
void expect_untouched(DealtMatrix<T>& after, DealtMatrix<T>& before) {
  expect_untouched(after, before, [](int, int) { return true; });
}

// |ours - theirs| <= factor * bound, element by element.
template <Scalar T>
void expect_close(DealtMatrix<T>& ours, DealtMatrix<T>& theirs, DealtMatrix<T>& bound, double factor) {
  for (std::size_t at = 0; at < ours.memory.size(); ++at) {
    const double difference = static_cast<double>(std::abs(ours.memory[at] - theirs.memory[at]));
    ASSERT_LE(difference, factor * static_cast<double>(std::abs(bound.memory[at])))
        << ours.memory[at] << " and " << theirs.memory[at];
  }
}
// The same with one bound for all.
template <Scalar T>
void expect_within(DealtMatrix<T>& ours, DealtMatrix<T>& theirs, double allowed) {
  for (std::size_t at = 0; at < ours.memory.size(); ++at) {
    const double difference = static_cast<double>(std::abs(ours.memory[at] - theirs.memory[at]));
    ASSERT_LE(difference, allowed) << ours.memory[at] << " and " << theirs.memory[at];
  }
}

long long answered() {
  long long ours = 0, passed = 0;
  cairn_scalapack_counts(&ours, &passed);
  return ours;
}

// A matrix X as arguments.
#define CAIRN_X(x) (x).data(), &(x).ia, &(x).ja, (x).d()

// Calls ours on ranks of the grid, and sees that it was Cairn that answered.
template <class... Arguments>
void expect_ours(Random& random, const std::string& name, const ProcessGrid& g, Arguments... arguments) {
  const std::string symbol = some_symbol(random, name);
  if (!g.has_me()) return;
  const long long before = answered();
  call_ours(symbol, arguments...);
  ASSERT_EQ(answered(), before + 1) << symbol << " was passed on";
}
template <class... Arguments>
void theirs_on(const ProcessGrid& g, const std::string& name, Arguments... arguments) {
  if (g.has_me()) call_theirs(name + "_", arguments...);
}

template <Scalar T>
void random_gemm(Random& random, const ProcessGrid& g) {
  const int m = pick_int(random, 1, 40), n = pick_int(random, 1, 40), k = pick_int(random, 1, 40);
  const char ta = letter(random, "NTC"), tb = letter(random, "NTC");
  const bool fa = op_of(ta) != Op::none, fb = op_of(tb) != Op::none;
  T alpha = scalar<T>(random), beta = scalar<T>(random);
  auto a = some_matrix<T>(random, g, fa ? k : m, fa ? m : k, 1),
       b = some_matrix<T>(random, g, fb ? n : k, fb ? k : n, 2);
  const auto c = some_matrix<T>(random, g, m, n, 3);
  auto before = c, ours = c, theirs = c, bound = magnitudes(c), abs_a = magnitudes(a), abs_b = magnitudes(b);
  const std::string name = name_of<T>("gemm");
  SCOPED_TRACE(testing::Message() << name << " " << ta << tb << " " << m << " x " << n << " x " << k);
  expect_ours(random, name, g, &ta, &tb, &m, &n, &k, &alpha, CAIRN_X(a), CAIRN_X(b), &beta, CAIRN_X(ours));
  theirs_on(g, name, &ta, &tb, &m, &n, &k, &alpha, CAIRN_X(a), CAIRN_X(b), &beta, CAIRN_X(theirs));
  alpha = magnitude(alpha);
  beta = magnitude(beta);
  theirs_on(g, name, &ta, &tb, &m, &n, &k, &alpha, CAIRN_X(abs_a), CAIRN_X(abs_b), &beta, CAIRN_X(bound));
  expect_close(ours, theirs, bound, 2 * (k + 4) * roundoff<T>);
  expect_untouched(ours, before);
}

// geadd, tran, tranu, tranc
template <Scalar T>
void random_addition(Random& random, const ProcessGrid& g) {
  const int m = pick_int(random, 1, 60), n = pick_int(random, 1, 60);
  T alpha = scalar<T>(random), beta = scalar<T>(random);
  const char op = letter(random, "NTC");
  const char* kinds[] = {"geadd", "tran", "tranu", "tranc"};
  const int kind = random() % 2 == 0 ? 0 : ScalarTraits<T>::is_complex ? pick_int(random, 2, 3) : 1;
  const bool flip = kind > 0 || op_of(op) != Op::none;
  auto a = some_matrix<T>(random, g, flip ? n : m, flip ? m : n, 1);
  const auto c = some_matrix<T>(random, g, m, n, 3);
  auto before = c, ours = c, theirs = c, bound = magnitudes(c), abs_a = magnitudes(a);
  const std::string name = name_of<T>(kinds[kind]);
  SCOPED_TRACE(testing::Message() << name << " " << op << " " << m << " x " << n);
  if (kind == 0) {
    expect_ours(random, name, g, &op, &m, &n, &alpha, CAIRN_X(a), &beta, CAIRN_X(ours));
    theirs_on(g, name, &op, &m, &n, &alpha, CAIRN_X(a), &beta, CAIRN_X(theirs));
  } else {
    expect_ours(random, name, g, &m, &n, &alpha, CAIRN_X(a), &beta, CAIRN_X(ours));
    theirs_on(g, name, &m, &n, &alpha, CAIRN_X(a), &beta, CAIRN_X(theirs));
  }
  alpha = magnitude(alpha);
  beta = magnitude(beta);
  const char plain = flip ? 'T' : 'N';
  theirs_on(g, name_of<T>("geadd"), &plain, &m, &n, &alpha, CAIRN_X(abs_a), &beta, CAIRN_X(bound));
  expect_close(ours, theirs, bound, 6 * roundoff<T>);
  expect_untouched(ours, before);
}

// Between two grids, over a third one that has all ranks. Fortran's form, C's, and those without a context.
template <Scalar T>
void random_redistribution(Random& random, const ProcessGrid& all, const ProcessGrid& from,
                           const ProcessGrid& to) {
  const int m = pick_int(random, 1, 50), n = pick_int(random, 1, 50);
  const auto plain = [&](const ProcessGrid& g, std::uint64_t seed) {
    DealtMatrix<T> x;
    do x = some_matrix<T>(random, g, m, n, seed);
    while (x.type != 1);  // ScaLAPACK's redistribution knows this kind alone
    return x;
  };
  auto a = plain(from, 1);
  const auto b = plain(to, 2);
  auto before = b, ours = b, theirs = b;
  const std::string name = name_of<T>("gemr2d"), ending = random() % 2 == 0 ? "o" : "";
  const bool by_value = random() % 2 == 0, prefixed = random() % 2 == 0;
  const long long count = answered();
  if (by_value && ending.empty())
    call_ours((prefixed ? "cairn_C" : "C") + name, m, n, a.data(), a.ia, a.ja, a.d(), ours.data(), b.ia, b.ja,
              b.d(), all.context);
  else if (by_value)
    call_ours((prefixed ? "cairn_C" : "C") + name + ending, m, n, a.data(), a.ia, a.ja, a.d(), ours.data(),
              b.ia, b.ja, b.d());
  else if (ending.empty())
    call_ours(some_symbol(random, name), &m, &n, CAIRN_X(a), CAIRN_X(ours), &all.context);
  else
    call_ours(some_symbol(random, name + ending), &m, &n, CAIRN_X(a), CAIRN_X(ours));
  ASSERT_EQ(answered(), count + 1);
  call_theirs(name + "_", &m, &n, CAIRN_X(a), CAIRN_X(theirs), &all.context);
  ASSERT_EQ(ours.memory, theirs.memory);
  expect_untouched(ours, before);
}

// A triangle whose inverse is small: what is solved with it differs by roundoff.
template <Scalar T>
void make_dominant(DealtMatrix<T>& a) {
  a.fill([&](int i, int j) {
    return element<T>(5, i, j) / T(static_cast<typename ScalarTraits<T>::Real>(a.n)) + (i == j ? T(2) : T(0));
  });
}

template <Scalar T>
void random_trsm(Random& random, const ProcessGrid& g) {
  const int m = pick_int(random, 1, 40), n = pick_int(random, 1, 40);
  const char side = letter(random, "LR"), uplo = letter(random, "LU"), op = letter(random, "NTC"),
             diag = letter(random, "NU");
  const int k = std::toupper(side) == 'L' ? m : n;
  const T alpha = scalar<T>(random);
  auto a = some_matrix<T>(random, g, k, k, 1);
  make_dominant(a);
  const auto b = some_matrix<T>(random, g, m, n, 2);
  auto before = b, ours = b, theirs = b;
  const std::string name = name_of<T>("trsm");
  SCOPED_TRACE(testing::Message() << name << " " << side << uplo << op << diag << " " << m << " x " << n);
  expect_ours(random, name, g, &side, &uplo, &op, &diag, &m, &n, &alpha, CAIRN_X(a), CAIRN_X(ours));
  theirs_on(g, name, &side, &uplo, &op, &diag, &m, &n, &alpha, CAIRN_X(a), CAIRN_X(theirs));
  // |T^-1| |T| <= 3 here, row by row, and |X| <= 2 |alpha|.
  expect_within(ours, theirs, 12 * (k + 4) * roundoff<T> * std::max(1.0, largest_element(theirs)));
  expect_untouched(ours, before);
}

// A matrix whose diagonal is real, as that of a Hermitian one is.
template <Scalar T>
DealtMatrix<T> with_real_diagonal(DealtMatrix<T> x) {
  x.for_each([](int i, int j, T& e) {
    if (i == j) e = T(std::real(e));
  });
  return x;
}

// The same call three times: ours, ScaLAPACK's, and ScaLAPACK's of the magnitudes, which bounds the difference.
// call(how, a, b, x, alpha, beta) makes it, `how` being one of those below.
template <Scalar T, class Call, class Written>
void expect_same_sums(DealtMatrix<T> a, DealtMatrix<T> b, const DealtMatrix<T>& x, T alpha, T beta, int terms,
                      Written&& written, Call&& call) {
  auto before = x, ours = x, theirs = x, bound = magnitudes(x), abs_a = magnitudes(a), abs_b = magnitudes(b);
  call(true, a, b, ours, alpha, beta);
  call(false, a, b, theirs, alpha, beta);
  call(false, abs_a, abs_b, bound, magnitude(alpha), magnitude(beta));
  expect_close(ours, theirs, bound, 2 * (terms + 4) * roundoff<T>);
  expect_untouched(ours, before, written);
}

// trmm, symm, hemm, syrk, herk
template <Scalar T>
void random_triangle(Random& random, const ProcessGrid& g) {
  using R = typename ScalarTraits<T>::Real;
  constexpr bool complex = ScalarTraits<T>::is_complex;
  const int m = pick_int(random, 1, 40), n = pick_int(random, 1, 40);
  const char side = letter(random, "LR"), uplo = letter(random, "LU"), op = letter(random, "NTC"),
             diag = letter(random, "NU");
  const bool left = std::toupper(side) == 'L', lower = std::toupper(uplo) == 'L',
             hermitian = complex && random() % 2 == 0;
  const int order = left ? m : n;
  const T alpha = scalar<T>(random), beta = scalar<T>(random);
  const auto everything = [](int, int) { return true; };
  const auto make = [&](bool ours, const std::string& name, auto... arguments) {
    if (ours)
      expect_ours(random, name, g, arguments...);
    else
      theirs_on(g, name, arguments...);
  };
  const auto kind = random() % 3;
  SCOPED_TRACE(testing::Message() << "triangle " << kind << " " << side << uplo << op << diag << " " << m
                                  << " x " << n << (hermitian ? " Hermitian" : ""));
  if (kind == 0) {
    const auto a = some_matrix<T>(random, g, order, order, 1), b = some_matrix<T>(random, g, m, n, 2);
    expect_same_sums<T>(
        a, a, b, alpha, beta, order, everything, [&](bool ours, auto& t, auto&, auto& x, T by, T) {
          make(ours, name_of<T>("trmm"), &side, &uplo, &op, &diag, &m, &n, &by, CAIRN_X(t), CAIRN_X(x));
        });
  } else if (kind == 1) {
    const auto a = with_real_diagonal(some_matrix<T>(random, g, order, order, 1)),
               b = some_matrix<T>(random, g, m, n, 2), c = some_matrix<T>(random, g, m, n, 3);
    expect_same_sums<T>(a, b, c, alpha, beta, order, everything,
                        [&](bool ours, auto& s, auto& x, auto& y, T by, T and_by) {
                          make(ours, name_of<T>(hermitian ? "hemm" : "symm"), &side, &uplo, &m, &n, &by,
                               CAIRN_X(s), CAIRN_X(x), &and_by, CAIRN_X(y));
                        });
  } else {
    const char by_op = letter(random, hermitian ? "NC" : complex ? "NT" : "NTC");
    const bool flip = op_of(by_op) != Op::none;
    const auto a = some_matrix<T>(random, g, flip ? n : m, flip ? m : n, 1),
               c = with_real_diagonal(some_matrix<T>(random, g, m, m, 3));
    const auto half = [&](int i, int j) { return lower ? i >= j : i <= j; };
    // Real factors that herk does not leave at once.
    const R real_alpha = std::real(alpha) == 0 ? R(1) : std::real(alpha), real_beta = std::real(beta);
    expect_same_sums<T>(
        a, a, c, hermitian ? T(real_alpha) : alpha, hermitian ? T(real_beta) : beta, n, half,
        [&](bool ours, auto& x, auto&, auto& y, T by, T and_by) {
          const R r = std::real(by), s = std::real(and_by);
          if (hermitian)
            make(ours, name_of<T>("herk"), &uplo, &by_op, &m, &n, &r, CAIRN_X(x), &s, CAIRN_X(y));
          else
            make(ours, name_of<T>("syrk"), &uplo, &by_op, &m, &n, &by, CAIRN_X(x), &and_by, CAIRN_X(y));
        });
  }
}

// max |A X - B| over what rounding explains: X comes from factors of A, B is what it was.
template <Scalar T>
void expect_solved(const ProcessGrid& g, char op, DealtMatrix<T> a, DealtMatrix<T> x, DealtMatrix<T> b) {
  const int n = a.n, columns = b.n;
  const T one(1), minus(-1);
  const double size = largest_element(a) * largest_element(x) * n;
  const char plain = 'N';
  theirs_on(g, name_of<T>("gemm"), &op, &plain, &n, &columns, &n, &one, CAIRN_X(a), CAIRN_X(x), &minus,
            CAIRN_X(b));
  const double residual = largest_element(b);
  ASSERT_LE(residual, 8 * (n + 4) * roundoff<T> * size);
}

template <Scalar T>
std::vector<int> pivots_for(const DealtMatrix<T>& a) {
  return std::vector<int>(a.my_rows.size() + static_cast<std::size_t>(a.rows.block) + 2, -5);
}

template <Scalar T>
void random_lu(Random& random, const ProcessGrid& g) {
  const int n = pick_int(random, 1, 40), columns = pick_int(random, 1, 12);
  auto a = some_factorable<T>(random, g, n, n);
  const auto seed = random();
  a.fill([&](int i, int j) { return element<T>(seed, i, j); });
  auto b = some_sides<T>(random, a, columns, 2);
  auto factors = a, x = b;
  std::vector<int> ipiv = pivots_for(a);
  int info = -77;
  const char op = letter(random, "NTC");
  const auto kind = random() % 4;
  SCOPED_TRACE(testing::Message() << "LU " << kind << " " << op << " " << n);
  switch (kind) {
    case 0:  // both in one
      expect_ours(random, name_of<T>("gesv"), g, &n, &columns, CAIRN_X(factors), ipiv.data(), CAIRN_X(x),
                  &info);
      expect_solved(g, 'N', a, x, b);
      break;
    case 1: {  // our factors in ScaLAPACK's solve
      expect_ours(random, name_of<T>("getrf"), g, &n, &n, CAIRN_X(factors), ipiv.data(), &info);
      int status = 0;
      theirs_on(g, name_of<T>("getrs"), &op, &n, &columns, CAIRN_X(factors), ipiv.data(), CAIRN_X(x),
                &status);
      expect_solved(g, op, a, x, b);
      break;
    }
    case 2:  // ScaLAPACK's factors in our solve
      theirs_on(g, name_of<T>("getrf"), &n, &n, CAIRN_X(factors), ipiv.data(), &info);
      expect_ours(random, name_of<T>("getrs"), g, &op, &n, &columns, CAIRN_X(factors), ipiv.data(),
                  CAIRN_X(x), &info);
      expect_solved(g, op, a, x, b);
      break;
    default: {  // the inverse, of ScaLAPACK's factors
      theirs_on(g, name_of<T>("getrf"), &n, &n, CAIRN_X(factors), ipiv.data(), &info);
      auto theirs = factors;
      std::vector<T> work(static_cast<std::size_t>(40 * (n + 40)));
      std::vector<int> iwork(4000);
      const int lwork = static_cast<int>(work.size()), liwork = static_cast<int>(iwork.size());
      expect_ours(random, name_of<T>("getri"), g, &n, CAIRN_X(factors), ipiv.data(), work.data(), &lwork,
                  iwork.data(), &liwork, &info);
      auto unit = a;
      unit.fill([](int i, int j) { return i == j ? T(1) : T(0); });
      expect_solved(g, 'N', a, factors, unit);
      break;
    }
  }
  ASSERT_EQ(info, g.has_me() ? 0 : -77);
  expect_untouched(factors, a);
  expect_untouched(x, b);
}

// A rectangle: rows in the order of the pivots are L U.
template <Scalar T>
void random_rectangle(Random& random, const ProcessGrid& g) {
  const int m = pick_int(random, 1, 40), n = pick_int(random, 1, 40), r = std::min(m, n);
  SCOPED_TRACE(testing::Message() << "getrf " << m << " x " << n);
  auto a = some_factorable<T>(random, g, m, n);
  const auto seed = random();
  a.fill([&](int i, int j) { return element<T>(seed, i, j); });
  auto factors = a, product = a, permuted = a;
  std::vector<int> ipiv = pivots_for(a);
  int info = -77;
  expect_ours(random, name_of<T>("getrf"), g, &m, &n, CAIRN_X(factors), ipiv.data(), &info);
  expect_untouched(factors, a);
  auto lower = factors, upper = factors;
  lower.fill([&](int i, int j) { return i == j ? T(1) : T(0); });
  const auto at = [](DealtMatrix<T>& x, const DealtMatrix<T>& of, const T& e) -> T& {
    return x.memory[static_cast<std::size_t>(&e - of.memory.data())];
  };
  factors.for_each([&](int i, int j, const T& e) {
    if (i > j) at(lower, factors, e) = e;
    at(upper, factors, e) = i <= j ? e : T(0);
  });
  const char plain = 'N', forward = 'F', rows = 'R', column = 'C';
  const T one(1), zero(0);
  theirs_on(g, name_of<T>("gemm"), &plain, &plain, &m, &n, &r, &one, CAIRN_X(lower), CAIRN_X(upper), &zero,
            CAIRN_X(product));
  const int unit = 1, mb = a.rows.block;
  const int of_pivots[] = {1,
                           g.context,
                           a.rows.size + mb * g.rows,
                           1,
                           mb,
                           1,
                           a.rows.source,
                           g.column,
                           mb + static_cast<int>(a.my_rows.size())};
  std::vector<int> work(4000);
  for (std::size_t i = 0; i < a.my_rows.size(); ++i)  // rows after the last pivot stay
    if (a.my_rows[i] >= a.ia - 1 + r) ipiv[i] = a.my_rows[i] + 1;
  theirs_on(g, name_of<T>("lapiv"), &forward, &rows, &column, &m, &n, CAIRN_X(permuted), ipiv.data(), &a.ia,
            &unit, of_pivots, work.data());
  expect_within(permuted, product, 8 * (r + 4) * roundoff<T> * r * largest_element(upper));
  ASSERT_EQ(info, g.has_me() ? 0 : -77);
}

template <Scalar T>
T hermitian(int i, int j, int n) {
  using R = typename ScalarTraits<T>::Real;
  if (i == j) return T(2);
  T x = element<T>(9, std::min(i, j), std::max(i, j)) / T(static_cast<R>(n));
  if constexpr (ScalarTraits<T>::is_complex) return i < j ? x : std::conj(x);
  return x;
}

template <Scalar T>
void random_cholesky(Random& random, const ProcessGrid& g) {
  const int n = pick_int(random, 1, 40), columns = pick_int(random, 1, 12);
  const char uplo = letter(random, "LU");
  const bool lower = std::toupper(uplo) == 'L';
  auto a = some_factorable<T>(random, g, n, n);
  // The half that is not named is not read.
  a.fill([&](int i, int j) {
    return !a.has(i, j) || (lower ? i >= j : i <= j) ? hermitian<T>(i, j, n)
                                                     : T(std::numeric_limits<float>::max());
  });
  auto b = some_sides<T>(random, a, columns, 2);
  auto ours = a, theirs = a, x = b, y = b;
  int info = -77, status = -77;
  const auto kind = random() % 4;
  SCOPED_TRACE(testing::Message() << "Cholesky " << kind << " " << uplo << " " << n);
  switch (kind) {
    case 0:
      expect_ours(random, name_of<T>("posv"), g, &uplo, &n, &columns, CAIRN_X(ours), CAIRN_X(x), &info);
      theirs_on(g, name_of<T>("posv"), &uplo, &n, &columns, CAIRN_X(theirs), CAIRN_X(y), &status);
      break;
    case 1:
      expect_ours(random, name_of<T>("potrf"), g, &uplo, &n, CAIRN_X(ours), &info);
      theirs_on(g, name_of<T>("potrf"), &uplo, &n, CAIRN_X(theirs), &status);
      break;
    case 2:
      theirs_on(g, name_of<T>("potrf"), &uplo, &n, CAIRN_X(theirs), &status);
      ours = theirs;
      expect_ours(random, name_of<T>("potrs"), g, &uplo, &n, &columns, CAIRN_X(ours), CAIRN_X(x), &info);
      theirs_on(g, name_of<T>("potrs"), &uplo, &n, &columns, CAIRN_X(theirs), CAIRN_X(y), &status);
      break;
    default:
      theirs_on(g, name_of<T>("potrf"), &uplo, &n, CAIRN_X(theirs), &status);
      ours = theirs;
      expect_ours(random, name_of<T>("potri"), g, &uplo, &n, CAIRN_X(ours), &info);
      theirs_on(g, name_of<T>("potri"), &uplo, &n, CAIRN_X(theirs), &status);
      break;
  }
  ASSERT_EQ(info, status);
  expect_untouched(ours, a, [&](int i, int j) { return lower ? i >= j : i <= j; });
  expect_untouched(x, b);
  // The eigenvalues lie between 1 and 3: factors, inverses and solutions differ by a few roundoffs of their size.
  expect_within(ours, theirs, 20 * (n + 4) * roundoff<T>);
  expect_within(x, y, 20 * (n + 4) * roundoff<T>);
}

template <Scalar T>
void random_call(Random& random, const ProcessGrid& all, const ProcessGrid& g, const ProcessGrid& other) {
  switch (random() % 9) {
    case 0:
      return random_triangle<T>(random, g);
    case 1:
      return random_gemm<T>(random, g);
    case 2:
      return random_addition<T>(random, g);
    case 3:
      return random_redistribution<T>(random, all, g, other);
    case 4:
      return random_trsm<T>(random, g);
    case 5:
      return random_lu<T>(random, g);
    case 6:
      return random_rectangle<T>(random, g);
    case 8:
      return random_triangle<T>(random, g);
    default:
      return random_cholesky<T>(random, g);
  }
}

// Parts of one sweep: each has the time of a case.
class ScalapackCalls : public MpiTest, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Part, ScalapackCalls, testing::Range(0, 8));

TEST_P(ScalapackCalls, AnswerAsScalapackDoes) {
  if (scalapack_library() == nullptr) GTEST_SKIP() << CAIRN_TEST_SCALAPACK << " is not installed";
  Random random(2026 + static_cast<std::uint64_t>(GetParam()));
  std::vector<int> everybody(static_cast<std::size_t>(world().size()));
  for (std::size_t i = 0; i < everybody.size(); ++i) everybody[i] = static_cast<int>(i);
  const ProcessGrid all = make_grid(1, world().size(), everybody);
  const int calls = trials(375);
  for (int done = 0; done < calls;) {
    const int most = random() % 4 == 0 ? world().size() : 6;  // few ranks more often: they are quicker
    const ProcessGrid g = some_grid(random, most), other = some_grid(random, most);
    for (int i = 0; i < 12 && done < calls; ++i, ++done) {
      SCOPED_TRACE(testing::Message() << "call " << done << " on " << g.rows << " x " << g.columns);
      switch (random() % 4) {
        case 0:
          random_call<float>(random, all, g, other);
          break;
        case 1:
          random_call<double>(random, all, g, other);
          break;
        case 2:
          random_call<std::complex<float>>(random, all, g, other);
          break;
        default:
          random_call<std::complex<double>>(random, all, g, other);
      }
      if (largest(HasFatalFailure() ? 1 : 0) > 0) FAIL() << "call " << done;
    }
    end_grid(other);
    end_grid(g);
  }
  end_grid(all);
}

}  // namespace
}  // namespace cairn::test
