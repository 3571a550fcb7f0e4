#include "analysis/counters/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "analysis/cards/card.h"
#include "analysis/counters/card_formats.h"
#include "analysis/counters/difference.h"
#include "analysis/counters/format_files.h"
#include "analysis/counters/json_fields.h"
#include "analysis/counters/prometheus.h"
#include "analysis/counters/read_counters.h"
#include "analysis/engines/engines.h"
#include "analysis/recordings/format_names.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/record_kinds.h"
#include "analysis/recordings/text_file.h"
#include "analysis/stats/counted.h"
#include "sim/base/error.h"
#include "sim/base/letters.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

constexpr std::string_view no_settings = "No settings are printed";

EngineCounters empty(CounterFormat const& format, std::string const& file) {
  EngineCounters counters;
  counters.engine = format.engine;
  counters.format = format.name;
  counters.writers = format.writers;
  counters.file = file;
  if (!format.program.empty()) take_engine(counters, format.program);
  return counters;
}

/// A response that stands twice would count as two independent requests.
void require_once(EngineCounters const& counters) {
  std::set<std::string_view> names;
  for (CountedRequest const& request : counters.requests)
    if (!request.name.empty() && !names.insert(request.name).second)
      refuse_twice(counters.file, "request " + in_quotes(request.name));
}

void finish(EngineCounters& counters) {
  CounterFormat const& format = *counter_format(counters.format);
  if (format.has_ids) require_once(counters);
  if (format.settle) format.settle(counters);
  if (!counters.requests.empty()) counters.sums = total(counters.requests);
  if (counters.requests.size() == 1 && counters.says.empty()) counters.says = counters.requests.front().says;
  complete(counters.sums);
}

CounterFormat const* format_of(nlohmann::json const& record) {
  for (CounterFormat const& format : counter_formats())
    if (format.is_record && format.is_record(record)) return &format;
  return nullptr;
}

/// What a server said went wrong, where the record is such an answer; or empty.
std::string error_in(nlohmann::json const& record) {
  std::string const words = text_or_empty(member(record, {"error"}));
  return words.empty() ? text_or_empty(member_at(record, {"error", "message"})) : words;
}

/// Whether a response has tokens that were predicted and accepted, by a field of OpenAI's.
bool has_predictions(nlohmann::json const& record) {
  nlohmann::json const* const at =
      holder(record, {"usage", "completion_tokens_details", "accepted_prediction_tokens"});
  return at && at->is_number() && at->get<double>() > 0;
}

EngineCounters read_records(std::string const& file, std::string_view text) {
  JsonRecords records(file, text);
  CounterFormat const* format = nullptr;
  EngineCounters counters;
  std::uint64_t bare = 0;
  std::string error, predicted;
  while (records.next()) {
    // Most often it is of the format of those before it.
    CounterFormat const* const of = format && format->is_record(records.value()) ? format : format_of(records.value());
    if (!of && is_bare_record(records.value())) {
      ++bare;
      if (error.empty()) error = error_in(records.value());
      if (predicted.empty() && has_predictions(records.value())) predicted = records.place();
      continue;
    }
    if (!of)
      throw InputError(
          fmt::format("{}: unknown format of counters: it has {}", records.place(), keys_of(records.value())),
          "`draftgauge list counters` names what is read");
    if (!format) counters = empty(*(format = of), file);
    if (!of->take) {  // its records make sense together alone
      of->read(file, text, counters);
      return counters;
    }
    if (of != format)
      throw InputError(fmt::format("{}: it is of {}, records before it are of {} (a file is of one kind)",
                                   records.place(), of->name, format->name),
                       "give them as two files");
    of->take(records.place(), records.value(), counters);
  }
  if (!format && !error.empty())
    throw InputError(fmt::format("{}: the server answered with an error, {}", file, in_quotes(error)),
                     "ask it again");
  if (!format && !predicted.empty())
    throw InputError(predicted +
                         ": accepted_prediction_tokens may be drafts, or tokens of OpenAI's Predicted Outputs: it does not "
                         "say who wrote them",
                     "if the server counts its drafts there, say so by a card of its own: `format-card`");
  if (!format && bare > 0)
    throw InputError(
        fmt::format("{}: {}, and none counts drafts (the server was not asked to)", file, counted(bare, "response")),
        "start it with speculation, and what makes responses count it (docs/engines.md)");
  if (!format) throw InputError(file + ": there is no record in it (an engine writes some)", "run it again");
  if (bare > 0)
    counters.notes.push_back(
        fmt::format("{} without counts of drafts {} left out.", counted(bare, "response"), bare == 1 ? "is" : "are"));
  return counters;
}

/// A card stays where it is, since formats have its texts.
std::deque<Card>& all_cards() {
  static std::deque<Card> cards;
  return cards;
}

