// Trials of several rounds, a trial a lane.
//
// A lane holds its trial until the trial ends, and then takes the next. One step draws a Philox block in every lane, each
// at its own round and at its own block of that round (sim/layout.h), and decides the positions that the block answers.
// Lanes whose round has ended look up its last token, which leads to the next round's context, and start that round with
// the next step. So no random block is drawn in vain, however the rounds' lengths differ.

#include <algorithm>
#include <bit>

#include "sim/fast/rule_round.h"
#include "sim/fast/walk_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/fast/walk_lanes.cc"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#define HWY_BROKEN_EMU128 1
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#include "sim/fast/lanes.inl"

HWY_BEFORE_NAMESPACE();
namespace draftgauge::HWY_NAMESPACE {
namespace {

/// `Tokens`: whether it matters which tokens are emitted (tokens_matter).
template <bool Wide, bool Tokens>
class Walks {
 public:
  Walks(WalkRun const& run, std::uint64_t first, std::uint32_t count, WalkCounts& counts)
      : program_(*run.program),
        simulation_(*run.simulation),
        plan_(run.simulation->plan()),
        contexts_(plan_.laws.contexts),
        counts_(counts),
        keys_(layout::Address::of(plan_.seed, 0, 0).key),
        first_(first),
        count_(count),
        gamma_(static_cast<std::uint32_t>(plan_.shape.gamma)),
        bits_(program_.bits),
        tie_below_(std::uint32_t{1} << (Wide ? bits_ : 16 + bits_)) {}

  void play() {
    for (std::size_t lane = 0; lane < group; ++lane) start_trial(lane);
    while (active_ != 0) step();
    count_accepted();
  }

 private:
  /// A number of each lane.
  struct alignas(64) Numbers {
    std::uint32_t of[group] = {};
  };
  using Group = Words[vectors];
  static constexpr int places = Wide ? 2 : 4;  ///< positions that a block answers, at most
  static constexpr std::size_t buffered = 1024;

  /// What lanes are about to do at a position, and where they have come to.
  struct Walk {
    Group trial, round, row, position;
    Bits open = 0;      ///< lanes of which some field was undecided
    Bits rejected = 0;  ///< lanes that reject at their position
    Bits kept[places] = {};
  };

  static void load(Numbers const& from, Group& to) {
    for (int v = 0; v < vectors; ++v) to[v] = hn::Load(d32, from.of + static_cast<std::size_t>(v) * lanes);
  }
  static void store(Group const& from, Numbers& to) {
    for (int v = 0; v < vectors; ++v) hn::Store(from[v], d32, to.of + static_cast<std::size_t>(v) * lanes);
  }
  template <class Compare>
  HWY_INLINE static Bits lanes_where(Group const& of, Compare const& compare) {
    Bits bits = 0;
    for (int v = 0; v < vectors; ++v) bits |= bits_of(compare(of[v])) << v * static_cast<int>(lanes);
    return bits;
  }
  HWY_INLINE Bits below_gamma(Group const& position) const {
    return lanes_where(position, [&](Words at) { return hn::Lt(at, hn::Set(d32, gamma_)); });
  }
  HWY_INLINE std::uint32_t high_word() const { return static_cast<std::uint32_t>(first_ >> 32); }

