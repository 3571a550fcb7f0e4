#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recordings/logprobs/logprobs.h"
#include "analysis/recordings/logprobs/server_response.h"

namespace draftgauge {

/// What is scored of one text: a choice of a response, or the response itself.
struct ScoredPart {
  nlohmann::json const& body;
  nlohmann::json const& at;              ///< the choice, or again the body
  std::optional<std::size_t> choice;     ///< its number
  std::optional<std::int64_t> prompt{};  ///< tokens of the prompt, where the record or an option says it
};

/// The text's own tokens.
struct ScoredText {
  std::string format;  ///< as ModelRecording has it
  std::int64_t first;  ///< as ModelText has it
  std::vector<ModelToken> tokens;
  std::string list = {};  ///< that they stand in
  std::string note = {};  ///< what was taken for granted
};

/// One way in which a server returns them.
struct LogprobForm {
  std::string_view server;  ///< whose it is
  std::string_view keys;    ///< where the numbers stand, as messages say it
  bool (*holds)(ScoredPart const&);
  ScoredText (*read)(ServerResponse&, ScoredPart const&);
};

/// Null where it has none of them.
LogprobForm const* form_of(ScoredPart const& part);
/// Where log-probabilities may stand, as a list in words.
std::string logprob_keys();
/// "vLLM, …": whose responses are read.
std::string logprob_servers();

/// The record, or its member that holds a response with log-probabilities: request files wrap answers in `response`,
/// `body`, or both.
nlohmann::json const& response_body(nlohmann::json const& record);
/// A response's choices; itself where it has none.
std::vector<ScoredPart> parts_of(nlohmann::json const& body);
/// Whether some part of the record has a form.
bool has_logprobs(nlohmann::json const& record);

namespace forms {

#define FORM(name) LogprobForm name();
#include "analysis/recordings/logprobs/list.inc"
#undef FORM

}  // namespace forms
}  // namespace draftgauge
