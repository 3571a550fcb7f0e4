#include "analysis/cards/card.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "analysis/cards/toml.h"
#include "analysis/recordings/json_records.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

template <class Value>
using Words = std::initializer_list<std::pair<std::string_view, Value>>;

class CardReader {
 public:
  CardReader(std::string const& file, Json const& document, bool tried)
      : file_(file), document_(document), tried_(tried) {}

  Card read() {
    Card card{.name = text("name"),
              .engine = text_or("engine"),
              .program = text_or("program"),
              .summary = text("summary"),
              .versions = text("versions"),
              .form = one_of<PrintForm>("form", {{"text", PrintForm::text},
                                      {"json", PrintForm::json},
                                      {"table", PrintForm::table},
                                      {"metrics", PrintForm::metrics}}),
              .scope = one_of<PrintScope>("scope", {{"token", PrintScope::token},
                                                    {"round", PrintScope::round},
                                                    {"request", PrintScope::request},
                                        {"data set", PrintScope::data_set},
                                        {"run", PrintScope::run},
                                        {"window", PrintScope::window},
                                        {"server", PrintScope::server}}),
              .recognise = signs("recognise"),
              .without_drafts = signs("without_drafts"),
              .aside = text_or("aside"),
              .records = texts_or("records"),
              .position = text_or("position"),
              .at_once_over = text_or("at_once_over"),
              .notes = notes()};
    if (card.recognise.empty())
      refuse("recognise does not say what such a print has", "write recognise = [\"…\"], what no other print has");
    for (std::string const& name : texts_or("zero")) card.zero.push_back(quantity_of(name));
    card.meaning.first_token = first_token();
    card.meaning.emitted_by = emitted_by();
    card.meaning.fixed_length = flag("fixed_length");
    card.meaning.over_passes = flag("over_passes");
    card.holds = texts_or("holds");
    card.first_index = first_index();
    read_units(card);
    if (card.form == PrintForm::text) {
      for (std::string const& line : texts("lines")) card.lines.push_back(line_of(line));
      if (std::string begins = text_or("begins"); !begins.empty()) card.begins = pattern_of(begins);
    } else {
      read_fields(card);
    }
    require_known_keys();
    require_sense(card);
    return card;
  }

 private:
  [[noreturn]] void refuse(std::string const& problem, std::string const& hint) const {
    throw InputError(fmt::format("{}: {}", file_, problem), hint);
  }

  /// What would never be read, or mean nothing.
  void require_sense(Card const& card) const {
    using enum PrintScope;
    bool const metrics = card.form == PrintForm::metrics;
    if (metrics && card.scope != server && card.scope != run)
      refuse("a page of metrics has another scope", "write scope = \"server\"");
    if ((card.scope == token || (card.scope == round && card.form != PrintForm::text)) && card.form != PrintForm::json)
      refuse("tokens and rounds one by one are read of JSON, and rounds of a text, too", "write another scope");
    if (!card.engine.empty() && !card.program.empty())
      refuse("engine and program both say who counted", "keep one");
    for (auto const& [quantity, unit] : card.units)
      if (is_count(quantity) && unit.scale != 1)
        refuse(fmt::format("{} is a count and has a unit", quantity_card(quantity).name), "leave it out");
    for (PrintedQuantity const quantity : card.zero)
      if (!is_count(quantity))
        refuse(fmt::format("zero has {}, which is no count", quantity_card(quantity).name), "leave it out");
    if (card.form != PrintForm::json && !(card.records.empty() && card.without_drafts.empty() && card.aside.empty()))
      refuse("records, without_drafts and aside are of JSON", "leave them out");
  }

  Json const* value_at(std::string_view key) {
    seen_.emplace(key);
    auto const found = document_.find(key);
    return found == document_.end() ? nullptr : &*found;
  }

  std::string text(std::string_view key) {
    Json const* const value = value_at(key);
    if (!value || !value->is_string() || value->get_ref<std::string const&>().empty())
      refuse(fmt::format("the card has no {}", key), fmt::format("write {} = \"…\"", key));
    return value->get<std::string>();
  }

  std::string text_or(std::string_view key) { return value_at(key) ? text(key) : std::string(); }

