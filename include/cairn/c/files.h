// Matrices in files.
#ifndef CAIRN_C_FILES_H
#define CAIRN_C_FILES_H

#include "cairn/c/base.h"

CAIRN_C_BEGIN

// A raw file does not describe itself; its length must be exactly what these values imply.
typedef struct cairn_raw_file {
  int64_t rows, columns;
  int64_t offset;  // bytes before the first element
  cairn_scalar type;
  int row_major, big_endian;
} cairn_raw_file;

typedef struct cairn_read_options {
  size_t struct_size;
  const char* format;         // npy, mtx, hdf5, raw; NULL: by the first bytes, then by the name
  const char* dataset;        // of HDF5
  const cairn_raw_file* raw;  // what a raw file holds; read as raw if this is given
} cairn_read_options;

typedef struct cairn_write_options {
  size_t struct_size;
  const char* format;   // NULL: by the name
  const char* dataset;  // of HDF5; NULL: /matrix
  int row_major;        // of .npy and raw files; 0: as the matrix lies in memory
  int column_major;
} cairn_write_options;

typedef struct cairn_file_info {
  size_t struct_size;
  char format[16];
  char dataset[256];
  int64_t rows, columns;
  cairn_scalar type;
  int row_major;
} cairn_file_info;

// Collective, all of them; an error names the file, the place in it and what was expected.
CAIRN_C_EXPORT cairn_status cairn_probe_file(cairn_context_t context, const char* path,
                                             const cairn_read_options* options, cairn_file_info* info);
// The matrix in the file becomes `matrix`, which has its shape, whatever its layout.
CAIRN_C_EXPORT cairn_status cairn_read_file(const char* path, cairn_matrix_t matrix,
                                            const cairn_read_options* options);
// The file appears under its name when it is complete.
CAIRN_C_EXPORT cairn_status cairn_write_file(const char* path, cairn_matrix_t matrix,
                                             const cairn_write_options* options);
CAIRN_C_EXPORT cairn_status cairn_read_sparse_file(cairn_context_t context, cairn_scalar type,
                                                   const char* path, const char* layout,
                                                   cairn_sparse_t* sparse);
CAIRN_C_EXPORT cairn_status cairn_write_sparse_file(const char* path, cairn_sparse_t sparse);

CAIRN_C_END

#endif
