// Rounds by threshold tables in lanes: include once in a unit, inside of Highway's foreach_target.
//
// A round's questions are answered by Philox blocks (sim/chance/layout.h), and a round that is rejected early needs
// few of them. So rounds go through stages, one for each block: a group of lanes draws the block, decides the
// positions that it answers and counts them, and the rounds that are still accepted wait in the next stage's queue
// until there are some groups of them. A trial of several rounds goes back to the first stage with its next one.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "sim/fast/lane_run.h"
#include "sim/fast/lanes.inl"
#include "sim/fast/round_sums.h"
#include "sim/fast/rule_round.h"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

/// `Tables` says how positions are decided: GatherTables or RegisterTables. `Tokens`: whether it matters which tokens
/// are emitted.
template <class Tables, bool Tokens, Path path>
class Rounds {
 public:
  Rounds(LaneRun const& run, std::uint64_t first, std::uint32_t count, LaneCounts& counts)
      : thresholds_(*run.thresholds),
        simulation_(*run.simulation),
        plan_(simulation_.plan()),
        contexts_(plan_.tables.contexts),
        counts_(counts),
        tables_(thresholds_),
        counter_(run, counts),
        keys_(layout::Address::of(plan_.seed, 0, 0).key),
        first_(first),
        count_(count),
        gamma_(plan_.shape.gamma),
        positions_(static_cast<int>(run.positions)),
        bits_(thresholds_.bits),
        stages_(at(gamma_ / places + 1)),
        most_waiting_(std::min(Queue<fields>::capacity, (stages_.size() + 6) * group) - group),
        counted_tokens_(static_cast<std::uint32_t>(tokens_counted(plan_.tally))) {}

  void play() {
    while (play_groups(group) || play_groups(1)) continue;
    counter_.flush();
  }

 private:
  using Group = Words[vectors];
  using Token = typename Tables::Token;
  static constexpr bool multi_round = path == Path::multi_round, wide = Tables::wide;
  /// Positions that a block answers. Of rules that match, whose rounds are seldom long, each is a stage.
  static constexpr int places = Tables::exact_match ? 1 : wide ? 2 : 4;
  /// Whether the token after a rejection is the same at every position, and so is looked up before the first.
  static constexpr bool early = Tokens && path == Path::one && !Tables::exact_match;
  /// Whether each position has its token, accepted or not.
  static constexpr bool whole = early || Tables::exact_match;

  // What a waiting round is: its trial and, where they are needed, the word of its last pick, the token after a
  // rejection, and the word of the draft that has been drawn for the next position.
  static constexpr int trial = 0, last = trial + (Tokens && !Tables::exact_match), instead = last + early,
                       drawn = instead + wide;
  // Of trials of several rounds also the round, its present row and its first one, the rows before the recording
  // ends, sums (TrialRounds) up to the round, and where the trial's tokens are counted.
  static constexpr int round = drawn + 1, row = drawn + 2, first_row = drawn + 3, left = drawn + 4,
                       emitted = drawn + 5, drafts = drawn + 6, started = drawn + 7, slot = started + Tokens;
  static constexpr int fields = (multi_round ? slot : drawn) + 1;
  using Item = Words[fields][vectors];

  /// What has become of a group's rounds in the present stage.
  struct Now {
    Bits alive;                                 ///< accepted so far
    Bits kept[places] = {}, lost[places] = {};  ///< that accept, or reject, at a place
    Bits open = 0;                              ///< of several rounds: that the tables do not decide
    Group row, accepted;                        ///< of several rounds
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// Plays as many new rounds as there is room for, and those that wait for a stage, in groups, until fewer than
  /// `enough` wait. Returns whether there was any.
  HWY_NOINLINE bool play_groups(std::size_t enough) {
    bool played = false;
    for (;; played = true) {
      Item item;
      Bits const alive = begin(item, enough);
      if (alive == 0) break;
      stage<!Tables::exact_match>(0, item, alive);  // of matches the first stage is as the others
    }
    for (std::size_t s = 1; s < stages_.size(); ++s)
      if (stages_[s].size() >= enough) {
        resume(s, enough);
        played = true;
      }
    while (bonuses_.size() >= enough) {
      Item item;
      Bits const alive = pop(bonuses_, item);
      end_whole(item, alive);
      played = true;
    }
    return played;
  }
  HWY_NOINLINE void resume(std::size_t s, std::size_t enough) {
    while (stages_[s].size() >= enough) {
      Item item;
      Bits const alive = pop(stages_[s], item);
      stage<false>(static_cast<int>(s), item, alive);
    }
  }

