#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/recordings/logprobs/logprobs.h"

namespace draftgauge {

/// A response's place, for messages, and the reading of what all forms have: logarithms and names of tokens. Throws
/// InputError that says where.
class ServerResponse {
 public:
  /// ids: whether the file's tokens are named by their ids, once that is known. base: of the logarithms.
  ServerResponse(std::string place, std::optional<bool>& ids, LogBase base)
      : place_(std::move(place)), ids_(ids), base_(base) {}

  void at(std::string const& list, std::size_t index);
  std::string place() const { return place_ + at_; }
  std::string const& record() const { return place_; }
  [[noreturn]] void refuse(std::string const& problem, std::string const& why, std::string const& what) const;

  double log_prob(std::string_view field, nlohmann::json const& value) const;
  /// From the member logprob, or from prob; empty where there is neither.
  std::optional<double> log_prob_in(nlohmann::json const& entry) const;

  std::string id_name(nlohmann::json const& value) const;
  std::string text_name(std::string_view text) const;
  /// By the first of id, bytes and text that there is: two tokens may have one text, where it is not UTF-8.
  std::string name_in(nlohmann::json const& entry) const;
  void note_ids(bool ids) const;

  /// The list of that name, with an element for each of `size` tokens.
  nlohmann::json const& list(nlohmann::json const& object, std::string_view name, std::size_t size) const;
  /// Whether a list that starts with the prompt holds the text that was to be scored, where nobody says how long the
  /// prompt is: a server that is asked to score a text generates a token behind it, or none.
  static bool scores_prompt(std::size_t scored, std::size_t generated) { return scored > 1 && generated <= 1; }
  /// What is said where all of it is taken as the text.
  static std::string whole_prompt_note(std::string_view list);
  /// Where the text begins in a list that starts with the prompt, of so many tokens. A first entry of null is a token
  /// with nothing before it, which no server scores.
  std::int64_t text_begin(std::optional<std::int64_t> prompt, std::string_view list, std::size_t size) const;

 private:
  std::string place_, at_;
  std::optional<bool>& ids_;
  LogBase base_;
};

/// What a server lists at a position.
struct TokenListing {
  enum class Kind {
    top,    ///< the k most likely
    mixed,  ///< the k most likely, and the text's own token where that is none of them
  };
  Kind kind = Kind::top;
  bool there = false;  ///< the server gave one, be it empty
  std::vector<ListedToken> tokens = {};
  /// Of a mixed list whose tokens have ranks: that of its own token. With a rank of at most the list's length it
  /// would be one of the most likely even if it was added to them.
  std::optional<std::int64_t> own_rank = {};
};

ModelToken with_list(ServerResponse const& response, std::string name, double log_prob, TokenListing listing);

/// OpenAI chat and llama.cpp: objects with the token, its logarithm, and a list of such objects.
std::vector<ModelToken> tokens_of_entries(ServerResponse& response, std::string const& list,
                                          nlohmann::json const& entries);

}  // namespace draftgauge
