#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/exact/exact.h"
#include "tests/vectors/subjects.h"

namespace draftgauge::vectors {
namespace {

/// Files that last as long as this.
class Files {
 public:
  ~Files() {
    for (std::filesystem::path const& path : paths_) std::filesystem::remove(path);
  }
  std::string write(Json const& content) {
    paths_.push_back(std::filesystem::temp_directory_path() /
                     fmt::format("draftgauge-vectors-{}-{}.json", getpid(), paths_.size()));
    std::ofstream(paths_.back()) << content.dump();
    return paths_.back().string();
  }

 private:
  std::vector<std::filesystem::path> paths_;
};

std::string list_of(Json const& row) {
  return fmt::format("{}", fmt::join(row.get<std::vector<std::string>>(), ","));
}

/// The beginning's row and those of the tokens; of one row alone that everywhere.
Json rows_of(Json const& model, std::size_t rows) {
  Json all = Json::array();
  if (model.at("kind") == "iid") return Json::array_t(rows, model.at("row"));
  all.push_back(model.at("start"));
  for (Json const& row : model.at("rows")) all.push_back(row);
  return all;
}

/// The source that a case describes; `counted` times a token is counted at most.
std::string source_of(Json const& inputs, int counted, Files& files) {
  Json const &p = inputs.at("p"), &q = inputs.at("q"), &of = inputs.at("processor");
  std::string keys;
  if (p.at("kind") == "iid" && q.at("kind") == "iid") {
    keys = fmt::format("p=\"{}\",q=\"{}\"", list_of(p.at("row")), list_of(q.at("row")));
  } else {
    std::size_t const rows = (p.at("kind") == "iid" ? q : p).at("rows").size() + 1;
    keys = "base=json:file=" + files.write({{"p", rows_of(p, rows)}, {"q", rows_of(q, rows)}});
  }
  keys += ",draft=" + inputs.at("draft").get<std::string>();
  auto const name = of.at("processor").get<std::string>();
  if (name == "frequency")
    return fmt::format("penalised:{},frequency={},counts={}", keys, of.at("factor").get<std::string>(), counted);
  if (name == "presence") return fmt::format("penalised:{},presence={}", keys, of.at("factor").get<std::string>());
  if (name == "repetition") return fmt::format("penalised:{},repetition={}", keys, of.at("theta").get<std::string>());
  if (name == "min-length")
    return fmt::format("min-length:{},end={},tokens={}", keys, of.at("eos").get<int>(), of.at("least").get<int>());
  std::string const automaton = files.write({{"next", of.at("delta")}, {"start", of.at("first")}});
  return fmt::format("grammar:{},automaton={}", keys, automaton);
}

std::string rule_of(std::string const& fault) {
  std::map<std::string, std::string> const rules = {{"right", "token"},
                                                    {"frozen", "faulty/state-frozen"},
                                                    {"last-only", "faulty/state-last-only"},
                                                    {"bonus-only", "faulty/state-bonus-only"},
                                                    {"lost", "faulty/state-lost"},
                                                    {"lag-one", "faulty/state-late"},
                                                    {"rejected-advance", "faulty/state-of-drafts"},
                                                    {"rejected-only", "faulty/state-of-rejected"}};
  return rules.at(fault);
}

/// The right engine with drafts of the round's start: each row has a p and the q of another, and a round that ends at
/// any row is followed by one whose drafts are of that.
class StaleDrafts {
 public:
  explicit StaleDrafts(ExactModel const& model) : rows_(model.contexts().rows) {
    std::vector<ExactModel::Row> rows;
    std::vector<std::uint32_t> next;
    for (std::uint32_t begun = 0; begun < rows_; ++begun)
      for (std::uint32_t now = 0; now < rows_; ++now) {
        rows.push_back({model.row(now).p, model.row(begun).q});
        for (Token x = 0; x < model.contexts().vocab; ++x)
          next.push_back(begun * rows_ + model.contexts().after(now, x));
      }
    model_.emplace_back(Follow::state, std::move(rows), std::move(next));
  }

