#include <algorithm>
#include <limits>

#include "doors/scalapack/call.hpp"
#include "doors/scalapack/family.hpp"
#include "doors/scalapack/original.hpp"

namespace cairn::scalapack {
namespace {

// C := alpha op(A) + beta C in one context. Ours moves each word once, packed once on either side.
template <Scalar T>
std::optional<Job> move_job(Op op, Index m, Index n, T alpha, const T* a, const int* ia, const int* ja,
                            const int* da, T beta, T* c, const int* ic, const int* jc, const int* dc) {
  const ProcessGrid processes = grid_info(da[1]);
  if (!processes.has_me() || dc[1] != da[1]) return {};
  const bool flip = op != Op::none;
  const auto sa = sound(da, ia, ja, flip ? n : m, flip ? m : n, processes);
  const auto sc = sound(dc, ic, jc, m, n, processes);
  if (!sa || !sc) return {};
  const Model model(processes.rows, processes.columns, sc->whole.mb, weight_of<T>(), machine());
  const Estimate theirs = model.add(m, n, flip);
  const double ours = model.move(m, n).seconds + model.overhead();
  Grid::Question question{static_cast<Index>(op)};
  append_place(question, *sa, processes);
  append_place(question, *sc, processes);
  return Job{da[1],
             processes,
             {m, n, 0},
             theirs,
             std::move(question),
             [=](Grid& grid) {
               const auto place_of = [&](const SubMatrix& x) {
                 return place(x, grid.processes().rows, grid.processes().columns).layout;
               };
               const bool stays = !flip && place_of(*sa) == place_of(*sc);  // then theirs is a loop in memory
               return Decision{!stays && gains(ours, theirs), ours};
             },
             [=](Grid& grid, const Decision&) {
               Matrix<T> to = matrix(grid, *sc, c);
               redistribute<T>(alpha, op, matrix(grid, *sa, a), beta, to);
               return theirs.words;
             }};
}

// ---- between two contexts

// What the processes of one grid know of it, spread to all processes of a context that has them all.
struct Spread {
  static constexpr std::size_t numbers = 12;
  std::vector<int> values;  // the numbers, then who of the context of all is at which place of the grid

  std::span<int> places() { return std::span(values).subspan(numbers); }
  int rows() const { return values[8]; }
  int columns() const { return values[9]; }
};

constexpr int unknown = std::numeric_limits<int>::max();

// Before it is spread: this process's knowledge. `sound` is 0 where the arguments are wrong here.
Spread mine_of(const int* d, int i, int j, Index m, Index n, const ProcessGrid& all) {
  Spread s{std::vector<int>(Spread::numbers + static_cast<std::size_t>(all.processes()), unknown)};
  const ProcessGrid grid = grid_info(d[1]);
  if (!grid.has_me()) return s;
  const bool fine = grid.processes() <= all.processes() && sound(d, &i, &j, m, n, grid) && d[0] == 1;
  const int numbers[] = {d[2], d[3], d[4], d[5], d[6], d[7], i, j, grid.rows, grid.columns, fine ? 1 : 0, 0};
  std::ranges::copy(numbers, s.values.begin());
  if (fine) s.places()[static_cast<std::size_t>(grid.me())] = all.me();
  return s;
}

SubMatrix sub_matrix_of(const Spread& s, Index m, Index n, int leading) {
  const auto& v = s.values;
  return {{1, -1, v[0], v[1], v[2], v[3], v[2], v[3], v[4], v[5], leading}, v[6] - 1, v[7] - 1, m, n};
}

// Both grids, the same on all processes. Collective over the context of all: about 2 P + 24 numbers, as ScaLAPACK
// exchanges them, too.
struct BothGrids {
  Spread from, to;
  bool fine() const { return from.values[10] == 1 && to.values[10] == 1; }
};
BothGrids spread(Spread from, Spread to, int context) {
  std::vector<int> both = from.values;
  both.insert(both.end(), to.values.begin(), to.values.end());
  least_of_all(context, both);
  const auto half = static_cast<std::ptrdiff_t>(from.values.size());
  std::copy(both.begin(), both.begin() + half, from.values.begin());
  std::copy(both.begin() + half, both.end(), to.values.begin());
  return {std::move(from), std::move(to)};
}

template <Scalar T>
Matrix<T> matrix_on(Grid& all, Spread& s, Index m, Index n, const int* d, const T* data) {
  const bool here = grid_info(d[1]).has_me();
  const int leading = here ? d[8] : 1;
  const Placed placed = place(sub_matrix_of(s, m, n, leading), s.rows(), s.columns());
  const Layout layout =
      placed.layout.on_ranks(s.places().first(static_cast<std::size_t>(s.rows() * s.columns())));
  const auto count = static_cast<std::size_t>(layout.local_elements(all.context().rank(), leading));
  T* memory = count == 0 ? nullptr : const_cast<T*>(data) + placed.offset(leading);
  return Matrix<T>(all.context(), layout, {memory, count}, leading);
}

template <Scalar T>
std::optional<Job> between_job(Index m, Index n, const T* a, int ia, int ja, const int* da, T* b, int ib,
                               int jb, const int* db, int context) {
  const ProcessGrid all = grid_info(context);
  if (!all.has_me() || m < 1 || n < 1) return {};
  const Model model(all.rows, all.columns, 1, weight_of<T>(), machine());
  const Estimate theirs = model.between(m, n);
  const double ours = model.move(m, n).seconds + model.overhead();
  return Job{context,
             all,
             {m, n, 0},
             theirs,
             {},
             [=](Grid&) {
               return Decision{gains(ours, theirs), ours};
             },
             [=](Grid& grid, const Decision&) {
               BothGrids g = spread(mine_of(da, ia, ja, m, n, all), mine_of(db, ib, jb, m, n, all), context);
               if (!g.fine())
                 throw ArgumentError("descriptors that are not sound");  // the original says what is wrong
               Matrix<T> to = matrix_on(grid, g.to, m, n, db, b);
               redistribute<T>(T(1), Op::none, matrix_on(grid, g.from, m, n, da, a), T(0), to);
               return theirs.words;
             }};
}

// A context of all processes, made once.
int everybody() {
  static const int context = context_of_all();
  return context;
}

}  // namespace

template <Scalar T>
void geadd(const char* op, const int* m, const int* n, const T* alpha, const T* a, const int* ia,
           const int* ja, const int* da, const T* beta, T* c, const int* ic, const int* jc, const int* dc) {
  static const Routine routine = routine_of<T>("geadd");
  const auto pass = [&] {
    call_original(routine.original(), op, m, n, alpha, a, ia, ja, da, beta, c, ic, jc, dc);
  };
  answer(routine, pass, [&]() -> std::optional<Job> {
    const std::optional<Op> by = op_of<T>(op);
    if (!by) return {};
    return move_job<T>(*by, *m, *n, *alpha, a, ia, ja, da, *beta, c, ic, jc, dc);
  });
}

template <Scalar T, Tran Kind>
void transpose(const int* m, const int* n, const T* alpha, const T* a, const int* ia, const int* ja,
               const int* da, const T* beta, T* c, const int* ic, const int* jc, const int* dc) {
  constexpr const char* names[] = {"tran", "tranu", "tranc"};
  static const Routine routine = routine_of<T>(names[static_cast<int>(Kind)]);
  const auto pass = [&] {
    call_original(routine.original(), m, n, alpha, a, ia, ja, da, beta, c, ic, jc, dc);
  };
  answer(routine, pass, [&] {
    return move_job<T>(Kind == Tran::tranc ? Op::adjoint : Op::transpose, *m, *n, *alpha, a, ia, ja, da,
                       *beta, c, ic, jc, dc);
  });
}

template <Scalar T>
void gemr2d(const int* m, const int* n, const T* a, const int* ia, const int* ja, const int* da, T* b,
            const int* ib, const int* jb, const int* db, const int* context) {
  static const Routine routine = routine_of<T>("gemr2d");
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, b, ib, jb, db, context); };
  answer(routine, pass, [&] { return between_job<T>(*m, *n, a, *ia, *ja, da, b, *ib, *jb, db, *context); });
}

