#include "bench/row.h"

#include <algorithm>
#include <stdexcept>

#include "sim/base/lists.h"

namespace draftgauge::bench {

std::optional<double> Row::ratio() const {
  if (!baseline_rate) return {};
  return rate / *baseline_rate;
}

std::optional<double> Row::share() const {
  if (!bound) return {};
  return rate / *bound;
}

std::optional<bool> Row::met() const {
  std::optional<bool> all;
  auto const hold = [&](std::optional<double> const& reached, std::optional<double> const& aim) {
    if (reached && aim) all = all.value_or(true) && *reached >= *aim;
  };
  hold(ratio(), goal);
  hold(rate, rate_goal);
  hold(share(), bound_goal);
  return all;
}

double rate_of(std::span<Contender const> contenders, std::string const& name) {
  auto const found = std::ranges::find(contenders, name, &Contender::name);
  if (found == contenders.end()) throw std::logic_error("no contender is called " + name);
  return found->rate;
}

Row compared(std::string const& title, std::span<Contender const> contenders, std::string const& name,
             std::string const& baseline, std::string const& unit) {
  return {.name = title + ": " + name,
          .baseline = baseline,
          .unit = unit,
          .rate = rate_of(contenders, name),
          .baseline_rate = rate_of(contenders, baseline)};
}

Row compared_with_numpy(std::string const& title, std::span<Contender const> contenders, std::string const& name,
                        std::string const& unit) {
  if (contains(contenders, numpy_contender, &Contender::name))
    return compared(title, contenders, name, numpy_contender, unit);
  return {.name = title + ": " + name,
          .baseline = numpy_contender,
          .unit = unit,
          .rate = rate_of(contenders, name),
          .note = "no python3 with numpy was found"};
}

}  // namespace draftgauge::bench