  HWY_INLINE void push(Queue<fields>& queue, Item const& item, Bits chosen) {
    queue.push(item, chosen);
    waiting_ += static_cast<std::size_t>(std::popcount(chosen));
  }
  HWY_INLINE Bits pop(Queue<fields>& queue, Item& item) {
    Bits const alive = queue.pop(item);
    waiting_ -= static_cast<std::size_t>(std::popcount(alive));
    return alive;
  }

  /// Rounds for the first stage: 0 where none can begin.
  HWY_INLINE Bits begin(Item& item, std::size_t enough) {
    if constexpr (multi_round)
      if (stages_[0].size() >= enough) return pop(stages_[0], item);
    while (next_ < count_ && waiting_ <= most_waiting_) {
      for (int v = 0; v < vectors; ++v)
        item[trial][v] =
            hn::Iota(d32, static_cast<std::uint32_t>(first_) + next_ + static_cast<std::uint32_t>(v * lanes));
      std::uint32_t const trials = std::min<std::uint32_t>(count_ - next_, group);
      Bits alive = trials == group ? all_lanes : (Bits{1} << trials) - 1;
      if constexpr (multi_round) alive = start_trials(item, alive);
      next_ += trials;
      if (alive != 0) return alive;
    }
    return 0;
  }

  // Draw.

  template <unsigned Wanted>
  HWY_INLINE void draw(Item const& item, layout::Purpose purpose, int block, Words (&word)[4][vectors]) const {
    std::uint32_t const last_word = static_cast<std::uint32_t>(block) << 8 | purpose,
                        high_word = static_cast<std::uint32_t>(first_ >> 32);
    if constexpr (multi_round)
      philox<Wanted>(item[trial], high_word, item[round], last_word, keys_, word);
    else
      philox<Wanted>(item[trial], high_word, 0u, last_word, keys_, word);
  }

  /// The word in a slot of a purpose.
  HWY_INLINE void word_at(Item const& item, layout::Purpose purpose, int slot_number, Group& out) const {
    Words word[4][vectors];
    draw<0b1111>(item, purpose, slot_number / 4, word);
    for (int v = 0; v < vectors; ++v) out[v] = word[slot_number % 4][v];
  }
  /// The word of a match's pick at position i.
  HWY_INLINE void pick_at(int i, Item const& item, Group& out) const {
    word_at(item, i == 0 ? layout::joint : layout::late_pick, std::max(0, i - 1), out);
  }
  /// The word that says which context position i has. (Called: in line it would be in every kernel many times, which
  /// is a third of what compiling them takes.)
  HWY_NOINLINE void context_at(int i, Item const& item, Group& out) const { word_at(item, layout::context, i, out); }

  /// The position at place 0 of a stage.
  static int first_of(int s) { return Tables::exact_match ? s : places * s - 1; }

