#include "analysis/recordings/row_rules.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "sim/task.h"

namespace draftgauge {
namespace {

/// Terms of a formula that a row may cost, so that thousands of rows stay within minutes.
constexpr double most_terms = 1e8;

bool short_enough(AcceptanceFormula const& formula, int candidates, std::uint32_t vocab) {
  return formula.covers(candidates, vocab) && formula.work(candidates, vocab) <= most_terms;
}

Parameters parameters_of(std::string_view rule, std::optional<Ratio> const& lenience) {
  Parameters values;
  auto const cards = rule_card(rule).parameters;
  for (std::size_t i = 0; i < cards.size(); ++i)
    values.value[i] = lenience && cards[i].name == "lenience" ? *lenience : cards[i].standard;
  return values;
}

std::vector<RowRule> rules_to_ask(std::span<int const> candidates, std::uint64_t vocab,
                                  std::vector<std::uint32_t> const& sequences, std::optional<Ratio> const& lenience) {
  std::vector<std::vector<double>> rows;
  for (std::uint32_t const length : sequences) rows.emplace_back(length);
  std::vector<RowRule> rules;
  for (AcceptanceFormula const& formula : acceptance_formulas())
    for (int const k : candidates) {
      auto const tokens = static_cast<std::uint32_t>(vocab);
      if (short_enough(formula, k, tokens))
        rules.push_back({formula, k, parameters_of(formula.rule, lenience), rows});
    }
  return rules;
}

}  // namespace

std::vector<UnaskedRule> unasked_rules(std::span<int const> candidates, std::uint64_t vocab) {
  std::vector<UnaskedRule> unasked;
  for (AcceptanceFormula const& formula : acceptance_formulas())
    for (int const k : candidates)
      if (formula.orders && static_cast<std::uint64_t>(k) <= vocab &&
          !short_enough(formula, k, static_cast<std::uint32_t>(vocab)))
        unasked.push_back({formula.rule, k});
  return unasked;
}

std::vector<RowRule> rules_at_rows(RowPairs& pairs, Fold const& target, Fold const& draft,
                                   std::span<int const> candidates, std::optional<Ratio> lenience, int threads,
                                   std::function<void(std::uint64_t)> const& progress,
                                   std::function<bool(AcceptanceFormula const&, int)> const& wanted) {
  RowLayout const p_layout = pairs.target->layout(), q_layout = pairs.draft->layout();
  std::vector<RowRule> rules = rules_to_ask(candidates, p_layout.vocab, pairs.sequences, lenience);
  if (wanted) std::erase_if(rules, [&](RowRule const& rule) { return !wanted(rule.formula, rule.candidates); });
  struct Place {
    std::size_t sequence, position;
  };
  std::vector<Place> places;
  for (std::size_t s = 0; s < pairs.sequences.size(); ++s)
    for (std::size_t i = 0; i < pairs.sequences[s]; ++i) places.push_back({s, i});

  bool const greedy_target = target.temperature == 0;
  std::mutex reading;  // rows are handed out in order: packed ones are unpacked on the way
  std::uint64_t next = 0;
  std::atomic<std::uint64_t> done{0};
  std::exception_ptr failure;
  auto const work = [&] {
    std::vector<double> p(p_layout.vocab), q(q_layout.vocab), soft(greedy_target ? p_layout.vocab : 0);
    for (;;) {
      std::uint64_t row = 0;
      {
        std::scoped_lock const lock(reading);
        if (failure || next == places.size()) return;
        row = next++;
        try {
          decode_row(p_layout, pairs.target->rows(row, 1), p);
          decode_row(q_layout, pairs.draft->rows(row, 1), q);
          check_logits(pairs.target_name + ", row " + std::to_string(pairs.target->file_row(row)), p);
          check_logits(pairs.draft_name + ", row " + std::to_string(pairs.draft->file_row(row)), q);
        } catch (...) {
          failure = std::current_exception();
          return;
        }
      }
      if (greedy_target) fold({}, p, soft);
      fold(target, p, p);
      fold(draft, q, q);
      Acceptance<double> const laws(p, q);
      std::optional<Acceptance<double>> before;  // p was made one-hot
      if (greedy_target) before.emplace(soft, q);
      for (RowRule& rule : rules) {
        bool const of_argmax = greedy_target && rule.formula.reference == Reference::argmax;
        rule.accepted[places[row].sequence][places[row].position] =
            rule.formula.accepted(of_argmax ? *before : laws, rule.candidates, rule.values);
      }
      progress(++done);
    }
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < threads && static_cast<std::size_t>(i) < places.size(); ++i) helpers.emplace_back(work);
  work();
  helpers.clear();
  if (failure) std::rethrow_exception(failure);
  return rules;
}

}  // namespace draftgauge
