#include "sim/fast/threshold_tables.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>

#include "sim/base/for_rows.h"
#include "sim/chance/decide.h"
#include "sim/model/model.h"
#include "sim/play/trial.h"
#include "sim/task/with_rule.h"

namespace draftgauge {
namespace {

/// Stands for a token that was picked.
constexpr Token picked = ~Token{0};

/// Answers the questions of a rule or drafter by what it is told to, and remembers what was asked.
class RuleProbe {
 public:
  explicit RuleProbe(bool flips_succeed = true, Token answer = picked)
      : flips_succeed_(flips_succeed), answer_(answer) {}

  bool flip(std::uint64_t num, std::uint64_t den) {
    ++flips_;
    late_ = late_ || picks_ > 0;
    num_ = num;
    den_ = den;
    return flips_succeed_;
  }
  bool flip(double, double) { return strange_ = true; }  // of rules that no table is made for
  Token pick(DraftLaw const& law) { return note(law.table, true); }
  Token pick(VerifierLaw const& law) { return note(law.table, false); }
  template <class Other>
  Token pick(Other const& law) {
    strange_ = true;
    if constexpr (InvertedLaw<Other>)
      empty_ = !(law.total() > 0);
    else
      empty_ = true;  // or not: it would have to be summed up
    return 0;
  }

  int flips() const { return flips_; }
  int picks() const { return picks_; }
  std::uint64_t num() const { return num_; }
  std::uint64_t den() const { return den_; }
  bool of_draft() const { return of_draft_; }
  /// Whether a law without weight may have been picked from: by a rule that is not sound, which is left to the
  /// reference.
  bool picks_from_nothing() const { return empty_ || (picks_ > 0 && table_.total == 0); }
  AliasTable const& table() const { return table_; }
  /// Whether nothing was asked that tables cannot answer.
  bool plain() const { return !strange_ && !late_ && flips_ <= 1 && picks_ <= 1; }

 private:
  Token note(AliasTable const& table, bool of_draft) {
    ++picks_;
    table_ = table;
    of_draft_ = of_draft;
    return answer_;
  }

  bool flips_succeed_, strange_ = false, late_ = false, of_draft_ = false, empty_ = false;
  Token answer_;
  int flips_ = 0, picks_ = 0;
  std::uint64_t num_ = 0, den_ = 0;
  AliasTable table_{};
};

/// ⌊num/den · 2^width⌋ for num ≤ den, and the next 32 digits. 0/0 is 0.
struct Digits {
  std::uint64_t first;
  std::uint32_t next;
};
Digits digits(std::uint64_t num, std::uint64_t den, int width) {
  if (den == 0) return {0, 0};
  Uint128 const scaled = Uint128{num} << width;
  if (std::has_single_bit(den)) {  // of laws made from floating point: no division
    int const shift = std::countr_zero(den);
    std::uint64_t const rest = static_cast<std::uint64_t>(scaled) & (den - 1);
    return {static_cast<std::uint64_t>(scaled >> shift), static_cast<std::uint32_t>((Uint128{rest} << 32) >> shift)};
  }
  std::uint64_t const first = static_cast<std::uint64_t>(scaled / den);
  std::uint64_t const rest = static_cast<std::uint64_t>(scaled - Uint128{first} * den);
  return {first, static_cast<std::uint32_t>((Uint128{rest} << 32) / den)};
}

constexpr std::uint16_t certainly = 65535;
std::uint16_t threshold(std::uint64_t num, std::uint64_t den) {
  if (num >= den) return certainly;
  return static_cast<std::uint16_t>(digits(num, den, 16).first);
}

struct Packed {
  std::uint32_t word, fine;
};
Packed pack(AliasEntry const& entry, std::uint64_t total, Token bucket, int bits, int width) {
  int const rest = width - bits;
  Digits const d = digits(entry.threshold, total, rest);
  if (total == 0) return {bucket, 0};
  if (d.first >> rest != 0) return {~std::uint32_t{0} << bits | bucket, ~std::uint32_t{0}};
  return {static_cast<std::uint32_t>(d.first << (32 - rest)) | entry.other, d.next};
}

/// A law of which only the one token ever comes.
Packed certain(Token token) { return {token, 0}; }

/// Asks a rule and a drafter row by row, and writes down what they answer. Rows are written by several of them at a
/// time.
template <class Rule>
class Writer {
 public:
  static constexpr bool exact_match = requires { Rule::picks_once; };

  Writer(Rule const& rule, Simulation const& simulation, ThresholdTables& thresholds)
      : rule_(rule),
        plan_(simulation.plan()),
        tables_(plan_.tables),
        buckets_(std::size_t{1} << tables_.table_bits),
        tokens_matter_(tokens_matter(simulation)),
        thresholds_(thresholds) {}

  /// How often a row's answers were asked for: of flips at a draft, and of picks of the drafter; −1: not at all. At
  /// one row and not at another they would be numbered by the rows that come.
  struct Asked {
    int flips = -1, draft_picks = -1;
    friend bool operator==(Asked const&, Asked const&) = default;
  };

