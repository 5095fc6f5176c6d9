// What a cairn::Layout is inside: the native layout of a schedule, in closed form, or a general one.
#pragma once

#include <mutex>
#include <optional>

#include "cairn/layout.hpp"
#include "gemm/native.hpp"
#include "layout/layout.hpp"

namespace cairn::detail {

struct LayoutState {
  explicit LayoutState(layout::Layout layout) : general_(std::move(layout)) {}
  LayoutState(const gemm::Schedule& schedule, gemm::Matrix matrix) : native(Native{schedule, matrix}) {}

  struct Native {
    gemm::Schedule schedule;
    gemm::Matrix matrix;

    gemm::NativeLayout layout() const { return {schedule, matrix}; }
    friend bool operator==(const Native&, const Native&) = default;
  };
  const std::optional<Native> native = {};

  // The same as a general layout; O(P rounds) for a native one, made when it is first asked for.
  const layout::Layout& general() const;
  int last_rank() const;
  Index fingerprint() const;  // the same on all ranks for the same layout

 private:
  mutable std::once_flag once_ = {};
  mutable std::optional<layout::Layout> general_ = {};
};

}  // namespace cairn::detail
