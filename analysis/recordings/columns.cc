#include "analysis/recordings/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/recordings/certain_texts.h"
#include "analysis/recordings/column_names.h"
#include "analysis/recordings/delimited.h"
#include "analysis/recordings/json_records.h"
#include "analysis/recordings/table_numbers.h"
#include "analysis/recordings/text_file.h"
#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/base/letters.h"
#include "sim/base/limits.h"
#include "sim/base/lists.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;
using namespace columns;

/// By how much max p may lie below p of the token, relatively: room for six digits. Refused where columns are read as
/// written alone, where a logarithm of 0 may be that of temperature 0 itself: elsewhere the check of the text judges
/// them together, and tells where log p and log q are exchanged.
constexpr double max_p_rounding = 1e-5;
constexpr double infinity = std::numeric_limits<double>::infinity();

class ColumnReader {
 public:
  ColumnReader(std::string const& file, ColumnOptions const& options)
      : file_(file), as_written_(options.as_written), base_(options.base), temperature_(options.temperature) {
    if (temperature_ && !(*temperature_ >= 0 && *temperature_ < infinity)) {
      throw UsageError(fmt::format("a temperature of {} makes no distribution (it is a number ≥ 0)", *temperature_),
                       "write it like 0.6");
    }
  }

  TokenTrace read(std::string_view text) {
    Lines lines(text);
    while (lines.next()) {
      number_ = lines.number();
      std::string_view const line = trimmed(lines.line());
      if (line.empty()) continue;
      if (line.front() == '[' && header_.names.empty()) {
        read_list(text.substr(static_cast<std::size_t>(line.data() - text.data())));
        break;
      }
      if (line.size() > longest_line_of_columns) {
        refuse(fmt::format("it has {} characters", line.size()), "this takes one token a line",
               "write lines of numbers");
      }
      if (line.front() == '#') {
        read_comment(line.substr(1));
      } else if (line.front() == '{') {
        read_object(parsed(line));
      } else if (header_.names.empty()) {
        set_header(read_header(place(), lines.line()));
        numbers_ = TableNumbers(header_, lines);
      } else {
        read_fields(place(), lines.line(), header_, fields_);
        take();
      }
    }
    return finish();
  }

 private:
  std::string place() const {
    return record_ == 0 ? fmt::format("{}, line {}", file_, number_)
                        : fmt::format("{}, line {}, record {}", file_, number_, record_);
  }
  [[noreturn]] void refuse(std::string const& problem, std::string const& why, std::string const& what) const {
    refuse_record(place(), problem, why, what);
  }
  [[noreturn]] void refuse_field(Field field, std::string_view found, std::string const& expected) const {
    std::string_view const hint =
        field == log_p || field == log_q ? "correct the recording" : "correct the recording or leave the column out";
    throw InputError(fmt::format("{}: {} is {} (expected: {})", place(), name_of(field),
                                 found.empty() ? "empty" : in_quotes_with_doubt(found), expected),
                     number_hint(found, hint));
  }
  /// The column's name in this file.
  std::string const& name_of(Field field) const { return header_.names[column(field)]; }

  void set_temperature(double value) {
    if (!(value >= 0 && value < infinity))
      refuse(fmt::format("the temperature is {}", value), "temperatures are numbers ≥ 0", "correct it");
    if (temperature_ && *temperature_ != value) {
      refuse(fmt::format("the temperature is {} here, and {} elsewhere", value, *temperature_),
             "a recording is of one distribution", "give each temperature a file of its own, or correct the option");
    }
    temperature_ = value;
  }

