#include "apps/sweep/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apps/cli/command.h"
#include "apps/cli/commands.h"
#include "apps/options/rule_options.h"
#include "apps/sweep/toml.h"
#include "sim/base/contains.h"
#include "sim/base/error.h"
#include "sim/base/mapped_file.h"
#include "sim/base/names.h"

namespace draftgauge {
namespace {

constexpr std::size_t longest_file = std::size_t{16} << 20;
constexpr std::size_t most_tasks = 100'000;

std::vector<Option> options_named(std::vector<std::string_view> const& names) {
  std::vector<Option> found;
  for (OptionGroup const& group : {source_options(), rule_options(), sampling_options(), cost_options()})
    for (Option const& option : group.options)
      if (contains(names, option.name)) found.push_back(option);
  return found;
}

/// The text that a command line would have for a value; empty for a switch that is off.
std::string text_of(std::string const& key, Json const& value, Option const& option) {
  if (option.kind == Kind::flag) {
    if (!value.is_boolean()) throw Error(fmt::format("'{}' is {}, expected true or false", key, value.dump()));
    return value.get<bool>() ? "true" : "";
  }
  if (value.is_string()) {
    auto text = value.get<std::string>();
    if (text.empty()) throw Error(fmt::format("'{}' is empty (it stands for nothing)", key));
    return text;
  }
  if (value.is_number_integer()) return value.dump();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  throw Error(fmt::format("'{}' is {}, expected a text or a number", key, value.dump().substr(0, 40)));
}

/// What a key lists; "1..8" of counts is a list as well.
std::vector<std::string> values_of(std::string const& key, Json const& value, Option const& option) {
  std::vector<std::string> values;
  if (value.is_array()) {
    if (value.empty()) throw Error(fmt::format("'{}' is an empty list (no task would be left)", key));
    for (Json const& each : value)
      for (std::string& text : values_of(key, each.is_array() ? Json(each.dump()) : each, option))
        values.push_back(std::move(text));
    return values;
  }
  std::string const text = text_of(key, value, option);
  if (option.kind != Kind::counts && option.kind != Kind::count) return {text};
  try {
    for (std::int64_t const count : parse_counts(text)) values.push_back(std::to_string(count));
  } catch (Error const& error) {
    throw Error(fmt::format("'{}'", key), error);
  }
  return values;
}

/// What a key is that there is not, with a hint at what may have been meant: an option of the command line, a grid.
Error no_key(std::string const& key, std::vector<std::string> const& known) {
  std::vector<std::string_view> names(known.begin(), known.end());
  Error const unknown = unknown_name("key", key, names);
  std::string option = "--" + key;
  std::ranges::replace(option, '_', '-');
  for (OptionGroup const& group : all_groups(sweep_command()))
    for (Option const& each : group.options)
      if (each.name == option)
        return Error(unknown.problem(), fmt::format("it is for all tasks: draftgauge sweep FILE {}", usage(each)));
  if (contains(known, option.substr(2)))
    return Error(unknown.problem(), fmt::format("write it {}", option.substr(2)));
  std::string_view const grid[] = {"grid"};
  if (unknown.hint().empty() && !nearest_names(key, grid).empty())
    return Error(unknown.problem(), "write [[grid]] above the keys of each grid");
  return unknown;
}

/// Adds the tasks of one grid, whose keys and those above it are `table`.
void add_grid(Json const& table, std::vector<Given>& tasks) {
  std::vector<Option> const axes = sweep_axes(), constants = sweep_constants();
  std::vector<std::string> known;
  for (auto const* options : {&axes, &constants})
    for (Option const& option : *options) known.push_back(key_of(option.name));
  for (auto const& [key, value] : table.items())
    if (!contains(known, key)) throw no_key(key, known);

  Given first;
  for (Option const& option : constants) {
    std::string const key = key_of(option.name);
    if (!table.contains(key)) continue;
    bool const law = option.kind == Kind::numbers;  // whose one value may be written as a list
    if (table[key].is_array() && !law)
      throw Error(fmt::format("'{}' is a list (all tasks of a grid have one)", key), "write a [[grid]] for each");
    std::string const text = table[key].is_array()
                                 ? fmt::format("{}", fmt::join(values_of(key, table[key], option), ","))
                                 : text_of(key, table[key], option);
    if (!text.empty()) first[option.name] = {text};
  }
  std::vector<Given> grid{std::move(first)};
  for (Option const& option : axes) {
    std::string const key = key_of(option.name);
    if (!table.contains(key)) continue;
    auto const values = values_of(key, table[key], option);
    if (tasks.size() + grid.size() * values.size() > most_tasks)
      throw Error(fmt::format("there are more than {} tasks (nobody reads such a table)", most_tasks),
                  "write several files");
    std::vector<Given> product;
    for (Given const& task : grid) {
      for (std::string const& value : values) {
        product.push_back(task);
        if (!value.empty()) product.back()[option.name] = {value};
      }
    }
    grid = std::move(product);
  }
  tasks.insert(tasks.end(), grid.begin(), grid.end());
}

SweepFile tasks_in(Json table) {
  if (!table.is_object()) throw Error("it is no table of keys");
  Json grids = Json::array({Json::object()});
  if (table.contains("grid")) {
    grids = table["grid"];
    table.erase("grid");
    if (!grids.is_array() || grids.empty() ||
        !std::ranges::all_of(grids, [](auto const& g) { return g.is_object(); }))
      throw Error("'grid' is no list of tables (each is a grid of tasks)", "write [[grid]] above each");
  }
  SweepFile file;
  for (Json const& grid : grids) {
    Json whole = table;
    whole.update(grid);
    add_grid(whole, file.tasks);
  }
  for (Option const& option : sweep_axes()) {
    auto const differs = [&](Given const& task) {
      return value_in(task, option.name) != value_in(file.tasks.front(), option.name);
    };
    if (std::ranges::any_of(file.tasks, differs)) file.axes.push_back(option.name);
  }
  return file;
}

/// The library takes the last of two equal keys; TOML refuses them.
Json json_of(std::string_view text) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  auto const watch = [&](int, Json::parse_event_t event, Json& key) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(key.get<std::string>()).second)
      throw Error(fmt::format("'{}' stands twice (which of the two counts would be a guess)", key.get<std::string>()),
                  "keep one");
    return true;
  };
  return Json::parse(text, watch);
}

