#include "apps/gamma/gamma_survival.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/stats/kaplan_meier.h"
#include "apps/gamma/accepted_lists.h"
#include "apps/gamma/counted_report.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

std::vector<double> survival_said(Invocation const& args) {
  char const* const name =
      *std::ranges::find_if(survival_options, [&](char const* option) { return args.has(option); });
  std::vector<double> const rates = numbers_of(args, name);
  return name == std::string_view("--survival") ? rates : survival_of_rates(rates);
}

/// Which of accepted_options was given, or null.
char const* accepted_option(Invocation const& args) {
  char const* given = nullptr;
  for (char const* option : accepted_options)
    if (args.has(option)) given = option;
  return given;
}

}  // namespace

GammaAnswer gamma_of_survival(Invocation const& args, GammaAsked const& asked) {
  PricedRound const round = priced_round(args, cost_given(args), asked);
  char const* const option = accepted_option(args);
  if (!option) return gamma_of_curve(survival_said(args), round, asked);
  AcceptedCounts const accepted = accepted_counts(args, option);
  if (accepted.by_request) refuse_draws_of_requests(args, round);
  return accepted.by_request ? gamma_of_requests(one_length_each(accepted.rows), round, asked)
                             : gamma_of_histograms(accepted.rows, round, asked);
}

}  // namespace draftgauge