  ExactRound round(Task const& task, std::uint32_t row) const {
    return exact_round(task, model_[0], row * (rows_ + 1));
  }

  SequenceLaw text(Task const& task, ExactModel const& right, int length) const {
    std::map<std::uint32_t, ExactRound> rounds;
    SequenceLaw open{{{}, Rational(1)}}, law;
    while (!open.empty()) {
      SequenceLaw longer;
      for (auto const& [text, probability] : open) {
        std::uint32_t row = 0;
        for (Token const x : text) row = right.contexts().after(row, x);
        auto const [found, is_new] = rounds.try_emplace(row);
        if (is_new) found->second = round(task, row);
        for (auto const& [emitted, chance] : found->second.emitted) {
          std::vector<Token> tokens = text;
          tokens.insert(tokens.end(), emitted.begin(), emitted.end());
          bool const whole = tokens.size() >= static_cast<std::size_t>(length);
          if (whole) tokens.resize(static_cast<std::size_t>(length));
          (whole ? law : longer)[tokens] += probability * chance;
        }
      }
      open = std::move(longer);
    }
    return law;
  }

 private:
  std::uint32_t rows_;
  std::vector<ExactModel> model_;
};

SequenceLaw beginnings(SequenceLaw const& law, std::size_t length) {
  SequenceLaw shorter;
  for (auto const& [tokens, probability] : law)
    shorter[{tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(length)}] += probability;
  return shorter;
}

/// Tokens of a round, up to the one that ends the text.
Rational tokens_of(ExactRound const& round, Json const& end) {
  Rational mean = 0;
  for (auto const& [tokens, probability] : round.emitted) {
    auto const last = end.is_null() ? tokens.end() : std::ranges::find(tokens, end.get<Token>());
    mean += probability * (last - tokens.begin() + (last != tokens.end()));
  }
  return mean;
}

bool allowed(Json const& grammar, std::vector<Token> const& tokens) {
  Json state = grammar.at("first");
  for (Token const x : tokens) {
    state = Json(grammar.at("delta").at(state.get<std::size_t>()).at(x));
    if (state.is_null()) return false;
  }
  return true;
}

}  // namespace

Json history(Json const& inputs) {
  Files files;
  int const length = inputs.at("T").get<int>();
  auto const fault = inputs.at("fault").get<std::string>();
  Task task;
  task.rule = rule_of(fault);
  task.shape.gamma = inputs.at("gamma").get<int>();
  // Where drafts that are rejected count, so many stand before the last token of a text is verified.
  int const counted = fault.starts_with("rejected") ? length * (task.shape.gamma + 1) : length + task.shape.gamma;
  ExactModel const model = exact_model(open_source(source_of(inputs, counted, files), {.normalise = true}));
  bool const stale = inputs.contains("draft_view") && inputs["draft_view"] == "frozen";
  SequenceLaw const target = target_law(model, length);
  SequenceLaw const law =
      stale ? StaleDrafts(model).text(task, model, length) : text_of_rounds(task, model, 0, length);
  ExactRound const round = stale ? StaleDrafts(model).round(task, 0) : exact_round(task, model);

  Json answer = {{"lossless", law == target}, {"first_round_tokens", text(tokens_of(round, inputs.at("eos")))}};
  for (std::size_t tokens = 1; tokens <= static_cast<std::size_t>(length); ++tokens)
    answer["tv_by_length"].push_back(text(total_variation(beginnings(law, tokens), beginnings(target, tokens))));
  answer["tv"] = answer["tv_by_length"].back();
  for (auto const& [tokens, probability] : beginnings(law, 2))
    answer["first_two"][fmt::format("{},{}", tokens[0], tokens[1])] = text(probability);
  if (inputs["processor"].contains("delta")) {
    Rational illegal = 0;
    for (auto const& [tokens, probability] : law)
      if (!allowed(inputs["processor"], tokens)) illegal += probability;
    answer["illegal"] = text(illegal);
  }
  return answer;
}

}  // namespace draftgauge::vectors
