// LU and Cholesky of an N x N matrix on P ranks with M words each: the lower bounds of paper 002
// ("Near-I/O-Optimal Matrix Factorizations"), section 6.
//
// A bound here counts loads of the input into the ranks' memories and stores of the result too, as the
// red-blue pebble game does. A rank that owns its share before and after neither receives the one nor sends
// the other: the functions that say `words` take both off. Lemma 1 drops an additive X0 - M = 2M; a bound
// that is not far above 2M is therefore not proven.
#pragma once

#include <string>
#include <vector>

#include "bounds/cost.hpp"

namespace cairn::bounds::factor {

// One statement of the loop program: Q >= vertices / (P intensity), Lemmas 1 and 7.
struct Statement {
  std::string name;
  double vertices = 0;
  double intensity = 1;  // rho: the most vertices computed per word loaded
};

// `printed` uses the vertex counts of the paper's formulas, `loops` the counts of the loops that it lists.
// Its counts of the inner statement are one iteration short in j: N(N-1)(N-2)/3 for LU where the loops of
// Figure 3 run N(N-1)(2N-1)/6 times, N(N-1)(N-2)/6 for Cholesky where Listing 1 runs (N-1)N(N+1)/6 times. The
// leading terms agree, and the printed bound is the lower one.
enum class Count { printed, loops };

// LU, section 6.1. S1 divides (rho = 1, Lemma 4), S2 updates (rho = sqrt(M)/2, at X0 = 3M).
std::vector<Statement> lu_statements(Index n, double memory, Count count = Count::printed);
// Cholesky, section 6.2: S1 takes roots, S2 divides, S3 updates.
std::vector<Statement> cholesky_statements(Index n, double memory, Count count = Count::printed);
// The same with rho = sqrt(M/2) for S3. L(i,k) and L(j,k) are one array, so that r rows of it serve all pairs
// among them: K T updates, T <= r^2/2, from T + K r words. Their maximum under T + K r <= X is
// sqrt(2) (X/3)^(3/2) with r = sqrt(2T), which is sqrt(2) times that of the paper, whose accesses must be
// disjoint. A schedule on such triangles beats the printed bound (tested); this one it does not.
std::vector<Statement> cholesky_symmetric_statements(Index n, double memory, Count count = Count::printed);

double io_lower_bound(const std::vector<Statement>& statements, Index ranks);

// LU, section 6.1: (2N^3 - 6N^2 + 4N) / (3P sqrt(M)) + N(N-1) / (2P) with printed counts.
double lu_lower_bound(Index n, Index ranks, double memory, Count count = Count::printed);
// Cholesky, section 6.2: N(N-1)(N-2) / (3P sqrt(M)) + N(N-1) / (2P) + N/P with printed counts.
double cholesky_lower_bound(Index n, Index ranks, double memory, Count count = Count::printed);
// With the intensity of triangles: leading term N^3 / (3 sqrt(2) P sqrt(M)).
double cholesky_symmetric_lower_bound(Index n, Index ranks, double memory, Count count = Count::printed);

// Words on the wire: the bound less twice the N^2/P (LU) or N(N+1)/(2P) (Cholesky) words that a rank owns, before
// and after; not below 0.
double lu_words_lower_bound(Index n, Index ranks, double memory);
double cholesky_words_lower_bound(Index n, Index ranks, double memory);  // from the symmetric bound

// Words that some rank sends or receives, whatever the memory: with an even share of the N^3/3 updates of LU a rank
// touches 3 (N^3/(3P))^(2/3) words of L, U and sums (Loomis-Whitney). Those it does not own must come or go: touched
// less twice the N^2/P it owns, and the larger of sent and received is half of that at least. For Cholesky half of
// LU's, since one array serves both sides of the updates. For classical schedules that compute nothing twice; not
// below 0. Loose: no schedule is known that comes within three times of it.
double lu_resident_words(Index n, Index ranks);
double cholesky_resident_words(Index n, Index ranks);

}  // namespace cairn::bounds::factor