  void step() {
    Walk walk;
    load(trial_, walk.trial);
    load(round_, walk.round);
    load(row_, walk.row);
    load(position_, walk.position);
    Group block, last;
    // Blocks begin with the positions 0, 3, 7, 11, …, of wide fields with 0, 1, 3, 5, …
    for (int v = 0; v < vectors; ++v)
      block[v] = hn::ShiftLeft<8>(hn::ShiftRight<Wide ? 1 : 2>(hn::Add(walk.position[v], hn::Set(d32, 1))));
    Words word[4][vectors];
    philox<0b1111>(walk.trial, high_word(), walk.round, block, keys_, word);
    Bits const fresh = active_ & lanes_where(walk.position, [](Words at) { return hn::Eq(at, hn::Zero(d32)); });
    if constexpr (Tokens) {
      load(last_, last);
      for (int v = 0; v < vectors; ++v) last[v] = hn::IfThenElse(mask_of(part(fresh, v)), word[0][v], last[v]);
      store(last, last_);
    }
    Bits going = active_ & ~fresh;
    if constexpr (Wide) {
      Group drawn;
      load(drawn_, drawn);
      if (going != 0) going = decide(0, drawn, word[0], going, walk);
      going = decide(1, word[1], word[2], going | fresh, walk);
      store(word[3], drawn_);
    } else {
      if (going != 0) going = decide(0, word[0], word[0], going, walk);
      going |= fresh;
      HWY_UNROLL(3)
      for (int i = 1; i < 4; ++i) going = decide(i, word[i], word[i], going, walk);
    }
    Bits full = active_ & ~walk.open & ~walk.rejected & ~below_gamma(walk.position);
    if constexpr (Tokens)
      emit_last(walk, last, full);
    else
      pass_last(plan_.shape.bonus ? walk.rejected | full : walk.rejected, walk);
    Bits const open = walk.open;
    store(walk.row, row_);
    store(walk.position, position_);
    if (open != 0) play_by_rule(open);
    end_rounds(walk.rejected | full | open);
  }

  /// Draws, accepts or rejects at a position in those lanes that have one left. Returns the lanes that accept.
  HWY_INLINE Bits decide(int place, Group const& draft, Group const& coin, Bits going, Walk& walk) {
    going &= below_gamma(walk.position);
    if (contexts_.follow == Follow::independent && contexts_.rows > 1) going = draw_rows(going, walk);
    Bits kept = 0, open = 0;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      auto const here = mask_of(part(going, v));
      Words const pick = Wide ? draft[v] : hn::And(draft[v], hn::Set(d32, 0xffff0000));
      Words const flip = Wide ? hn::ShiftRight<16>(coin[v]) : hn::And(coin[v], hn::Set(d32, 0xffff));
      Words const bucket = hn::ShiftRightSame(pick, 32 - bits_);
      Words const cell = hn::IfThenElseZero(here, hn::Add(bucket, hn::ShiftLeftSame(walk.row[v], bits_)));
      hn::Half<D32> const half;
      Halves const lower = read_step(hn::PromoteTo(d64, hn::LowerHalf(half, cell))),
                   upper = read_step(hn::PromoteTo(d64, hn::UpperHalf(half, cell)));
      Words const entry = hn::ConcatEven(d32, hn::BitCast(d32, upper), hn::BitCast(d32, lower)),
                  accepts = hn::ConcatOdd(d32, hn::BitCast(d32, upper), hn::BitCast(d32, lower));
      Words const fraction = hn::ShiftLeftSame(pick, bits_);
      Words const if_own = hn::And(accepts, hn::Set(d32, 0xffff)), if_other = hn::ShiftRight<16>(accepts);
      Words const other = hn::And(entry, hn::Set(d32, (std::uint32_t{1} << bits_) - 1));
      auto own = hn::Lt(fraction, entry);
      auto tied = hn::And(here, hn::Lt(hn::Xor(fraction, entry), hn::Set(d32, tie_below_)));
      tied = hn::And(tied, Tokens ? hn::Ne(other, bucket) : hn::Ne(if_own, if_other));
      if (!hn::AllFalse(d32, tied))
        own = settle(walk.trial[v], walk.round[v], walk.position[v], layout::draft_pick, program_.fine, cell, own,
                     tied);
      Words const threshold = hn::IfThenElse(own, if_own, if_other);
      auto const undecided = hn::Or(tied, hn::And(here, hn::Eq(flip, threshold)));
      auto const accepted = hn::AndNot(undecided, hn::And(here, hn::Lt(flip, threshold)));
      kept |= bits_of(accepted) << v * static_cast<int>(lanes);
      open |= bits_of(undecided) << v * static_cast<int>(lanes);
      Words const token = hn::IfThenElse(own, bucket, other);
      if constexpr (Tokens) hn::Store(token, d32, token_[place].of + static_cast<std::size_t>(v) * lanes);
      walk.row[v] = hn::IfThenElse(accepted, after(walk.row[v], token, accepted), walk.row[v]);
      walk.position[v] = hn::IfThenElse(accepted, hn::Add(walk.position[v], hn::Set(d32, 1)), walk.position[v]);
    }
    walk.open |= open;
    walk.rejected |= going & ~kept & ~open;
    walk.kept[place] = kept;
    return kept;
  }

