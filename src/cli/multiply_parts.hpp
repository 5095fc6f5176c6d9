// This rank's parts of A, B and C in native layouts: from files, or random.
#pragma once

#include "base/buffer.hpp"
#include "cli/multiply_data.hpp"
#include "cli/multiply_files.hpp"
#include "gemm/native_view.hpp"

namespace cairn::cli {

template <Scalar T>
class MultiplyParts {
 public:
  // Local: the memory, and that of a copy of C which has to be there before each product.
  MultiplyParts(const gemm::Schedule& s, int rank, const MultiplyFiles& files)
      : schedule_(s), rank_(rank), files_(files) {
    for (const gemm::Matrix x : gemm::all_matrices)
      data_[index(x)] = Buffer<T>(gemm::NativeLayout(s, x).local_count(rank));
    if (!files.c.empty()) first_c_ = Buffer<T>(static_cast<Index>(of(gemm::Matrix::c).size()));
  }

  std::span<T> of(gemm::Matrix x) const { return data_[index(x)].span(); }

  // Collective. The words of a file go to the ranks that hold them, and nowhere else.
  void fill(comm::CommView c) {
    for (const gemm::Matrix x : gemm::all_matrices)
      if (files_.of(x).empty())
        fill_random(schedule_, x, rank_, of(x));
      else
        io::read<T>(c, files_.of(x), view(x), read_options(files_, x, schedule_.problem));
    std::ranges::copy(of(gemm::Matrix::c).first(first_c_.span().size()), first_c_.data());
  }
  void restore_c() {
    if (files_.c.empty())
      fill_random(schedule_, gemm::Matrix::c, rank_, of(gemm::Matrix::c));
    else
      std::ranges::copy(first_c_.span(), data_[index(gemm::Matrix::c)].data());
  }
  // Collective.
  void write_c(comm::CommView c) const {
    io::write<T>(c, files_.out, view(gemm::Matrix::c), {.order = files_.order});
  }

 private:
  layout::MatrixView<T> view(gemm::Matrix x) const {
    return {gemm::general_layout(schedule_, x), of(x).data(), static_cast<Index>(of(x).size()), 0};
  }

  const gemm::Schedule& schedule_;
  int rank_;
  const MultiplyFiles& files_;
  std::array<Buffer<T>, 3> data_;
  Buffer<T> first_c_;
};

}  // namespace cairn::cli
