#include "analysis/batch/exact_batch.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "analysis/batch/drafted_paths.h"
#include "analysis/exact/enumerate_round.h"
#include "sim/base/error.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

constexpr double most_texts = 100;  // for each path of drafts that is allowed

/// Answers the drafter from a list, and the rule in every possible way.
class GivenDrafts {
 public:
  GivenDrafts(Enumerator<Rational>& chance, std::vector<Token> const& drafts) : chance_(chance), drafts_(drafts) {}

  void number_from(Asker asker, std::uint32_t child, int) {
    drafting_ = asker == Asker::drafter;
    if (drafting_) next_ = child - 1;
  }
  void hand_back() { drafting_ = false; }

  bool flip(Rational const& num, Rational const& den) { return chance_.flip(num, den); }
  template <Law L>
  Token pick(L const& law) {
    return drafting_ ? drafts_.at(next_++) : chance_.pick(law);
  }
  std::uint32_t context(std::uint32_t rows, std::uint32_t node) { return chance_.context(rows, node); }

 private:
  Enumerator<Rational>& chance_;
  std::vector<Token> const& drafts_;
  std::size_t next_ = 0;
  bool drafting_ = false;
};

/// What a round may do that verifies given drafts.
struct Verified {
  std::vector<Token> tokens;
  int accepted;
  Rational probability;
};

std::vector<Verified> verified(Call const& called, ExactModel const& model, std::uint32_t row,
                               std::vector<Token> const& drafts) {
  std::vector<Verified> all;
  RoundShape const shape{.gamma = static_cast<int>(drafts.size())};
  with_rule(called, [&]<class Rule>(Rule const& rule) {
    ExactModel const* rows = &model;
    std::optional<ExactModel> with;
    if constexpr (has_row_constant<Rule>)
      rows = &with.emplace(model.with_constants(row_constants(rule, model, shape)));
    Drafting const drafting{AnyDrafter(drafter_call("sample").index)};
    Enumerator<Rational> chance;
    do {
      GivenDrafts given(chance, drafts);
      RoundPath path;
      int const accepted = play_round(rule, drafting, *rows, shape, given, row, path);
      all.push_back({std::move(path.tokens), accepted, chance.probability()});
    } while (chance.next_path());
  });
  return all;
}

/// verified() of a batch's requests, each kept.
class Verifier {
 public:
  Verifier(std::string_view rule, std::vector<BatchRequest> const& requests)
      : rule_(rule_call(rule)), requests_(requests) {
    RuleCard const& card = rule_card(rule);
    if (card.drafter != "sample")
      throw NotEnumerable(
          fmt::format("rule {} takes drafts of {} (a schedule is enumerated with drafts drawn from q)", card.name,
                      card.drafter),
          "use `rule` token or block");
    if (keeps_state(rule_) &&
        std::ranges::any_of(requests, [](BatchRequest const& one) { return one.model->contexts().states > 1; }))
      throw NotEnumerable(
          fmt::format("rule {} keeps a state of its own (of a batch it is not enumerated)", card.name),
          "enumerate it without a schedule");
  }

  std::vector<Verified> const& of(std::size_t request, std::uint32_t row, std::vector<Token> drafts, int length) {
    drafts.resize(static_cast<std::size_t>(length));
    auto const [found, is_new] = known_.try_emplace({request, row, std::move(drafts)});
    if (is_new) found->second = verified(rule_, *requests_[request].model, row, std::get<2>(found->first));
    return found->second;
  }

  /// Calls f(outcomes, probability) for every way in which the drafts, so many of each, are verified.
  template <class F>
  void for_outcomes(DraftedBatch const& batch, std::vector<int> const& lengths, F const& f) {
    std::vector<Verified const*> outcomes;
    std::function<void(Rational const&)> const next = [&](Rational const& probability) {
      std::size_t const r = outcomes.size();
      if (r == batch.drafts.size()) return f(std::as_const(outcomes), probability);
      for (Verified const& one : of(r, batch.rows[r], batch.drafts[r], lengths[r])) {
        outcomes.push_back(&one);
        next(probability * one.probability);
        outcomes.pop_back();
      }
    };
    next(1);
  }

 private:
  Call rule_;
  std::vector<BatchRequest> const& requests_;
  std::map<std::tuple<std::size_t, std::uint32_t, std::vector<Token>>, std::vector<Verified>> known_;
};

std::vector<int> checked_lengths(ExactSchedule const& schedule, std::vector<BatchRequest> const& requests,
                                 DraftedBatch const& batch) {
  std::vector<int> lengths = schedule.lengths(batch);
  if (lengths.size() != requests.size())
    throw UsageError(fmt::format("the schedule gave {} lengths for {} requests (it gives one for each)",
                                 lengths.size(), requests.size()),
                     "mend the schedule");
  for (std::size_t r = 0; r < lengths.size(); ++r)
    if (lengths[r] < 0 || lengths[r] > requests[r].gamma)
      throw UsageError(fmt::format("the schedule verifies {} of {} drafts", lengths[r], requests[r].gamma),
                       "mend the schedule");
  return lengths;
}

}  // namespace

