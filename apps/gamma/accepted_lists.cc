#include "apps/gamma/accepted_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "analysis/counters/ordered.h"
#include "analysis/stats/counted.h"
#include "analysis/stats/kaplan_meier.h"
#include "apps/cli/written_values.h"
#include "apps/counters/counters_input.h"
#include "apps/options/number_options.h"
#include "sim/base/error.h"
#include "sim/base/lists.h"
#include "sim/base/mapped_file.h"
#include "sim/base/shell_word.h"

namespace draftgauge {
namespace {

/// Of consecutive words, or of a file.
struct Piece {
  std::string text;  ///< the words with blanks between them, or the path
  bool is_file = false;
};

/// Lists as numbers with commas between them. rows: brackets hold them together, or semicolons stand between them.
struct Lists {
  std::vector<std::string> each = {};
  bool rows = false;
};

std::vector<Piece> pieces_of(Invocation const& args, std::string_view option, std::string_view takes) {
  std::vector<Piece> pieces;
  for (std::string const& word : args.texts(option)) {
    bool const is_file = is_there(word);
    bool const only_signs = word.find_first_not_of("[],; ") == word.npos;
    if (!is_file && !only_signs && value_shape(word, "[]; kMGT") != ValueShape::numbers)
      refuse_absent(word, fmt::format("{} takes {}, or a file with a row of them a request", option, takes));
    if (is_file || pieces.empty() || pieces.back().is_file)
      pieces.push_back({word, is_file});
    else
      pieces.back().text += " " + word;
  }
  return pieces;
}

/// Words that are a number each are one list; one that ends in a comma goes on in the next.
std::vector<std::string> lists_of_words(std::string const& text) {
  std::vector<std::string> lists;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    bool const goes_on = !lists.empty() && (lists.back().ends_with(',') || word.starts_with(','));
    goes_on ? lists.back() += word : lists.emplace_back(word);
  }
  bool const numbers = std::ranges::none_of(lists, [](auto const& each) { return each.find(',') != each.npos; });
  return numbers && !lists.empty() ? std::vector{joined(lists, {}, ",")} : lists;
}

/// Lists as Python prints them, [3, 0, 4] or [[3, 0], [4]], or without brackets.
Lists lists_in(std::string_view option, std::string const& text) {
  bool const bracketed = text.find_first_of("[]") != text.npos;
  Lists lists;
  int depth = 0;
  std::string here;
  auto const end = [&] {
    if (bracketed) {  // around which commas are between lists
      here.erase(0, here.find_first_not_of(", "));
      here.erase(here.find_last_not_of(", ") + 1);
    }
    auto found = lists_of_words(std::exchange(here, {}));
    if (depth > 0 && !found.empty()) found = {joined(found, {}, ",")};
    if (found.empty() && !bracketed) found.emplace_back();  // which its reader refuses
    lists.each.insert(lists.each.end(), found.begin(), found.end());
  };
  for (char const c : text) {
    bool const bracket = c == '[' || c == ']';
    if (bracket || c == ';') end();
    if (!bracket && c != ';') here += c;
    if (bracket) depth += c == '[' ? 1 : -1;
    lists.rows = lists.rows || c == ';' || depth == 2;
    if (depth < 0 || depth > 2) break;
  }
  if (depth != 0)
    throw UsageError(fmt::format("{} {}: its brackets do not match", option, text), "write each list as [3,0,4,1]");
  end();
  return lists;
}

std::vector<std::int64_t> numbers_in(std::string_view option, std::string const& list, bool histogram) {
  try {
    auto numbers = parse_counts(list);
    if (histogram) require_histogram(numbers);
    return numbers;
  } catch (Error const& error) {
    throw UsageError(fmt::format("{}: {}", option, error.problem()),
                     histogram ? error.hint() : "write what each round accepted, such as 3,0,4,1");
  }
}

/// Histograms of requests at one length are as long as each other, lists of their rounds are not.
void require_histograms(std::string const& text, RequestCounts const& rows) {
  constexpr std::size_t longest_usual = 17;  // γ + 1
  std::size_t const size = rows.front().size();
  bool const alike = rows.size() > 1 && size <= longest_usual &&
                     std::ranges::all_of(rows, [&](auto const& row) { return row.size() == size; });
  if (alike || !std::ranges::all_of(rows, could_be_rounds)) return;
  std::string const shown = text.size() <= 40 ? text : "…";
  std::string const pasted = shown == text ? shell_file(text) : shown;
  throw UsageError(
      fmt::format("{} {} can be read in two ways (as {} counts of rounds by accepted drafts, γ = {}, or as {} rounds "
                  "with what each accepted)",
                  accepted_either, shown, size, size - 1, size),
      fmt::format("write {} {} for the first, {} {} for the second", accepted_histogram, pasted,
                  accepted_rounds, pasted));
}

}  // namespace