  template <bool First>
  HWY_INLINE void stage(int s, Item& item, Bits alive) {
    Tables const tables = tables_;
    int const from = first_of(s);
    Now now = begun(item, alive, from);
    Token rejected;
    typename Tables::Counter::Stage counted;
    if constexpr (Tables::exact_match) {
      Group draft, pick;
      word_at(item, layout::joint, wide ? 1 + 2 * s : 1 + s, draft);
      pick_at(s, item, pick);
      position<First>(tables, 0, s, item, draft, pick, rejected, counted, now);
    } else {
      Words word[4][vectors];
      if (!First && !wide && path == Path::one && gamma_ - from <= 2)  // the last block, of which half is needed
        draw<0b0011>(item, layout::joint, s, word);
      else
        draw<First && !Tokens ? 0b1110u : 0b1111u>(item, layout::joint, s, word);
      if constexpr (First && Tokens)
        for (int v = 0; v < vectors; ++v) item[last][v] = word[0][v];
      if constexpr (early) {
        if constexpr (First) {
          Bits const open =
              last_tokens(tables, tables.rejected, thresholds_.rejected, 0, item, word[0], now, now.alive, rejected);
          if (HWY_UNLIKELY(open != 0)) leave(0, item, open, now);
          tables.to_words(rejected, item[instead]);
        } else {
          tables.from_words(item[instead], rejected);
        }
      }
      HWY_UNROLL(4)
      for (int p = First ? 1 : 0; p < places; ++p) {
        // The first is there in any case: not asked for, it is computed along with the words.
        if (p > (First ? 1 : 0) && from + p >= gamma_) continue;
        auto const& draft = !wide ? word[p] : p == 0 ? item[drawn] : word[1];
        auto const& coin = !wide ? word[p] : p == 0 ? word[0] : word[2];
        position<First>(tables, p, from + p, item, draft, coin, rejected, counted, now);
      }
      if constexpr (wide)
        for (int v = 0; v < vectors; ++v) item[drawn][v] = word[3][v];
    }
    counter_.end(counted);
    next(tables, s, item, now);
  }

  HWY_INLINE Now begun(Item const& item, Bits alive, int from) const {
    Now now;
    now.alive = alive;
    if constexpr (multi_round)
      for (int v = 0; v < vectors; ++v) {
        now.row[v] = item[row][v];
        now.accepted[v] = hn::Set(d32, static_cast<std::uint32_t>(std::max(0, from)));
      }
    else if constexpr (path == Path::drawn)
      for (int v = 0; v < vectors; ++v) now.row[v] = hn::Zero(d32);
    return now;
  }

  /// Draws the contexts at position i where they are independent.
  HWY_INLINE void draw_rows(int i, Item const& item, Now& now) {
    if (path == Path::one || contexts_.follow != Follow::independent || contexts_.rows == 1) return;
    Group digit;
    context_at(i, item, digit);
    Bits open = 0;
    for (int v = 0; v < vectors; ++v) {
      Words number;
      open |= number_below(contexts_.rows, digit[v], number) << v * static_cast<int>(lanes);
      // Rounds that have been rejected stay where they are.
      now.row[v] = Tokens ? hn::IfThenElse(mask_of(part(now.alive, v)), number, now.row[v]) : number;
    }
    open &= now.alive;
    if (HWY_UNLIKELY(open != 0)) leave(i, item, open, now);
  }

  // Decide.

  /// Where the buckets of the chosen lanes' rows are; in other lanes anywhere in the tables.
  HWY_INLINE auto cell_of(Now const& now, Bits chosen) const {
    return [this, &now, chosen](int v, Words bucket) {
      static_cast<void>(this);
      if constexpr (path == Path::one) {
        return bucket;
      } else {
        Words const cell = hn::Add(bucket, hn::ShiftLeftSame(now.row[v], bits_));
        return multi_round ? hn::IfThenElseZero(mask_of(part(chosen, v)), cell) : cell;
      }
    };
  }

  /// Accepts or rejects at position i, in the lanes that have come there.
  template <bool First>
  HWY_INLINE void position(Tables const& tables, int place, int i, Item const& item, Words const (&draft)[vectors],
                           Words const (&coin)[vectors], Token const& rejected,
                           typename Tables::Counter::Stage& counted, Now& now) {
    draw_rows(i, item, now);
    Bits kept;
    Token token;
    Bits const doubtful = now.alive & tables.template decide<Tokens>(draft, coin, cell_of(now, now.alive),
                                                                     early ? &rejected : nullptr, kept, token);
    kept &= now.alive & ~doubtful;
    if constexpr (Tokens && !multi_round)
      if (i < positions_)
        counter_.see(counted, place % 2 == First, static_cast<std::uint32_t>(i), token,
                     whole ? now.alive & ~doubtful : kept);
    if (HWY_UNLIKELY(doubtful != 0)) {
      Doubt const doubt(item, now, draft, coin);
      Tied tied{doubtful, 0, 0};
      if constexpr (multi_round && Tokens) token_[place].store(token);
      look_closer(i, doubt, tied, token_[place]);
      if constexpr (multi_round && Tokens) token_[place].load(token);
      kept |= tied.kept;
      if (tied.open != 0) leave(i, item, tied.open, now);
    }
    counts_.reached[i + 1] += static_cast<std::uint64_t>(std::popcount(kept));
    now.lost[place] = now.alive & ~kept;
    now.kept[place] = now.alive = kept;
    if constexpr (multi_round) {
      if constexpr (Tokens) token_[place].store(token);
      for (int v = 0; v < vectors; ++v)
        now.accepted[v] = hn::Add(now.accepted[v], hn::IfThenElseZero(mask_of(part(kept, v)), hn::Set(d32, 1)));
      if constexpr (Tokens)
        follow(token, kept, now);
      else
        follow(now.row, kept, now);
    }
  }

