// Calls with wrong arguments: they end as ScaLAPACK ends them, whoever was called. This program overrides what ScaLAPACK
// calls then, as programs do.
#include <cstdarg>
#include <cstdio>

#include "doors/scalapack/program.hpp"

namespace cairn::test {
namespace {

struct Complaint {
  std::string routine;
  int info = 0;
  friend bool operator==(const Complaint&, const Complaint&) = default;
};
std::vector<Complaint> complaints;

std::ostream& operator<<(std::ostream& to, const Complaint& c) { return to << c.routine << " " << c.info; }

}  // namespace
}  // namespace cairn::test

// ScaLAPACK's own, which would print and end the program. What it would print is kept, too.
extern "C" __attribute__((visibility("default"))) void PB_Cwarn(int, int, const char* routine,
                                                                const char* format, ...) {
  char text[400];
  va_list rest;
  va_start(rest, format);
  std::vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  cairn::test::complaints.push_back({std::string(routine) + ": " + text, 0});
}
extern "C" __attribute__((visibility("default"))) void PB_Cabort(int, const char* routine, int info) {
  cairn::test::complaints.push_back({routine, info});
}
extern "C" __attribute__((visibility("default"))) void pxerbla_(const int*, const char* routine,
                                                                const int* info, std::size_t length) {
  std::string name(routine, std::min<std::size_t>(length, 16));
  name.erase(name.find_last_not_of(' ') + 1);
  cairn::test::complaints.push_back({name, *info});
}

