#pragma once
#include <type_traits>

#include "gpu/kernels/round_kernel.h"

namespace draftgauge::kernels {

/// Which code plays a launch; each choice is a kernel of its own.
struct Kind {
  bool wide;         ///< fields of 32 bits
  bool exact_match;  ///< of a rule that picks once, else of one that flips once; one round a trial
  bool tokens;       ///< tokens are counted, or lead to other contexts
  Path path;
  bool shared;  ///< tables and histograms of tokens are in shared memory; one round a trial
  int gamma;    ///< the draft's length where a kernel is made for it, else 0

  friend bool operator==(Kind const&, Kind const&) = default;
};

/// A draft length that kernels are made for: what examples and papers use most. Others are played by kernels that
/// loop.
inline constexpr int usual_gamma = 5;

template <class Next>
void choose(bool flag, Next const& next) {
  flag ? next(std::true_type{}) : next(std::false_type{});
}

/// Calls f(kernel) with the kernel of that kind.
template <class F>
void with_kernel(Kind const& kind, Launch const& launch, F const& f) {
  choose(kind.wide, [&](auto wide) {
    choose(kind.tokens, [&](auto tokens) {
      auto const of = [&](auto exact_match, auto path, auto shared) {
        constexpr int made_for = exact_match ? 0 : usual_gamma;
        if (kind.gamma == made_for)
          f(RoundKernel<wide, exact_match, tokens, path(), shared, made_for>{launch});
        else
          f(RoundKernel<wide, exact_match, tokens, path(), shared, 0>{launch});
      };
      if (kind.path == Path::multi_round)
        return of(std::false_type{}, std::integral_constant<Path, Path::multi_round>{}, std::false_type{});
      choose(kind.exact_match, [&](auto exact_match) {
        choose(kind.shared, [&](auto shared) {
          if (kind.path == Path::drawn)
            of(exact_match, std::integral_constant<Path, Path::drawn>{}, shared);
          else
            of(exact_match, std::integral_constant<Path, Path::one>{}, shared);
        });
      });
    });
  });
}

}  // namespace draftgauge::kernels
