#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cards/solver.h"
#include "analysis/sequence/acceptance.h"

namespace draftgauge {

/// What was counted of rounds that had a draft. What the engine does not say is empty.
struct CounterSums {
  std::optional<std::int64_t> rounds = {}, drafted = {};
  std::optional<std::int64_t> accepted = {};   ///< draft tokens that were kept, without the token that follows them
  std::optional<std::int64_t> emitted = {};    ///< tokens, with those that the prompts' passes gave
  std::vector<std::int64_t> by_position = {};  ///< [i − 1] rounds that kept draft token i, and so all before it
  std::vector<std::int64_t> drafted_by_position = {};  ///< [i − 1] rounds that drafted an i-th token
  std::vector<std::int64_t> kept = {};                 ///< [j] rounds that kept j draft tokens, of however many
  /// [k][j] rounds that drafted k tokens and kept j of them; k + 1 entries.
  std::map<std::int64_t, std::vector<std::int64_t>> histograms = {};
};

/// The numbers that engines call acceptance rate, and the length that goes with them.
enum class Rate {
  accepted_per_drafted,  ///< accepted/drafted
  alpha,                 ///< mean acceptance of a draft token that was tested
  conditional,           ///< of draft i, in rounds that kept those before it
  cumulative,            ///< rounds that kept draft i, of all rounds
  independent,           ///< draft tokens that passed their test by themselves, whatever came of those before them
  efficiency,            ///< emitted tokens, of the γ + 1 that each round could give
  per_request_mean,      ///< mean over requests of accepted/drafted
  tokens_per_round,      ///< E[N], mean acceptance length with the token after the drafts
  other,
};

/// A number as the engine prints it.
struct EngineNumber {
  std::string name;
  double value;
  Rate meaning;
  double within = 0;  ///< how far rounding may have moved it
};

struct CountedRequest {
  std::string name;
  CounterSums sums;
  std::vector<EngineNumber> says = {};  ///< of this request alone
  /// Its rounds one by one, where they are listed: of each of its texts, in their order (ordered.h).
  std::vector<OrderedRounds> texts = {};
  /// Where the file has it at every token: the rounds were played along it (every_position.h).
  AcceptedFrom accepted_from = {};
  bool is_aside = false;  ///< it counts only where no other does
};

/// Something that holds of every right count, and is not so here.
struct BrokenIdentity {
  std::string identity;    ///< "Σ by_position = accepted"
  std::string found;       ///< "215 and 210"
  std::string words = {};  ///< of one that reads better so: "cumulative rates grow at position 3"; else empty
};

/// Sequences that the engine says it decoded at once.
struct SequencesAtOnce {
  std::string name = {};     ///< the engine's word
  std::string over = {};     ///< what the mean is over, as "a mean over steps"
  double sequences = 0;      ///< their sum over
  double count = 0;          ///< so many steps, lines, or scrapes of an engine
  bool since_start = false;  ///< both sums are counted from the server's start on
  double mean() const { return sequences / count; }
};

/// What one sequence waits for a token, with all that is decoded beside it, as a benchmark measured it.
struct TokenTime {
  std::string name;  ///< the benchmark's word
  double seconds;
};

/// What an engine says of a stretch of time, as a mean over rounds that it does not count.
struct MeanOfStretch {
  double sequences;  ///< that were decoded at once: of stretches of as many steps, what this one weighs
  double tokens_per_round;
};

struct EngineCounters {
  std::string engine = {};  ///< a name of engine_cards
  std::string format = {};  ///< a name of counter_formats
  /// EngineRuns' names: what may have counted, the likelier first; none where the file does not say.
  std::vector<std::string_view> writers = {};
  std::string file = {};
  std::string earlier = {};  ///< the scrape before it, where what happened between the two is counted
  CounterSums sums = {};
  std::vector<CountedRequest> requests = {};      ///< empty where the engine says only sums
  std::string_view unit = "request";              ///< what each of `requests` is: others are no sample of requests
  std::optional<std::int64_t> draft_length = {};  ///< tokens that a round drafts at most, as set
  bool draft_length_so_far = false;               ///< it is of the longest draft that was counted: it may grow
  std::optional<double> temperature = {};
  std::optional<double> seconds = {};            ///< of decoding
  std::optional<double> draft_seconds = {};      ///< of the draft model in that time
  std::optional<double> target_seconds = {};     ///< of the target's passes in that time, without those of prompts
  std::optional<std::int64_t> draft_calls = {};  ///< in which it was spent, each for all sequences; none: one a round
  std::optional<TokenTime> token_time = {};
  std::optional<SequencesAtOnce> at_once = {};      ///< none where the engine says none, or was idle
  std::optional<std::int64_t> passed_alone = {};    ///< draft tokens that passed their test by themselves
  std::vector<std::string> draft_kinds = {};        ///< what drafted, by the engine's own names, where it says so
  std::string model = {};                           ///< whose counters a page has, where it says so
  std::map<std::string, std::int64_t> series = {};  ///< each counter of a page by itself, with its labels
  std::map<std::string, double> created =
      {};                    ///< of these, and of a difference, when it was made, in seconds since 1970
  bool since_start = false;  ///< counted since the server's start: two scrapes have a difference
  double rounding = 0;       ///< by_position is of rates that rounding moved by so much at most
  /// `rounds` are those that had a draft. Along a text there is one for each token that was emitted and not accepted,
  /// with room for a draft or without, from the first that a draft came before.
  bool rounds_by_tokens = false;
  EmittedBy emitted_by = EmittedBy::unknown;
  std::vector<MeanOfStretch> stretches = {};  ///< each of as many steps; where there are no counts
  std::vector<EngineNumber> says = {};
  /// What a line or record contradicts in itself, where it is none of `requests`: sums may hide it.
  std::vector<BrokenIdentity> broken = {};
  std::vector<std::string> notes = {};
  std::vector<std::string> unread_fields = {};  ///< of a user's card, which no print has: "rounds = 'stats.rouns'"
  /// Where drafts that a schedule did not verify count as rejected: what says so. Empty where nothing does.
  std::string trimmed = {};
  /// Acceptance at every token, [request], by the names of the drafts that the file has. No rounds are counted until those of
  /// one draft are played (every_position.h).
  std::map<std::string, std::vector<AcceptedFrom>> drafts_from = {};
};

/// Whether `requests` are a sample of requests, that intervals may be over.
inline bool are_requests(EngineCounters const& counters) { return counters.unit == "request"; }

/// Adds what one step, line or engine says of sequences at once; one that decodes none says nothing.
void add_at_once(EngineCounters& counters, std::string_view name, std::string_view over, double sequences);

/// No engine decodes more at once.
inline constexpr double most_at_once = 1e6;
/// No engine drafts more tokens a round.
inline constexpr std::size_t most_positions = 4096;

/// All requests together: what one of them does not say, of rounds that it had, is unknown of all.
CounterSums total(std::vector<CountedRequest> const& requests);

/// Fills in what follows from what is there: totals of histograms, and the histogram where every round drafted as many
/// tokens. Leaves everything that is there.
void complete(CounterSums& sums);

/// The same of each request and of all, where every round drafted as many tokens as were set, or as fixed_length
/// says: lists that end early because no round kept more have zeros behind.
void complete_to_length(EngineCounters& counters);

/// The draft length where every round drafted as many tokens as any: as set, by a histogram or by positions. Where
/// nothing of these is there, a mean that is a whole number, if chance makes uneven drafts have one less than once in
/// a hundred runs: with a share of 1/rounds, and in each request by itself.
std::optional<std::int64_t> fixed_length(EngineCounters const& counters);

/// The same, else the length that was set, where no position is counted that would say more and rounds are shorter by a
/// tenth at most, as those at the ends of texts are.
std::optional<std::int64_t> set_length(EngineCounters const& counters);

/// What ran: set_length, else the draft length that was set.
std::optional<std::int64_t> ran_length(EngineCounters const& counters);

}  // namespace draftgauge