  void read_comment(std::string_view comment) {
    std::size_t const mark = comment.find_first_of(":=");
    if (mark == comment.npos) return;
    std::string name = lower(trimmed(comment.substr(0, mark)));
    std::ranges::replace_if(name, [](char c) { return c == '_' || c == ' '; }, '-');  // transformers, vLLM: top_p
    std::string_view const text = trimmed(comment.substr(mark + 1));
    std::optional<double> const value = parse_real(text);
    auto const require = [&](bool sound, std::string const& expected) {
      if (!sound) refuse(fmt::format("the comment's {} is {}", name, in_quotes(text)), expected, "correct it");
    };
    if (name == "temperature") {
      require(value.has_value(), "expected a number");
      set_temperature(*value);
    } else if (name == "top-k") {
      constexpr double most = std::numeric_limits<std::uint32_t>::max();
      require(value && *value >= 0 && *value <= most && *value == std::floor(*value), "expected a whole number ≥ 0");
      set_cut(name, top_k_, static_cast<std::uint32_t>(*value));
    } else if (name == "top-p") {
      require(value && *value > 0 && *value <= 1, "expected a probability above 0");
      set_cut(name, top_p_, *value);
    }
  }

  template <class T>
  void set_cut(std::string const& name, std::optional<T>& cut, T value) {
    if (cut && *cut != value)
      refuse(fmt::format("{} is {} here, and {} before", name, value, *cut), "a recording is of one distribution",
             "give each distribution a file of its own");
    cut = value;
  }

  void set_header(TableHeader header) {
    header_ = std::move(header);
    places_ = Places(header_.names);
    for (Field const field : {log_p, log_q})
      if (auto const at = based_column(header_.names, field)) take_based(field, *at);
    if (auto const same = twins(header_.names))
      refuse(fmt::format("the columns {} and {} are the same thing", same->first, same->second),
             "only one could count", "leave one out");
    for (Field const needed : {log_p, log_q})
      if (!places_.has(needed)) refuse_without(needed);
  }

  /// A column whose name says the base of its logarithms is read where the options say the same.
  void take_based(Field field, std::size_t at) {
    LogBase const base = based_name(header_.names[at])->base;
    if (base.ln != base_.ln)
      throw of_base(fmt::format("{}: by its name the column {} holds", place(), in_quotes(header_.names[at])), base,
                    "natural logarithms are read");
    if (Field const other = field == log_p ? log_q : log_p; places_.has(other) && !based_column(header_.names, other))
      refuse(fmt::format("of log p and log q only {} is named after a base", in_quotes(header_.names[at])),
             "both must be to one", "name both so");
    places_.at[field] = static_cast<int>(at);
  }

  [[noreturn]] void refuse_without(Field needed) const {
    std::string_view const name = needed == log_p ? "logp" : "logq";
    std::string const why = "both models' log-probabilities of the token are needed";
    if (std::string_view const found = probability_name(header_.names, needed); !found.empty())
      refuse(fmt::format("no column is {}, but one is {}", name, found), why,
             fmt::format("take the logarithm of {} and name it {}", found, name));
    if (std::string_view const found = near_name(header_.names, needed); !found.empty())
      refuse(fmt::format("no column is {}, but one is {}", name, in_quotes(found)), why,
             fmt::format("name it {}, if it is that", name));
    refuse(fmt::format("no column is {} (the columns: {})", name,
                       in_quotes(fmt::format("{}", fmt::join(header_.names, ", ")))),
           why, fmt::format("name it {} in the first line that is no comment", names_of(needed)));
  }

  /// A list of objects, however it is broken into lines, from the line where it begins.
  void read_list(std::string_view text) {
    JsonRecords records(file_, text, number_);
    while (records.next()) {
      number_ = records.line();
      ++record_;
      read_object(records.value());
    }
  }

  Json parsed(std::string_view line) const {
    try {
      return parse_json(line, {.why = "one token a line", .hint = "write the line again", .python = true});
    } catch (Error const& error) {
      throw InputError(place(), error);
    }
  }

  void read_object(Json const& object) {
    if (!object.is_object())
      refuse("it is not a JSON object", "a list has an object for each token", "write the record again");
    if (header_.names.empty()) {
      if (object.size() > most_columns)
        refuse(fmt::format("it has {} keys", object.size()), "this takes an object of numbers for each token",
               "give full rows as .safetensors");
      TableHeader header;
      for (auto const& [key, value] : object.items()) {
        keys_.push_back(key);
        header.names.push_back(lower(key));
      }
      set_header(std::move(header));
    }
    if (keys_.empty())
      refuse("it is a JSON object in a table of fields", "a file has one of the two forms", "write it in one");
    values_.clear();
    for (std::string const& key : keys_) {
      auto const found = object.find(key);
      if (found == object.end() || found->is_null()) {
        values_.emplace_back();
      } else if (found->is_string()) {
        values_.push_back(found->get<std::string>());
      } else if (found->is_boolean()) {
        values_.emplace_back(found->get<bool>() ? "1" : "0");
      } else {
        values_.push_back(found->is_number() ? found->dump() : std::string(found->type_name()));
      }
    }
    fields_.assign(values_.begin(), values_.end());
    take();
  }