template <Scalar T>
void gemr2do(const int* m, const int* n, const T* a, const int* ia, const int* ja, const int* da, T* b,
             const int* ib, const int* jb, const int* db) {
  static const Routine routine = routine_of<T>("gemr2do");
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, b, ib, jb, db); };
  answer(routine, pass,
         [&] { return between_job<T>(*m, *n, a, *ia, *ja, da, b, *ib, *jb, db, everybody()); });
}

template <Scalar T>
void c_gemr2d(int m, int n, const T* a, int ia, int ja, const int* da, T* b, int ib, int jb, const int* db,
              int context) {
  static const Routine routine("C" + routine_of<T>("gemr2d").name());
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, b, ib, jb, db, context); };
  answer(routine, pass, [&] { return between_job<T>(m, n, a, ia, ja, da, b, ib, jb, db, context); });
}

template <Scalar T>
void c_gemr2do(int m, int n, const T* a, int ia, int ja, const int* da, T* b, int ib, int jb, const int* db) {
  static const Routine routine("C" + routine_of<T>("gemr2do").name());
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, b, ib, jb, db); };
  answer(routine, pass, [&] { return between_job<T>(m, n, a, ia, ja, da, b, ib, jb, db, everybody()); });
}

#define CAIRN_INSTANTIATE_TRAN(T, Kind)                                                                \
  template void transpose<T, Kind>(const int*, const int*, const T*, const T*, const int*, const int*, \
                                   const int*, const T*, T*, const int*, const int*, const int*);
#define CAIRN_INSTANTIATE(T)                                                                                 \
  template void geadd(const char*, const int*, const int*, const T*, const T*, const int*, const int*,       \
                      const int*, const T*, T*, const int*, const int*, const int*);                         \
  template void gemr2d(const int*, const int*, const T*, const int*, const int*, const int*, T*, const int*, \
                       const int*, const int*, const int*);                                                  \
  template void gemr2do(const int*, const int*, const T*, const int*, const int*, const int*, T*,            \
                        const int*, const int*, const int*);                                                 \
  template void c_gemr2d(int, int, const T*, int, int, const int*, T*, int, int, const int*, int);           \
  template void c_gemr2do(int, int, const T*, int, int, const int*, T*, int, int, const int*);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
CAIRN_INSTANTIATE_TRAN(float, Tran::tran)
CAIRN_INSTANTIATE_TRAN(double, Tran::tran)
CAIRN_INSTANTIATE_TRAN(std::complex<float>, Tran::tranu)
CAIRN_INSTANTIATE_TRAN(std::complex<double>, Tran::tranu)
CAIRN_INSTANTIATE_TRAN(std::complex<float>, Tran::tranc)
CAIRN_INSTANTIATE_TRAN(std::complex<double>, Tran::tranc)
#undef CAIRN_INSTANTIATE
#undef CAIRN_INSTANTIATE_TRAN

}  // namespace cairn::scalapack