  HWY_INLINE Halves read_step(Halves cell) const {
    hn::RebindToSigned<D64> const signed64;
    return hn::GatherIndex(d64, reinterpret_cast<std::uint64_t const*>(program_.steps.data()),
                           hn::BitCast(signed64, cell));
  }
  HWY_INLINE static Words gather(std::uint32_t const* from, Words cell) {
    hn::RebindToSigned<D32> const signed32;
    return hn::GatherIndex(d32, from, hn::BitCast(signed32, cell));
  }

  /// Contexts::after in those lanes that have a token; elsewhere any number.
  HWY_INLINE Words after(Words row, Words token, hn::Mask<D32> here) const {
    switch (contexts_.follow) {
      case Follow::independent: return row;
      case Follow::token: return token;
      case Follow::state:
        return gather(contexts_.transitions,
                      hn::IfThenElseZero(here, hn::Add(hn::Mul(row, hn::Set(d32, contexts_.vocab)), token)));
      case Follow::next_row: return hn::Add(row, hn::Set(d32, 1));
      case Follow::prefix:
        return hn::Add(hn::Add(hn::Mul(row, hn::Set(d32, contexts_.vocab)), hn::Set(d32, 1)), token);
    }
    return row;
  }

  /// Draws the context at each lane's position (layout::context). Returns the lanes in which that was decided.
  HWY_NOINLINE Bits draw_rows(Bits going, Walk& walk) {
    Group block;
    for (int v = 0; v < vectors; ++v)
      block[v] = hn::Or(hn::ShiftLeft<8>(hn::ShiftRight<2>(walk.position[v])),
                        hn::Set(d32, static_cast<std::uint32_t>(layout::context)));
    Words word[4][vectors];
    philox<0b1111>(walk.trial, high_word(), walk.round, block, keys_, word);
    Bits open = 0;
    for (int v = 0; v < vectors; ++v) {
      auto const odd_one = hn::Ne(hn::And(walk.position[v], hn::Set(d32, 1)), hn::Zero(d32)),
                 late = hn::Ne(hn::And(walk.position[v], hn::Set(d32, 2)), hn::Zero(d32));
      auto const digit = hn::IfThenElse(late, hn::IfThenElse(odd_one, word[3][v], word[2][v]),
                                        hn::IfThenElse(odd_one, word[1][v], word[0][v]));
      Words row;
      open |= number_below(contexts_.rows, digit, row) << v * static_cast<int>(lanes);
      walk.row[v] = hn::IfThenElse(mask_of(part(going, v)), row, walk.row[v]);
    }
    open &= going;
    walk.open |= open;
    return going & ~open;
  }

  /// Whether the tied lanes take the bucket's own token, by 32 more digits (layout::TieWords). Leaves in `tied` those
  /// that they do not decide either; of wide fields these are all.
  HWY_NOINLINE hn::Mask<D32> settle(Words trial, Words round, Words ordinal, layout::Stream stream,
                                    std::vector<std::uint32_t> const& fine, Words cell, hn::Mask<D32> own,
                                    hn::Mask<D32>& tied) {
    if constexpr (Wide) {
      return own;
    } else {
      Words const trials[1] = {trial}, rounds[1] = {round};
      Words const block[1] = {
          hn::Or(hn::ShiftLeft<8>(ordinal), hn::Set(d32, static_cast<std::uint32_t>(layout::first_tie) + stream))};
      Words word[4][1];
      philox<0b0001>(trials, high_word(), rounds, block, keys_, word);
      Words const digits = gather(fine.data(), cell);
      own = hn::Or(hn::AndNot(tied, own), hn::And(tied, hn::Lt(word[0][0], digits)));
      tied = hn::And(tied, hn::Eq(word[0][0], digits));
      return own;
    }
  }