  /// None where the row's answers are not such as tables can give.
  std::optional<Asked> write(std::uint32_t row) {
    asked_ = {};
    if (!(exact_match ? picks_once(row) : ask_at_tokens(row)) || !write_draft(row) || !ends_soundly(row)) return {};
    if ((exact_match || tokens_matter_) && !write_ending(row, Children{}, thresholds_.ended)) return {};
    return asked_;
  }

 private:
  /// Whether the rule picks from the law of its last token at every draft, and goes on where that is the draft.
  bool picks_once(std::uint32_t row) {
    accept_.assign(tables_.contexts.vocab, 0);
    Children none;
    RuleProbe last;
    rule_(last, Node(tables_, row, &none));
    for (Token x = 0; x < tables_.contexts.vocab; ++x) {
      Children drafted;
      drafted.add(x);
      Node const node(tables_, row, &drafted);
      RuleProbe same(true, x), other;
      Step const kept = rule_(same, node), lost = rule_(other, node);
      if (!same.plain() || same.flips() > 0 || same.picks() != 1 || same.of_draft()) return false;
      if (same.table().entries != last.table().entries || !kept.descends() || lost.token != picked) return false;
    }
    return true;
  }

  /// Thresholds of the row's tokens, and the law after a rejection, which must be the same whatever was drafted.
  bool ask_at_tokens(std::uint32_t row) {
    accept_.assign(tables_.contexts.vocab, 0);
    bool rejects = false;
    for (Token x = 0; x < tables_.contexts.vocab; ++x) {
      Children drafted;
      drafted.add(x);
      Node const node(tables_, row, &drafted);
      RuleProbe yes(true), no(false);
      Step const kept = rule_(yes, node), lost = rule_(no, node);
      if (!yes.plain() || yes.flips() != no.flips()) return false;
      // A flip at one token and none at another would number the flips by what was drafted.
      if (asked_.flips >= 0 && asked_.flips != yes.flips()) return false;
      asked_.flips = yes.flips();
      if (yes.flips() == 0) {
        note_flip(row, x, {kept.descends(), 1});
        if (kept.descends()) {
          accept_[x] = certainly;
          continue;
        }
      } else {
        if (!kept.descends() || lost.descends()) return false;
        note_flip(row, x, {yes.num(), yes.den()});
        accept_[x] = threshold(yes.num(), yes.den());
      }
      bool const may_reject = yes.flips() == 0 || yes.num() < yes.den();
      if (may_reject && no.picks_from_nothing()) return false;
      if (!tokens_matter_) continue;
      if (!rejects) {
        if (!write_ending(row, drafted, thresholds_.rejected)) return false;
        rejects = true;
        rejection_ = {no.picks() > 0 ? no.table().entries : nullptr, lost.token};
      } else if (rejection_ != Rejection{no.picks() > 0 ? no.table().entries : nullptr, lost.token}) {
        return false;
      }
    }
    return true;
  }

  /// Whether the last token of a round that accepts all is given without a flip.
  bool ends_soundly(std::uint32_t row) const {
    Children none;
    RuleProbe asked;
    rule_(asked, Node(tables_, row, &none));
    return asked.flips() == 0 && !asked.picks_from_nothing();
  }

  bool write_draft(std::uint32_t row) {
    Children drafted;
    Node const node(tables_, row, &drafted);
    RuleProbe asked;
    plan_.drafting.drafter.draw(asked, node, 1, drafted);
    if (!asked.plain() || asked.flips() > 0 || (asked.picks() > 0) != (drafted.token[0] == picked)) return false;
    if (asked.picks() > 0 && !asked.of_draft()) return false;
    asked_.draft_picks = asked.picks();
    if (thresholds_.exact) thresholds_.exact->drafts[row] = law_of(asked, drafted.token[0]);
    for (Token bucket = 0; bucket < buckets_; ++bucket) {
      std::size_t const at = row * buckets_ + bucket;
      AliasEntry const* const entry = asked.picks() > 0 ? asked.table().entries + bucket : nullptr;
      Packed const packed =
          entry ? pack(*entry, asked.table().total, bucket, thresholds_.bits, width()) : certain(drafted.token[0]);
      Token const other = packed.word & static_cast<std::uint32_t>(buckets_ - 1);
      bool const own = entry && entry->threshold > 0;  // else it is never drawn, nor always a token at all
      thresholds_.steps[at] = {packed.word, accept_[own ? bucket : other], accept_[other]};
      if (!thresholds_.wide) thresholds_.fine[at] = packed.fine;
    }
    return true;
  }