namespace cairn::test {
namespace {

// One wrong entry of a descriptor, or a first row or column that is none.
template <Scalar T>
void spoil(Random& random, DealtMatrix<T>& x) {
  const int at =
      x.type == 1 ? 0 : 2;  // blocks, sources and the leading dimension come later in the longer kind
  switch (random() % 9) {
    case 0:
      x.descriptor[0] = 7;
      break;
    case 1:
      x.descriptor[2] = pick_int(random, -3, x.ia - 1);
      break;
    case 2:
      x.descriptor[3] = pick_int(random, -3, x.ja - 1);
      break;
    case 3:
      x.descriptor[static_cast<std::size_t>(4 + at)] = 0;
      break;
    case 4:
      x.descriptor[static_cast<std::size_t>(5 + at)] = -1;
      break;
    case 5:
      x.descriptor[static_cast<std::size_t>(6 + at)] = 99;
      break;
    case 6:
      x.descriptor[static_cast<std::size_t>(8 + at)] = 0;
      break;
    case 7:
      x.ia = 0;
      break;
    default:
      x.ja = x.columns.size + 1;
  }
}

// What a call leaves behind.
template <Scalar T>
struct End {
  std::vector<Complaint> said;
  int info = 0;
  std::vector<T> memory;
};

// The same call twice, ours and ScaLAPACK's: `call` gets the matrix that is written, the info, and how to call.
template <Scalar T, class Call>
void expect_same_end(const DealtMatrix<T>& written, bool must_complain, Call&& call) {
  std::array<End<T>, 2> ends;
  for (const bool ours : {true, false}) {
    complaints.clear();
    DealtMatrix<T> x = written;
    int info = -77;
    if (x.grid.has_me()) call(ours, x, info);
    ends[ours ? 0 : 1] = {complaints, info, x.memory};
  }
  ASSERT_EQ(ends[0].said, ends[1].said);
  ASSERT_EQ(ends[0].info, ends[1].info);
  ASSERT_EQ(ends[0].memory, ends[1].memory);
  ASSERT_TRUE(!must_complain || !ends[1].said.empty()) << "this call is not wrong";
}

template <class... Arguments>
void call_one(bool ours, const std::string& name, Arguments... arguments) {
  if (ours)
    call_ours(name + "_", arguments...);
  else
    call_theirs(name + "_", arguments...);
}

#define CAIRN_X(x) (x).data(), &(x).ia, &(x).ja, (x).d()

// Products, additions, triangular solves: a mistake is each process's own.
template <Scalar T>
void wrong_product(Random& random, const ProcessGrid& g) {
  int m = pick_int(random, 1, 20), n = pick_int(random, 1, 20);
  const T one(1);
  char op = 'N', side = 'L', uplo = 'U', diag = 'N';
  const auto kind = random() % 3;  // gemm, trsm, geadd
  auto a = some_matrix<T>(random, g, m, kind == 2 ? n : m, 1), b = some_matrix<T>(random, g, m, n, 2);
  const auto c = some_matrix<T>(random, g, m, n, 3);
  const int k = m;
  auto wrong = c;
  switch (random() % 4) {
    case 0:
      op = side = uplo = diag = 'X';
      break;
    case 1:
      (random() % 2 == 0 ? m : n) = -2;
      break;
    case 2:
      spoil(random, a);
      break;
    default:
      spoil(random, wrong);
  }
  switch (kind) {
    case 0:
      return expect_same_end(wrong, g.has_me(), [&](bool ours, DealtMatrix<T>& x, int&) {
        call_one(ours, name_of<T>("gemm"), &op, &op, &m, &n, &k, &one, CAIRN_X(a), CAIRN_X(b), &one,
                 CAIRN_X(x));
      });
    case 1:
      return expect_same_end(wrong, g.has_me(), [&](bool ours, DealtMatrix<T>& x, int&) {
        call_one(ours, name_of<T>("trsm"), &side, &uplo, &op, &diag, &m, &n, &one, CAIRN_X(a), CAIRN_X(x));
      });
    default:
      return expect_same_end(wrong, g.has_me(), [&](bool ours, DealtMatrix<T>& x, int&) {
        call_one(ours, name_of<T>("geadd"), &op, &m, &n, &one, CAIRN_X(a), &one, CAIRN_X(x));
      });
  }
}

// Factors and solves: a mistake of one process is one of all.
template <Scalar T>
void wrong_system(Random& random, const ProcessGrid& g) {
  int n = pick_int(random, 1, 20), columns = pick_int(random, 1, 5);
  auto a = some_factorable<T>(random, g, n, n);
  a.fill([&](int i, int j) { return element<T>(1, i, j) + (i == j ? T(4) : T(0)); });
  auto b = some_sides<T>(random, a, columns, 2);
  char uplo = 'L', op = 'N';
  const bool by_one = random() % 4 == 0;
  switch (by_one ? 3 : random() % 5) {
    case 0:
      uplo = op = 'X';
      break;
    case 1:
      n = -2;
      break;
    case 2:  // blocks that are not square
      a.columns.block += 1;
      a.columns.first += 1;
      a.place(g, 0);
      break;
    case 3:
      if (!by_one || (g.row == 0 && g.column == 0)) a.descriptor[8] = 0;
      break;
    default:
      spoil(random, a);
  }
  std::vector<int> ipiv(200, 1);
  const bool letters = uplo == 'X';
  switch (letters ? 2 + random() % 3 : random() % 5) {
    case 0:
      return expect_same_end(a, g.has_me(), [&](bool ours, DealtMatrix<T>& x, int& info) {
        call_one(ours, name_of<T>("getrf"), &n, &n, CAIRN_X(x), ipiv.data(), &info);
      });
    case 1:
      return expect_same_end(a, g.has_me(), [&](bool ours, DealtMatrix<T>& x, int& info) {
        auto y = b;
        call_one(ours, name_of<T>("gesv"), &n, &columns, CAIRN_X(x), ipiv.data(), CAIRN_X(y), &info);
      });
    case 2:
      return expect_same_end(a, g.has_me(), [&](bool ours, DealtMatrix<T>& x, int& info) {
        call_one(ours, name_of<T>("potrf"), &uplo, &n, CAIRN_X(x), &info);
      });
    case 3:
      return expect_same_end(b, g.has_me(), [&](bool ours, DealtMatrix<T>& x, int& info) {
        call_one(ours, name_of<T>("getrs"), &op, &n, &columns, CAIRN_X(a), ipiv.data(), CAIRN_X(x), &info);
      });
    default:
      return expect_same_end(b, g.has_me(), [&](bool ours, DealtMatrix<T>& x, int& info) {
        call_one(ours, name_of<T>("posv"), &uplo, &n, &columns, CAIRN_X(a), CAIRN_X(x), &info);
      });
  }
}

class ScalapackInvalid : public MpiTest {};

TEST_F(ScalapackInvalid, CallsEndAsScalapackEndsThem) {
  if (scalapack_library() == nullptr) GTEST_SKIP() << CAIRN_TEST_SCALAPACK << " is not installed";
  Random random(7);
  const int calls = trials(400);
  for (int done = 0; done < calls;) {
    const ProcessGrid g = some_grid(random, 6);
    for (int i = 0; i < 20 && done < calls; ++i, ++done) {
      SCOPED_TRACE(testing::Message() << "call " << done << " on " << g.rows << " x " << g.columns);
      switch (random() % 4) {
        case 0:
          wrong_product<double>(random, g);
          break;
        case 1:
          wrong_product<std::complex<float>>(random, g);
          break;
        case 2:
          wrong_system<double>(random, g);
          break;
        default:
          wrong_system<std::complex<double>>(random, g);
      }
      if (largest(HasFatalFailure() ? 1 : 0) > 0) FAIL() << "call " << done;
    }
    end_grid(g);
  }
}

}  // namespace
}  // namespace cairn::test
