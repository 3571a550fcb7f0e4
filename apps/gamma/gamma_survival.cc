#include "apps/gamma/gamma_survival.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/stats/kaplan_meier.h"
#include "analysis/texts/request_counts.h"
#include "apps/cli/written_values.h"
#include "apps/gamma/counted_report.h"
#include "apps/gamma/gamma_setting.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"
#include "sim/base/mapped_file.h"

namespace draftgauge {
namespace {

std::vector<double> survival_said(Invocation const& args) {
  char const* const name =
      *std::ranges::find_if(survival_options, [&](char const* option) { return args.has(option); });
  std::vector<double> const rates = numbers_of(args, name);
  std::string_view const option = name;
  if (option == "--survival" || option == "--cumulative-rates") return rates;
  if (option == "--rates" && could_be_cumulative(rates)) {
    std::string const& given = args.text(name);
    throw UsageError(fmt::format("--rates {} can be read in two ways (as shares of all rounds, which vLLM prints as "
                                 "\"Per-position acceptance rate\", or of the rounds that kept the drafts before)",
                                 given),
                     fmt::format("write --cumulative-rates {} for the first, --conditional-rates {} for the second",
                                 given, given));
  }
  return survival_of_rates(rates);
}

std::vector<std::int64_t> histogram(std::string_view text) {
  try {
    auto counts = parse_counts(text);
    require_histogram(counts);
    return counts;
  } catch (Error const& error) {
    throw UsageError("--accepted", error);
  }
}

/// Counts of rounds by accepted drafts, as --accepted gives them.
struct AcceptedCounts {
  RequestCounts rows;
  bool by_request = false;  ///< a row is a request, and there are several; else rows are whole histograms
};

/// Each word a histogram, rows of requests with semicolons between them, or a file of such rows; where there is any of
/// the latter each histogram counts as a request.
AcceptedCounts accepted_counts(Invocation const& args) {
  AcceptedCounts counts;
  bool rows = false;
  for (std::string const& word : args.texts("--accepted")) {
    if (is_there(word)) {
      MappedFile const file(word);
      for (auto& row : read_request_counts(word, file.text())) counts.rows.push_back(std::move(row));
      rows = true;
      continue;
    }
    if (value_shape(word, ";kMGT") != ValueShape::numbers)
      refuse_absent(word, "--accepted takes counts such as 30,20,10,40, or a file with a row of them a request");
    rows = rows || word.find(';') != word.npos;
    for (std::string_view rest = word;;) {
      std::size_t const end = rest.find(';');
      counts.rows.push_back(histogram(rest.substr(0, end)));
      if (end == rest.npos) break;
      rest.remove_prefix(end + 1);
    }
  }
  auto const has_rounds = [](auto const& row) {
    return std::ranges::any_of(row, [](auto count) { return count > 0; });
  };
  auto const with_rounds = std::ranges::count_if(counts.rows, has_rounds);
  if (with_rounds == 0)
    throw UsageError("--accepted counts no round (there is nothing to estimate from)", "give counts above 0");
  counts.by_request = rows && with_rounds > 1;
  return counts;
}

}  // namespace

GammaAnswer gamma_of_survival(Invocation const& args, GammaAsked const& asked) {
  PricedRound const round = priced_round(args, cost_given(args), asked);
  if (!args.has("--accepted")) return gamma_of_curve(survival_said(args), round, asked);
  AcceptedCounts const accepted = accepted_counts(args);
  if (accepted.by_request) refuse_draws_of_requests(args, round);
  return accepted.by_request ? gamma_of_requests(one_length_each(accepted.rows), round, asked)
                             : gamma_of_histograms(accepted.rows, round, asked);
}

}  // namespace draftgauge
