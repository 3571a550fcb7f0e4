#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/recordings/logprobs/logprobs.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

/// Bounds this close are one number: lists of single precision that hold the whole law differ by as much.
constexpr double a_point = 1e-5;

std::string title(ModelText const& text, std::size_t number) {
  return text.name.empty() ? fmt::format("text {}", number + 1) : "text " + in_quotes(text.name);
}

/// The texts of a recording by name, or nothing where a text has none or two have the same.
std::map<std::string, ModelText const*> by_name(ModelRecording const& recording) {
  std::map<std::string, ModelText const*> texts;
  for (ModelText const& text : recording.texts)
    if (text.name.empty() || !texts.emplace(text.name, &text).second) return {};
  return texts;
}

/// The draft's text for each of the target's.
std::vector<ModelText const*> matched(ModelRecording const& target, ModelRecording const& draft,
                                      std::vector<std::string>& notes) {
  auto const names = by_name(target), others = by_name(draft);
  bool const common = std::ranges::any_of(names, [&](auto const& each) { return others.contains(each.first); });
  std::vector<ModelText const*> texts;
  if (common) {
    for (ModelText const& text : target.texts) {
      auto const found = others.find(text.name);
      if (found == others.end()) {
        throw InputError(fmt::format("{}: the text {} is not in {} (both models must score the same texts)",
                                     text.place, in_quotes(text.name), draft.file),
                         "score it with the draft, too, or leave it out");
      }
      texts.push_back(found->second);
    }
  }
  if (target.texts.size() != draft.texts.size()) {
    throw InputError(fmt::format("{} has {} texts, {} has {} (both models must score the same texts)", target.file,
                                 target.texts.size(), draft.file, draft.texts.size()),
                     "score the same requests with both");
  }
  if (!common) {
    for (ModelText const& text : draft.texts) texts.push_back(&text);
    if (texts.size() > 1) notes.emplace_back("no request ids are in both files: texts are matched by their order");
  }
  return texts;
}

std::string words_of(ModelText const& text, bool ids) {
  std::string all;
  for (ModelToken const& token : text.tokens) all += ids ? token.text : token.name;
  return std::string(trimmed(all));  // tokenizers differ in blanks before the first word
}

/// Whether both end in the same words, but in other tokens. Of one tokenizer, whose first tokens may be missing on one
/// side, the last tokens are the same.
bool tokenizers_differ(ModelText const& target, ModelText const& draft, bool ids) {
  std::string p = words_of(target, ids), q = words_of(draft, ids);
  if (p.size() < q.size()) p.swap(q);
  if (2 * q.size() < p.size() || q.empty() || !p.ends_with(q)) return false;
  auto const &ours = target.tokens, &theirs = draft.tokens;
  auto const [at, other] = std::mismatch(ours.rbegin(), ours.rend(), theirs.rbegin(), theirs.rend(),
                                         [](ModelToken const& a, ModelToken const& b) { return a.name == b.name; });
  return at != ours.rend() && other != theirs.rend();
}

void check_same(ModelText const& target, ModelText const& draft, std::size_t number, bool ids) {
  std::size_t const both = std::min(target.tokens.size(), draft.tokens.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (target.tokens[i].name == draft.tokens[i].name) continue;
    std::string const where = fmt::format(
        "{} differs at token {}: {} in {} (position {} of the record), {} in {} (position {})", title(target, number),
        i, in_quotes(target.tokens[i].name), target.place, target.first + static_cast<std::int64_t>(i),
        in_quotes(draft.tokens[i].name), draft.place, draft.first + static_cast<std::int64_t>(i));
    if (tokenizers_differ(target, draft, ids))
      throw InputError(
          where +
              ", though the words are the same: the tokenizers differ (token-level speculation needs "
              "one vocabulary)",
          "take a draft with the target's tokenizer, or transformers' assistant_tokenizer, which drafts in "
          "words");
    throw InputError(where + " (both models must score the same tokens)",
                     "give the draft the target's own tokens as its prompt, and check both prompts' lengths");
  }
  if (target.tokens.size() != draft.tokens.size()) {
    throw InputError(
        fmt::format("{} has {} tokens in {}, {} in {} (both models must score the same tokens)",
                    title(target, number), target.tokens.size(), target.place, draft.tokens.size(), draft.place),
        "score the same text with both, and check that neither record counts its prompt");
  }
}

/// The values of a field that all tokens have, or none.
template <class Value, class Get>
std::vector<Value> where_all(std::vector<ModelToken> const& tokens, Get get) {
  std::vector<Value> values;
  for (ModelToken const& token : tokens) {
    auto const value = get(token);
    if (!value) return {};
    values.push_back(static_cast<Value>(*value));
  }
  return values;
}

TextTrace scored(ModelText const& target, ModelText const& draft, bool ids) {
  TextTrace text{.name = target.name};
  bool points = true;
  for (std::size_t i = 0; i < target.tokens.size(); ++i) {
    ModelToken const &p = target.tokens[i], &q = draft.tokens[i];
    if (ids) text.tokens.push_back(parse_integer(p.name).value());
    text.log_p.push_back(p.log_prob);
    text.log_q.push_back(q.log_prob);
    Bounds const beta = beta_bounds(p.law, q.law);
    text.beta_low.push_back(beta.low);
    text.beta_high.push_back(beta.high);
    points = points && beta.high - beta.low <= a_point;
  }
  if (points) {
    text.beta = std::move(text.beta_low);
    text.beta_low.clear();
    text.beta_high.clear();
  }
  text.top = where_all<std::uint8_t>(target.tokens, [](ModelToken const& t) { return t.most_likely; });
  text.argmax_match = where_all<std::uint8_t>(draft.tokens, [](ModelToken const& t) { return t.most_likely; });
  text.max_p = where_all<double>(target.tokens, [](ModelToken const& t) { return t.max_prob; });
  text.rank_q = where_all<std::int64_t>(draft.tokens, [](ModelToken const& t) { return t.rank; });
  return text;
}

}  // namespace

TokenTrace join(ModelRecording const& target, ModelRecording const& draft, LogprobOptions const& options) {
  if (target.ids != draft.ids) {
    throw InputError(fmt::format("{} names tokens by {}, {} by {} (they cannot be compared)", target.file,
                                 target.ids ? "id" : "text", draft.file, draft.ids ? "id" : "text"),
                     "ask both servers for token ids (return_tokens_as_token_ids)");
  }
  TokenTrace trace{
      .name = file_name(target.file) + ", " + file_name(draft.file),
      .texts = {},
      .temperature = options.temperature,
      .files = {target.file, draft.file},
      .estimated_as = target.format == draft.format ? target.format : target.format + ", " + draft.format,
      .notes = target.notes};
  for (std::string const& note : draft.notes) add_once(trace.notes, note);
  std::vector<ModelText const*> const drafts = matched(target, draft, trace.notes);
  std::size_t bounded = 0;
  for (std::size_t i = 0; i < target.texts.size(); ++i) {
    check_same(target.texts[i], *drafts[i], i, target.ids);
    trace.texts.push_back(scored(target.texts[i], *drafts[i], target.ids));
    if (trace.texts.back().beta.empty()) ++bounded;
  }
  if (bounded > 0) trace.notes.emplace_back("only the most likely tokens were listed: β is bounded, not known");
  trace.notes.emplace_back(
      "log-probabilities are the servers': of the distributions before temperature and truncation unless they were "
      "asked for processed ones");
  return trace;
}

}  // namespace draftgauge
