#pragma once

/// The best γ and its speed-up at each cost c = .01, .02, .05, .1, .2 (a line) and α = .5, .6, .7, .8, .9, .95.
namespace draftgauge::testing {

inline constexpr int grid_gammas[5][6] = {
    {5, 7, 9, 14, 24, 40}, {4, 6, 8, 11, 19, 31}, {3, 4, 6, 8, 13, 21}, {2, 3, 4, 6, 10, 15}, {1, 2, 3, 4, 7, 10}};
inline constexpr double grid_speedups[5][6] = {{1.875, 2.2972, 2.9717, 4.2316, 7.4856, 12.5416},
                                               {1.794, 2.1697, 2.7576, 3.8167, 6.3654, 9.9542},
                                               {1.6304, 1.9213, 2.3529, 3.0921, 4.6741, 6.5997},
                                               {1.4583, 1.6738, 1.9808, 2.4696, 3.4309, 4.479},
                                               {1.25, 1.4, 1.5831, 1.8676, 2.3731, 2.8747}};

}  // namespace draftgauge::testing
