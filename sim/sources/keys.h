#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/written_number.h"
#include "sim/sources/card.h"

namespace draftgauge {

/// A source's keys with their values, checked against its card, the card's own values filled in.
class Keys {
 public:
  using Pair = std::pair<std::string_view, std::string>;

  /// text: what stands behind `name:`, as key=value,…, or nothing; a value may stand in double quotes, where a comma
  /// is part of it and "" is a quote. `fallbacks` are values, unquoted, for keys that the text leaves out. Throws
  /// UsageError for unknown or repeated keys, values outside their domain, and required keys left out.
  Keys(SourceCard const& card, std::optional<std::string_view> text, std::span<Pair const> fallbacks = {});
  Keys(SourceCard&& card, std::optional<std::string_view>, std::span<Pair const> = {}) = delete;

  std::string_view source() const { return card_->name; }
  std::uint64_t count(std::string_view key) const;
  std::uint32_t count32(std::string_view key) const { return static_cast<std::uint32_t>(count(key)); }
  Fraction fraction(std::string_view key) const;  ///< throws UsageError for a number that fits none
  double number(std::string_view key) const { return parse_written(text(key)).value; }
  std::string const& text(std::string_view key) const;  ///< empty: left out

  /// "name:key=value,…" with every key that has a value, in the card's order and in one spelling. What stands behind
  /// the colon is text that the constructor takes, and gives the same description.
  std::string description() const;
  /// The same with other values of some keys.
  std::string description_with(std::span<Pair const> values) const;
  /// The description with sha256:DIGEST for the value of `key`, a file's name: equal for equal content, wherever it
  /// lies.
  std::string description_by_content(std::string_view key, std::string_view digest) const;
  /// The same for several files, each key with its digest.
  std::string description_by_content(std::span<Pair const> digests) const;

  /// The error that blames the value of a key: "name: PROBLEM".
  UsageError error(std::string_view problem, std::string_view hint = {}) const;
  UsageError error(Error const& cause) const;

 private:
  std::size_t index(std::string_view key) const;
  std::string canonical(KeyCard const& key, std::string_view value) const;
  Pair take_entry(std::string_view& text) const;
  std::string unquoted(std::string_view& text, std::string_view entry) const;
  static std::string describe(SourceCard const& card, std::span<std::string const> values);

  SourceCard const* card_;
  std::vector<std::string> values_;
};

/// The values that keys of several sources share.
KeyCard vocab_key(std::string_view standard);
KeyCard contexts_key();
KeyCard seed_key();
KeyCard concentration_key(std::string_view standard, std::string_view meaning);  ///< of Dirichlet distributions
/// A key whose value is a number from least to most.
KeyCard number_key(std::string_view name, std::string_view standard, std::string_view meaning, Fraction const& least,
                   Fraction const& most);

}  // namespace draftgauge
