#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/printed_rate.h"

namespace draftgauge::formats {
namespace {

using Json = nlohmann::json;

/// Of /generate at the root, of chat completions in the only choice.
Json const* meta_of(Json const& record) {
  if (Json const* meta = holder(record, {"meta_info"}))
    if (member(*meta, {"spec_verify_ct"})) return meta;
  Json const* const choice = only_choice(record);
  Json const* const meta = choice ? member(*choice, {"meta_info"}) : nullptr;
  return meta && member(*meta, {"spec_verify_ct"}) ? meta : nullptr;
}

constexpr double sglang_shown_to = .01;

/// Its length is of all tokens, with the one that the prompt's pass gave, or of what rounds accepted; 0 where it is not
/// told.
std::vector<EngineNumber> rates_of(std::string const& place, Json const& meta, CounterSums const& sums) {
  std::vector<EngineNumber> all;
  says(all, place, meta, "spec_accept_length", Rate::tokens_per_round, sglang_shown_to);
  if (auto const tokens = share_of_counts(sums.emitted, sums.rounds);
      tokens && !all.empty() && agrees(all[0].value, all[0].within, *tokens))
    all[0].meaning = Rate::other;
  says(all, place, meta, "spec_accept_rate", Rate::accepted_per_drafted, sglang_shown_to);
  return all;
}

void take_sglang_responses(std::string const& place, Json const& record, EngineCounters& counters) {
  Json const& meta = *meta_of(record);
  CounterSums sums{.rounds = required_count(place, meta, {"spec_verify_ct"}),
                   .drafted = optional_count(
                       place, meta, {"spec_num_proposed_drafts", "spec_proposed_drafts", "spec_draft_token_num"}),
                   .accepted = optional_count(
                       place, meta, {"spec_num_correct_drafts", "spec_accepted_drafts", "spec_accept_token_num"}),
                   .emitted = optional_count(place, meta, {"completion_tokens"}),
                   .kept = optional_counts(place, meta, {"spec_correct_drafts_histogram", "spec_accept_histogram"})};
  auto rates = rates_of(place, meta, sums);
  // The prompt's pass gave the first token, the rounds the others.
  if (!sums.accepted && sums.emitted && sums.kept.empty() && *sums.emitted > *sums.rounds)
    sums.accepted = *sums.emitted - 1 - *sums.rounds;
  // Without a histogram nothing tells a tree's nodes from a chain's tokens.
  if (sums.kept.empty() && sums.drafted && counters.notes.empty())
    counters.notes.emplace_back(
        "Draft tokens are taken as those of chains: of a tree (--speculative-eagle-topk above 1) only tokens per "
        "round hold.");
  counters.emitted_by = EmittedBy::rounds;
  take_request(counters, text_or_empty(member(meta, {"id"})), std::move(sums), std::move(rates));
}

}  // namespace

CounterFormat sglang_responses() {
  return {.name = "SGLang meta_info",
          .engine = "sglang",
          .summary = "responses of /generate with meta_info, one a line or in a list",
          .versions = "SGLang 0.4 and later, under the three names that each counter has had",
          .is_record = [](Json const& record) { return meta_of(record) != nullptr; },
          .take = take_sglang_responses,
          .is_bare = [](Json const& record) { return holder(record, {"meta_info"}) != nullptr; },
          .has_ids = true,
          .words = {{Rate::accepted_per_drafted, "spec_accept_rate"}}};
}

}  // namespace draftgauge::formats
