#include "sim/play/task_text.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/sha256.h"
#include "sim/chance/layout.h"
#include "sim/task/limits.h"

namespace draftgauge {
namespace {

[[noreturn]] void wrong(char const* name, nlohmann::json const& value, std::string const& expected) {
  throw InputError("the task's '" + std::string(name) + "' is " +
                   value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 40) +
                   " instead of " + expected);
}

nlohmann::json document_of(std::string_view canonical) {
  try {
    return parse_json(canonical, {.subject = "the task"});
  } catch (Error const& error) {
    throw InputError(error.problem(), error.hint());
  }
}

/// The tree of a task that has one, which must be as deep and as wide as the task says.
void read_tree(nlohmann::json const& value, Task& task) {
  if (!value.is_array()) wrong("tree", value, "a list of parents");
  if (std::ranges::any_of(value, [](nlohmann::json const& each) { return each.is_structured(); }))
    throw InputError("the task's 'tree' is a list of lists instead of a list of parents");
  Task drafted = task;
  try {
    draft_tree(drafted, parse_tree(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  } catch (UsageError const&) {
    wrong("tree", value, "a list of parents");
  }
  if (drafted.tree.size() == 1 || drafted.shape.gamma != task.shape.gamma ||
      drafted.shape.branching != task.shape.branching)
    wrong("tree", value, "an uneven tree of the task's gamma and candidates");
  task = std::move(drafted);
}

}  // namespace

std::string canonical_text(Simulation const& simulation, Source const& source) {
  Task const& task = simulation.task();
  nlohmann::json form{{"layout", layout::version},   {"source", source.identity()},
                      {"rule", task.rule},           {"drafter", task.drafter},
                      {"gamma", task.shape.gamma},   {"candidates", task.shape.branching},
                      {"bonus", task.shape.bonus},   {"rounds_per_trial", task.rounds_per_trial},
                      {"positions", task.positions}, {"gram", task.gram},
                      {"firsts", task.firsts}};
  if (task.policy != "fixed") form["policy"] = task.policy;  // ids from before there were policies stay
  if (task.gram_from > 0) form["gram_from"] = task.gram_from;
  if (task.shape.continues) form["continue"] = true;
  if (task.start) form["start"] = *task.start;
  if (task.tree.size() > 1) form["tree"] = task.tree.parents();
  return form.dump();
}

TaskText read_task(std::string_view canonical) {
  auto const form = document_of(canonical);
  if (!form.is_object()) throw InputError("the task is not a JSON object");
  auto const field = [&](char const* name) -> nlohmann::json const& {
    auto const found = form.find(name);
    if (found == form.end()) throw InputError("the task lacks '" + std::string(name) + "'");
    return *found;
  };
  auto const text = [&](char const* name) {
    if (!field(name).is_string()) wrong(name, field(name), "a text");
    return field(name).get<std::string>();
  };
  auto const flag = [&](char const* name) {
    if (!field(name).is_boolean()) wrong(name, field(name), "true or false");
    return field(name).get<bool>();
  };
  auto const count = [&](char const* name, std::uint32_t least, std::uint32_t most) {
    nlohmann::json const& value = field(name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most)
      wrong(name, value, std::to_string(least) + " to " + std::to_string(most));
    return value.get<std::uint32_t>();
  };
  auto const small = [&](char const* name, int least, int most) {
    return static_cast<int>(count(name, static_cast<std::uint32_t>(least), static_cast<std::uint32_t>(most)));
  };
  if (auto const written = count("layout", 0, std::numeric_limits<std::uint32_t>::max()); written != layout::version)
    throw InputError("the task's random numbers are of bit layout " + std::to_string(written) +
                     ", this program's of layout " + std::to_string(layout::version) +
                     ": the same trials come out otherwise, so that their counts may not be added");
  Task task;
  task.rule = text("rule");
  task.drafter = text("drafter");
  task.policy = form.contains("policy") ? text("policy") : "fixed";
  task.shape = {small("gamma", 1, max_gamma), small("candidates", 1, max_children), flag("bonus")};
  if (form.contains("continue")) task.shape.continues = flag("continue");
  if (form.contains("tree")) read_tree(field("tree"), task);
  task.rounds_per_trial = count("rounds_per_trial", 1, max_rounds_per_trial);
  task.positions = small("positions", 0, max_positions);
  task.gram = small("gram", 0, max_gram);
  task.firsts = flag("firsts");
  if (form.contains("gram_from")) task.gram_from = count("gram_from", 0, max_gram_from);
  if (form.contains("start")) task.start = count("start", 0, std::numeric_limits<std::uint32_t>::max());
  return {std::move(task), text("source")};
}

std::string task_id(std::string_view canonical) { return sha256_hex(canonical).substr(0, 16); }

}  // namespace draftgauge
