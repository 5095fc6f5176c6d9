// Cairn from C, and from whatever calls C. Five lines:
//
//   cairn_context_t context;  cairn_matrix_t a, b, c;
//   cairn_context_create(MPI_COMM_WORLD, NULL, &context);
//   cairn_make_product(context, CAIRN_F64, &(cairn_product){.m = m, .n = n, .k = k}, NULL, &a, &b, &c);
//   ... fill this rank's parts of a and b: cairn_matrix_for_each, cairn_matrix_local ...
//   cairn_multiply(NULL, CAIRN_NO_TRANSPOSE, a, CAIRN_NO_TRANSPOSE, b, NULL, c, NULL, NULL, NULL);
//
// Every function returns CAIRN_SUCCESS or what kind of error it was; cairn_last_error() has the text. What the
// words collective and local mean, what moves and what is read are as the C++ headers say, function by function:
// collective calls are made by all ranks of the context, in the same order.
//
// Numbers are given by address, in the type of the matrices: alpha NULL is 1, beta NULL is 0.
// Structs of options and reports begin with their own size (CAIRN_INIT(type) sets it), so that programs go on
// working when members are added at the end. In options zero stands for the default; NULL is all defaults.
// Texts go to a buffer of `size` bytes, cut if need be and ended by 0; *length (may be NULL) becomes the whole
// length without that 0.
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

#include "cairn/c/base.h"
#include "cairn/c/context.h"
#include "cairn/c/factor.h"
#include "cairn/c/files.h"
#include "cairn/c/layout.h"
#include "cairn/c/matrix.h"
#include "cairn/c/multiply.h"
#include "cairn/c/plan.h"
#include "cairn/c/sparse.h"
#include "cairn/c/symmetric.h"

#endif
