#pragma once
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "analysis/figures/figure.h"
#include "analysis/open/open_text.h"
#include "analysis/recordings/score_rows.h"
#include "sim/recordings/row_pairs.h"

namespace draftgauge::testing {

/// The full rows in data/, as figures are drawn of them.
inline FigureRecording shipped_rows(EstimateOptions const& options, Costs costs = {}) {
  auto const open = [] { return open_row_pairs(DRAFTGAUGE_SOURCE_DIR "/data/smollm2_prune2_24.safetensors", ""); };
  RowPairs pairs = open();
  TokenTrace trace = score_rows(pairs, {}, {}, 2);
  TextEstimates estimates(trace, options);
  auto const ranks = [=](RankDrafts drafts, int most) {
    RowPairs rows = open();
    return text_ranks(rows, {}, {}, drafts, most, 1, 2, [](std::uint64_t) {});
  };
  return {"rows", std::move(trace), std::move(estimates), std::move(costs), open, false, "", ranks};
}

/// Few resamples, each γ to 8.
inline EstimateOptions few() {
  EstimateOptions options{.resamples = 200, .coin_runs = 4};
  options.gammas.resize(8);
  std::iota(options.gammas.begin(), options.gammas.end(), 1);
  return options;
}

inline FigureRecording columns(char const* name) {
  TokenTrace trace = open_text_trace(std::string(DRAFTGAUGE_SOURCE_DIR "/data/smollm2/") + name, "");
  TextEstimates estimates(trace, few());
  return {name, std::move(trace), std::move(estimates), {.draft = .1}, {}};
}

/// A recording of two numbers a token, one of full rows, and one with the text in words.
inline FigureInput shipped() {
  FigureInput input{.threads = 2};
  input.recordings.push_back(columns("prune2_T1.tsv"));
  input.recordings.push_back(shipped_rows(few()));
  input.recordings.push_back(columns("paper_T1.jsonl"));
  return input;
}

}  // namespace draftgauge::testing
