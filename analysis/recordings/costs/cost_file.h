#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/theory/cost.h"

namespace draftgauge {

/// Measured times of passes.
struct CostTable {
  struct Model {
    std::map<std::int64_t, double> seconds;  ///< T(n): one pass over n tokens
    double parameters = 0;                   ///< 0 where the file does not say
  };
  std::string file;
  std::string format;  ///< a name of cost_format_names
  std::map<std::string, Model> models;
  std::vector<std::string> notes;  ///< what a reader must know
};

/// Reads, as JSON (one object a line, or a list) or, the first and the third, as CSV:
///
///   llama-bench          n_prompt = n, n_gen = 0: T(n) = avg_ns; n_gen > 0, n_prompt = 0: T(1) = avg_ns/n_gen, which
///                        counts before n_prompt = 1. Models by file name. It computes the logits of the last token
///                        only, as a note says: verification needs all of them and takes longer
///   llama-batched-bench  T(pl) = t_tg/tg: pl texts a token each cost about as much as a text of pl tokens
///   cost.csv             phase, batch, tokens, mean_s, and ctx, sd_s, n; phase is the model (verify means target)
///   passes               model, n_tokens, median_ms (or mean_ms), one line a measurement
///
/// Throws InputError with file, line and field: for other files, tables in Markdown, times that are not above 0,
/// counts below 1, and T(n) measured twice for one model (at two depths, batches or numbers of threads: only one
/// could count).
CostTable read_costs(std::string const& file, std::string_view text);

/// Costs in units of the target's T(1), with the draft's own curve. `target`: a model's name, or empty for the one
/// named "target", else for the one with most parameters. `draft`: a name, or empty for the only other model. Throws
/// UsageError that lists the models where a name is not there or the choice is open; InputError where a T(1) is
/// missing.
Costs costs_of(CostTable const& table, std::string const& target, std::string const& draft);
/// Costs::verify alone, where a file is of the target only.
std::map<std::int64_t, double> verify_costs(CostTable const& table, std::string const& target);

/// The target's T(1).
double plain_seconds_of(CostTable const& table, std::string const& target);

/// "llama-bench, …": the formats that are read, for lists and messages.
std::string cost_format_names();
/// "n_prompt, n_gen, avg_ns of llama-bench; …"
std::string cost_format_fields();

/// Whether a table with these names (in lower case) is such a file.
bool are_costs(std::vector<std::string> const& names);

}  // namespace draftgauge
