#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recordings/log_base.h"
#include "analysis/stats/token_trace.h"

namespace draftgauge {

/// What a file of columns may not say itself.
struct ColumnOptions {
  std::optional<double> temperature;  ///< at which the target wrote the text; ≥ 0. The file may not contradict it
  /// At temperature 0, too, columns stay what they are: of temperature 1, mostly. max_p below p of the token is
  /// refused.
  bool as_written = false;
  LogBase base = natural;  ///< of log p and log q
};

/// A table with one line a token: fields between tabs, commas or semicolons under a line of names, or one JSON object
/// a line, or a JSON list of such objects. Lines that begin with # are comments, of which `# temperature: 0.6`, `#
/// top-k: 40` and `# top-p: 0.9` are understood (also as top_k, top p): what the target's law was when it wrote the
/// text, and both laws when logarithms were taken of them. (At temperature 0 nothing can be cut.) Names, in any case:
///
///   logp (log_p, target_logprob, …), logq (log_q, draft_logprob, …)    needed: natural logarithms,
///                                                                      or of ColumnOptions::base, and named so, too
///   seq (sequence, seq_id, request_id, prompt), pos (position)         without seq all is one text
///   token (token_id, id), piece (token_text), the token's text, beta, entropy_p, kl_pq, argmax_q_hit (hit), rank_q, lower_q, argmax_q, p_dmax (p_of_argmax_q),
///   q_dmax, max_p, argmax_p_hit, temperature                           where known
///
/// Other columns are passed over. Where nothing says the temperature and β is 0 or 1 everywhere (or beta_t1 is
/// there), a note says that it looks like temperature 0. A logarithm up to 1e-6 above 0 is rounding and becomes 0,
/// which the notes say. Texts may alternate where there are positions (or each line's place in its text would be a
/// guess).
///
/// At temperature 0 the laws are one-hot: hits are needed (argmax_q_hit, or argmax_q and token), log_p and log_q
/// become 0 or −∞ accordingly, β is argmax agreement, and columns that describe other laws are left out.
///
/// Throws InputError that names file, line and column, what was found and what was expected: for all that is not as
/// above, NaN, infinities other than a logarithm of −inf, and columns that contradict each other. Memory is for the
/// numbers.
TokenTrace read_columns(std::string const& file, std::string_view text, ColumnOptions const& options = {});

/// Whether a table or a JSON object with these names (in lower case) is of this kind, if perhaps incomplete: a model's
/// logarithms are among them.
bool are_columns(std::vector<std::string> const& names);
/// Whether such names come near it: both models have a column that is named almost so, or as probabilities. Reading it
/// then says what to change.
bool could_be_columns(std::vector<std::string> const& names);

}  // namespace draftgauge
