#include "apps/gamma/gamma_survival.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/counters/histogram_sums.h"
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

/// Which of accepted_options was given, or null.
char const* accepted_option(Invocation const& args) {
  char const* given = nullptr;
  for (char const* option : accepted_options)
    if (args.has(option)) given = option;
  return given;
}

/// Counts of rounds by accepted drafts, as one of accepted_options gives them.
struct AcceptedCounts {
  RequestCounts rows;
  bool by_request = false;  ///< a row is a request, and there are several; else rows are whole histograms
};

/// Each word a histogram, rows of requests with semicolons between them, or a file of such rows; where there is any of
/// the latter each histogram counts as a request. Or each row what rounds accepted, one after the other.
class AcceptedReader {
 public:
  AcceptedReader(Invocation const& args, std::string_view option)
      : args_(args), option_(option), of_rounds_(option == accepted_rounds) {}

  AcceptedCounts read() {
    for (std::string const& word : args_.texts(option_)) take(word);
    auto const has_rounds = [](auto const& row) {
      return std::ranges::any_of(row, [](auto count) { return count > 0; });
    };
    auto const with_rounds = std::ranges::count_if(counts_.rows, has_rounds);
    if (with_rounds == 0)
      throw UsageError(fmt::format("{} counts no round (there is nothing to estimate from)", option_),
                       "give counts above 0");
    counts_.by_request = requests_ && with_rounds > 1;
    return std::move(counts_);
  }

 private:
  void take(std::string const& word) {
    RequestCounts rows;
    bool several = true;  // rows of a file; of a word those with semicolons
    if (is_there(word)) {
      MappedFile const file(word);
      rows = read_request_counts(word, file.text(), of_rounds_ ? 1 : 2);
      if (of_rounds_) join_column(rows);
    } else {
      if (value_shape(word, ";kMGT") != ValueShape::numbers)
        refuse_absent(word, fmt::format("{} takes {}, or a file with a row of them a request", option_,
                                        of_rounds_ ? "what each round accepted, such as 3,0,4,1"
                                                   : "counts such as 30,20,10,40"));
      several = word.find(';') != word.npos;
      for (std::string_view rest = word;;) {
        std::size_t const end = rest.find(';');
        rows.push_back(row(rest.substr(0, end)));
        if (end == rest.npos) break;
        rest.remove_prefix(end + 1);
      }
    }
    requests_ = requests_ || several;
    if (option_ == accepted_either) require_histograms(word, rows);
    for (std::vector<std::int64_t>& each : rows)
      counts_.rows.push_back(of_rounds_ ? histogram(each) : std::move(each));
  }

  std::vector<std::int64_t> histogram(std::vector<std::int64_t> const& rounds) const {
    auto counts = histogram_of(rounds);
    if (!counts)
      throw UsageError(fmt::format("{}: a round accepted {} drafts (no engine drafts more than {})", option_,
                                   std::ranges::max(rounds), most_positions),
                       "give what each round accepted, from 0 on");
    if (counts->size() < 2) counts->resize(2);  // none was accepted, of one at least
    return *std::move(counts);
  }

  std::vector<std::int64_t> row(std::string_view text) const {
    try {
      auto counts = parse_counts(text);
      if (!of_rounds_) require_histogram(counts);
      return counts;
    } catch (Error const& error) {
      throw UsageError(std::string(option_), error);
    }
  }

  /// A number a line: the rounds of one text.
  static void join_column(RequestCounts& rows) {
    if (!std::ranges::all_of(rows, [](auto const& row) { return row.size() == 1; })) return;
    std::vector<std::int64_t> all;
    for (auto const& row : rows) all.push_back(row.front());
    rows = {std::move(all)};
  }

  /// Histograms of requests at one length are as long as each other, lists of their rounds are not.
  void require_histograms(std::string const& word, RequestCounts const& rows) const {
    constexpr std::size_t longest_usual = 17;  // γ + 1
    std::size_t const size = rows.front().size();
    bool const alike = rows.size() > 1 && size <= longest_usual &&
                       std::ranges::all_of(rows, [&](auto const& row) { return row.size() == size; });
    if (alike || !std::ranges::all_of(rows, could_be_rounds)) return;
    std::string const shown = word.size() <= 40 ? word : "…";
    throw UsageError(
        fmt::format(
            "{} {} can be read in two ways (as {} counts of rounds by accepted drafts, γ = {}, or as {} rounds "
            "with what each accepted)",
            option_, shown, size, size - 1, size),
        fmt::format("write {} {} for the first, {} {} for the second", accepted_histogram, shown, accepted_rounds,
                    shown));
  }

  Invocation const& args_;
  std::string_view option_;
  bool of_rounds_, requests_ = false;
  AcceptedCounts counts_;
};

}  // namespace

GammaAnswer gamma_of_survival(Invocation const& args, GammaAsked const& asked) {
  PricedRound const round = priced_round(args, cost_given(args), asked);
  char const* const option = accepted_option(args);
  if (!option) return gamma_of_curve(survival_said(args), round, asked);
  AcceptedCounts const accepted = AcceptedReader(args, option).read();
  if (accepted.by_request) refuse_draws_of_requests(args, round);
  GammaAnswer answer = accepted.by_request ? gamma_of_requests(one_length_each(accepted.rows), round, asked)
                                           : gamma_of_histograms(accepted.rows, round, asked);
  if (option == std::string_view(accepted_rounds))
    answer.result.sections.front().note(
        "The draft length that ran is taken to be the most that a round accepted: longer drafts are unknown.");
  return answer;
}

}  // namespace draftgauge