struct TextFormats {
  CounterFormat const* first = nullptr;
  std::vector<std::string_view> others = {};  ///< of the same engine, of which prints stand in the text, too
};

/// The format of a text. Throws InputError where lines of another engine stand in it, too: they would be passed over.
TextFormats formats_of_text(std::string const& file, std::string_view text) {
  TextFormats all;
  CounterFormat const*& found = all.first;
  for (CounterFormat const& each : counter_formats()) {
    if (!each.is_text || !each.is_text(text)) continue;
    if (found && contains(each.holds, found->name)) found = nullptr;
    if (found && contains(found->holds, each.name)) continue;
    if (found && (found->engine != each.engine || found->program != each.program))
      throw InputError(
          fmt::format("{}: it has lines of two engines, {} and {} (counts are of one)", file, found->name, each.name),
          "give each engine's lines as a file of its own");
    if (found)
      all.others.push_back(each.name);
    else
      found = &each;
  }
  if (!found)
    throw InputError(
        fmt::format("{}: it is no engine's output that is known (`draftgauge list counters` names these)", file),
        "give the program's output, with its statistics at the end");
  return all;
}

}  // namespace

namespace {

/// A program is an engine where a card is of it.
void set_engine(CounterFormat& format) {
  if (EngineCard const* const engine = engine_called(format.program)) {
    format.engine = engine->name;
    format.program = {};
  }
  if (!format.writers.empty() || format.own_program || format.engine.empty()) return;
  if (EngineRun const* const run = engine_card(format.engine).run()) format.writers = {run->name};
}

std::vector<CounterFormat>& all_formats() {
  static std::vector<CounterFormat> all = [] {
    std::vector<CounterFormat> formats = {
#define FORMAT(name) formats::name(),
#include "analysis/counters/list.inc"
#undef FORMAT
    };
    for (CardFile const& file : card_files())
      formats.push_back(card_format(all_cards().emplace_back(read_card(std::string(file.name), file.text, true))));
    for (CounterFormat& format : formats) set_engine(format);
    return formats;
  }();
  return all;
}

}  // namespace

std::span<CounterFormat const> counter_formats() { return all_formats(); }

std::vector<std::string> given_cards() {
  std::vector<std::string> names;
  for (Card const& card : all_cards())
    if (card.is_given) names.push_back(card.name);
  return names;
}

void add_format_card(std::string const& file, std::string_view text) {
  std::vector<CounterFormat>& formats = all_formats();
  static std::map<std::string, std::string, std::less<>> added;  // by name their texts: one may be asked for again
  Card card = read_card(file, text);
  card.is_given = true;
  if (auto const before = added.find(card.name); before != added.end() && before->second == text) return;
  if (counter_format(card.name))
    throw InputError(fmt::format("{}: there is a format {} already", file, in_quotes(card.name)), "give it another name");
  if (!card.engine.empty() && !contains(settable_engines(), card.engine))
    throw InputError(fmt::format("{}: there is no engine {}", file, in_quotes(card.engine)),
                     fmt::format("write one of {}, or program = \"…\"", joined(settable_engines())));
  for (std::string const& held : card.holds)
    if (!counter_format(held))
      throw InputError(fmt::format("{}: there is no format {}", file, in_quotes(held)),
                       "`draftgauge list counters` names all");
  added[card.name] = text;
  CounterFormat format = card_format(all_cards().emplace_back(std::move(card)));
  set_engine(format);
  formats.insert(formats.begin(), std::move(format));
}

bool says_no_settings(std::string_view note) { return note.starts_with(no_settings); }

void take_engine(EngineCounters& counters, std::string_view name) {
  counters.engine.clear();
  counters.writers.clear();
  EngineCard const* const card = engine_called(name);
  if (!card) {
    add_once(counters.notes, fmt::format("{}: {} counted this, and none are known for it.", no_settings, name));
    return;
  }
  counters.engine = card->name;
  if (card->run()) counters.writers.push_back(card->run()->name);
}

CounterFormat const* counter_format(std::string_view name) {
  auto const found = std::ranges::find(counter_formats(), name, &CounterFormat::name);
  return found == counter_formats().end() ? nullptr : &*found;
}

std::string_view word_of(EngineCounters const& counters, Rate rate) {
  CounterFormat const* const format = counter_format(counters.format);
  if (!format) return {};
  auto const word = std::ranges::find(format->words, rate, &RateWord::rate);
  return word == format->words.end() ? std::string_view() : word->word;
}

std::string counter_engines() {
  std::vector<std::string_view> engines;
  for (CounterFormat const& format : counter_formats())
    if (!format.engine.empty()) add_once(engines, engine_card(format.engine).title);
  return joined(engines);
}

std::string counter_words_at_once() {
  return joined(
      counter_formats() | std::views::filter([](CounterFormat const& each) { return !each.at_once.empty(); }),
      [](CounterFormat const& each) { return fmt::format("{} of {}", each.at_once, each.name); });
}