Json parsed(std::string_view text) {
  std::size_t const begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) throw Error("it is empty");
  if (text[begin] != '{') return json_of_toml(text);
  try {
    return json_of(text);
  } catch (nlohmann::json::exception const& error) {
    std::string_view what = error.what();
    what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
    throw Error(fmt::format("it is not JSON ({})", what));
  }
}

}  // namespace

std::string key_of(std::string const& option) { return option == "SOURCE" ? "source" : option.substr(2); }

std::vector<Option> sweep_axes() {
  return options_named({"SOURCE", "--start", "--contexts", "--temperature", "--rule", "--drafter", "--policy",
                        "--gamma", "--candidates", "--tree", "--continue"});
}

std::vector<Option> sweep_constants() {
  return options_named(
      {"--p", "--q", "--normalise", "--rounds", "--rounds-per-trial", "--cost", "--ops-cost", "--no-bonus"});
}

std::string value_in(Given const& task, std::string const& option) {
  auto const found = task.find(option);
  return found == task.end() ? std::string() : found->second.front();
}

SweepFile read_sweep(std::string const& path) {
  MappedFile const file(path);
  try {
    if (file.bytes().size() > longest_file) throw Error("it is larger than 16 MiB (a list of tasks is not)");
    return tasks_in(parsed(file.text()));
  } catch (InputError const&) {
    throw;
  } catch (Error const& error) {
    throw InputError(path, error);
  }
}

}  // namespace draftgauge