  std::size_t column(Field field) const { return static_cast<std::size_t>(places_.at[field]); }
  std::string_view cell(Field field) const { return fields_[column(field)]; }

  double real(Field field, double least, double most, std::string const& expected) const {
    std::optional<double> const value = numbers_.real(column(field), cell(field), is_share(field));
    if (!value || !(*value >= least && *value <= most)) refuse_field(field, cell(field), expected);
    return *value;
  }
  std::int64_t integer(Field field, std::int64_t least, std::int64_t most, std::string const& expected) const {
    std::optional<std::int64_t> const value = numbers_.integer(column(field), cell(field));
    if (!value || *value < least || *value > most) refuse_field(field, cell(field), expected);
    return *value;
  }
  double logarithm(Field field) {
    double const value = base_.ln * real(field, -infinity, infinity, std::string(logarithm_expected));
    Logarithms& seen = logarithms_[field == log_q];
    seen.least = std::min(seen.least, value);
    seen.most = std::max(seen.most, value);
    if (value > log_rounding && seen.first_positive.empty())
      seen = {seen.least, seen.most, place(), std::string(cell(field))};
    if (value > 0) ++rounded_;
    return std::min(value, 0.0);
  }

  /// Refuses logarithms above 0 once all are known: they tell what stands there instead.
  void check_logarithms() const {
    double const most = std::max(logarithms_[0].most, logarithms_[1].most);
    for (Field const field : {log_p, log_q}) {
      Logarithms const& seen = logarithms_[field == log_q];
      if (seen.first_positive.empty()) continue;
      throw InputError(fmt::format("{}: {} is {} (expected: {})", seen.place, name_of(field),
                                   in_quotes(seen.first_positive), logarithm_expected),
                       seen.least < 0 ? "correct the recording"
                       : most <= 1    ? "take the logarithm: all of the column lies in [0, 1], as probabilities do"
                                      : "change the sign: nothing in the column is below 0, as of −ln p");
    }
  }

  /// The text that the line belongs to; a new one where its name is new.
  TextTrace& text_of_line() {
    std::string const name(places_.has(seq) ? cell(seq) : "");
    if (current_ < texts_.size() && texts_[current_].name == name) return texts_[current_];
    auto const [found, added] = text_of_name_.emplace(name, texts_.size());
    current_ = found->second;
    if (added) {
      texts_.push_back({.name = name});
      last_position_.push_back(0);
    } else if (!places_.has(pos)) {
      refuse(fmt::format("the text {} comes back after another", in_quotes(name)),
             "without a column pos it could be two recordings one after the other",
             "add positions, or keep a text's lines together");
    }
    return texts_[current_];
  }

