#include "analysis/recordings/logprobs/logprob_form.h"

#include <algorithm>
#include <span>

#include "analysis/recordings/json_records.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

bool some_part_holds(nlohmann::json const& body) { return std::ranges::any_of(parts_of(body), form_of); }

std::span<LogprobForm const> logprob_forms() {
  static LogprobForm const all[] = {
#define FORM(name) forms::name(),
#include "analysis/recordings/logprobs/list.inc"
#undef FORM
  };
  return all;
}

}  // namespace

LogprobForm const* form_of(ScoredPart const& part) {
  auto const forms = logprob_forms();
  auto const found = std::ranges::find_if(forms, [&](LogprobForm const& form) { return form.holds(part); });
  return found == forms.end() ? nullptr : &*found;
}

std::string logprob_keys() {
  std::string keys;
  for (LogprobForm const& form : logprob_forms()) {
    if (!keys.empty()) keys += &form == &logprob_forms().back() ? " or " : ", ";
    keys += form.keys;
  }
  return keys;
}

std::string logprob_servers() {
  std::vector<std::string_view> servers;
  for (LogprobForm const& form : logprob_forms()) add_once(servers, form.server);
  return joined(servers);
}

nlohmann::json const& response_body(nlohmann::json const& record) {
  for (nlohmann::json const* at :
       {member_at(record, {"response", "body"}), member(record, {"body"}), member(record, {"response"})})
    if (at && some_part_holds(*at)) return *at;
  return record;
}

std::vector<ScoredPart> parts_of(nlohmann::json const& body) {
  nlohmann::json const* choices = member(body, {"choices"});
  if (!choices || !choices->is_array() || choices->empty()) return {{body, body, {}}};
  std::vector<ScoredPart> parts;
  for (std::size_t i = 0; i < choices->size(); ++i) parts.push_back({body, (*choices)[i], i});
  return parts;
}

bool has_logprobs(nlohmann::json const& record) { return some_part_holds(response_body(record)); }

}  // namespace draftgauge