  /// Emits the last tokens of the rounds that reject, and of those that accept all where that earns a token more.
  HWY_INLINE void emit_last(Walk& walk, Group const& last, Bits& full) {
    bool const bonus = plan_.shape.bonus;
    if (bonus && full != 0 && contexts_.follow == Follow::independent && contexts_.rows > 1)
      full = draw_rows(full, walk);
    look_up(program_.rejected, last, walk.rejected, walk);
    if (bonus && full != 0) look_up(program_.ended, last, full, walk);
    walk.rejected &= ~walk.open;
    full &= ~walk.open;
    if (counted_ != 0) hand_to_counters(walk, bonus ? walk.rejected | full : walk.rejected, walk.rejected | full);
  }

  /// Looks a last token up in those lanes, in last_token_, and moves on to the row after it.
  HWY_INLINE void look_up(PackedTable const& table, Group const& last, Bits ending, Walk& walk) {
    Bits open = 0;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      auto const here = mask_of(part(ending, v));
      Words const pick = Wide ? last[v] : hn::And(last[v], hn::Set(d32, 0xffff0000));
      Words const bucket = hn::ShiftRightSame(pick, 32 - bits_);
      Words const cell = hn::IfThenElseZero(here, hn::Add(bucket, hn::ShiftLeftSame(walk.row[v], bits_)));
      Words const entry = gather(table.words.data(), cell);
      Words const other = hn::And(entry, hn::Set(d32, (std::uint32_t{1} << bits_) - 1));
      Words const fraction = hn::ShiftLeftSame(pick, bits_);
      auto own = hn::Lt(fraction, entry);
      auto tied = hn::And(hn::Lt(hn::Xor(fraction, entry), hn::Set(d32, tie_below_)), hn::Ne(other, bucket));
      tied = hn::And(tied, here);
      if (!hn::AllFalse(d32, tied))
        own = settle(walk.trial[v], walk.round[v], hn::Zero(d32), layout::verifier_pick, table.fine, cell, own, tied);
      open |= bits_of(tied) << v * static_cast<int>(lanes);
      Words const token = hn::IfThenElse(own, bucket, other);
      std::uint32_t* const to = last_token_.of + static_cast<std::size_t>(v) * lanes;
      hn::Store(hn::IfThenElse(here, token, hn::Load(d32, to)), d32, to);
      walk.row[v] = hn::IfThenElse(here, after(walk.row[v], token, here), walk.row[v]);
    }
    walk.open |= open;
  }

  /// Moves on past last tokens of which it does not matter what they are.
  HWY_INLINE void pass_last(Bits emitting, Walk& walk) const {
    for (int v = 0; v < vectors; ++v) {
      auto const here = mask_of(part(emitting, v));
      walk.row[v] = hn::IfThenElse(here, after(walk.row[v], hn::Zero(d32), here), walk.row[v]);
    }
  }

  /// Counts the tokens of a step in those lanes whose tokens are still counted. `emitting`: lanes with a last token;
  /// `ending`: those whose round ends.
  void hand_to_counters(Walk const& walk, Bits emitting, Bits ending) {
    for (Bits left = counted_; left != 0; left &= left - 1) {
      int const lane = std::countr_zero(left);
      TrialTokens& tokens = tokens_[lane];
      for (int place = 0; place < places; ++place)
        if (walk.kept[place] >> lane & 1) tokens.add(plan_.tally, token_[place].of[lane], counts_.cells);
      if (emitting >> lane & 1) tokens.add(plan_.tally, last_token_.of[lane], counts_.cells);
      if (ending >> lane & 1) tokens.start_round();
      if (!tokens.more(plan_.tally)) counted_ &= ~(Bits{1} << lane);
    }
  }