  /// What is known of a group in which a field equals its threshold.
  struct Doubt {
    HWY_INLINE Doubt(Item const& of, Now const& now, Words const (&drawn_pick)[vectors],
                     Words const (&drawn_coin)[vectors])
        : pick(drawn_pick), coin(drawn_coin) {
      HWY_UNROLL(4)
      for (int field = 0; field < (multi_round ? round + 1 : fields); ++field) item[field].store(of[field]);
      if constexpr (path != Path::one) rows.store(now.row);
    }
    Numbers item[fields], rows, pick, coin;
  };
  /// Lanes in doubt, those of them that accept, and those that the tables leave open.
  struct Tied {
    Bits doubtful, kept, open;
  };

  /// Decides position i in one lane after another, the pick by 32 more digits where it matters. Counts the lanes'
  /// tokens or, of several rounds, writes them down.
  HWY_NOINLINE void look_closer(int i, Doubt const& doubt, Tied& tied, Numbers& tokens) {
    for (Bits left_over = tied.doubtful; left_over != 0; left_over &= left_over - 1) {
      int const lane = std::countr_zero(left_over);
      Bits const bit = Bits{1} << lane;
      std::uint32_t const pick = doubt.pick.of[lane], coin = doubt.coin.of[lane], bucket = pick >> (32 - bits_);
      std::uint32_t const cell = cell_in(lane, bucket, doubt);
      ChainStep const& step = thresholds_.steps[cell];
      std::uint32_t const flip = wide ? coin >> 16 : coin & 0xffff, other = other_token(step.draft);
      auto const [least, most] = std::minmax({step.accept_own, step.accept_other});
      bool const matters = flip <= most && (Tokens ? bucket != other : flip >= least && least != most);
      std::optional<bool> own;
      if (!Tables::exact_match)
        own = matters ? takes_own(lane, doubt, layout::draft_pick, i, step.draft, thresholds_.fine, cell)
                      : pick << bits_ < step.draft;
      std::uint32_t const threshold = own.value_or(false) ? step.accept_own : step.accept_other;
      if (!own || flip == threshold) {
        tied.open |= bit;
        continue;
      }
      bool const accepts = flip < threshold;
      if (accepts) tied.kept |= bit;
      std::uint32_t const token = *own ? bucket : other;
      if constexpr (multi_round)
        tokens.of[lane] = token;
      else if constexpr (early)
        count(i, accepts ? token : doubt.item[instead].of[lane]);
      else if (Tokens && accepts)
        count(i, token);
    }
  }

  /// The tokens that picks from a table are, as the verifier's question `ordinal`, in those lanes. Returns the lanes
  /// in which that stays open.
  template <class Table>
  HWY_INLINE Bits last_tokens(Tables const& tables, Table const& table, PackedTable const& packed, int ordinal,
                              Item const& item, Words const (&pick)[vectors], Now const& now, Bits ending,
                              Token& token) {
    Bits const doubtful = ending & tables.look_up(table, pick, cell_of(now, ending), token);
    if (HWY_LIKELY(doubtful == 0)) return 0;
    Doubt const doubt(item, now, pick, pick);
    Group words;
    tables.to_words(token, words);
    Numbers tokens(words);
    Bits const open = decide_picks(packed, ordinal, doubtful, doubt, tokens);
    tokens.load(words);
    tables.from_words(words, token);
    return open;
  }
  HWY_NOINLINE Bits decide_picks(PackedTable const& table, int ordinal, Bits doubtful, Doubt const& doubt,
                                 Numbers& tokens) const {
    Bits open = 0;
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      int const lane = std::countr_zero(doubtful);
      std::uint32_t const bucket = doubt.pick.of[lane] >> (32 - bits_), cell = cell_in(lane, bucket, doubt);
      auto const own = takes_own(lane, doubt, layout::verifier_pick, ordinal, table.words[cell], table.fine, cell);
      if (own)
        tokens.of[lane] = *own ? bucket : other_token(table.words[cell]);
      else
        open |= Bits{1} << lane;
    }
    return open;
  }