  /// The law of what the rule emits at a node where it rejects, or where nothing was drafted.
  bool write_ending(std::uint32_t row, Children const& drafted, PackedTable& out) {
    Node const node(tables_, row, &drafted);
    RuleProbe asked(false);
    Step const step = rule_(asked, node);
    if (!asked.plain() || step.descends() || asked.of_draft()) return false;
    if ((asked.picks() > 0) != (step.token == picked)) return false;
    if (thresholds_.exact) {
      auto& tables = &out == &thresholds_.ended ? thresholds_.exact->ended : thresholds_.exact->rejected;
      tables[row] = law_of(asked, step.token);
    }
    for (Token bucket = 0; bucket < buckets_; ++bucket) {
      std::size_t const at = row * buckets_ + bucket;
      Packed const packed = asked.picks() > 0 ? pack(asked.table().entries[bucket], asked.table().total, bucket,
                                                     thresholds_.bits, width())
                                              : certain(step.token);
      out.words[at] = packed.word;
      if (!thresholds_.wide) out.fine[at] = packed.fine;
    }
    return true;
  }

  void note_flip(std::uint32_t row, Token x, ExactAnswers::Flip flip) {
    if (thresholds_.exact) thresholds_.exact->flips[row * std::size_t{tables_.contexts.vocab} + x] = flip;
  }

  static ExactAnswers::Law law_of(RuleProbe const& asked, Token certain) {
    return asked.picks() > 0 ? ExactAnswers::Law{asked.table(), 0} : ExactAnswers::Law{{}, certain};
  }

  int width() const { return thresholds_.wide ? 32 : 16; }

  struct Rejection {
    AliasEntry const* table;
    Token token;
    friend bool operator==(Rejection const&, Rejection const&) = default;
  };

  Rule const& rule_;
  TrialPlan const& plan_;
  PairTablesView const& tables_;
  std::size_t buckets_;
  bool tokens_matter_;
  ThresholdTables& thresholds_;
  std::vector<std::uint16_t> accept_;  ///< [vocab] of the present row
  Asked asked_;                        ///< of the present row
  Rejection rejection_{};
};

/// Tables without answers as yet.
ThresholdTables blank(Simulation const& simulation, bool exact_match, bool exact) {
  PairTablesView const& tables = simulation.plan().tables;
  std::size_t const rows = tables.contexts.rows, cells = rows << tables.table_bits;
  ThresholdTables thresholds;
  thresholds.exact_match = exact_match;
  thresholds.bits = tables.table_bits;
  thresholds.wide = tables.table_bits > layout::narrow_table_bits;
  thresholds.steps.resize(cells);
  if (!thresholds.wide) thresholds.fine.resize(cells);
  for (PackedTable* table : {&thresholds.rejected, &thresholds.ended}) {
    if (!tokens_matter(simulation) && !(exact_match && table == &thresholds.ended)) continue;
    table->words.resize(cells);
    if (!thresholds.wide) table->fine.resize(cells);
  }
  if (!exact) return thresholds;
  ExactAnswers& answers = thresholds.exact.emplace();
  if (!exact_match) answers.flips.resize(rows * tables.contexts.vocab);
  for (auto* each : {&answers.drafts, &answers.rejected, &answers.ended}) each->resize(rows);
  return thresholds;
}

template <class Rule>
std::optional<ThresholdTables> write(Rule const& rule, Simulation const& simulation, bool exact, int threads) {
  using RowWriter = Writer<Rule>;
  ThresholdTables thresholds = blank(simulation, RowWriter::exact_match, exact);
  std::vector<std::optional<typename RowWriter::Asked>> asked(simulation.plan().tables.contexts.rows);
  std::atomic<bool> sound = true;  // else no further row is asked
  for_rows(asked.size(), threads, [&] {
    return [&, writer = RowWriter(rule, simulation, thresholds)](std::uint64_t row) mutable {
      if (!sound) return;
      asked[row] = writer.write(static_cast<std::uint32_t>(row));
      if (!asked[row]) sound = false;
    };
  });
  if (!sound || std::ranges::adjacent_find(asked, std::ranges::not_equal_to{}) != asked.end()) return {};
  return thresholds;
}

}  // namespace

std::size_t ThresholdTables::bytes() const {
  return steps.size() * sizeof(ChainStep) +
         (fine.size() + rejected.words.size() + rejected.fine.size() + ended.words.size() + ended.fine.size()) *
             sizeof(std::uint32_t);
}

bool tokens_matter(Simulation const& simulation) {
  TallyLayout const& tally = simulation.plan().tally;
  Follow const follow = simulation.plan().tables.contexts.follow;
  return tally.positions > 0 || tally.gram > 0 || tally.firsts ||
         (follow != Follow::independent && follow != Follow::next_row);
}

std::optional<ThresholdTables> threshold_tables(Simulation const& simulation, int threads, bool exact) {
  Task const& task = simulation.task();
  PolicyCard const& policy = policy_card(task.policy);
  if (task.shape.branching != 1 || task.shape.continues || policy.watches || policy.adapts ||
      simulation.plan().tables.table_bits == 0)
    return {};
  std::optional<ThresholdTables> thresholds;
  with_rule(simulation.rule_called(), [&](auto const& rule) {
    using Rule = std::decay_t<decltype(rule)>;
    if constexpr (requires { Rule::flips_once; } || requires { Rule::picks_once; })
      if constexpr (!frozen_noise<Rule>) thresholds = write(rule, simulation, exact, threads);
  });
  return thresholds;
}

}  // namespace draftgauge
