#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/load/batch_costs.h"
#include "analysis/stats/interval.h"
#include "sim/chance/philox.h"
#include "sim/schedules/schedules.h"

/// Requests of a batch that go along texts of which it is known how likely a draft of each token is accepted. Estimates
/// behind a rejected draft are those of the text, where an engine has those of what was drafted.
namespace draftgauge {

/// A text as requests read it, one number a token.
struct ScheduledText {
  std::vector<double> accepted;  ///< P(a draft of this token is accepted | text): min(1, q/p) for the token rule
  std::vector<double> estimate;  ///< what schedules are told of it before the token is known
  /// [place] the same of a draft at that place of its round, the last also of places behind; empty: the place is no
  /// matter.
  std::vector<std::vector<double>> by_place = {};
};

/// The time of a batch's rounds.
struct ScheduledCosts {
  double plain_ms;  ///< of a plain step of the batch
  Costs costs;      ///< in such steps
  std::int64_t batch;
  /// [slots + 1] of passes that verify so many slots, where times are known by all tokens of a pass; or empty.
  std::vector<double> pass_ms = {};

  /// Milliseconds of a round with so many steps of the draft, and a pass over one token a sequence and so many slots;
  /// between whole numbers of tokens a sequence on a straight line.
  double round_ms(int drafted, int slots) const;
};
/// Of a batch of that size, up to γ slots a sequence.
ScheduledCosts scheduled_costs(BatchCosts const& costs, std::int64_t batch, int gamma);

/// Rounds of γ drafts by the slots that they verify, and the greatest convex times that are nowhere above these.
struct PassTimes {
  std::vector<double> ms = {}, envelope = {};  ///< [slots + 1]
};
PassTimes pass_times(ScheduledCosts const& costs, int gamma);

/// Whether times are convex in the number of slots, so that the best budget of a round is lossless (docs/schedules.md);
/// if not, the first number of slots at which they are not.
std::optional<int> first_step(ScheduledCosts const& costs, int gamma);

/// Numbers that belong to a replicate, whichever schedule asks: of a request its texts, and of each of its tokens the
/// coin that decides whether a draft of it is accepted. Differences between schedules then have little noise.
class Replicate {
 public:
  /// resampled: texts are drawn with replacement; else each is there once.
  Replicate(std::uint64_t seed, std::uint32_t number, std::vector<ScheduledText> const& texts, bool resampled);

  /// The k-th text of a request.
  std::size_t text(std::uint32_t request, std::uint32_t k) const;
  /// Where a request begins: at any token of all texts, so that a long one is met as often as it would be midway.
  struct Place {
    std::size_t text, token;
  };
  Place start(std::uint32_t request) const;
  /// In (0, 1), of a request's n-th token.
  double coin(std::uint32_t request, std::uint64_t n) const;
  /// In (0, 1), of a request: when it comes, and how long it is.
  double arrival(std::uint32_t request) const;
  double length(std::uint32_t request) const;

 private:
  Philox::Words words(std::uint32_t what, std::uint32_t request, std::uint32_t index) const;

  Philox::Key key_;
  std::uint32_t number_;
  std::vector<std::size_t> drawn_;
  std::vector<std::size_t> tokens_;  ///< [i] of the first i + 1 of them together
};

/// The texts that have a token. Throws InputError where none has.
std::vector<ScheduledText> texts_with_tokens(std::vector<ScheduledText> const& texts);
/// Half of them of the texts as they are, half of resampled ones; of one text all as it is.
std::vector<Replicate> replicates_of(std::vector<ScheduledText> const& texts, std::uint64_t seed, int count);
/// What replicates say: the mean of those along the texts as they are, with an interval by how much those of resampled
/// texts differ, which is short of what texts differ by n/(n − 1); of one text by how much what is drawn differs.
Interval interval_over_texts(std::vector<double> const& replicates, std::size_t texts, double confidence);
/// 99 % of them are at most that; 0 of none.
double percentile_99(std::vector<double> values);
/// f(0), …, f(count − 1), shared among threads.
void in_parallel(std::size_t count, int threads, std::function<void(std::size_t)> const& f);

/// How lengths are decided: by a schedule, or by who knows which drafts are accepted.
struct Deciding {
  Deciding() = default;
  explicit Deciding(ScheduleCall const& call)
      : schedule(AnySchedule(call)), drafts_what_is_verified(schedule_card(call).sight == Sight::past) {}

  std::optional<AnySchedule> schedule = {};
  bool drafts_what_is_verified = false;  ///< since lengths are known before anything is drafted
};

/// A round of a batch: what each request drafts, what is verified, and how far it goes.
class ScheduledRequests {
 public:
  /// Up to so many at once, each of at most γ drafts a round.
  ScheduledRequests(std::vector<ScheduledText> const& texts, int gamma, std::size_t most);

  std::size_t count() const { return requests_.size(); }
  std::uint32_t id(std::size_t r) const { return requests_[r].id; }
  /// One more, in the last place.
  void join(Replicate const& replicate, std::uint32_t id, Deciding const& by);
  /// The last one takes its place.
  void leave(std::size_t r, Deciding const& by);
  /// Before the first round.
  void begin(Deciding const& by);
  void clear() { requests_.clear(); }

  struct Round {
    int slots = 0, longest = 0, accepted = 0;
  };
  /// times: of rounds of so many requests.
  Round play(Replicate const& replicate, Deciding const& by, PassTimes const& times);
  /// Tokens that the last round gave a request.
  std::size_t emitted(std::size_t r) const { return emitted_[r]; }

 private:
  struct Request {
    std::uint32_t id = 0;
    std::size_t text = 0, at = 0;
    std::uint32_t texts = 0;   ///< that it has begun
    std::uint64_t tokens = 0;  ///< before `at`, of all its texts
  };

  BatchDrafts<double> drafts(PassTimes const& times) const;
  int draft(Replicate const& replicate, std::size_t r);
  std::size_t advance(Replicate const& replicate, std::size_t r, std::size_t tokens);

  std::vector<ScheduledText> const& texts_;
  int gamma_;
  std::vector<Request> requests_;
  std::vector<double> memory_, estimate_;
  std::vector<Token> token_;
  std::vector<int> gammas_, lengths_, kept_, accepted_;
  std::vector<std::size_t> emitted_;
};

}  // namespace draftgauge
