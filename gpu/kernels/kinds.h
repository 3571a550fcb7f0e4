#pragma once
#include <type_traits>

#include "gpu/kernels/chain_kernel.h"
#include "gpu/kernels/walk_kernel.h"

namespace draftgauge::kernels {

/// A draft length that kernels are made for: what examples and papers use most. Others are played by kernels that loop.
inline constexpr int usual_gamma = 5;

template <class Next>
void choose(bool flag, Next const& next) {
  flag ? next(std::true_type{}) : next(std::false_type{});
}

/// Calls f(kernel) with the kernel of that kind.
template <class F>
void with_kernel(ChainKind const& kind, ChainLaunch const& launch, F const& f) {
  choose(kind.wide, [&](auto wide) {
    choose(kind.tokens, [&](auto tokens) {
      choose(kind.rows, [&](auto rows) {
        choose(kind.shared, [&](auto shared) {
          if (kind.matches)
            f(ChainKernel<wide, true, tokens, rows, shared, 0>{launch});
          else if (kind.gamma == usual_gamma)
            f(ChainKernel<wide, false, tokens, rows, shared, usual_gamma>{launch});
          else
            f(ChainKernel<wide, false, tokens, rows, shared, 0>{launch});
        });
      });
    });
  });
}
template <class F>
void with_kernel(WalkKind const& kind, WalkLaunch const& launch, F const& f) {
  choose(kind.wide, [&](auto wide) {
    choose(kind.tokens, [&](auto tokens) {
      if (kind.gamma == usual_gamma)
        f(WalkKernel<wide, tokens, usual_gamma>{launch});
      else
        f(WalkKernel<wide, tokens, 0>{launch});
    });
  });
}

}  // namespace draftgauge::kernels
