#include "sim/sources/keys.h"

#include <algorithm>

#include "sim/base/letters.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"
#include "sim/model/pair_tables.h"

namespace draftgauge {
namespace {

/// The value as it is written in a source's text.
std::string written(std::string const& value) {
  if (value.find(',') == value.npos && !value.starts_with('"')) return value;
  return in_double_quotes(value);
}

}  // namespace

Keys::Keys(SourceCard const& card, std::optional<std::string_view> text, std::span<Pair const> fallbacks)
    : card_(&card), values_(card.keys.size()) {
  std::vector<bool> given(card.keys.size());
  for (bool more = text.has_value(); more;) {
    auto const [key, value] = take_entry(*text);
    std::size_t const i = index(key);
    if (given[i])
      throw error("'" + std::string(card.keys[i].name) + "' stands twice (only one could count)", "leave one out");
    given[i] = true;
    values_[i] = canonical(card.keys[i], value);
    more = !text->empty();
    if (more) text->remove_prefix(1);  // the comma
  }
  for (auto const& [key, value] : fallbacks) {
    std::size_t const i = index(key);
    if (!given[i]) values_[i] = canonical(card.keys[i], value);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    KeyCard const& key = card.keys[i];
    if (!values_[i].empty()) continue;
    if (key.required) {
      throw error("'" + std::string(key.name) + "' is not given (" + std::string(key.meaning) + ")",
                  "add " + std::string(key.name) + "=");
    }
    if (!key.standard.empty()) values_[i] = canonical(key, key.standard);
  }
}

std::uint64_t Keys::count(std::string_view key) const { return static_cast<std::uint64_t>(fraction(key).num()); }
Fraction Keys::fraction(std::string_view key) const {
  try {
    return parse_fraction(text(key));
  } catch (Error const& e) {
    throw error(Error(key, e));
  }
}
std::string const& Keys::text(std::string_view key) const { return values_[index(key)]; }

std::string Keys::description() const { return describe(*card_, values_); }

std::string Keys::description_by_content(std::string_view key, std::string_view digest) const {
  Pair const one{key, digest};
  return description_by_content(std::span(&one, 1));
}

std::string Keys::description_by_content(std::span<Pair const> digests) const {
  std::vector<Pair> values;
  for (auto const& [key, digest] : digests) values.emplace_back(key, "sha256:" + digest);
  return description_with(values);
}

std::string Keys::description_with(std::span<Pair const> values) const {
  std::vector<std::string> all = values_;
  for (auto const& [key, value] : values) all[index(key)] = value;
  return describe(*card_, all);
}

std::string Keys::describe(SourceCard const& card, std::span<std::string const> values) {
  std::string out(card.name);
  char separator = ':';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty()) continue;
    out += separator + std::string(card.keys[i].name) + "=" + written(values[i]);
    separator = ',';
  }
  return out;
}

/// The first key and value; the text is left from the comma behind them on.
Keys::Pair Keys::take_entry(std::string_view& text) const {
  std::string_view const entry = text.substr(0, text.find(','));
  std::size_t const equals = entry.find('=');
  std::string_view const key = entry.substr(0, equals);
  Pair pair{key, {}};
  if (equals != entry.npos && entry.substr(equals + 1).starts_with('"')) {
    std::string_view const whole = text;
    text.remove_prefix(equals + 2);
    pair.second = unquoted(text, whole);
  } else {
    if (equals != entry.npos) pair.second = entry.substr(equals + 1);
    text.remove_prefix(entry.size());
  }
  if (pair.second.empty()) {
    throw error("'" + std::string(entry) + "' has no value (a source is written name:key=value,key=value)",
                "give it one");
  }
  return pair;
}

/// The value up to its closing quote; the text is left from behind it on. `entry` begins with the key, for messages.
std::string Keys::unquoted(std::string_view& text, std::string_view entry) const {
  std::string value;
  for (;;) {
    std::size_t const quote = text.find('"');
    if (quote == text.npos) {
      throw error("'" + std::string(entry) + "' has a quote that is not closed (commas within it are part of the " +
                  "value) end the value with \"");
    }
    value += text.substr(0, quote);
    text.remove_prefix(quote + 1);
    if (!text.starts_with('"')) break;
    value += '"';
    text.remove_prefix(1);
  }
  if (!text.empty() && text[0] != ',') {
    throw error("'" + std::string(entry) + "' goes on behind a closing quote (a comma belongs there)",
                "write a quote within a value as \"\"");
  }
  return value;
}

UsageError Keys::error(std::string_view problem, std::string_view hint) const { return error(Error(problem, hint)); }
UsageError Keys::error(Error const& cause) const { return {card_->name, cause}; }

std::size_t Keys::index(std::string_view key) const {
  auto const found = std::ranges::find(card_->keys, key, &KeyCard::name);
  if (found != card_->keys.end()) return static_cast<std::size_t>(found - card_->keys.begin());
  throw error(unknown_name("key", key, names_in(card_->keys)));
}

std::string Keys::canonical(KeyCard const& key, std::string_view value) const {
  std::string const shown = std::string(key.name) + "=" + std::string(value);
  if (key.kind == KeyCard::Kind::text) return std::string(value);
  if (key.kind == KeyCard::Kind::choice) {
    if (!contains(key.choices, value))
      throw error(unknown_name("value of " + std::string(key.name), value, key.choices));
    return std::string(value);
  }
  WrittenNumber number;
  try {
    if (key.kind == KeyCard::Kind::count)
      number.exact = parse_count(value);
    else
      number = parse_written(value);
  } catch (Error const& e) {
    throw error(Error(key.name, e));
  }
  bool const within = number.exact ? *number.exact >= key.least && *number.exact <= key.most
                                   : number.value >= key.least.to_double() && number.value <= key.most.to_double();
  if (!within) {
    throw error(shown + " is out of range (" + std::string(key.meaning) + ")",
                "give a number from " + key.least.text() + " to " + key.most.text());
  }
  return number.text();
}

KeyCard vocab_key(std::string_view standard) {
  return {.name = "vocab",
          .kind = KeyCard::Kind::count,
          .meaning = "V, the number of tokens",
          .standard = standard,
          .least = 1,
          .most = max_vocab};
}

KeyCard contexts_key() {
  return {.name = "contexts",
          .kind = KeyCard::Kind::count,
          .meaning = "number of contexts, of which each position takes one at random",
          .standard = "16",
          .least = 1,
          .most = 1 << 20};
}

KeyCard concentration_key(std::string_view standard, std::string_view meaning) {
  return number_key("concentration", standard, meaning, {1, 1000}, 1'000'000);
}

KeyCard number_key(std::string_view name, std::string_view standard, std::string_view meaning, Fraction const& least,
                   Fraction const& most) {
  return {.name = name,
          .kind = KeyCard::Kind::number,
          .meaning = meaning,
          .standard = standard,
          .least = least,
          .most = most};
}

KeyCard seed_key() {
  return {.name = "seed",
          .kind = KeyCard::Kind::count,
          .meaning = "which distributions are drawn; has nothing to do with the seed of the rounds",
          .standard = "1",
          .least = 0,
          .most = INT64_MAX};
}

}  // namespace draftgauge
