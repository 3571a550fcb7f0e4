#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/batch/exact_batch.h"
#include "tests/vectors/models.h"
#include "tests/vectors/subjects.h"

namespace draftgauge::vectors {
namespace {

std::string key_of(std::vector<Token> const& tokens) {
  std::string key;
  for (Token const x : tokens) key += (key.empty() ? "" : ",") + std::to_string(x);
  return key;
}

SlotEstimate estimate_of(Json const& confidence, std::vector<BatchRequest> const& requests) {
  auto const kind = confidence.at("kind").get<std::string>();
  if (kind == "beta") return right_estimates(requests);
  if (kind == "max-q") return largest_q(requests);
  return [kind, c = confidence.at("c")](int request, std::uint32_t, std::vector<Token> const& before) {
    Json const& of = c.at(static_cast<std::size_t>(request)).at(before.size());
    return number(kind == "const" ? of : of.at(key_of(before)));
  };
}

/// The call of one of the list; numbers are written as fractions there.
std::string call_of(Json const& policy) {
  auto const name = policy.at("policy").get<std::string>();
  auto const value = [&](char const* key) { return number(policy.at(key)).str(); };
  if (name == "top") return "top:slots=" + value("n");
  if (name == "argmax" || name == "descent") return name;
  if (name == "lagged-argmax") return "lagged:first=" + value("first");
  if (name == "drop") return "faulty/drop:q=" + value("theta");
  return policy.at("confidence").at("kind") == "own-q" ? "faulty/own-threshold:product=" + value("theta")
                                                       : "threshold:survival=" + value("theta");
}

ExactSchedule schedule_of(Json const& policy, std::vector<BatchRequest> const& requests,
                          std::vector<Rational> const& times) {
  auto const name = policy.at("policy").get<std::string>();
  if (name == "fixed") {
    std::vector<int> const lengths = policy.at("lengths");
    return {[lengths](DraftedBatch const&) { return lengths; }};
  }
  if (name == "table")
    return {[table = policy.at("lengths")](DraftedBatch const& batch) {
      std::string key;
      for (auto const& drafts : batch.drafts) key += (key.empty() ? "" : "|") + key_of(drafts);
      return table.at(key).get<std::vector<int>>();
    }};
  bool const estimated = policy.contains("confidence") && policy["confidence"].at("kind") != "own-q";
  return exact_schedule(schedule_call(call_of(policy)), requests,
                        estimated ? estimate_of(policy["confidence"], requests) : right_estimates(requests), times);
}

}  // namespace

Json schedules(Json const& inputs) {
  std::vector<ExactModel> models;
  for (Json const& request : inputs.at("requests")) models.push_back(model_of(request));
  std::vector<BatchRequest> requests;
  for (std::size_t r = 0; r < models.size(); ++r)
    requests.push_back({&models[r], models[r].contexts().vocab, inputs["requests"][r].at("gamma").get<int>()});
  Json const& policy = inputs.at("policy");
  std::vector<Rational> const times =
      policy.contains("cost") ? row_of(policy["cost"].at("table")) : std::vector<Rational>();
  ExactSchedule const schedule = schedule_of(policy, requests, times);
  int const length = inputs.at("T").get<int>();
  ExactBatch const found = exact_batch("token", requests, schedule, length);

  Json answer = {{"T", length}, {"tv_joint", text(found.distance)}, {"lossless", found.distance == 0}};
  Rational cost = 0;
  for (auto const& [lengths, probability] : found.lengths) {
    std::string key;
    std::size_t slots = 0;
    for (int const one : lengths) {
      key += (key.empty() ? "" : ",") + std::to_string(one);
      slots += static_cast<std::size_t>(one);
    }
    answer["lengths"][key] = text(probability);
    if (!times.empty()) cost += probability * times.at(slots);
  }
  if (!times.empty()) answer["mean_cost"] = text(cost);
  for (std::size_t r = 0; r < requests.size(); ++r) {
    answer["tokens"].push_back(text(found.tokens[r]));
    answer["tv_each"].push_back(text(found.distance_each[r]));
    Json first = Json::array();
    for (Rational const& chance : marginal(found.each[r], 0, models[r].contexts().vocab))
      first.push_back(text(chance));
    answer["first_token"].push_back(std::move(first));
  }
  if (inputs.contains("stream_T")) {
    int const stream = inputs["stream_T"].get<int>();
    answer["stream_T"] = stream;
    answer["tv_stream"] =
        text(total_variation(exact_stream("token", requests, schedule, stream), joint_target(requests, stream)));
  }
  return answer;
}

}  // namespace draftgauge::vectors