std::string counter_formats_with_times() {
  return joined(counter_formats() | std::views::filter([](CounterFormat const& each) {
                  return each.times_sequences || each.times_tokens;
                }),
                &CounterFormat::name);
}

bool is_counter_record(nlohmann::json const& record) {
  return format_of(record) != nullptr || is_prometheus_answer(record);
}

bool is_bare_record(nlohmann::json const& record) {
  return std::ranges::any_of(counter_formats(),
                             [&](CounterFormat const& format) { return format.is_bare && format.is_bare(record); });
}

bool is_counter_text(std::string_view text) {
  return is_grafana_table(text) || std::ranges::any_of(counter_formats(), [&](CounterFormat const& format) {
           return format.is_text && format.is_text(text);
         });
}

namespace {

/// Signs of a schedule of verification: SGLang's log, and its responses.
constexpr std::string_view uncapped_sign = "est uncap acc len";
constexpr std::string_view trimmed_signs[] = {uncapped_sign, "spec_cap_length", "spec_block_accept_length"};

/// What SGLang estimates that a round would give were all drafts verified, "est uncap acc len: 3.1 [2.9, 3.3]": the mean over
/// its lines, in words; empty where there is none.
std::string uncapped_text(std::string_view text) {
  double sums[3] = {}, lines = 0;
  for (std::size_t at = text.find(uncapped_sign); at != text.npos; at = text.find(uncapped_sign, at + 1)) {
    std::string_view rest = text.substr(at + uncapped_sign.size());
    rest = rest.substr(0, rest.find('\n'));
    double line[3];
    bool whole = true;
    for (auto const& [begin, number] : {std::pair(": ", 0), std::pair(" [", 1), std::pair(", ", 2)}) {
      if (!rest.starts_with(begin)) whole = false;
      rest.remove_prefix(std::min(rest.size(), std::string_view(begin).size()));
      std::size_t const end = std::min(rest.find_first_not_of("0123456789."), rest.size());
      auto const value = parse_real(rest.substr(0, end));
      whole = whole && value.has_value();
      line[number] = value.value_or(0);
      rest.remove_prefix(end);
    }
    if (!whole) continue;
    for (int i = 0; i < 3; ++i) sums[i] += line[i];
    ++lines;
  }
  if (lines == 0) return {};
  return fmt::format("; with all drafts verified it estimates {:.2f} [{:.2f}, {:.2f}] tokens per round", sums[0] / lines,
                     sums[1] / lines, sums[2] / lines);
}

EngineCounters counters_in(std::string const& file, std::string_view text) {
  EngineCounters counters;
  auto const read_text = [&](std::string_view page) {
    auto const [format, others] = formats_of_text(file, page);
    counters = empty(*format, file);
    format->read(file, page, counters);
    if (!others.empty())  // most often of the same rounds: added up they would count twice
      counters.notes.push_back(fmt::format(
          "The file has {}, too. Only {} is counted: give each as a file of its own.", joined(others), format->name));
  };
  auto const read_pages = [&](ScrapedPages const& pages) {
    read_text(pages.page);
    if (pages.earlier.empty()) return;
    finish(counters);
    EngineCounters const last = std::move(counters);
    read_text(pages.earlier);
    finish(counters);
    counters = difference(counters, last);
    counters.earlier.clear();  // it is the same file
    counters.notes = {"This file samples several times: counts are from the first sample to the last."};
    if (pages.falls > 0)
      counters.notes.emplace_back(
          "A counter fell between two samples: the server restarted. Counts go on from there, as by Prometheus' "
          "increase().");
  };
  if (is_grafana_table(text)) {
    read_pages(pages_of_grafana(file, text));
    return counters;
  }
  if (!JsonRecords::looks_like_json(text)) {
    read_text(text);
  } else if (JsonRecords records(file, text); records.next() && is_prometheus_answer(records.value())) {
    ScrapedPages const pages = pages_of_answer(records.place(), records.value());
    if (records.next())
      refuse_record(records.place(), "it is a second answer of Prometheus", "a scrape is one",
                    "give them as two files");
    read_pages(pages);
    if (!pages.earlier.empty()) return counters;
  } else {
    counters = read_records(file, text);
  }
  finish(counters);
  return counters;
}

}  // namespace

EngineCounters read_counters(std::string const& file, std::string_view bytes) {
  std::string_view const text = text_of(file, bytes);
  EngineCounters counters = counters_in(file, text);
  if (counters.engine != "sglang") return counters;
  auto const sign = std::ranges::find_if(trimmed_signs, [&](std::string_view each) { return text.find(each) != text.npos; });
  if (sign != std::end(trimmed_signs)) counters.trimmed = fmt::format("it prints {}{}", *sign, uncapped_text(text));
  return counters;
}

}  // namespace draftgauge