  /// Whether a pick takes its bucket's own token; none where the digits of the tables do not decide that, of which the
  /// last 32 are compared with the pick's first word of ties.
  std::optional<bool> takes_own(int lane, Doubt const& doubt, layout::Stream stream, int ordinal, std::uint32_t word,
                                std::vector<std::uint32_t> const& fine, std::uint32_t cell) const {
    std::uint32_t const fraction = doubt.pick.of[lane] << bits_;
    if ((fraction ^ word) >> (wide ? bits_ : 16 + bits_) != 0) return fraction < word;
    if constexpr (wide) return {};
    layout::Address const address =
        layout::Address::of(plan_.seed, trial_of(doubt.item[trial].of[lane]),
                            multi_round ? doubt.item[multi_round ? round : trial].of[lane] : 0);
    std::uint32_t const digits = layout::TieWords(address, stream, static_cast<std::uint32_t>(ordinal)).next();
    if (digits == fine[cell]) return {};
    return digits < fine[cell];
  }
  std::uint32_t cell_in(int lane, std::uint32_t bucket, Doubt const& doubt) const {
    return path == Path::one ? bucket : bucket + (doubt.rows.of[lane] << bits_);
  }
  std::uint32_t other_token(std::uint32_t word) const {
    return word & static_cast<std::uint32_t>((std::uint64_t{1} << bits_) - 1);
  }
  std::uint64_t trial_of(std::uint32_t low) const { return (first_ & ~std::uint64_t{0xffffffff}) | low; }

  /// Takes those lanes out whose rounds the tables leave open at position i: the rule plays them, at once or, of
  /// several rounds, when the group's others have ended.
  HWY_INLINE void leave(int i, Item const& item, Bits open, Now& now) {
    now.alive &= ~open;
    if constexpr (multi_round)
      now.open |= open;
    else
      play_by_rule(i, Numbers(item[trial]), open);
  }
  HWY_NOINLINE void play_by_rule(int i, Numbers const& trials, Bits open) {
    for (; open != 0; open &= open - 1) {
      RuleRound const played = play_rule_round(simulation_, trial_of(trials.of[std::countr_zero(open)]), 0, 0);
      for (int k = i; k < static_cast<int>(played.tokens.size()); ++k) count(k, played.tokens[at(k)]);
      count_round(played, i);
    }
  }

  // Count.

  void count(int i, std::uint32_t token) {
    if (i < positions_) ++counts_.tokens[at(i) * contexts_.vocab + token];
  }
  /// Counts a round of which drafts were found accepted up to position i.
  void count_round(RuleRound const& played, int i) {
    for (int k = i + 1; k <= played.accepted; ++k) ++counts_.reached[k];
    counts_.sums.value[TallyLayout::impossible] += played.impossible;
  }

  /// Counts the tokens of a stage in those lanes whose trials' tokens are still counted: the drafts that were
  /// accepted, and the last tokens of `emitting`. The rounds of `ending` end.
  HWY_INLINE void count_text(Item const& item, Now const& now, Bits emitting, Bits ending) {
    Bits here = emitting | ending;
    for (Bits const kept : now.kept) here |= kept;
    here &= counted_in(item);
    if (here == 0) return;
    for (Numbers const slots(item[slot]); here != 0; here &= here - 1) {
      int const lane = std::countr_zero(here);
      TrialTokens& text = texts_[slots.of[lane]];
      for (int place = 0; place < places; ++place)
        if (now.kept[place] >> lane & 1) text.add(plan_.tally, token_[place].of[lane], counts_.cells);
      if (emitting >> lane & 1) text.add(plan_.tally, last_token_.of[lane], counts_.cells);
      if (ending >> lane & 1) text.start_round();
    }
  }
  /// The lanes in whose trials a token to come may be counted.
  HWY_INLINE Bits counted_in(Item const& item) const {
    if (!Tokens || counted_tokens_ == 0) return 0;
    Bits counted = 0;
    for (int v = 0; v < vectors; ++v)
      counted |= bits_of(hn::Lt(item[emitted][v], hn::Set(d32, counted_tokens_))) << v * static_cast<int>(lanes);
    return counted;
  }

