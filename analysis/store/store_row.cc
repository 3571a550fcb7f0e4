#include "analysis/store/store_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "analysis/store/stored_counts.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/printable.h"
#include "sim/base/sha256.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

constexpr std::string_view row_start = R"({"schema":"draftgauge/store",)";
constexpr std::string_view seal_start = R"(,"checksum":")";
constexpr std::string_view seal_end = R"("})";
constexpr std::size_t seal_digits = 16;
constexpr std::array<std::string_view, 4> follow_names = {"bag", "markov", "path", "prefix"};  // in Follow's order

std::string checksum(std::string_view body) { return sha256_hex(body).substr(0, seal_digits); }

[[noreturn]] void no_row(std::string const& place) {
  throw InputError(place + ": this is no row of a store (rows are what draftgauge simulate `store` writes)",
                   "check the path");
}

constexpr std::string_view why_bad = "what is made of it could be wrong";
constexpr std::string_view delete_it = "delete this line, and what it held is played anew";

[[noreturn]] void bad_row(std::string const& place, std::string const& problem) {
  throw InputError(fmt::format("{}: {} ({})", place, problem, why_bad), delete_it);
}

/// The line without its checksum, which is right.
std::string_view unsealed(std::string const& place, std::string_view line) {
  if (!line.starts_with(row_start)) no_row(place);
  std::size_t const seal = seal_start.size() + seal_digits + seal_end.size();
  std::string_view const body = line.substr(0, line.size() - std::min(seal, line.size()));
  if (line != std::string(body) + std::string(seal_start) + checksum(body) + std::string(seal_end))
    bad_row(place, "the row is damaged: its checksum is another");
  return body;
}

/// The members of a JSON object, each checked as it is read.
class Members {
 public:
  Members(std::string const& place, Json const& object) : place_(place), object_(object) {}

  Json const& operator[](char const* name) const {
    auto const found = object_.is_object() ? object_.find(name) : object_.end();
    if (found == object_.end()) bad_row(place_, fmt::format("the row lacks '{}'", name));
    return *found;
  }
  std::string text(char const* name) const {
    if (!(*this)[name].is_string()) wrong(name, "a text");
    return (*this)[name].get<std::string>();
  }
  std::uint64_t count(char const* name, std::uint64_t least, std::uint64_t most) const {
    Json const& value = (*this)[name];
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most)
      wrong(name, fmt::format("{} to {}", least, most));
    return value.get<std::uint64_t>();
  }
  double probability(char const* name) const {
    Json const& value = (*this)[name];
    if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= 1)) wrong(name, "0 to 1");
    return value.get<double>();
  }
  Range range(char const* name) const {
    Json const& value = (*this)[name];
    if (!value.is_array() || value.size() != 2 || !value[0].is_number_unsigned() || !value[1].is_number_unsigned() ||
        value[0].get<std::uint64_t>() >= value[1].get<std::uint64_t>())
      wrong(name, "[a,b] with a < b");
    return {value[0].get<std::uint64_t>(), value[1].get<std::uint64_t>()};
  }
  std::vector<std::int64_t> integers(char const* name) const {
    Json const& value = (*this)[name];
    auto const fits = [](Json const& each) {
      return each.is_number_integer() && !(each.is_number_unsigned() && each.get<std::uint64_t>() >> 63);
    };
    if (!value.is_array() || !std::ranges::all_of(value, fits)) wrong(name, "a list of integers");
    return value.get<std::vector<std::int64_t>>();
  }
  [[noreturn]] void wrong(char const* name, std::string const& expected) const {
    std::string const found = (*this)[name].dump(-1, ' ', false, Json::error_handler_t::replace);
    bad_row(place_, fmt::format("the row's '{}' is {} instead of {}", name, shortened(found, 40), expected));
  }

 private:
  std::string const& place_;
  Json const& object_;
};