  std::vector<std::string> texts(std::string_view key) {
    Json const* const value = value_at(key);
    std::vector<std::string> all;
    if (value && value->is_string()) return {value->get<std::string>()};
    if (value && value->is_array() && std::ranges::all_of(*value, &Json::is_string)) {
      for (Json const& each : *value) all.push_back(each.get<std::string>());
      return all;
    }
    refuse(fmt::format("{} is no list of texts", key), fmt::format("write {} = [\"…\", \"…\"]", key));
  }

  std::vector<std::string> texts_or(std::string_view key) {
    return value_at(key) ? texts(key) : std::vector<std::string>();
  }

  Card::Signs signs(std::string_view key) {
    Card::Signs all;
    Json const* const value = value_at(key);
    for (Json const& each : value && value->is_array() ? *value : Json::array()) {
      std::vector<std::string>& either = all.emplace_back();
      for (Json const& one : each.is_array() ? each : Json::array({each}))
        if (one.is_string() && !one.get_ref<std::string const&>().empty()) either.push_back(one.get<std::string>());
      if (either.empty()) return {};
    }
    return all;
  }

  std::vector<PrintNote> notes() {
    std::vector<PrintNote> all;
    Json const* const value = value_at("notes");
    auto const refuse_note = [&] {
      refuse("notes is no list of texts", R"(write notes = ["…"], or { text = "…", without = "histogram" } for one)");
    };
    if (value && !value->is_array()) refuse_note();
    for (Json const& each : value ? *value : Json::array()) {
      PrintNote note;
      if (each.is_object() && each.size() == 2 && each.contains("without") && each["without"].is_string())
        note.without = quantity_of(each["without"].get_ref<std::string const&>());
      Json const* const text = note.without ? member(each, {"text"}) : &each;
      if (!text || !text->is_string()) refuse_note();
      note.text = text->get<std::string>();
      all.push_back(std::move(note));
    }
    return all;
  }

  bool flag(std::string_view key) {
    Json const* const value = value_at(key);
    if (value && !value->is_boolean()) refuse(fmt::format("{} is neither true nor false", key), "write one of them");
    return value && value->get<bool>();
  }

  template <class Value>
  Value one_of(std::string_view key, Words<Value> words) {
    std::string const said = text(key);
    for (auto const& [word, value] : words)
      if (word == said) return value;
    refuse(fmt::format("{} is '{}'", key, said),
           fmt::format("write one of {}", joined(words, [](auto const& word) { return std::string(word.first); })));
  }

  FirstToken first_token() {
    if (!value_at("first_token")) return FirstToken::unknown;
    return one_of<FirstToken>("first_token", {{"prompt", FirstToken::prompt}, {"round", FirstToken::round}});
  }

  EmittedBy emitted_by() {
    if (!value_at("emitted_by")) return EmittedBy::unknown;
    return one_of<EmittedBy>("emitted_by",
                             {{"rounds", EmittedBy::rounds}, {"rounds and others", EmittedBy::rounds_and_more}});
  }

  int first_index() {
    Json const* const value = value_at("first_index");
    if (!value) return 0;
    if (*value != 0 && *value != 1) refuse("first_index is neither 0 nor 1", "write the index of the first draft");
    return value->get<int>();
  }

  PrintedQuantity quantity_of(std::string_view name) const {
    for (QuantityCard const& card : quantity_cards())
      if (card.name == name) return card.quantity;
    refuse(fmt::format("there is no quantity '{}'", name),
           fmt::format("write one of {}", joined(quantity_cards(), &QuantityCard::name)));
  }

  Json const& table(std::string_view key) {
    static Json const none = Json::object();
    Json const* const value = value_at(key);
    if (value && !value->is_object()) refuse(fmt::format("{} is no table", key), fmt::format("write [{}]", key));
    return value ? *value : none;
  }

  void read_units(Card& card) {
    static constexpr std::array<std::pair<std::string_view, Card::Unit>, 5> words = {
        {{"share", {1, true}},
         {"percent", {.01, true}},
         {"ms", {1e-3}},
         {"us", {1e-6}},
         {"per request", {1, false, true}}}};
    for (auto const& [key, value] : table("unit").items()) {
      auto const found = std::ranges::find_if(
          words, [&](auto const& word) { return value.is_string() && value.template get<std::string>() == word.first; });
      if (found == words.end())
        refuse(fmt::format("the unit of {} is {}", key, value.dump()),
               fmt::format("write one of {}", joined(words, [](auto const& word) { return std::string(word.first); })));
      card.units[quantity_of(key)] = found->second;
    }
  }

