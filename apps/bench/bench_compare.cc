#include "apps/bench/bench_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/recordings/json_records.h"
#include "analysis/report/field.h"
#include "apps/output/progress.h"
#include "sim/base/error.h"
#include "sim/base/mapped_file.h"

namespace draftgauge {
namespace {

[[noreturn]] void refuse(std::string const& place, std::string const& problem) {
  throw InputError(fmt::format("{}: {} (nothing to compare with)", place, problem),
                   "give a file that draftgauge bench --json wrote");
}

std::string text_of(std::string const& place, nlohmann::json const& object, char const* name) {
  nlohmann::json const* found = member(object, {name});
  if (!found || !found->is_string()) refuse(place, fmt::format("{} is missing or no text", name));
  return found->get<std::string>();
}

std::optional<double> positive(std::string const& place, nlohmann::json const& object, char const* name) {
  nlohmann::json const* found = member(object, {name});
  if (!found) return {};
  double const value = real_of(place, name, *found);
  if (!std::isfinite(value) || value <= 0) refuse(place, fmt::format("{} is {}, not above 0", name, shown(*found)));
  return value;
}

bool same(auto const& a, auto const& b) { return a.name == b.name && a.baseline == b.baseline; }

EarlierBench::Row row_of(std::string const& place, nlohmann::json const& object) {
  auto const rate = positive(place, object, "rate");
  if (!rate) refuse(place, "rate is missing");
  return {text_of(place, object, "name"), text_of(place, object, "baseline"), *rate,
          positive(place, object, "ratio")};
}

/// A row of either run beside that of the other, in this run's order and then the earlier one's.
struct Pair {
  std::string name, baseline;
  EarlierBench::Row const* before = nullptr;
  bench::Row const* now = nullptr;

  std::optional<double> ratio_before() const { return before ? before->ratio : std::nullopt; }
  std::optional<double> ratio_now() const { return now ? now->ratio() : std::nullopt; }
  std::optional<double> rate_before() const { return before ? std::optional(before->rate) : std::nullopt; }
  std::optional<double> rate_now() const { return now ? std::optional(now->rate) : std::nullopt; }
  std::string missing() const {
    if (!now) return "only before";
    if (!before) return "only now";
    return now->ratio() ? "no ratio before" : before->ratio ? "no ratio now" : "no ratio";
  }
};

std::vector<Pair> pairs_of(EarlierBench const& before, std::vector<bench::Row> const& now) {
  std::vector<Pair> pairs;
  for (bench::Row const& row : now) {
    auto const found = std::ranges::find_if(before.rows, [&](auto const& earlier) { return same(earlier, row); });
    pairs.push_back({row.name, row.baseline, found == before.rows.end() ? nullptr : &*found, &row});
  }
  for (EarlierBench::Row const& row : before.rows)
    if (std::ranges::none_of(now, [&](auto const& later) { return same(later, row); }))
      pairs.push_back({row.name, row.baseline, &row, nullptr});
  return pairs;
}

/// "+3.1 %"; nothing where one is unknown.
std::optional<std::string> change_text(std::optional<double> before, std::optional<double> now) {
  if (!before || !now) return std::nullopt;
  return fmt::format("{:+.1f} %", 100 * (*now / *before - 1));
}

/// rates: whether people see them, too.
Fields<Pair> pair_fields(bool rates) {
  auto const ratio_change = [](Pair const& pair) {
    return change_text(pair.ratio_before(), pair.ratio_now()).value_or(pair.missing());
  };
  auto const rate_change = [](Pair const& pair) { return change_text(pair.rate_before(), pair.rate_now()); };
  auto const short_rate = [](auto rate) {
    return [rate](Pair const& pair) {
      auto const value = std::invoke(rate, pair);
      return value ? std::optional(short_count(*value)) : std::nullopt;
    };
  };
  FieldForm const right{.align = Align::right, .table_only = true};
  Fields<Pair> fields{{"name", "row", &Pair::name},
                      {"baseline", "baseline", &Pair::baseline},
                      {"ratio_before", "ratio before", &Pair::ratio_before, {.decimals = 2}},
                      {"ratio_now", "now", &Pair::ratio_now, {.decimals = 2}},
                      {"ratio_change", "change", ratio_change, right},
                      {"rate_before", &Pair::rate_before},
                      {"rate_now", &Pair::rate_now}};
  if (!rates) return fields;
  fields.push_back({"rate_before", "rate before", short_rate(&Pair::rate_before), right});
  fields.push_back({"rate_now", "now", short_rate(&Pair::rate_now), right});
  fields.push_back({"rate_change", "change", rate_change, right});
  return fields;
}

}  // namespace

EarlierBench read_bench(std::string const& path) {
  MappedFile const file(path);
  JsonRecords records(path, file.text());
  if (!records.next()) refuse(path, "the file is empty");
  nlohmann::json const document = records.value();
  nlohmann::json const* const command = member(document, {"command"});
  if (!command || *command != "bench") refuse(path, "this is no result of bench");
  nlohmann::json const* const rows = member(document, {"rows"});
  if (!rows || !rows->is_array()) refuse(path, "it has no rows");
  nlohmann::json const* const processor = member_at(document, {"machine", "processor"});
  EarlierBench earlier{processor && processor->is_string() ? processor->get<std::string>() : "unknown", {}};
  for (nlohmann::json const& object : *rows) {
    std::string const place = fmt::format("{}, row {}", path, earlier.rows.size() + 1);
    EarlierBench::Row row = row_of(place, object);
    if (std::ranges::any_of(earlier.rows, [&](auto const& other) { return same(other, row); }))
      refuse(place, fmt::format("there is a second row '{}' beside '{}'", row.name, row.baseline));
    earlier.rows.push_back(std::move(row));
  }
  if (records.next()) refuse(records.place(), "there is more than one result");
  return earlier;
}

Json bench_changes(EarlierBench const& before, std::vector<bench::Row> const& now) {
  return rows_of(pair_fields(false), pairs_of(before, now)).array();
}

Section changes_section(EarlierBench const& before, std::vector<bench::Row> const& now, std::string const& processor,
                        bool rates) {
  Section section{.heading = "Beside the earlier run",
                  .table = rows_of(pair_fields(rates), pairs_of(before, now)).table()};
  if (before.processor != processor)
    section.note(fmt::format("The earlier run was on another processor ({}): even ratios differ between processors.",
                             before.processor));
  return section;
}

}  // namespace draftgauge
