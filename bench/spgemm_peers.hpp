// What others move: bytes received per rank and row, measured (ER(d), two random matrices), and a model of
// the best of 1D, 2D and 3D at 12 bytes per entry.
#pragma once

namespace cairn::bench {

struct SpgemmPeer {
  int ranks;
  int d;
  double petsc, combblas_2d, combblas_3d, target;
  double best() const {
    const double two = petsc < combblas_2d ? petsc : combblas_2d;
    return two < combblas_3d ? two : combblas_3d;
  }
};

inline constexpr SpgemmPeer spgemm_peers[] = {
    {4, 2, 14.3, 26.2, 18.1, 7.76},        {4, 4, 41.9, 45.9, 71.4, 20.96},
    {4, 8, 109.2, 79.7, 287.5, 47.29},     {4, 16, 241.8, 144.1, 1151.5, 96.05},
    {4, 32, 486.4, 271.8, 4570.0, 191.96}, {9, 4, 28.2, 44.1, 37.7, 15.96},
    {9, 8, 87.9, 76.7, 151.5, 39.91},      {9, 16, 242.6, 135.1, 607.2, 85.17},
    {9, 32, 560.3, 248.7, 2416.8, 170.63}, {16, 2, 5.3, 21.4, 5.7, 3.55},
    {16, 4, 18.4, 39.2, 22.4, 11.62},      {16, 8, 62.0, 68.8, 89.9, 31.33},
    {16, 16, 194.7, 119.6, 329.2, 70.94},  {16, 32, 525.7, 215.9, 1215.6, 143.97},
    {25, 4, 12.6, 34.5, 14.7, 7.98},       {25, 8, 44.2, 61.4, 59.0, 24.74},
    {25, 16, 149.0, 106.5, 236.2, 59.19},  {25, 32, 449.6, 189.3, 941.7, 122.86},
    {36, 4, 9.1, 30.8, 20.1, 5.75},        {36, 8, 32.6, 55.2, 53.9, 19.86},
    {36, 16, 114.6, 96.0, 166.9, 49.89},   {36, 32, 371.4, 168.7, 577.5, 106.42},
    {64, 2, 1.6, 13.2, 1.7, 0.98},         {64, 4, 5.4, 25.1, 6.1, 3.35},
    {64, 8, 19.5, 45.7, 23.8, 12.04},      {64, 16, 71.7, 80.3, 94.8, 36.55},
    {64, 32, 251.4, 139.5, 346.8, 82.72},
};

// All ranks together, MB, 16 ranks: the 5-point Laplacian of 256 x 256 squared (PETSc), R-MAT of scale 14
// with 8 edges a vertex squared (CombBLAS 2D).
inline constexpr double laplacian_peer_mb = 0.85;
inline constexpr double rmat_peer_mb = 13.5;

}  // namespace cairn::bench
