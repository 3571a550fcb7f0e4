#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace draftgauge {

/// A line of a file of measured times, by name: JSON's object, or a table's line with its fields as text. Errors name
/// place and field.
class MeasuredRow {
 public:
  /// `object` must live as long.
  MeasuredRow(std::string place, nlohmann::json const& object) : place_(std::move(place)), object_(object) {}

  std::string const& place() const { return place_; }
  nlohmann::json const& object() const { return object_; }
  bool has(std::string_view name) const;

  /// Throws InputError "PLACE: NAME is FOUND (expected: EXPECTED)".
  [[noreturn]] void refuse(std::string_view name, std::string const& found, std::string const& expected,
                           std::string const& hint = "correct it or measure again") const;
  /// Throws InputError of `what` the file had before.
  [[noreturn]] void refuse_second(std::string const& what) const;
  double real(std::string_view name) const;
  /// A whole number from `least` to a million.
  std::int64_t count(std::string_view name, std::int64_t least) const;
  /// A time above 0.
  double time(std::string_view name) const;
  std::string text(std::string_view name) const;
  /// The model of a cost.csv: its `phase`, in which verify means the target.
  std::string phase() const;

 private:
  std::string place_;
  nlohmann::json const& object_;
};

/// What a reader of llama-bench's times of prompts must know.
inline constexpr char last_token_note[] =
    "llama-bench computes the logits of a pass's last token only: verification, which needs all, takes longer";

/// Throws InputError for a line of a kind that the lines before it are not of.
[[noreturn]] void refuse_second_kind(std::string const& place, std::string_view kind, std::string_view before);

}  // namespace draftgauge
