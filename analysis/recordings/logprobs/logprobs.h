#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recordings/log_base.h"
#include "analysis/recordings/logprobs/beta_bounds.h"
#include "analysis/stats/token_trace.h"

namespace draftgauge {

/// What one model says of one token of a text.
struct ModelToken {
  std::string name;                 ///< as in ListedToken
  std::string text = {};            ///< beside its id, where the server says it
  double log_prob = 0;              ///< of this token, ≤ 0
  ListedLaw law;                    ///< this token and whatever else was listed
  std::optional<bool> most_likely;  ///< whether it is the law's argmax, where the list tells
  std::optional<double> max_prob;   ///< the law's largest probability, where the list tells
  std::optional<std::int64_t> rank;
  std::optional<std::size_t> listed;  ///< tokens in the server's own list, where there is one
};

/// What one model says of one text, without its prompt.
struct ModelText {
  std::string name;        ///< the request's id, or empty
  std::string place;       ///< "FILE, line 3"
  std::int64_t first = 0;  ///< where its first token stands in the record, prompt included
  std::vector<ModelToken> tokens;
};

/// One model's log-probabilities over texts, as a server returned them.
struct ModelRecording {
  std::string file;
  std::string format;  ///< "vLLM prompt_logprobs", "OpenAI chat logprobs", …
  bool ids = true;     ///< tokens are named by their ids, else by their bytes
  std::vector<ModelText> texts;
  std::vector<std::string> notes;
};

struct LogprobOptions {
  std::optional<std::int64_t> prompt_tokens;  ///< the length of each prompt, where records do not say
  std::optional<double> temperature;          ///< at which the target wrote the texts
  LogBase base = natural;                     ///< of the logarithms
  /// The numbers are what is asked about: those that a server filled in are read as well.
  bool as_given = false;
};

/// Reads responses, one a line, as a list, or a single one, in any form of list.inc (found by key; a form's file says
/// what it looks like), each also under `response`, `body` or `response.body`. Where a record lists the prompt's own
/// tokens, they are skipped: one of `prompt_keys` of logprobs.cc says how many there are
/// (usage.prompt_tokens and meta_info.prompt_tokens where the text was generated), else the option, else it is an error.
/// A log-probability of −9999 stands for −∞ (servers whose JSON has no infinity), as -Infinity of Python's does.
///
/// Throws InputError that names file, line, position and field for all that is not so: NaN, positive logarithms,
/// lists whose probabilities sum to more than 1.001, a token that is not in its own list, and positions that a server
/// filled in without computing them (llama.cpp gives drafted tokens a 0 and an empty list).
ModelRecording read_logprobs(std::string const& file, std::string_view text, LogprobOptions const& options = {});

/// Both models over the same texts. They are matched by name where both recordings name the same texts, else by order.
/// log_p and log_q are exact; β is a point where the lists hold all of both laws (bounds closer than 1e-5), else
/// beta_low and beta_high (see beta_bounds). Throws InputError that shows text, position and both tokens where texts
/// differ, and says where they are the same words of two tokenizers.
TokenTrace join(ModelRecording const& target, ModelRecording const& draft, LogprobOptions const& options = {});

}  // namespace draftgauge
