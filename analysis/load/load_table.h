#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/load/batch_grid.h"

namespace draftgauge {

/// No batch is larger.
inline constexpr std::int64_t most_batch = 65'536;

/// Times in milliseconds by tokens and batch size.
struct LoadTable {
  struct Model {
    BatchGrid ms;  ///< T(n, B)
    double parameters = 0;
  };
  std::string file = {}, format = {};
  /// Times are of whole rounds, drafts and all: that of n = γ + 1 tokens is of a round of γ drafts. There is one
  /// model then.
  bool whole_rounds = false;
  std::map<std::string, Model> models = {};
  std::vector<double> survival = {};  ///< P(the first i drafts are kept), where the file says it; or empty
  BatchGrid tokens_per_round = {};    ///< [γ][B] E[N], where the file says it
  std::vector<std::string> notes = {};

  bool says_acceptance() const { return !survival.empty() || !tokens_per_round.lengths().empty(); }
};

/// Reads, as JSON (one object a line, or a list) or CSV:
///
///   batch table            batch, tokens, ms: T(tokens, batch); and model, where there are two
///   cost.csv               phase, batch, tokens, mean_s (analysis/recordings/costs/cost_file.h)
///   llama-batched-bench    pl, tg, t_tg: T(1, pl) = t_tg/tg; also its table in Markdown
///   llama-bench, passes    as read_costs does: T(n, 1); of the former also its table in Markdown
///   SGLang bench_one_batch       batch_size, median_decode_latency: T(1, batch_size)
///   SGLang bench_speculative     batch_size, steps, topk, num_draft_tokens, step_time, acc_length: whole rounds and E[N]
///                                (scripts/playground/bench_speculative.py); chains alone, trees being passed over
///   SpecForge bench_eagle3       model, and by benchmark a list of batch_size, steps, topk, num_draft_tokens, metrics:
///                                whole rounds and E[N]; trees are noted with their S
///   vLLM bench sweep             max_concurrency, median_itl_ms, and how far each server drafted: whole rounds, a gap
///                                between a stream's chunks being a round's (vllm/benchmarks/sweep/serve.py); E[N] by
///                                spec_decode_acceptance_length
///   vLLM dynamic speculation     batch_stats {B: {K: ms}}, acceptance_rate_per_pos: whole rounds (vllm-project/vllm#32374)
///
/// Throws InputError with file, line and field: for other files, times that are not above 0, batch sizes of 0 or above
/// most_batch, and what stands twice.
LoadTable read_load(std::string const& file, std::string_view text);
/// Whether read_load takes it.
bool holds_load(std::string const& file, std::string_view text);

struct TimeFormat;  // analysis/recordings/costs/time_format.h

/// Whether a table with these names (in lower case) is such a file, of other than passes of one sequence.
bool are_load_columns(std::vector<std::string> const& names);
/// The same of a file's first line, in any of its forms: its format, or null. Throws InputError for what read_load
/// could not read.
TimeFormat const* load_format(std::string const& file, std::string_view text);

/// "llama-bench, …": the formats that are read, and those of whole rounds that always say what is accepted in them.
std::string load_format_names();
std::string load_formats_with_acceptance();

}  // namespace draftgauge
