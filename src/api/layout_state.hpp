// What a cairn::Layout is inside: the native layout of a plan, in closed form, or a general one.
#pragma once

#include <mutex>
#include <optional>

#include "cairn/layout.hpp"
#include "gemm/native.hpp"
#include "layout/layout.hpp"

namespace cairn::detail {

struct PlanCore;

// One of the three matrices of a plan, where the plan wants it.
struct Native {
  std::shared_ptr<const PlanCore> plan;
  gemm::Matrix matrix;

  const gemm::Schedule& schedule() const;
  gemm::NativeLayout layout() const { return {schedule(), matrix}; }
};
// The same elements at the same places: what moves them and when may differ.
bool same_places(const Native& x, const Native& y);

struct LayoutState {
  explicit LayoutState(layout::Layout layout) : general_(std::move(layout)) {}
  LayoutState(layout::Layout layout, Native made) : made_for(std::move(made)), general_(std::move(layout)) {}
  LayoutState(std::shared_ptr<const PlanCore> plan, gemm::Matrix matrix)
      : native(Native{std::move(plan), matrix}) {}

  const std::optional<Native> native = {};
  const std::optional<Native> made_for = {};  // of a plan with fast steps, whose layouts are general ones

  // The same as a general layout; O(P rounds) for a native one, made when it is first asked for.
  const layout::Layout& general() const;
  int last_rank() const;
  Index fingerprint() const;  // the same on all ranks for the same layout

 private:
  mutable std::once_flag once_ = {};
  mutable std::optional<layout::Layout> general_ = {};
};

}  // namespace cairn::detail
