#include "analysis/open/arrays.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "analysis/open/score_pairs.h"
#include "analysis/recordings/certain_texts.h"
#include "sim/base/error.h"

namespace draftgauge {
namespace {

class MemoryRows : public RowBytes {
 public:
  explicit MemoryRows(RowsInMemory const& rows) : RowBytes(rows.layout), bytes_(rows.bytes) {}
  std::span<std::uint8_t const> rows(std::uint64_t begin, std::uint64_t count) override {
    return bytes_.subspan(begin * layout().row_bytes(), count * layout().row_bytes());
  }

 private:
  std::span<std::uint8_t const> bytes_;
};

/// Where each text ends.
std::vector<std::size_t> ends_of_texts(std::size_t places, TextLabels const& labels) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i < places; ++i)
    if (!labels.texts.empty() && labels.texts[i] != labels.texts[i - 1]) ends.push_back(i);
  if (places > 0) ends.push_back(places);
  return ends;
}

void require_as_many(char const* name, std::size_t found, char const* other, std::size_t wanted) {
  if (found != wanted)
    throw InputError(fmt::format("{} has {} entries and {} has {} (each place has one)", name, found, other, wanted),
                     "give as many");
}

void check_labels(char const* name, std::size_t places, TextLabels const& labels) {
  if (places == 0) throw InputError(fmt::format("{} is empty (there is nothing to measure)", name), "give a text");
  if (!labels.tokens.empty()) require_as_many("tokens", labels.tokens.size(), name, places);
  if (!labels.texts.empty()) require_as_many("seq", labels.texts.size(), name, places);
  if (labels.temperature && !(*labels.temperature >= 0 && std::isfinite(*labels.temperature)))
    throw InputError(fmt::format("temperature is {} (it is a number ≥ 0)", *labels.temperature));
}

std::vector<double> logarithms(char const* name, std::span<double const> values) {
  std::vector<double> all(values.begin(), values.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::isnan(all[i]) || all[i] > log_rounding)
      throw InputError(fmt::format("{}[{}] is {:g} (it is the logarithm of a probability)", name, i, all[i]),
                       "give a number ≤ 0");
    all[i] = std::min(all[i], 0.0);
  }
  return all;
}

}  // namespace

Recorded recording_of_columns(std::string name, std::span<double const> log_p, std::span<double const> log_q,
                              TextLabels const& labels) {
  check_labels("log_p", log_p.size(), labels);
  require_as_many("log_q", log_q.size(), "log_p", log_p.size());
  if (labels.temperature == 0.0)
    throw InputError("a text of temperature 0 needs rows (the logarithm of its own token says nothing of drafts)",
                     "give p_logits and q_logits");
  std::vector<double> const p = logarithms("log_p", log_p), q = logarithms("log_q", log_q);
  TokenTrace trace;
  trace.name = std::move(name);
  trace.temperature = labels.temperature;
  trace.estimated_as = "columns";
  std::size_t begin = 0;
  CertainTexts certain_p, certain_q;
  for (std::size_t const end : ends_of_texts(p.size(), labels)) {
    auto const part = [&](auto const& of) {
      auto const at = of.begin() + static_cast<std::ptrdiff_t>(begin);
      return std::vector(at, at + static_cast<std::ptrdiff_t>(end - begin));
    };
    TextTrace text;
    text.name = labels.texts.empty() ? "0" : std::to_string(labels.texts[begin]);
    text.log_p = part(p);
    text.log_q = part(q);
    certain_p.take(text.log_p);
    certain_q.take(text.log_q);
    if (!labels.tokens.empty()) text.tokens = part(labels.tokens);
    trace.texts.push_back(std::move(text));
    begin = end;
  }
  certain_p.require_computed(trace.name, "entries of log_p");
  certain_q.require_computed(trace.name, "entries of log_q");
  return recorded_columns(std::move(trace));
}

Recorded recording_of_rows(std::string name, RowsInMemory const& target, RowsInMemory const& draft,
                           TextLabels const& labels, ReadingOptions const& options, int threads) {
  if (target.layout.rows != draft.layout.rows || target.layout.vocab != draft.layout.vocab)
    throw InputError(
        fmt::format("{} has shape [{}, {}] and {} has [{}, {}] (both models' rows are of the same tokens)",
                    target.name, target.layout.rows, target.layout.vocab, draft.name, draft.layout.rows,
                    draft.layout.vocab),
        "give as many of each");
  check_labels(target.name.c_str(), target.layout.rows, labels);
  for (std::size_t i = 0; i < labels.tokens.size(); ++i)
    if (labels.tokens[i] < 0 || static_cast<std::uint64_t>(labels.tokens[i]) >= target.layout.vocab)
      throw InputError(
          fmt::format("tokens[{}] is {} (rows have tokens 0 to {})", i, labels.tokens[i], target.layout.vocab - 1));
  auto const open = [target, draft, labels] {
    RowPairs pairs;
    pairs.target = std::make_unique<MemoryRows>(target);
    pairs.draft = std::make_unique<MemoryRows>(draft);
    pairs.tokens = labels.tokens;
    std::size_t begin = 0;
    for (std::size_t const end : ends_of_texts(target.layout.rows, labels)) {
      pairs.sequences.push_back(static_cast<std::uint32_t>(end - begin));
      pairs.names.push_back(labels.texts.empty() ? 0 : labels.texts[begin]);
      begin = end;
    }
    pairs.temperature = labels.temperature;
    pairs.files = {target.name, draft.name};  // what messages call them
    pairs.target_name = target.name;
    pairs.draft_name = draft.name;
    return pairs;
  };
  return std::move(score_pairs({open, std::move(name)}, options, threads).front());
}

}  // namespace draftgauge