  // Next.

  /// Rounds that are accepted up to the next stage go on there; others end, with a token more where there is one.
  HWY_INLINE void next(Tables const& tables, int s, Item& item, Now& now) {
    int const from = first_of(s);
    Bits lost = 0, full = 0;
    for (Bits const bits : now.lost) lost |= bits;
    if constexpr (multi_round)
      for (int v = 0; v < vectors; ++v) item[row][v] = now.row[v];
    if (from + places < gamma_)
      push(stages_[at(s) + 1], item, now.alive);
    else
      full = now.alive;
    if constexpr (multi_round) {
      end_rounds(tables, item, lost, full, now);
    } else if constexpr (Tokens) {
      if constexpr (!whole)
        if (lost != 0) {
          Token token;
          typename Tables::Counter::Stage counted;
          Bits const open =
              last_tokens(tables, tables.rejected, thresholds_.rejected, 0, item, item[last], now, lost, token);
          for (int p = 0; p < places; ++p) {
            if (now.lost[p] == 0) continue;
            if (HWY_UNLIKELY((open & now.lost[p]) != 0)) leave(from + p, item, open & now.lost[p], now);
            if (from + p < positions_)
              counter_.see(counted, true, static_cast<std::uint32_t>(from + p), token, now.lost[p] & ~open);
          }
        }
      if (full != 0 && plan_.shape.bonus && gamma_ < positions_) push(bonuses_, item, full);
    }
  }

  /// Ends rounds that accept all and whose last token is counted.
  HWY_INLINE void end_whole(Item const& item, Bits alive) {
    if constexpr (Tokens && !multi_round) {
      Tables const tables = tables_;
      Now now = begun(item, alive, gamma_);
      draw_rows(gamma_, item, now);
      Group pick;
      if constexpr (Tables::exact_match)
        pick_at(gamma_, item, pick);
      else
        for (int v = 0; v < vectors; ++v) pick[v] = item[last][v];
      Token token;
      Bits const open = last_tokens(tables, tables.ended, thresholds_.ended, Tables::exact_match ? gamma_ : 0, item,
                                    pick, now, now.alive, token);
      if (HWY_UNLIKELY(open != 0)) leave(gamma_, item, open, now);
      typename Tables::Counter::Stage counted;
      counter_.see(counted, true, static_cast<std::uint32_t>(gamma_), token, now.alive);
      counter_.end(counted);
    }
  }

