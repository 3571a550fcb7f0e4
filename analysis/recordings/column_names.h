#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// How columns of a recording may be named; each name in lower case.
namespace draftgauge::columns {

enum Field {
  seq,
  pos,
  token,
  piece,
  log_p,
  log_q,
  beta,
  entropy_p,
  kl_pq,
  argmax_match,
  rank_q,
  lower_q,
  argmax_q,
  p_of_argmax_q,
  max_q,
  max_p,
  top,
  temperature,
  field_count
};

/// Fields in [0, 1], which may be written in percent.
constexpr bool is_share(Field field) {
  return field == beta || field == p_of_argmax_q || field == max_p || field == max_q || field == lower_q;
}

/// "logp, log_p, … or logp_target": all names of a field.
std::string names_of(Field field);
/// A column that is not named as the field but near it: logp_f16, log_pp. Empty where there is none.
std::string_view near_name(std::vector<std::string> const& header, Field field);
/// Where a column of the field's logarithms to another base stands, by its name; none where the field's own is there.
std::optional<std::size_t> based_column(std::vector<std::string> const& header, Field field);
/// A column of the field's probabilities, by its name; or empty.
std::string_view probability_name(std::vector<std::string> const& header, Field field);
/// Two columns that are the same field, but for token, where the id beside the token's text counts.
std::optional<std::pair<std::string_view, std::string_view>> twins(std::vector<std::string> const& header);

/// Where the fields stand in a line: −1 for those that are not there.
struct Places {
  std::array<int, field_count> at;

  explicit Places(std::vector<std::string> const& header);
  bool has(Field field) const { return at[field] >= 0; }
};

}  // namespace draftgauge::columns