Option survival_option() {
  return {.name = "--survival",
          .kind = Kind::probabilities,
          .summary = "P(the first i drafts are kept) for i = 1, 2, …, as vLLM's \"Per-position acceptance rate\": "
                     ".8,.65,.5"};
}

std::vector<Option> accepted_count_options() {
  return {{.name = accepted_either,
           .kind = Kind::text,
           .value = "COUNTS|FILE",
           .summary = "rounds that kept 0, 1, … γ drafts: 30,20,10,40; several lists for several γ, each chosen "
                      "without regard to what would be kept. Better by request: a file with a row of counts a "
                      "request (CSV, TSV or JSON lines), or rows with ; between them, for intervals over "
                      "requests. Refused where the numbers could be rounds",
           .many = true},
          {.name = accepted_histogram,
           .kind = Kind::text,
           .value = "COUNTS|FILE",
           .summary = "the same, also where the numbers could be rounds",
           .many = true},
          {.name = accepted_rounds,
           .kind = Kind::text,
           .value = "LIST|FILE",
           .summary = "what each round accepted, in their order, without the token after the drafts: 3,0,4,1,…; "
                      "several lists, or a file with a row each, are requests. --draft-length says how far drafts "
                      "went; not given, the most that a round accepted",
           .many = true}};
}

std::string_view one_way(Invocation const& args, std::span<char const* const> ways) {
  std::string_view given;
  for (char const* each : ways) {
    if (!args.has(each)) continue;
    if (!given.empty())
      throw UsageError(
          fmt::format("{} and {} both say what is accepted (which of the two counts would be a guess)", given, each),
          "keep one");
    given = each;
  }
  return given;
}

AcceptedCounts accepted_counts(Invocation const& args, std::string_view option) {
  AcceptedCounts counts;
  auto const take = [&](std::string const& text, RequestCounts rows, bool of_requests) {
    if (option == accepted_either) require_histograms(text, rows);
    counts.by_request = counts.by_request || of_requests;
    for (auto& row : rows) counts.rows.push_back(std::move(row));
  };
  for (auto const& [text, is_file] : pieces_of(args, option, "counts such as 30,20,10,40")) {
    if (is_file) {
      take(text, read_request_counts(text, MappedFile(text).text()), true);
      continue;
    }
    Lists const lists = lists_in(option, text);
    RequestCounts rows;
    for (std::string const& list : lists.each) rows.push_back(numbers_in(option, list, true));
    if (lists.rows)
      take(text, std::move(rows), true);
    else
      for (std::size_t i = 0; i < rows.size(); ++i) take(lists.each[i], {rows[i]}, false);
  }
  auto const has_rounds = [](auto const& row) {
    return std::ranges::any_of(row, [](auto count) { return count > 0; });
  };
  auto const with_rounds = std::ranges::count_if(counts.rows, has_rounds);
  if (with_rounds == 0)
    throw UsageError(fmt::format("{} counts no round (there is nothing to estimate from)", option),
                     "give counts above 0");
  counts.by_request = counts.by_request && with_rounds > 1;
  return counts;
}

EngineCounters rounds_given(Invocation const& args) {
  RequestRounds requests;
  for (auto const& [text, is_file] :
       pieces_of(args, accepted_rounds, "what each round accepted, such as 3,0,4,1")) {
    if (is_file) {
      for (auto& row : read_request_rounds(text, MappedFile(text).text())) requests.push_back(std::move(row));
    } else {
      for (std::string const& list : lists_in(accepted_rounds, text).each)
        requests.push_back(numbers_in(accepted_rounds, list, false));
    }
  }
  std::int64_t most = 0;
  for (auto const& rounds : requests) most = std::max(most, std::ranges::max(rounds));
  if (std::cmp_greater(most, most_positions))
    throw UsageError(fmt::format("{}: a round accepted {} drafts (no engine drafts more than {})", accepted_rounds,
                                 most, most_positions),
                     "give what each round accepted, from 0 on");
  auto const said = draft_length_said(args);
  if (said) at_most("--draft-length", *said, most_positions);
  if (said && *said < most)
    throw UsageError(fmt::format("--draft-length is {}, and a round accepted {} (no round accepts more than it drafts)",
                                 *said, most),
                     "give the length that the engine was set to");
  EngineCounters counters = counters_of_rounds(requests, said.value_or(std::max<std::int64_t>(most, 1)));
  auto const words = args.texts(accepted_rounds);
  if (words.size() == 1 && is_there(words.front())) counters.file = words.front();
  return counters;
}

void add_assumed_length(Result& result, Invocation const& args, EngineCounters const& counters) {
  if (args.has("--draft-length")) return;
  std::string const words = fmt::format(
      "The draft length is taken to be {} a round, {}. --draft-length says it where it was longer.",
      counted(static_cast<std::uint64_t>(*counters.draft_length), "token"),
      *counters.sums.accepted > 0 ? "the most that a round accepted" : "as no round accepted any");
  result.sections.front().note(words);
  result.document["notes"].push_back(words);
}

}  // namespace draftgauge