  /// Ends the rounds of longer trials that reject and that accept all, and begins those that follow.
  HWY_INLINE void end_rounds(Tables const& tables, Item& item, Bits lost, Bits full, Now& now) {
    bool const bonus = plan_.shape.bonus;
    if constexpr (Tokens) {
      if (lost != 0) lost = emit(tables, tables.rejected, thresholds_.rejected, item, lost, now);
      if (full != 0 && bonus) {
        draw_rows(gamma_, item, now);
        full = emit(tables, tables.ended, thresholds_.ended, item, now.alive, now);
      }
      count_text(item, now, bonus ? lost | full : lost, lost | full);
    } else {
      follow(now.row, bonus ? lost | full : lost, now);
    }
    Bits const ended = lost | full | now.open;
    if (ended == 0) return;
    if (HWY_UNLIKELY(now.open != 0)) {
      Numbers rows(now.row), accepted(now.accepted);
      play_by_rule(item, counted_in(item), now.open, rows, accepted);
      rows.load(now.row);
      accepted.load(now.accepted);
    }
    Words const one = hn::Set(d32, 1), gamma = hn::Set(d32, static_cast<std::uint32_t>(gamma_));
    Bits over = 0;
    for (int v = 0; v < vectors; ++v) {
      Words const accepted = now.accepted[v];
      Words const tokens = hn::Add(accepted, bonus ? one : hn::IfThenElseZero(hn::Lt(accepted, gamma), one));
      item[round][v] = hn::Add(item[round][v], one);
      item[row][v] = item[first_row][v] = now.row[v];
      item[left][v] = hn::Sub(item[left][v], tokens);
      item[emitted][v] = hn::Add(item[emitted][v], tokens);
      item[drafts][v] = hn::Add(item[drafts][v], accepted);
      item[started][v] = hn::Add(item[started][v], hn::Min(accepted, one));
      auto done = hn::Eq(item[round][v], hn::Set(d32, plan_.rounds_per_trial));
      if (plan_.tables.reach) done = hn::Or(done, hn::Lt(item[left][v], hn::Add(gamma, one)));
      over |= bits_of(done) << v * static_cast<int>(lanes);
    }
    push(stages_[0], item, ended & ~over);
    if ((ended & over) != 0) end_trials(item, ended & over);
  }

  /// Emits those lanes' last tokens. Returns the lanes in which they are known.
  template <class Table>
  HWY_INLINE Bits emit(Tables const& tables, Table const& table, PackedTable const& packed, Item const& item,
                       Bits ending, Now& now) {
    Token token;
    Bits const open = last_tokens(tables, table, packed, 0, item, item[last], now, ending, token);
    now.open |= open;
    follow(token, ending & ~open, now);
    Group words;
    last_token_.load(words);
    for (int v = 0; v < vectors; ++v) words[v] = hn::IfThenElse(mask_of(part(ending, v)), token[v], words[v]);
    last_token_.store(words);
    return ending & ~open;
  }

  /// Moves those lanes on to the row after a token.
  HWY_INLINE void follow(Words const (&token)[vectors], Bits chosen, Now& now) const {
    for (int v = 0; v < vectors; ++v) {
      auto const here = mask_of(part(chosen, v));
      now.row[v] = hn::IfThenElse(here, after(now.row[v], token[v], here), now.row[v]);
    }
  }
  /// Contexts::after in the chosen lanes; elsewhere any number.
  HWY_INLINE Words after(Words row, Words token, hn::Mask<D32> here) const {
    Words const first = hn::Mul(row, hn::Set(d32, contexts_.vocab));
    switch (contexts_.follow) {
      case Follow::independent: return row;
      case Follow::token: return token;
      case Follow::state: {
        hn::RebindToSigned<D32> const signed32;
        Words const cell = hn::IfThenElseZero(here, hn::Add(first, token));
        return hn::GatherIndex(d32, contexts_.transitions, hn::BitCast(signed32, cell));
      }
      case Follow::next_row: return hn::Add(row, hn::Set(d32, 1));
      case Follow::prefix: return hn::Add(hn::Add(first, hn::Set(d32, 1)), token);
    }
    return row;
  }

  /// Plays rounds of longer trials by the rule itself, from the tokens on that have been counted.
  HWY_NOINLINE void play_by_rule(Item const& item, Bits counted, Bits open, Numbers& rows, Numbers& accepted) {
    Numbers const trials(item[trial]), rounds(item[round]), first_rows(item[first_row]), slots(item[slot]);
    for (; open != 0; open &= open - 1) {
      int const lane = std::countr_zero(open);
      std::uint32_t here = first_rows.of[lane];
      RuleRound const played = play_rule_round(simulation_, trial_of(trials.of[lane]), rounds.of[lane], here);
      TrialTokens none, &text = counted >> lane & 1 ? texts_[slots.of[lane]] : none;
      std::uint64_t const known = text.tokens - text.before;
      for (std::size_t k = 0; k < played.tokens.size(); ++k) {
        if ((counted >> lane & 1) && k >= known) text.add(plan_.tally, played.tokens[k], counts_.cells);
        here = contexts_.after(here, played.tokens[k]);
      }
      text.start_round();
      count_round(played, static_cast<int>(accepted.of[lane]));
      rows.of[lane] = here;
      accepted.of[lane] = static_cast<std::uint32_t>(played.accepted);
    }
  }

