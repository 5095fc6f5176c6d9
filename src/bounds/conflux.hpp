// COnfLUX and COnfCHOX, step by step and in total: paper 002 ("Near-I/O-Optimal Matrix Factorizations"),
// section 7, Algorithm 1 and Table 1; and the rows of its Table 2.
//
// P ranks in a grid [sqrt(P1), sqrt(P1), c] with P1 = N^2/M and c = PM/N^2, columns taken v at a time.
#pragma once

#include <string>
#include <vector>

#include "bounds/cost.hpp"

namespace cairn::bounds::factor {

struct Blocked {
  Index n = 0;
  Index ranks = 1;
  double memory = 0;  // words per rank; N^2/P <= M
  Index block = 1;    // v
};

double layers(const Blocked& x);     // c = PM / N^2
double grid_side(const Blocked& x);  // sqrt(P1) = N / sqrt(M)
Index steps(const Blocked& x);       // ceil(N / v)

struct Line {
  int number = 0;  // of Algorithm 1; 1 + 5, 4 + 6, 7 + 9 and 8 + 10 have the same form and are listed singly
  std::string name;
  Cost cost;
};

// Iteration t = 1 .. ceil(N/v). With r = max(N - tv, 0) the words are
//   1, 5   reduce the block column, the pivot rows      r v M / N^2 each
//   2      tournament of v rows over sqrt(P1) ranks     v^2 ceil(log2(N / sqrt(M)))
//   3      scatter A00 and the pivots                   v^2 + v
//   4, 6   scatter A10, A01                             r v / P each
//   8, 10  send A10, A01                                r v N / (P sqrt(M)) each
// and the flops (the paper's table counts multiply-adds, half of these)
//   2      2 v^3/3 a tournament round      7, 9   r v^2 / P each       11     2 r^2 v / P
// Table 1 prints 2 r v / P for line 11's input where Algorithm 1 has lines 8 and 10; the total of Lemma 8
// needs the latter.
std::vector<Line> conflux_step(const Blocked& x, Index t);

// COnfCHOX: no pivots, A00 (v^2 words, v^3/3 flops) to all, half the flops in the update (gemmt), the rest as
// above (section 7.5, Table 1).
std::vector<Line> confchox_step(const Blocked& x, Index t);

// Sums over all steps in closed form. Words, with q = ceil(N/v) and R = sum r = (q-1)(N - vq/2):
//   2RvN/(P sqrt(M)) + 2RvM/N^2 + 2Rv/P + q (v^2 ceil(log2(N/sqrt(M))) + v^2 + v);
// for v | N the leading term is N^2 (N - v) / (P sqrt(M)), Lemma 8.
Cost conflux(const Blocked& x);
Cost confchox(const Blocked& x);

// Table 2, leading terms in words: 2D libraries (MKL, SLATE) N^2/sqrt(P), CANDMC 5N^3/(P sqrt(M)), CAPITAL
// 45N^3/(8P sqrt(M)), COnfLUX and COnfCHOX N^3/(P sqrt(M)).
double words_2d_library(Index n, Index ranks);
double words_candmc(Index n, Index ranks, double memory);
double words_capital(Index n, Index ranks, double memory);
double words_conflux_leading(Index n, Index ranks, double memory);

}  // namespace cairn::bounds::factor
