#include "check.h"

int failures = 0;
int world_rank = 0;

static unsigned state = 12345;

void seed_random(unsigned seed) { state = seed; }

unsigned next_random(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}
int random_below(int n) { return (int)(next_random() % (unsigned)n); }

size_t scalar_size(cairn_scalar type) {
  static const size_t sizes[] = {sizeof(float), sizeof(double), sizeof(float complex),
                                 sizeof(double complex)};
  return sizes[type];
}
int is_complex(cairn_scalar type) { return type >= CAIRN_C32; }
double roundoff(cairn_scalar type) {
  return type == CAIRN_F32 || type == CAIRN_C32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
}

void set_scalar(cairn_scalar type, void* at, double complex value) {
  switch (type) {
    case CAIRN_F32:
      *(float*)at = (float)creal(value);
      break;
    case CAIRN_F64:
      *(double*)at = creal(value);
      break;
    case CAIRN_C32:
      *(float complex*)at = (float complex)value;
      break;
    default:
      *(double complex*)at = value;
      break;
  }
}

double complex get_scalar(cairn_scalar type, const void* at) {
  switch (type) {
    case CAIRN_F32:
      return *(const float*)at;
    case CAIRN_F64:
      return *(const double*)at;
    case CAIRN_C32:
      return *(const float complex*)at;
    default:
      return *(const double complex*)at;
  }
}

// Multiples of 1/64 in [-1, 1): exact in every type.
static double part(int64_t i, int64_t j, int seed) {
  const uint64_t mixed = (uint64_t)i * 2654435761u + (uint64_t)j * 40503u + (uint64_t)seed * 97u;
  return (double)((mixed * 2862933555777941757u) >> 57) / 64 - 1;
}

double complex element(cairn_scalar type, int64_t i, int64_t j, int seed) {
  return part(i, j, seed) + (is_complex(type) ? part(i, j, seed + 1000) * I : 0);
}

double complex filled(const struct filling* f, int64_t i, int64_t j) {
  double complex value = element(f->type, i, j, f->seed);
  if (f->hermitian) value = (value + conj(element(f->type, j, i, f->seed))) / 2;
  return i == j ? value + f->diagonal : value;
}

void fill_element(int64_t i, int64_t j, void* at, void* filling) {
  const struct filling* f = filling;
  set_scalar(f->type, at, filled(f, i, j));
}

cairn_layout_t random_layout(int64_t rows, int64_t columns, int ranks) {
  cairn_layout_t layout = NULL;
  const int p = 1 + random_below(ranks);  // p x q processes
  const int q = 1 + random_below(ranks / p);
  const cairn_block_cyclic how = {
      p, q, 1 + random_below(5), 1 + random_below(5), random_below(p), random_below(q), 1};
  switch (random_below(6)) {
    case 0:
      OK(cairn_layout_block_cyclic(rows, columns, &how, &layout));
      break;
    case 1:
      OK(cairn_layout_elemental(rows, columns, p, q, &layout));
      break;
    case 2:
      OK(cairn_layout_blocked(rows, columns, p, q, &layout));
      break;
    case 3:
      OK(cairn_layout_row_blocks(rows, columns, ranks, &layout));
      break;
    case 4:
      OK(cairn_layout_column_blocks(rows, columns, ranks, &layout));
      break;
    default:
      OK(cairn_layout_on_one_rank(rows, columns, ranks - 1, &layout));
      break;
  }
  return layout;
}

cairn_matrix_t random_matrix(cairn_context_t context, int64_t rows, int64_t columns, struct filling f) {
  cairn_matrix_t matrix = NULL;
  int size = 0;
  OK(cairn_context_rank(context, NULL, &size));
  cairn_layout_t layout = random_layout(rows, columns, size);
  OK(cairn_matrix_create(context, f.type, layout, &matrix));
  OK(cairn_layout_free(&layout));
  OK(cairn_matrix_for_each(matrix, fill_element, &f));
  return matrix;
}

double complex* gathered(cairn_context_t context, cairn_matrix_t matrix) {
  int rank = 0;
  cairn_scalar type = 0;
  int64_t rows = 0, columns = 0;
  OK(cairn_context_rank(context, &rank, NULL));
  OK(cairn_matrix_type(matrix, &type));
  OK(cairn_matrix_shape(matrix, &rows, &columns));
  const size_t count = (size_t)(rows * columns);
  char* whole = rank == 0 ? calloc(count + 1, scalar_size(type)) : NULL;
  OK(cairn_matrix_gather(matrix, 0, whole));
  if (rank != 0) return NULL;
  double complex* values = malloc((count + 1) * sizeof *values);
  for (size_t i = 0; i < count; ++i) values[i] = get_scalar(type, whole + i * scalar_size(type));
  free(whole);
  return values;
}