  void take() {
    TextTrace& text = text_of_line();
    if (places_.has(pos)) {
      std::int64_t const position = integer(pos, 0, std::int64_t{1} << 62, "a whole number ≥ 0");
      std::int64_t& last = last_position_[current_];
      if (text.size() > 0 && position != last + 1) {
        refuse_field(pos, cell(pos),
                     fmt::format("{}, since the text's last line has {}; positions of a text are consecutive",
                                 last + 1, last));
      }
      last = position;
    }
    if (places_.has(temperature)) set_temperature(real(temperature, 0, 1e6, "a number ≥ 0, the same in every line"));
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (places_.has(token)) text.tokens.push_back(integer(token, 0, most, "a token's id, a whole number ≥ 0"));
    if (places_.has(piece)) text.pieces.emplace_back(cell(piece));
    text.log_p.push_back(logarithm(log_p));
    text.log_q.push_back(logarithm(log_q));
    if (places_.has(beta)) text.beta.push_back(real(beta, 0, 1 + log_rounding, "Σ min(p, q), in [0, 1]"));
    if (places_.has(entropy_p))
      text.entropy_p.push_back(real(entropy_p, -log_rounding, 1e3, "an entropy ≥ 0 in nats"));
    if (places_.has(kl_pq)) text.kl_pq.push_back(real(kl_pq, -log_rounding, infinity, "a divergence ≥ 0 in nats"));
    for (auto const& [field, values] : {std::pair(p_of_argmax_q, &text.p_of_argmax_q), std::pair(max_p, &text.max_p),
                                        std::pair(max_q, &text.max_q)})
      if (places_.has(field)) values->push_back(real(field, 0, 1 + log_rounding, "a probability"));
    if (as_written_ && places_.has(max_p) && text.log_p.back() < 0 &&
        text.max_p.back() < std::exp(text.log_p.back()) * (1 - max_p_rounding))
      refuse_field(
          max_p, cell(max_p),
          fmt::format("at least p of the token, which is {:.6g} by {}", std::exp(text.log_p.back()), name_of(log_p)));
    for (auto const& [field, values] : {std::pair(argmax_match, &text.argmax_match), std::pair(top, &text.top)})
      if (places_.has(field)) values->push_back(static_cast<std::uint8_t>(integer(field, 0, 1, "0 or 1")));
    if (places_.has(rank_q)) text.rank_q.push_back(integer(rank_q, 1, most, "a rank, a whole number ≥ 1"));
    if (places_.has(lower_q)) {
      text.lower_q.push_back(real(lower_q, 0, 1 + log_rounding, "a probability"));
      if (text.lower_q.back() + std::exp(text.log_q.back()) > 1 + 1e-3)
        refuse_field(lower_q, cell(lower_q), "at most 1 − q of the token, as the sum of q over other tokens");
    }
    check_match(text);
    fit_.take_last(text);
  }

  /// The three columns that say whether the token is q's most likely.
  void check_match(TextTrace& text) {
    if (places_.has(argmax_q)) {
      std::int64_t const most_likely =
          integer(argmax_q, 0, std::numeric_limits<std::int64_t>::max(), "a token's id, a whole number ≥ 0");
      if (places_.has(token)) {
        bool const is_match = most_likely == text.tokens.back();
        if (!places_.has(argmax_match)) {
          text.argmax_match.push_back(is_match);
        } else if (is_match != (text.argmax_match.back() == 1)) {
          refuse_field(argmax_match, cell(argmax_match),
                       fmt::format("{}, since argmax q is {} and the token {}", is_match ? 1 : 0, most_likely,
                                   text.tokens.back()));
        }
      }
    }
    if (places_.has(rank_q) && !text.argmax_match.empty() && text.argmax_match.back() == 1 && text.rank_q.back() != 1)
      refuse_field(rank_q, cell(rank_q), "1, since the token is q's most likely");
  }

  TokenTrace finish() {
    check_logarithms();
    if (header_.names.empty() || texts_.empty())
      throw InputError(file_ + ": there is no token in it (one line a token is expected, under a line of names)",
                       "check that the recorder ran to its end");
    if (auto const base = fit_.other(); base && base_.ln == natural.ln)
      throw of_base(file_ + ": its log p and log q are", *base,
                    fmt::format("they fit the probabilities beside them at all {} places", fit_.looked_at()));
    TokenTrace trace{.name = file_name(file_),
                     .texts = std::move(texts_),
                     .temperature = temperature_,
                     .files = {file_},
                     .estimated_as = "columns",
                     .notes = {}};
    if (rounded_ > 0) {
      trace.notes.push_back(fmt::format("{} log-probabilities lie above 0 by at most {}: rounding, taken as 0",
                                        rounded_, log_rounding));
    }
    if (!places_.has(seq))
      trace.notes.emplace_back("no column says which text a line is of (seq): all lines are taken as one text");
    if (temperature_ != 0.0 && !looks_greedy(trace)) {
      CertainTexts p, q;
      for (TextTrace const& each : trace.texts) p.take(each.log_p), q.take(each.log_q);
      p.require_computed(file_, "entries of log p");
      q.require_computed(file_, "entries of log q");
    }
    if (temperature_ == 0.0 && !as_written_) {
      make_one_hot(trace);
    } else {
      trace.top_k = top_k_.value_or(0);
      trace.top_p = top_p_.value_or(1);
    }
    if (!temperature_ && looks_greedy(trace)) {
      trace.notes.emplace_back(
          "β is 0 or 1 everywhere: this looks like temperature 0; if it is, say `recorded-temperature` 0");
    }
    return trace;
  }

