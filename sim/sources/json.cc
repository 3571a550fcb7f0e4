#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/base/limits.h"
#include "sim/base/mapped_file.h"
#include "sim/base/sha256.h"
#include "sim/sources/by_hand.h"
#include "sim/sources/keys.h"
#include "sim/sources/source.h"

namespace draftgauge {
namespace {

using Json = nlohmann::json;

/// Takes the text event by event: so decimals are seen as they are written (0.3 is 3/10), and what is not in the
/// format is refused where it stands, before it takes memory.
class TablesReader : public Json::json_sax_t {
 public:
  TablesReader(std::string const& file, std::uint64_t memory_limit) : file_(file), memory_left_(memory_limit) {}

  TablesByHand take() {
    for (auto const& [law, name] : {std::pair(seen_p_, "p"), std::pair(seen_q_, "q")}) {
      if (!law) refuse(std::string("there is no \"") + name + "\"", "distributions are pairs of p and q");
    }
    return std::move(tables_);
  }

  bool start_object(std::size_t) override {
    if (depth_ != 0) wrong("an object");
    depth_ = 1;
    return true;
  }
  bool end_object() override {
    depth_ = 0;
    return true;
  }
  bool key(std::string& name) override {
    key_ = name;
    bool& seen = name == "p" ? seen_p_ : name == "q" ? seen_q_ : seen_contexts_;
    if (name != "p" && name != "q" && name != "contexts")
      refuse("there is no key \"" + name + "\"", "known are p, q and contexts");
    if (seen) refuse("\"" + name + "\" stands twice", "only one could count");
    seen = true;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ < 1 || depth_ > 2 || key_ == "contexts") wrong("a list");
    if (depth_ == 2) {
      take_memory(sizeof(std::vector<WrittenNumber>));
      rows().emplace_back();
    }
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool number_integer(std::int64_t value) override { return add({static_cast<double>(value), Fraction(value)}); }
  bool number_unsigned(std::uint64_t value) override {
    if (value > INT64_MAX) return add({static_cast<double>(value)});
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(double value, std::string const& written) override {
    WrittenNumber number{value};
    try {
      number = parse_written(written);
    } catch (Error const&) {
      // Below the least double: JSON's reader takes it for 0.
    }
    return add(number);
  }
  bool string(std::string& text) override {
    if (depth_ == 1 && key_ == "contexts") {
      if (text != "bag" && text != "path" && text != "markov")
        refuse("\"contexts\" is \"" + text + "\"", "known are bag, path and markov");
      tables_.contexts = text;
      return true;
    }
    if (depth_ != 3) wrong("text");
    WrittenNumber number;
    try {
      number = parse_written(text);
    } catch (Error const& e) {
      throw InputError(place(), e);
    }
    return add(number);
  }
  bool null() override { wrong("null"); }
  bool boolean(bool) override { wrong("true or false"); }
  bool binary(Json::binary_t&) override { wrong("binary data"); }
  bool parse_error(std::size_t at, std::string const&, Json::exception const& error) override {
    if (dynamic_cast<Json::out_of_range const*>(&error) != nullptr)
      refuse("a number that ends at byte " + std::to_string(at) + " is beyond 1.8e308",
             "entries are held as doubles");
    refuse("it is not JSON from byte " + std::to_string(at) + " on",
           "distributions by hand are JSON, in which NaN and 1/3 need \"\"");
  }

 private:
  std::vector<std::vector<WrittenNumber>>& rows() { return key_ == "p" ? tables_.p : tables_.q; }

  /// "file: p, row 3, token 5", as far as it is known.
  std::string place() {
    std::string text = file_ + ":";
    if (depth_ >= 1) text += " " + key_;
    if (depth_ == 2) text += ", row " + std::to_string(rows().size());
    if (depth_ == 3)
      text += ", row " + std::to_string(rows().size() - 1) + ", token " + std::to_string(rows().back().size());
    return text;
  }
  [[noreturn]] void refuse(std::string const& problem, std::string const& why) const {
    throw InputError(file_ + ": " + problem + " (" + why + ")", "write {\"p\": [[…]], \"q\": [[…]]}");
  }
  [[noreturn]] void wrong(std::string const& found) {
    throw InputError(place() + " is " + found + " (distributions are lists of rows of numbers)",
                     "write {\"p\": [[…]], \"q\": [[…]]}");
  }
  void take_memory(std::size_t bytes) {
    if (bytes > memory_left_) {
      throw InputError(
          place() + ": the distributions need more memory than the limit (they are held whole while they are " +
              "read)",
          "take fewer rows");
    }
    memory_left_ -= bytes;
  }
  bool add(WrittenNumber const& number) {
    if (depth_ != 3) wrong("a number");
    take_memory(sizeof(WrittenNumber));
    rows().back().push_back(number);
    return true;
  }

  std::string const& file_;
  std::uint64_t memory_left_;
  int depth_ = 0;
  std::string key_;
  bool seen_p_ = false, seen_q_ = false, seen_contexts_ = false;
  TablesByHand tables_;
};

Source build_json(Keys const& keys, SourceOptions const& options) {
  std::string const& file = keys.text("file");
  MappedFile const mapped(file);
  std::span<std::uint8_t const> const bytes = mapped.bytes();
  if (bytes.size() > longest_laws_by_hand) {
    throw InputError(file + ": it has " + std::to_string(bytes.size()) +
                         " bytes (distributions by hand are read up to " + std::to_string(longest_laws_by_hand) + ")",
                     "write them as .safetensors");
  }
  Sha256 digest;
  digest.update(bytes);
  TablesByHand const tables =
      read_tables_json(file, {reinterpret_cast<char const*>(bytes.data()), bytes.size()}, options.memory_limit);
  RowList rows = rows_by_hand(tables, {file + ": p", file + ": q"}, options);
  PairTables made = tables_by_hand(file, tables, keys.text("contexts"), rows, options.threads);
  return {.description = keys.description(),
          .tables = std::move(made),
          .rounding = rows.rounding(),
          .inputs = {{file, digest.hex()}},
          .by_content = keys.description_by_content("file", digest.hex()),
          .written = written_rows(tables, rows)};
}

}  // namespace

TablesByHand read_tables_json(std::string const& file, std::string_view text, std::uint64_t memory_limit) {
  TablesReader reader(file, memory_limit);
  Json::sax_parse(text, &reader);
  return reader.take();
}

SourceCard json_source() {
  using enum KeyCard::Kind;
  return {
      .name = "json",
      .summary = "distributions by hand: a file {\"p\": [[…]], \"q\": [[…]]} with numbers or \"1/3\"",
      .tables =
          "p and q as written: one row is one context, V rows are a Markov pair (row = token before), V + 1 one "
          "whose first row is the beginning",
      .keys = {{.name = "file",
                .kind = text,
                .meaning = "the file to read; a name with a comma in double quotes",
                .required = true},
               {.name = "contexts",
                .kind = choice,
                .meaning = "how rows follow each other; if not given as the file says or its number of rows tells",
                .choices = {"bag", "path", "markov"}}},
      .build = build_json};
}

}  // namespace draftgauge