Json document_of(std::string const& place, std::string const& row) {
  try {
    return parse_json(row, {.subject = "the row", .why = why_bad, .hint = delete_it});
  } catch (Error const& error) {
    throw InputError(place, error);
  }
}

StoreRow read_row(std::string place, std::string_view line) {
  Json const form = document_of(place, std::string(unsealed(place, line)) + "}");
  Members const row(place, form);
  StoreRow read;
  read.of.seed = row.count("seed", 0, (std::uint64_t{1} << 63) - 1);
  read.range = row.range("range");
  read.version = row.text("version");
  read.backend = row.text("backend");

  Members const tables(place, row["laws"]);
  auto const follow = std::ranges::find(follow_names, tables.text("follow"));
  if (follow == follow_names.end()) tables.wrong("follow", fmt::format("one of {}", fmt::join(follow_names, ", ")));
  read.of.contexts = {static_cast<Follow>(follow - follow_names.begin()),
                      static_cast<std::uint32_t>(tables.count("rows", 1, 0xffffffff)),
                      static_cast<std::uint32_t>(tables.count("vocab", 1, max_vocab))};
  read.of.rounding = {tables.probability("max_tv"), tables.probability("mean_tv"),
                      tables.count("vanished", 0, ~std::uint64_t{0})};

  // Keys in order and no spaces, whatever the line has: the canonical form again.
  read.of.text = row["task"].dump(-1, ' ', false, Json::error_handler_t::replace);
  read.counts = row.integers("tally");
  try {
    check_counts(read.counts, read_task(read.of.text).task, read.of.contexts.vocab, read.range.size());
  } catch (InputError const& e) {
    bad_row(place, e.what());
  }
  read.of.id = row.text("id");
  if (read.of.id != task_id(read.of.text)) bad_row(place, "the row's 'id' is not that of its task");
  read.place = std::move(place);
  return read;
}

auto const by_range = [](StoreRow const& a, StoreRow const& b) { return a.range.begin < b.range.begin; };

std::string text_of(Range range) { return fmt::format("{}..{}", range.begin, range.end); }

}  // namespace

StoredTask stored_task(Simulation const& simulation, Source const& source) {
  std::string text = canonical_text(simulation, source), id = task_id(text);
  return {std::move(text), std::move(id), simulation.seed(), source.tables.contexts(), source.rounding};
}

StoreRow row_of(StoredTask const& task, Played const& played, std::string_view version, std::string_view backend) {
  return {task, played.range, stored_counts(played.tally.counts()), std::string(version), std::string(backend)};
}

std::string sealed(std::string body) {
  std::string const digits = checksum(body);
  return std::move(body) + std::string(seal_start) + digits + std::string(seal_end) + "\n";
}

std::string line_of(StoreRow const& row) {
  using Ordered = nlohmann::ordered_json;
  Contexts const& contexts = row.of.contexts;
  Rounding const& rounding = row.of.rounding;
  Ordered const form = {{"schema", "draftgauge/store"},
                        {"id", row.of.id},
                        {"task", Ordered::parse(row.of.text)},
                        {"seed", row.of.seed},
                        {"range", {row.range.begin, row.range.end}},
                        {"laws",
                         {{"follow", follow_names[static_cast<std::size_t>(contexts.follow)]},
                          {"rows", contexts.rows},
                          {"vocab", contexts.vocab},
                          {"max_tv", rounding.max_tv},
                          {"mean_tv", rounding.mean_tv},
                          {"vanished", rounding.vanished}}},
                        {"tally", row.counts},
                        {"version", row.version},
                        {"backend", row.backend}};
  std::string body = form.dump();
  body.pop_back();  // the brace, which stands behind the checksum
  return sealed(std::move(body));
}

std::size_t complete(std::string_view text) {
  std::size_t const newline = text.rfind('\n');
  return newline == text.npos ? 0 : newline + 1;
}