  /// Whether the columns are those of temperature 0, though nothing says so.
  bool looks_greedy(TokenTrace const& trace) const {
    constexpr std::size_t fewest = 20;  // of fewer tokens 0 and 1 may be all that there is
    if (contains(header_.names, "beta_t1")) return true;
    return places_.has(beta) && trace.tokens() >= fewest && std::ranges::all_of(trace.texts, [](TextTrace const& t) {
             return std::ranges::all_of(t.beta, [](double b) { return b == 0 || b == 1; });
           });
  }

  /// One-hot distributions, of temperature 0. The columns are of temperature 1 there, but for hits and β, or nothing
  /// to speak of.
  void make_one_hot(TokenTrace& trace) const {
    for (TextTrace& text : trace.texts) {
      if (text.argmax_match.empty()) {
        throw InputError(file_ +
                             ": at temperature 0 there is no column argmax_q_hit (a draft is accepted there where "
                             "argmax q is the token, which logarithms do not tell)",
                         "add it, or argmax_q and token");
      }
      bool const text_is_argmax = text.top.empty();  // the target wrote it
      for (std::size_t i = 0; i < text.size(); ++i) {
        text.log_p[i] = text_is_argmax || text.top[i] == 1 ? 0 : -infinity;
        text.log_q[i] = text.argmax_match[i] == 1 ? 0 : -infinity;
      }
      if (text.beta.empty() && text_is_argmax) text.beta.assign(text.argmax_match.begin(), text.argmax_match.end());
      if (!std::ranges::all_of(text.beta, [](double b) { return b == 0 || b == 1; })) {
        throw InputError(
            file_ + ": beta is neither 0 nor 1 at temperature 0 (there it says whether argmax p = argmax q)",
            "leave the column out, or correct the temperature");
      }
      text.entropy_p.clear();
      text.kl_pq.clear();
      text.max_p.clear();
      text.max_q.clear();
      text.p_of_argmax_q.clear();
      std::ranges::fill(text.lower_q, 0.);  // a token that is drafted has no other beside it
    }
    trace.notes.emplace_back("temperature 0: from the column of hits; logarithms of temperature 1 are not used");
  }

  static constexpr std::string_view logarithm_expected =
      "the natural logarithm of a probability, at most 0; -inf for a token that is excluded";
  /// What was met in a column of logarithms.
  struct Logarithms {
    double least = infinity, most = -infinity;
    std::string place = {}, first_positive = {};
  };

  std::string const& file_;
  bool as_written_;
  LogBase base_;
  BaseFit fit_;
  std::optional<double> temperature_, top_p_;
  std::optional<std::uint32_t> top_k_;
  Logarithms logarithms_[2];  ///< of log p and of log q
  std::size_t number_ = 0, rounded_ = 0, current_ = 0;
  std::size_t record_ = 0;  ///< in a list, of which all may stand on one line; 0: there is none
  TableHeader header_;
  TableNumbers numbers_;
  Places places_{{}};
  std::vector<std::string> keys_, values_;  ///< of JSON objects
  std::vector<std::string_view> fields_;
  std::vector<TextTrace> texts_;
  std::vector<std::int64_t> last_position_;  ///< of each text
  std::map<std::string, std::size_t> text_of_name_;
};

}  // namespace

TokenTrace read_columns(std::string const& file, std::string_view text, ColumnOptions const& options) {
  return ColumnReader(file, options).read(text);
}

}  // namespace draftgauge