  /// Plays the rounds of those lanes by the rule itself.
  HWY_NOINLINE void play_by_rule(Bits open) {
    for (; open != 0; open &= open - 1) {
      int const lane = std::countr_zero(open);
      std::uint32_t row = first_row_.of[lane];
      RuleRound const round =
          play_rule_round(simulation_, (first_ & ~std::uint64_t{0xffffffff}) | trial_.of[lane], round_.of[lane], row);
      TrialTokens& tokens = tokens_[lane];
      std::uint64_t const counted = tokens.tokens - tokens.before;
      for (std::size_t i = 0; i < round.tokens.size(); ++i) {
        if ((counted_ >> lane & 1) && i >= counted) tokens.add(plan_.tally, round.tokens[i], counts_.cells);
        row = contexts_.after(row, round.tokens[i]);
      }
      tokens.start_round();
      if (!tokens.more(plan_.tally)) counted_ &= ~(Bits{1} << lane);
      row_.of[lane] = row;
      position_.of[lane] = static_cast<std::uint32_t>(round.accepted);
      counts_.sums.value[TallyLayout::impossible] += round.impossible;
    }
  }

  /// Counts the rounds of those lanes, and starts the next.
  HWY_INLINE void end_rounds(Bits ended) {
    if (ended == 0) return;
    TrialPlan const& plan = plan_;
    Words const one = hn::Set(d32, 1), gamma = hn::Set(d32, gamma_);
    Bits over = 0;
    for (int v = 0; v < vectors; ++v) {
      std::size_t const from = static_cast<std::size_t>(v) * lanes;
      auto const here = mask_of(part(ended, v));
      auto const add = [&](Numbers& to, Words n) {
        Words const sum = hn::Add(hn::Load(d32, to.of + from), hn::IfThenElseZero(here, n));
        hn::Store(sum, d32, to.of + from);
        return sum;
      };
      Words const accepted = hn::Load(d32, position_.of + from), row = hn::Load(d32, row_.of + from);
      auto const rejected = hn::Lt(accepted, gamma);
      Words const tokens =
          plan.shape.bonus ? hn::Add(accepted, one) : hn::Add(accepted, hn::IfThenElseZero(rejected, one));
      add(emitted_, tokens);
      add(drafts_, accepted);
      add(started_, hn::Min(accepted, one));
      auto done = hn::Eq(add(round_, one), hn::Set(d32, plan.rounds_per_trial));
      if (plan.laws.reach)
        done = hn::Or(done, hn::Lt(add(left_, hn::Sub(hn::Zero(d32), tokens)), hn::Add(gamma, one)));
      over |= bits_of(done) << v * static_cast<int>(lanes);
      hn::Store(hn::IfThenElse(here, hn::Zero(d32), accepted), d32, position_.of + from);
      hn::Store(hn::IfThenElse(here, row, hn::Load(d32, first_row_.of + from)), d32, first_row_.of + from);
      store_chosen(accepted, part(ended, v), accepted_ + accepted_size_);
      accepted_size_ += static_cast<std::size_t>(std::popcount(part(ended, v)));
    }
    if (accepted_size_ >= buffered) count_accepted();
    for (over &= ended; over != 0; over &= over - 1) {
      std::size_t const lane = static_cast<std::size_t>(std::countr_zero(over));
      TrialRounds const rounds{.rounds = round_.of[lane], .drafts = drafts_.of[lane], .started = started_.of[lane]};
      rounds.add_to(counts_.sums, emitted_.of[lane]);
      start_trial(lane);
    }
  }

  void count_accepted() {
    HWY_UNROLL(8)
    for (std::size_t k = 0; k < accepted_size_; ++k) ++counts_.accepted[accepted_[k]];
    accepted_size_ = 0;
  }