  void read_fields(Card& card) {
    for (auto const& [key, value] : table("read").items()) {
      PrintedField field{quantity_of(key), {}};
      if (value.is_string()) field.places = {value.get<std::string>()};
      if (value.is_array())
        for (Json const& each : value)
          if (each.is_string()) field.places.push_back(each.get<std::string>());
      if (field.places.empty() || field.places.size() != (value.is_array() ? value.size() : 1))
        refuse(fmt::format("it does not say where {} stands", key), fmt::format("write {} = \"…\" under [read]", key));
      card.fields.push_back(std::move(field));
    }
    if (card.fields.empty()) refuse("it reads nothing", "name under [read] where quantities stand");
  }

  /// What an expression has before the group that begins at `end`, as it is printed: "Mean TPOT (ms)" of
  /// "^Mean TPOT \(ms\): +(".
  static std::string word_before(std::string_view expression, std::size_t end) {
    std::string_view before = expression.substr(0, end);
    for (std::string_view const cut : {"^", ".*", "(?s:.*?)", ")"}) {
      std::size_t const at = before.rfind(cut);
      if (at == before.npos || (at > 0 && before[at - 1] == '\\')) continue;
      before.remove_prefix(at + cut.size());
    }
    if (std::size_t const times = before.find('{'); times != before.npos && times > 0 && before[times - 1] != '\\')
      before = before.substr(0, times);
    std::string word;
    for (char const c : before)
      if (c != '\\') word += c;
    auto const is_word = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == ')'; };
    auto const first = std::ranges::find_if(word, is_word);
    auto const last = std::find_if(word.rbegin(), word.rend(), is_word).base();
    return first < last ? std::string(first, last) : std::string();
  }

  std::shared_ptr<LinePattern const> pattern_of(std::string const& expression) const {
    auto pattern = std::make_shared<LinePattern>(expression);
    if (!tried_ && !pattern->compiled().ok())
      refuse(fmt::format("'{}' is no regular expression: {}", expression, pattern->compiled().error()),
             "write one as RE2 has them");
    return pattern;
  }

  PrintedLine line_of(std::string const& expression) const {
    PrintedLine line{pattern_of(expression), {}};
    constexpr std::string_view begin = "(?P<";
    std::size_t names = 0;
    for (std::size_t at = expression.find(begin); at != std::string::npos; at = expression.find(begin, at + 1)) {
      std::size_t const first = at + begin.size();
      std::string name = expression.substr(first, expression.find('>', first) - first);
      ++names;
      if (name == "index") {
        line.has_index = true;
        continue;
      }
      std::string word = word_before(expression, at);
      PrintedQuantity const quantity = quantity_of(name);
      if (word.empty()) word = name;
      line.groups.push_back({std::move(name), quantity, std::move(word)});
    }
    if (line.groups.empty() || (!tried_ && line.pattern->compiled().NamedCapturingGroups().size() != names))
      refuse(fmt::format("'{}' has no named group", expression), "name one by its quantity: (?P<rounds>\\d+)");
    return line;
  }

  void require_known_keys() const {
    for (auto const& [key, value] : document_.items())
      if (!seen_.contains(key))
        refuse(fmt::format("a card of this form has no key '{}'", key),
               fmt::format("write one of {}", joined(seen_, [](std::string const& each) { return each; })));
  }

  std::string const& file_;
  Json const& document_;
  bool tried_;
  std::set<std::string, std::less<>> seen_ = {};
};

}  // namespace

re2::RE2 const& LinePattern::compiled() const {
  std::call_once(once_, [&] {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(std::int64_t{1} << 22);
    options.set_encoding(re2::RE2::Options::EncodingLatin1);  // bytes, since a log may hold any
    compiled_ = std::make_shared<re2::RE2>("(?m)" + text_, options);
  });
  return *compiled_;
}

Card read_card(std::string const& file, std::string_view text, bool tried) {
  Json document;
  try {
    document = json_of_toml(text);
  } catch (Error const& error) {
    throw InputError(fmt::format("{}: {}", file, error.problem()), error.hint().empty() ? "write TOML" : error.hint());
  }
  return CardReader(file, document, tried).read();
}

}  // namespace draftgauge
