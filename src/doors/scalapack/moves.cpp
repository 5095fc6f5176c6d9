#include <algorithm>
#include <limits>

#include "doors/scalapack/call.hpp"
#include "doors/scalapack/family.hpp"
#include "doors/scalapack/original.hpp"

namespace cairn::scalapack {
namespace {

constexpr double least_move = 1e-3;  // seconds: a move plans next to nothing

// What a process receives where all of them exchange all.
template <Scalar T>
double words_of_move(const ProcessGrid& processes, Index m, Index n) {
  return Model(processes.rows, processes.columns, 1, weight_of<T>(), {}).move(m, n).words;
}

// C := alpha op(A) + beta C in one context. Ours moves each word once, packed once on either side.
template <Scalar T>
std::optional<Job> move_job(const ProcessGrid& processes, Op op, Index m, Index n, T alpha, const T* a,
                            const int* ia, const int* ja, const int* da, T beta, T* c, const int* ic,
                            const int* jc, const int* dc) {
  if (dc[1] != da[1]) return {};
  const bool flip = op != Op::none;
  const auto sa = sound(da, ia, ja, flip ? n : m, flip ? m : n, processes);
  const auto sc = sound(dc, ic, jc, m, n, processes);
  if (!sa || !sc) return {};
  Grid::Question question{static_cast<Index>(op)};
  append_place(question, *sa, processes);
  append_place(question, *sc, processes);
  const auto predict = [=](Grid& grid, const Model& model) -> Prediction {
    const auto place_of = [&](const SubMatrix& x) {
      return place(x, grid.processes().rows, grid.processes().columns).layout;
    };
    const bool stays = !flip && place_of(*sa) == place_of(*sc);  // then theirs is a loop in memory
    return {stays ? 1e300 : model.move(m, n).seconds + model.overhead()};
  };
  const auto run = [=](Grid& grid, const Decision&) {
    Matrix<T> to = matrix(grid, *sc, c);
    redistribute<T>(alpha, op, matrix(grid, *sa, a), beta, to);
    return words_of_move<T>(processes, m, n);
  };
  return Job{processes, std::move(question), predict, run};
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
std::optional<Job> between_job(const ProcessGrid& all, Index m, Index n, const T* a, int ia, int ja,
                               const int* da, T* b, int ib, int jb, const int* db, int context) {
  if (m < 1 || n < 1) return {};
  const auto predict = [=](Grid&, const Model& model) -> Prediction {
    return {model.move(m, n).seconds + model.overhead()};
  };
  const auto run = [=](Grid& grid, const Decision&) {
    BothGrids g = spread(mine_of(da, ia, ja, m, n, all), mine_of(db, ib, jb, m, n, all), context);
    if (!g.fine()) throw ArgumentError("descriptors that are not sound");  // the original says what is wrong
    Matrix<T> to = matrix_on(grid, g.to, m, n, db, b);
    redistribute<T>(T(1), Op::none, matrix_on(grid, g.from, m, n, da, a), T(0), to);
    return words_of_move<T>(all, m, n);
  };
  return Job{all, {m, n}, predict, run};
}

template <Scalar T>
void answer_between(const Routine& routine, const std::function<void()>& pass, int m, int n, const T* a,
                    int ia, int ja, const int* da, T* b, int ib, int jb, const int* db, int context) {
  const auto theirs = [=](const Model& model) { return model.between(m, n); };
  answer(routine, {context, 1, {m, n, 0}, weight_of<T>(), least_move}, theirs, pass,
         [&](const ProcessGrid& all) {
           return between_job<T>(all, m, n, a, ia, ja, da, b, ib, jb, db, context);
         });
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
  const bool flip = op_of<T>(op).value_or(Op::none) != Op::none;
  const auto theirs = [=](const Model& model) { return model.add(*m, *n, flip); };
  const Request request{da[1], block_of(dc), {*m, *n, 0}, weight_of<T>(), least_move};
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) -> std::optional<Job> {
    const std::optional<Op> by = op_of<T>(op);
    if (!by) return {};
    return move_job<T>(processes, *by, *m, *n, *alpha, a, ia, ja, da, *beta, c, ic, jc, dc);
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
  const auto theirs = [=](const Model& model) { return model.add(*m, *n, true); };
  const Request request{da[1], block_of(dc), {*m, *n, 0}, weight_of<T>(), least_move};
  answer(routine, request, theirs, pass, [&](const ProcessGrid& processes) {
    return move_job<T>(processes, Kind == Tran::tranc ? Op::adjoint : Op::transpose, *m, *n, *alpha, a, ia,
                       ja, da, *beta, c, ic, jc, dc);
  });
}

template <Scalar T>
void gemr2d(const int* m, const int* n, const T* a, const int* ia, const int* ja, const int* da, T* b,
            const int* ib, const int* jb, const int* db, const int* context) {
  static const Routine routine = routine_of<T>("gemr2d");
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, b, ib, jb, db, context); };
  answer_between<T>(routine, pass, *m, *n, a, *ia, *ja, da, b, *ib, *jb, db, *context);
}

template <Scalar T>
void gemr2do(const int* m, const int* n, const T* a, const int* ia, const int* ja, const int* da, T* b,
             const int* ib, const int* jb, const int* db) {
  static const Routine routine = routine_of<T>("gemr2do");
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, b, ib, jb, db); };
  answer_between<T>(routine, pass, *m, *n, a, *ia, *ja, da, b, *ib, *jb, db,
                    mode() == Mode::off ? -1 : everybody());
}

template <Scalar T>
void c_gemr2d(int m, int n, const T* a, int ia, int ja, const int* da, T* b, int ib, int jb, const int* db,
              int context) {
  static const Routine routine("C" + routine_of<T>("gemr2d").name());
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, b, ib, jb, db, context); };
  answer_between<T>(routine, pass, m, n, a, ia, ja, da, b, ib, jb, db, context);
}

template <Scalar T>
void c_gemr2do(int m, int n, const T* a, int ia, int ja, const int* da, T* b, int ib, int jb, const int* db) {
  static const Routine routine("C" + routine_of<T>("gemr2do").name());
  const auto pass = [&] { call_original(routine.original(), m, n, a, ia, ja, da, b, ib, jb, db); };
  answer_between<T>(routine, pass, m, n, a, ia, ja, da, b, ib, jb, db,
                    mode() == Mode::off ? -1 : everybody());
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