  /// Begins trials in those lanes. Returns the lanes that have a round to play.
  HWY_NOINLINE Bits start_trials(Item& item, Bits alive) {
    PairTablesView const& pair_tables = plan_.tables;
    for (int field = round; field < fields; ++field)
      for (int v = 0; v < vectors; ++v) item[field][v] = hn::Zero(d32);
    Numbers const trials(item[trial]);
    Numbers starts(item[round]), rows(item[round]), rooms(item[round]), slots(item[round]);
    Bits open = 0;
    if (pair_tables.start_count > 0) {
      Words word[4][vectors];
      philox<0b0001>(item[trial], static_cast<std::uint32_t>(first_ >> 32), 0u, layout::start, keys_, word);
      Group number;
      for (int v = 0; v < vectors; ++v)
        open |= number_below(pair_tables.start_count, word[0][v], number[v]) << v * static_cast<int>(lanes);
      starts.store(number);
    }
    for (Bits to_start = alive; to_start != 0; to_start &= to_start - 1) {
      int const lane = std::countr_zero(to_start);
      if (open >> lane & 1)
        starts.of[lane] = BitChance(layout::Address::of(plan_.seed, trial_of(trials.of[lane]), 0), bits_)
                              .start(pair_tables.start_count);
      if (pair_tables.start_count > 0) rows.of[lane] = pair_tables.starts[starts.of[lane]];
      rooms.of[lane] = pair_tables.reach ? pair_tables.reach[rows.of[lane]] : ~std::uint32_t{0};
      if (rooms.of[lane] <= static_cast<std::uint32_t>(gamma_)) {
        alive &= ~(Bits{1} << lane);
        TrialRounds{}.add_to(counts_.sums, 0);
      } else if (counted_tokens_ > 0) {
        if (free_.empty()) free_.push_back(static_cast<std::uint32_t>(texts_.size())), texts_.emplace_back();
        slots.of[lane] = free_.back();
        free_.pop_back();
        texts_[slots.of[lane]] = {};
      }
    }
    rows.load(item[row]);
    rows.load(item[first_row]);
    rooms.load(item[left]);
    if constexpr (Tokens) slots.load(item[slot]);
    return alive;
  }
  HWY_NOINLINE void end_trials(Item const& item, Bits over) {
    Numbers const rounds(item[round]), tokens(item[emitted]), accepted(item[drafts]), first_ones(item[started]),
        slots(item[slot]);
    for (; over != 0; over &= over - 1) {
      int const lane = std::countr_zero(over);
      TrialRounds const trial_rounds{rounds.of[lane], accepted.of[lane], first_ones.of[lane]};
      trial_rounds.add_to(counts_.sums, tokens.of[lane]);
      if (counted_tokens_ > 0) free_.push_back(slots.of[lane]);
    }
  }

  ThresholdTables const& thresholds_;
  Simulation const& simulation_;
  TrialPlan const& plan_;
  Contexts contexts_;
  LaneCounts& counts_;
  Tables tables_;
  typename Tables::Counter counter_;
  KeySchedule keys_;
  std::uint64_t first_;
  std::uint32_t count_, next_ = 0;  ///< trials, and the next one to start
  int gamma_, positions_, bits_;
  std::vector<Queue<fields>> stages_;
  Queue<fields> bonuses_;                   ///< rounds of which only a last token is missing
  std::size_t waiting_ = 0, most_waiting_;  ///< rounds in all queues, and how many there may be before new ones begin

  // Of several rounds.
  std::uint32_t counted_tokens_;        ///< of a trial, the first so many may be counted
  Numbers token_[places], last_token_;  ///< of the present stage
  std::vector<TrialTokens> texts_;      ///< of trials that have begun
  std::vector<std::uint32_t> free_;     ///< those of them that are not in use
};

template <class Tables, bool Tokens, Path path>
void play(LaneRun const& run, std::uint64_t first, std::uint32_t count, LaneCounts& counts) {
  Rounds<Tables, Tokens, path>(run, first, count, counts).play();
}

}  // namespace
}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