  /// Gives a lane the next trial that has a round to play, or leaves it idle where none is left.
  void start_trial(std::size_t lane) {
    Bits const bit = Bits{1} << lane;
    active_ &= ~bit;
    counted_ &= ~bit;
    for (; next_ < count_; ++next_) {
      if (next_ % group == 0) draw_starts();
      std::uint32_t const row = starts_.of[next_ % group];
      std::uint32_t const left = plan_.laws.reach ? plan_.laws.reach[row] : ~std::uint32_t{0};
      if (left <= gamma_) {
        TrialRounds{}.add_to(counts_.sums, 0);
        continue;
      }
      trial_.of[lane] = static_cast<std::uint32_t>(first_) + next_++;
      row_.of[lane] = first_row_.of[lane] = row;
      left_.of[lane] = left;
      for (Numbers* of : {&round_, &position_, &emitted_, &drafts_, &started_}) of->of[lane] = 0;
      tokens_[lane] = {};
      active_ |= bit;
      if (tokens_[lane].more(plan_.tally)) counted_ |= bit;
      return;
    }
  }

  /// The rows where the next group of trials starts.
  HWY_NOINLINE void draw_starts() {
    LawsView const& laws = plan_.laws;
    if (laws.start_count == 0) return;
    Group trial;
    for (int v = 0; v < vectors; ++v)
      trial[v] = hn::Iota(d32, static_cast<std::uint32_t>(first_) + next_ + static_cast<std::uint32_t>(v) * lanes);
    Words word[4][vectors];
    philox<0b0001>(trial, high_word(), 0, layout::start, keys_, word);
    Group number;
    Bits open = 0;
    for (int v = 0; v < vectors; ++v)
      open |= number_below(laws.start_count, word[0][v], number[v]) << v * static_cast<int>(lanes);
    store(number, starts_);
    for (std::size_t lane = 0; lane < group; ++lane) {
      if (open >> lane & 1)
        starts_.of[lane] = BitChance(layout::Address::of(plan_.seed, first_ + next_ + lane, 0), laws.table_bits)
                               .start(laws.start_count);
      starts_.of[lane] = laws.starts[starts_.of[lane]];
    }
  }

  ChainProgram const& program_;
  Simulation const& simulation_;
  TrialPlan const& plan_;
  Contexts contexts_;
  WalkCounts& counts_;
  KeySchedule keys_;
  std::uint64_t first_;
  std::uint32_t count_, next_ = 0;  ///< trials, and the next one to start
  std::uint32_t gamma_;
  int bits_;
  std::uint32_t tie_below_;  ///< numbers whose field of digits is 0

  Bits active_ = 0;                                     ///< lanes that have a trial
  Bits counted_ = 0;                                    ///< lanes whose tokens are still counted one by one
  Numbers trial_, round_, first_row_, row_, position_;  ///< the row where the round began, and the present one
  Numbers last_, drawn_;                                ///< the word of the round's last pick; of the next draft
  Numbers emitted_, drafts_, started_;                  ///< sums of the trial (TrialRounds)
  Numbers left_;                                        ///< rows before the recording ends
  Numbers starts_;                                      ///< where the next group of trials starts
  Numbers token_[places], last_token_;                  ///< of the present step
  TrialTokens tokens_[group] = {};
  std::uint32_t accepted_[buffered + group + lanes];  ///< of rounds that have ended and are not counted yet
  std::size_t accepted_size_ = 0;
};

template <bool Wide, bool Tokens>
void play(WalkRun const& run, std::uint64_t first, std::uint32_t count, WalkCounts& counts) {
  Walks<Wide, Tokens>(run, first, count, counts).play();
}

template <bool Wide>
PlayWalks with_tokens(WalkRun const& run) {
  return tokens_matter(*run.simulation) ? &play<Wide, true> : &play<Wide, false>;
}

}  // namespace

PlayWalks walk_kernel(WalkRun const& run) {
  return run.program->wide ? with_tokens<true>(run) : with_tokens<false>(run);
}

}  // namespace draftgauge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace draftgauge {

PlayWalks walk_lanes(WalkRun const& run, VectorTarget target) {
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case VectorTarget::avx512: return N_AVX3::walk_kernel(run);
#endif
#if HWY_TARGETS & HWY_AVX2
    case VectorTarget::avx2: return N_AVX2::walk_kernel(run);
#endif
    default: return nullptr;
  }
}

}  // namespace draftgauge
#endif
