#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "analysis/counters/counters.h"
#include "analysis/texts/request_counts.h"
#include "apps/gamma/gamma_report.h"

namespace draftgauge {

/// Ways to give what rounds accepted: counts of them by accepted drafts, refused where the numbers could be rounds as
/// well; the same, whatever they could be; and round by round.
inline constexpr char const *accepted_either = "--accepted", *accepted_histogram = "--accepted-histogram",
                            *accepted_rounds = "--accepted-rounds";
inline constexpr char const* accepted_options[] = {accepted_either, accepted_histogram, accepted_rounds};

/// --survival, and the options above.
Option survival_option();
std::vector<Option> accepted_count_options();

/// Which one of these options says what is accepted; empty where none does. Throws UsageError where two do.
std::string_view one_way(Invocation const& args, std::span<char const* const> ways);

/// Counts of rounds by accepted drafts, as one of the first two gives them.
struct AcceptedCounts {
  RequestCounts rows;
  bool by_request = false;  ///< a row is a request, and there are several; else rows are whole histograms
};
/// Throws UsageError and InputError.
AcceptedCounts accepted_counts(Invocation const& args, std::string_view option);

/// Rounds in their order, as --accepted-rounds gives them, of the length that --draft-length says, or else of the most that
/// one accepted. Throws UsageError and InputError.
EngineCounters rounds_given(Invocation const& args);
/// Says in an answer by these how long drafts are taken to be, where no option does.
void add_assumed_length(Result& result, Invocation const& args, EngineCounters const& counters);

}  // namespace draftgauge
