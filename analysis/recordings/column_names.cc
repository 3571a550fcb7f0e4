#include "analysis/recordings/column_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/recordings/columns.h"
#include "analysis/recordings/log_base.h"
#include "sim/base/lists.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace columns {
namespace {

struct Name {
  std::string_view name;
  Field field;
};
constexpr Name field_names[] = {
    {"seq", seq},
    {"sequence", seq},
    {"seq_id", seq},
    {"sequence_id", seq},
    {"request_id", seq},
    {"prompt", seq},
    {"pos", pos},
    {"position", pos},
    {"token_id", token},
    {"id", token},
    {"token", token},
    {"piece", piece},
    {"token_text", piece},
    {"logp", log_p},
    {"log_p", log_p},
    {"target_logprob", log_p},
    {"logprob_target", log_p},
    {"target_logp", log_p},
    {"logp_target", log_p},
    {"logq", log_q},
    {"log_q", log_q},
    {"draft_logprob", log_q},
    {"logprob_draft", log_q},
    {"draft_logp", log_q},
    {"logp_draft", log_q},
    {"beta", beta},
    {"entropy_p", entropy_p},
    {"kl_pq", kl_pq},
    {"argmax_q_hit", argmax_match},
    {"hit", argmax_match},
    {"rank_q", rank_q},
    {"lower_q", lower_q},
    {"argmax_q", argmax_q},
    {"p_dmax", p_of_argmax_q},
    {"p_of_argmax_q", p_of_argmax_q},
    {"q_dmax", max_q},
    {"max_q", max_q},
    {"max_p", max_p},
    {"argmax_p_hit", top},
    {"top", top},
    {"temperature", temperature},
};

/// Names that people give to probabilities; what is read are their logarithms.
constexpr Name probability_names[] = {{"p", log_p},           {"target_p", log_p},    {"p_target", log_p},
                                      {"target_prob", log_p}, {"prob_target", log_p}, {"q", log_q},
                                      {"draft_p", log_q},     {"p_draft", log_q},     {"draft_prob", log_q},
                                      {"prob_draft", log_q},  {"q_draft", log_q}};

}  // namespace

std::string names_of(Field field) {
  std::vector<std::string_view> all;
  for (Name const& each : field_names)
    if (each.field == field) all.push_back(each.name);
  std::string const last(all.back());
  all.pop_back();
  return fmt::format("{} or {}", fmt::join(all, ", "), last);
}

std::optional<std::size_t> based_column(std::vector<std::string> const& header, Field field) {
  auto const is_field = [&](std::string const& name) {
    return std::ranges::any_of(field_names,
                               [&](Name const& each) { return each.field == field && each.name == name; });
  };
  if (std::ranges::any_of(header, is_field)) return {};
  for (std::size_t i = 0; i < header.size(); ++i)
    if (auto const based = based_name(header[i]); based && is_field(based->name)) return i;
  return {};
}

std::string_view near_name(std::vector<std::string> const& header, Field field) {
  for (std::string const& name : header) {
    if (contains(field_names, name, &Name::name)) continue;
    for (Name const& each : field_names)
      if (each.field == field && name.size() >= each.name.size() &&
          (name.starts_with(each.name) ||
           (name.size() <= each.name.size() + 1 && edit_distance(name, each.name) == 1)))
        return name;
  }
  return {};
}

std::string_view probability_name(std::vector<std::string> const& header, Field field) {
  for (Name const& each : probability_names)
    if (each.field == field && contains(header, each.name)) return each.name;
  return {};
}

std::optional<std::pair<std::string_view, std::string_view>> twins(std::vector<std::string> const& header) {
  std::map<Field, std::string_view> seen;
  for (Name const& each : field_names) {
    auto const count = std::ranges::count(header, each.name);
    if (count == 0) continue;
    auto const [other, first] = seen.emplace(each.field, each.name);
    if (count > 1 || (!first && each.field != token)) return std::pair(other->second, each.name);
  }
  return std::nullopt;
}

Places::Places(std::vector<std::string> const& header) {
  at.fill(-1);
  for (Name const& each : field_names) {
    auto const found = std::ranges::find(header, each.name);
    if (found != header.end() && at[each.field] < 0) at[each.field] = static_cast<int>(found - header.begin());
  }
}

}  // namespace columns

bool could_be_columns(std::vector<std::string> const& names) {
  auto const near = [&](columns::Field field) {
    return columns::based_column(names, field) || !columns::probability_name(names, field).empty() ||
           !columns::near_name(names, field).empty();
  };
  return near(columns::log_p) && near(columns::log_q);
}

bool are_columns(std::vector<std::string> const& names) {
  columns::Places const places(names);
  return places.has(columns::log_p) || places.has(columns::log_q);
}

}  // namespace draftgauge
