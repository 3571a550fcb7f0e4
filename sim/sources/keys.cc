#include "sim/sources/keys.h"

#include <algorithm>
#include <stdexcept>

#include "sim/laws.h"
#include "sim/names.h"

namespace draftgauge {

Keys::Keys(SourceCard const& card, std::optional<std::string_view> text, std::span<Pair const> fallbacks)
    : card_(&card), values_(card.keys.size()) {
  std::vector<bool> given(card.keys.size());
  for (bool more = text.has_value(); more;) {
    std::size_t const comma = text->find(',');
    std::string_view const entry = text->substr(0, comma);
    std::size_t const equals = entry.find('=');
    if (equals == entry.npos || equals + 1 == entry.size()) {
      throw error("'" + std::string(entry) +
                  "' has no value (a source is written name:key=value,key=value) give it one");
    }
    std::size_t const i = index(entry.substr(0, equals));
    if (given[i])
      throw error("'" + std::string(card.keys[i].name) + "' stands twice (only one could count) leave one out");
    given[i] = true;
    values_[i] = canonical(card.keys[i], entry.substr(equals + 1));
    more = comma != text->npos;
    if (more) text->remove_prefix(comma + 1);
  }
  for (auto const& [key, value] : fallbacks) {
    std::size_t const i = index(key);
    if (!given[i]) values_[i] = canonical(card.keys[i], value);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    KeyCard const& key = card.keys[i];
    if (!values_[i].empty()) continue;
    if (key.required) {
      throw error("'" + std::string(key.name) + "' is not given (" + std::string(key.meaning) + ") add " +
                  std::string(key.name) + "=");
    }
    if (!key.standard.empty()) values_[i] = canonical(key, key.standard);
  }
}

std::uint64_t Keys::count(std::string_view key) const { return static_cast<std::uint64_t>(fraction(key).num()); }
Fraction Keys::fraction(std::string_view key) const { return parse_fraction(text(key)); }
std::string const& Keys::text(std::string_view key) const { return values_[index(key)]; }

std::string Keys::description() const {
  std::string out(card_->name);
  char separator = ':';
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i].empty()) continue;
    out += separator + std::string(card_->keys[i].name) + "=" + values_[i];
    separator = ',';
  }
  return out;
}

UsageError Keys::error(std::string const& problem) const {
  return UsageError(std::string(card_->name) + ": " + problem);
}

std::size_t Keys::index(std::string_view key) const {
  auto const found = std::ranges::find(card_->keys, key, &KeyCard::name);
  if (found != card_->keys.end()) return static_cast<std::size_t>(found - card_->keys.begin());
  std::vector<std::string_view> known;
  for (KeyCard const& k : card_->keys) known.push_back(k.name);
  throw error(unknown_name("key", key, known));
}

std::string Keys::canonical(KeyCard const& key, std::string_view value) const {
  std::string const shown = std::string(key.name) + "=" + std::string(value);
  if (key.kind == KeyCard::Kind::text) return std::string(value);
  if (key.kind == KeyCard::Kind::choice) {
    if (std::ranges::find(key.choices, value) == key.choices.end())
      throw error(unknown_name("value of " + std::string(key.name), value, key.choices));
    return std::string(value);
  }
  Fraction number;
  try {
    number = key.kind == KeyCard::Kind::count ? Fraction(parse_count(value)) : parse_fraction(value);
  } catch (Error const& e) {
    throw error(std::string(key.name) + ": " + e.what());
  }
  if (number < key.least || number > key.most) {
    throw error(shown + " is out of range (" + std::string(key.meaning) + ") give a number from " + key.least.text() +
                " to " + key.most.text());
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

KeyCard seed_key() {
  return {.name = "seed",
          .kind = KeyCard::Kind::count,
          .meaning = "which laws are drawn; has nothing to do with the seed of the rounds",
          .standard = "1",
          .least = 0,
          .most = INT64_MAX};
}

}  // namespace draftgauge
