#pragma once
#include "sim/batch/batch_plan.h"

namespace draftgauge {

/// Room for a batch's round, which is drafted whole before its lengths are decided.
struct BatchRoom {
  TrialState state[max_requests];
  std::uint64_t first_tokens[max_requests];  ///< those counted jointly, as one number
  std::uint32_t row[max_requests];           ///< where the round starts
  int gamma[max_requests], length[max_requests], accepted[max_requests];
  double memory[max_requests];
  Token token[max_batch_slots];
  double own[max_batch_slots], estimate[max_batch_slots];
};

/// What is counted of a request's round: as of any trial's, and the tokens that are counted jointly. The draft model
/// has drafted γ tokens by now, whatever is verified.
template <class Counter>
class RequestOut {
 public:
  DRAFTGAUGE_HD RequestOut(Counter& counter, std::uint64_t& tokens, std::uint64_t& code,
                           BatchTallyLayout const& tally)
      : counter_(counter), tokens_(tokens), code_(code), tally_(tally) {}

  DRAFTGAUGE_HD void operator()(Token x) {
    if (tokens_++ < static_cast<std::uint64_t>(tally_.joint)) code_ = code_ * tally_.each.vocab + x;
    counter_(x);
  }
  DRAFTGAUGE_HD void draft_passes(std::uint64_t, std::uint64_t) {
    std::uint64_t const gamma = static_cast<std::uint64_t>(tally_.each.gamma);
    counter_.draft_passes(gamma, gamma);
  }
  DRAFTGAUGE_HD void target_pass(std::uint64_t positions) { counter_.target_pass(positions); }
  DRAFTGAUGE_HD void stands_at(std::uint32_t row) { counter_.stands_at(row); }

 private:
  Counter& counter_;
  std::uint64_t& tokens_;
  std::uint64_t& code_;
  BatchTallyLayout const& tally_;
};

/// The bits of a request's round: those of trial batch·requests + request.
DRAFTGAUGE_HD inline BitChance request_chance(BatchPlan const& plan, std::uint64_t batch, int request,
                                              std::uint32_t round) {
  std::uint64_t const trial =
      batch * static_cast<std::uint64_t>(plan.tally.requests) + static_cast<unsigned>(request);
  return BitChance(layout::Address::of(plan.each.seed, trial, round), plan.each.tables.table_bits);
}

/// Drafts γ tokens of a request from `row`, and what a schedule may see of them.
DRAFTGAUGE_CALLED DRAFTGAUGE_HD inline void draft_request(BatchPlan const& plan, BitChance& chance, int request, BatchRoom& room) {
  SimulatedModel const model(plan.each.tables);
  std::uint32_t row = room.row[request];
  for (int place = 0; place < plan.each.shape.gamma; ++place) {
    Children drafted;
    auto const node = model.node(row, drafted);
    std::uint32_t const child = static_cast<std::uint32_t>(place) + 1;
    number_from(chance, Asker::drafter, child, 1);
    plan.each.drafting.drafter.draw(chance, node, 1, drafted);
    hand_back(chance);
    Token const x = drafted.token[0];
    int const at = request * plan.each.shape.gamma + place;
    room.token[at] = x;
    room.own[at] = static_cast<double>(node.q(x)) / static_cast<double>(node.total());
    room.estimate[at] = plan.estimates.at(row, place);
    // The bonus token's row may not be there: where no bonus is asked for, or a table of prefixes ends.
    if (place + 1 < plan.each.shape.gamma) row = model.contexts().next(chance, row, x, child);
  }
}

/// Plays batch number `batch` and counts it. The meaning of a batch's simulation: all requests draft γ tokens, the
/// schedule decides how many of each are verified, and the rule plays each request's round at that length. A round's
/// random bits are those of the request's trial, so that drafting and verifying it draw the same drafts.
template <class Rule, class Sums, class Count>
DRAFTGAUGE_HD void play_batch(Rule const& rule, BatchPlan const& plan, std::uint64_t batch, BatchRoom& room,
                              Sums& sums, Count& count) {
  PairTablesView const& tables = plan.each.tables;
  BatchTallyLayout const& tally = plan.tally;
  SimulatedModel const model(tables);
  BatchDrafts<double> const drafts{tally.requests, plan.each.shape.gamma, room.gamma, room.token,
                                   room.own,       room.estimate,         plan.time};
  for (int r = 0; r < tally.requests; ++r) {
    room.gamma[r] = plan.each.shape.gamma;
    room.first_tokens[r] = 0;
    room.state[r] = {};
    if (tables.start_count > 0)
      room.state[r].row = tables.starts[request_chance(plan, batch, r, 0).start(tables.start_count)];
  }
  plan.schedule.begin(drafts, room.memory);
  for (std::uint32_t round = 0; round < plan.each.rounds_per_trial; ++round) {
    for (int r = 0; r < tally.requests; ++r) {
      BitChance chance = request_chance(plan, batch, r, round);
      room.row[r] = tables.contexts.first(chance, room.state[r].row);
      draft_request(plan, chance, r, room);
    }
    plan.schedule.decide(drafts, room.memory, room.length);
    int slots = 0;
    for (int r = 0; r < tally.requests; ++r) {
      BitChance chance = request_chance(plan, batch, r, round);
      RoundShape shape = plan.each.shape;
      shape.gamma = room.length[r];
      slots += shape.gamma;
      TrialCounter counter(tally.each, tables.contexts, room.state[r], sums, count);
      counter.start_round();
      std::uint64_t tokens = room.state[r].tokens.tokens;
      RequestOut out(counter, tokens, room.first_tokens[r], tally);
      room.accepted[r] = play_round(rule, plan.each.drafting, model, shape, chance, room.row[r], out);
      counter.end_round(room.accepted[r], chance.was_asked_the_impossible());
      count(tally.verified(shape.gamma, room.accepted[r]));
      room.state[r] = counter.state();
    }
    count(tally.slots(slots));
    plan.schedule.after(drafts, room.length, room.accepted, room.memory);
  }
  std::uint64_t code = 0, cells = 1;
  bool whole = tally.joint > 0;
  for (int i = 0; i < tally.joint; ++i) cells *= tally.each.vocab;
  for (int r = 0; r < tally.requests; ++r) {
    TrialCounter counter(tally.each, tables.contexts, room.state[r], sums, count);
    counter.end_trial();
    whole = whole && room.state[r].tokens.tokens >= static_cast<std::uint64_t>(tally.joint);
    code = code * cells + room.first_tokens[r];
  }
  if (whole) count(tally.joint_cell(code));
}

}  // namespace draftgauge