std::vector<StoreRow> read_rows(std::string_view file, std::string_view text) {
  std::string_view const torn = text.substr(complete(text));
  text = text.substr(0, complete(text));
  std::vector<StoreRow> rows;
  std::size_t number = 1;
  for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1, ++number) {
    end = text.find('\n', begin);
    rows.push_back(read_row(fmt::format("{}:{}", file, number), text.substr(begin, end - begin)));
  }
  // Of a file that is not a store nothing may be taken for rubbish and cut off.
  if (!torn.starts_with(row_start) && !row_start.starts_with(torn)) no_row(fmt::format("{}:{}", file, number));
  check_disjoint(rows);
  return rows;
}

void check_disjoint(std::span<StoreRow const> rows) {
  std::vector<StoreRow const*> order;
  for (StoreRow const& row : rows) order.push_back(&row);
  std::ranges::stable_sort(order, {},
                           [](StoreRow const* row) { return std::tie(row->of.id, row->of.seed, row->range.begin); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    StoreRow const &a = *order[i - 1], &b = *order[i];
    if (!a.of.same(b.of)) continue;
    if (b.range.begin < a.range.end)
      throw InputError(fmt::format("{}: trials {} overlap {} of {} (the same trial would count twice)", b.place,
                                   text_of(b.range), text_of(a.range), a.place),
                       "leave one of the two out");
    Contexts const &ours = a.of.contexts, &theirs = b.of.contexts;
    if (std::tie(ours.follow, ours.rows, ours.vocab) != std::tie(theirs.follow, theirs.rows, theirs.vocab))
      bad_row(b.place,
              fmt::format("its distributions are of another shape than those of {}, for the same task", a.place));
  }
}

std::vector<StoreRow> rows_of(std::span<StoreRow const> rows, StoredTask const& task) {
  std::vector<StoreRow> found;
  std::ranges::copy_if(rows, std::back_inserter(found), [&](StoreRow const& row) { return row.of.same(task); });
  std::ranges::sort(found, by_range);
  return found;
}

std::vector<StoreRow> rows_inside(std::span<StoreRow const> rows, Range range) {
  std::vector<StoreRow> inside;
  StoreRow const* out = nullptr;
  Range wide = range, narrow = range;
  for (StoreRow const& row : rows) {
    if (row.range.end <= range.begin || row.range.begin >= range.end) continue;
    bool const early = row.range.begin<range.begin, late = row.range.end> range.end;
    if (!early && !late) inside.push_back(row);
    if (early) wide.begin = row.range.begin, narrow.begin = row.range.end;
    if (late) wide.end = row.range.end, narrow.end = row.range.begin;
    if (!out && (early || late)) out = &row;
  }
  if (out)
    throw UsageError(fmt::format("{}: trials {} are only partly in the asked {} (a stored tally cannot be split)",
                                 out->place, text_of(out->range), text_of(range)),
                     fmt::format("ask for `range` {}{}", text_of(wide),
                                 narrow.begin < narrow.end ? " or " + text_of(narrow) : ""));
  return inside;
}

std::vector<Range> missing(std::span<StoreRow const> rows, Range range) {
  std::vector<Range> gaps;
  for (StoreRow const& row : rows) {
    if (row.range.end <= range.begin || row.range.begin >= range.end) continue;
    if (row.range.begin > range.begin) gaps.push_back({range.begin, row.range.begin});
    range.begin = std::min(row.range.end, range.end);
  }
  if (range.begin < range.end) gaps.push_back(range);
  return gaps;
}

void add(std::span<StoreRow const> rows, Tally& tally) {
  auto const counts = tally.counts();
  for (StoreRow const& row : rows)
    for_each_count(row.counts, [&](std::size_t cell, std::uint64_t count) {
      counts[cell] += count;
      if (counts[cell] >> 63)
        throw InputError(row.place + ": its counts and those of the other rows leave 64 bits (a sum would be wrong)",
                         "merge fewer rows");
    });
}

}  // namespace draftgauge