ExactBatch exact_batch(std::string_view rule, std::vector<BatchRequest> const& requests,
                       ExactSchedule const& schedule, int length, std::uint64_t max_paths) {
  ExactBatch found;
  found.tokens.resize(requests.size());
  Verifier verifier(rule, requests);
  std::vector<std::uint32_t> const rows = starting_rows(requests);
  double texts_of_all = 1;  // that may come out, each of which may be met on every path
  for (BatchRequest const& request : requests)
    texts_of_all *= std::pow(request.model->contexts().vocab, length + request.gamma);
  if (texts_of_all > most_texts * static_cast<double>(max_paths))
    throw_too_many_paths("more than " + std::to_string(max_paths));
  std::map<std::tuple<std::size_t, std::vector<Token>, int>, SequenceLaw> texts;
  auto const text_of = [&](std::size_t r, std::vector<Token> drafts, int verify) -> SequenceLaw const& {
    drafts.resize(static_cast<std::size_t>(verify));
    auto const [text, is_new] = texts.try_emplace({r, drafts, verify});
    if (!is_new) return text->second;
    ExactRound round;
    for (Verified const& one : verifier.of(r, rows[r], drafts, verify)) round.emitted[one.tokens] += one.probability;
    return text->second = completed(round, *requests[r].model, length, rows[r]);
  };
  found.paths = for_drafts(requests, rows, schedule.memory, max_paths,
                           [&](DraftedBatch const& batch, Rational const& probability) {
                             std::vector<int> const lengths = checked_lengths(schedule, requests, batch);
                             found.lengths[lengths] += probability;
                             std::vector<SequenceLaw const*> each;
                             for (std::size_t r = 0; r < requests.size(); ++r) {
                               for (Verified const& one : verifier.of(r, rows[r], batch.drafts[r], lengths[r]))
                                 found.tokens[r] += probability * one.probability * one.tokens.size();
                               each.push_back(&text_of(r, batch.drafts[r], lengths[r]));
                             }
                             add_product(each, probability, found.joint);
                           });
  SequenceLaw const target = joint_target(requests, length);
  found.distance = total_variation(found.joint, target);
  for (std::size_t r = 0; r < requests.size(); ++r) {
    SequenceLaw& own = found.each.emplace_back();
    for (auto const& [tokens, probability] : found.joint) {
      auto const first = tokens.begin() + static_cast<std::ptrdiff_t>(r) * length;
      own[{first, first + length}] += probability;
    }
    found.distance_each.push_back(total_variation(own, target_law(*requests[r].model, length, rows[r])));
  }
  return found;
}

SequenceLaw exact_stream(std::string_view rule, std::vector<BatchRequest> const& requests,
                         ExactSchedule const& schedule, int length, std::uint64_t max_paths) {
  struct Text {
    std::vector<std::vector<Token>> tokens;  ///< [request] the first `length` of them
    std::vector<std::uint32_t> rows;
    std::vector<Rational> memory;
    auto operator<=>(Text const&) const = default;
  };
  std::size_t const all = static_cast<std::size_t>(length);
  Verifier verifier(rule, requests);
  std::map<Text, Rational> now{
      {{std::vector<std::vector<Token>>(requests.size()), starting_rows(requests), schedule.memory}, Rational(1)}};
  SequenceLaw law;
  while (!now.empty()) {
    std::map<Text, Rational> next;
    for (auto const& [text, chance] : now) {
      for_drafts(requests, text.rows, text.memory, max_paths,
                 [&](DraftedBatch const& batch, Rational const& drafted) {
                   std::vector<int> const lengths = checked_lengths(schedule, requests, batch);
                   verifier.for_outcomes(
                       batch, lengths, [&](std::vector<Verified const*> const& outcomes, Rational const& way) {
                         Text after = text;
                         std::vector<int> accepted;
                         bool ended = true;
                         for (std::size_t r = 0; r < outcomes.size(); ++r) {
                           std::vector<Token>& own = after.tokens[r];
                           own.insert(own.end(), outcomes[r]->tokens.begin(), outcomes[r]->tokens.end());
                           if (own.size() > all) own.resize(all);
                           ended = ended && own.size() == all;
                           after.rows[r] = row_behind(*requests[r].model, text.rows[r], outcomes[r]->tokens);
                           accepted.push_back(outcomes[r]->accepted);
                         }
                         if (ended) {
                           std::vector<Token> joined;
                           for (auto const& own : after.tokens) joined.insert(joined.end(), own.begin(), own.end());
                           law[joined] += chance * drafted * way;
                           return;
                         }
                         if (schedule.after) after.memory = schedule.after(batch, accepted);
                         next[std::move(after)] += chance * drafted * way;
                       });
                 });
    }
    now = std::move(next);
  }
  return law;
}

}  // namespace draftgauge
