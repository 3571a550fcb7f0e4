#pragma once
#include <optional>
#include <span>
#include <string>

#include "bench/race.h"

namespace draftgauge::bench {

inline constexpr char const* rounds_per_second = "rounds/s";

/// What a row is about, and where it is shown.
enum class Chapter { words, token, rules, trees, device, rows };

/// One line of what was found: a contender beside another of the same race.
struct Row {
  std::string name;      ///< the case and the contender: "V=32: avx512"; with the baseline, unique in a run
  std::string baseline;  ///< the contender that it is compared with
  std::string unit;      ///< of the rates
  Chapter chapter = Chapter::token;
  double rate = 0;
  std::optional<double> baseline_rate = {};  ///< none where the baseline could not run
  std::optional<double> goal = {};           ///< the ratio aimed for
  std::optional<double> rate_goal = {};      ///< the rate aimed for, on a machine that results/ name
  /// Of the engine's own words, or of reading alone, probed in the same race; or of what a round asks of a device.
  std::optional<double> bound = {};
  std::optional<double> bound_goal = {};  ///< the share of the bound aimed for
  std::string note = {};                  ///< what a reader should know, such as why there is no baseline

  std::optional<double> ratio() const;
  std::optional<double> share() const;  ///< of the bound
  std::optional<bool> met() const;      ///< whether every goal is; none where there is no goal
};

/// The best rate of the contender of that name. Throws std::logic_error where none has it.
double rate_of(std::span<Contender const> contenders, std::string const& name);

/// The row of two contenders of one race, without goals and bound.
Row compared(std::string const& title, std::span<Contender const> contenders, std::string const& name,
             std::string const& baseline, std::string const& unit);

/// What the NumPy baseline is called in a race, and the row beside it, or one that says that no Python has it.
inline constexpr char const* numpy_contender = "NumPy";
Row compared_with_numpy(std::string const& title, std::span<Contender const> contenders, std::string const& name,
                        std::string const& unit);

}  // namespace draftgauge::bench
