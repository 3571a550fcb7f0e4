#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/report/json.h"
#include "analysis/stats/interval.h"
#include "analysis/table.h"

namespace draftgauge {

/// A number, and its interval where that is known: JSON has the one or the other.
struct Estimated {
  double value;
  std::optional<Interval> interval;
};

/// A number that is an interval's object even where its interval is not known: the ends are null then.
struct Uncertain {
  double value;
  std::optional<Interval> interval;
  std::optional<double> confidence;  ///< that was asked for; none where no interval was to be had
};

/// How people see a field, where it is left out, and what its documentation says.
struct FieldForm {
  int decimals = 4;
  std::optional<int> of_interval = {};  ///< decimals of an estimate with its interval, where they are others
  std::optional<Align> align = {};      ///< of text left, of all else right
  std::string unit = {};
  std::string none = {};    ///< what stands where there is nothing
  bool detail = false;      ///< a column that --verbose shows
  bool spare = false;       ///< a column that a narrow line leaves out
  bool optional = false;    ///< a member where there is a value, a column where some row has one
  bool if_any = false;      ///< a column where it is true of some row
  bool quiet = false;       ///< of a truth only "yes" is shown
  bool difference = false;  ///< what rounding alone leaves of it is shown as 0
  bool table_only = false;  ///< for people, beside what JSON has
  NumberKind kind = NumberKind::plain;
  std::string says = {};                        ///< one sentence, for the schema and for Python
  std::optional<double> least = {}, most = {};  ///< of a number, or of each in a list
  bool above = false;                           ///< the least itself is none
  bool sometimes = false;                       ///< a member of a document that may lack it, null or not
  bool endless = false;                         ///< a number that may be infinite: JSON's null
  std::size_t fewest = 0;                       ///< of a list
  std::vector<std::string> words = {};          ///< of a text: those that there are
  std::string schema = {};                      ///< of JSON that is described elsewhere: where
};
/// Members of an object whose names are data, in order.
template <class T>
using Members = std::vector<std::pair<std::string, T>>;

inline FieldForm const for_people{.table_only = true};
/// Of a number from 0 to 1.
inline FieldForm share_form(std::string says = {}) { return {.says = std::move(says), .least = 0, .most = 1}; }
inline FieldForm const p_value_for_people{.table_only = true, .kind = NumberKind::p_value};

struct Description;

/// What a field holds: its schema and its type in Python follow.
struct FieldType {
  enum class Kind { nothing, truth, integer, number, text, fraction, interval, estimate, result, list, members, json };
  Kind kind = Kind::json;
  bool nullable = false;
  Description (*of)() = nullptr;      ///< of a result
  std::vector<FieldType> items = {};  ///< of a list or of members: the one type of all
};

/// A field, but for where its value is from. A dot in the key: a member of a member.
struct FieldCard {
  std::string key, header;
  FieldForm form;
  FieldType type;
  bool document_only = false;
};
using FieldCards = std::vector<FieldCard>;

/// What a type of result is.
struct Description {
  std::string name;  ///< of its class in Python, "GammaRow"; in the schema "gamma_row"
  std::string says;  ///< one sentence
  FieldCards cards = {};
  std::vector<std::pair<std::string, std::string>> former = {};  ///< names that Python had for a version: {old, new}
  bool document = false;                                         ///< what a command prints, in its envelope
  bool settable = false;  ///< a document beside which may be what to set in an engine
};

/// These results and those within them, which stand first.
std::vector<Description> with_inner(std::vector<Description> const& results);

/// A type is described by a function beside it, `describe(Row const*)`, that returns Described<Row>.
template <class T>
concept HasFields = requires(T const* row) {
  describe(row);
};

template <class T>
Json document_of(T const& result);
template <std::ranges::range Rows>
Json documents_of(Rows const& results);

/// What stands in one place of a row, for people and for programs; JSON's null where there is nothing.
struct FieldValue {
  Cell cell;
  Json json;
};
FieldValue number_value(double number, FieldForm const& form);
FieldValue number_value(Number const& number, FieldForm const& form);  ///< which has decimals of its own
FieldValue number_value(Exact const& fraction, FieldForm const& form);
FieldValue number_value(Interval const& interval, FieldForm const& form);
FieldValue number_value(Estimated const& estimated, FieldForm const& form);
FieldValue number_value(Uncertain const& uncertain, FieldForm const& form);

template <class T>
inline constexpr bool is_text = std::convertible_to<T, std::string_view> && !std::same_as<T, Json>;
template <class T>
inline constexpr bool is_members = false;
template <class T>
inline constexpr bool is_members<Members<T>> = true;

/// Results, JSON and lists are for programs alone, cells for people.
template <class T>
FieldValue field_value(T const& x, FieldForm const& form) {
  if constexpr (std::same_as<T, FieldValue>)
    return x;
  else if constexpr (std::same_as<T, Cell>)
    return {x, {}};
  else if constexpr (std::same_as<T, std::nullptr_t>)
    return {};
  else if constexpr (std::same_as<T, bool>)
    return {form.quiet && !x ? Cell() : Cell(x), x};
  else if constexpr (std::integral<T>)
    return {static_cast<std::int64_t>(x), x};
  else if constexpr (requires { x.has_value(); })
    return x ? field_value(*x, form) : FieldValue{form.none.empty() ? Cell() : Cell(form.none), {}};
  else if constexpr (is_text<T>)
    return {std::string(x), std::string(x)};
  else if constexpr (HasFields<T>)
    return {{}, document_of(x)};
  else if constexpr (std::same_as<T, Json>)
    return {{}, x};
  else if constexpr (is_members<T>) {
    Json all = Json::object();
    for (auto const& [name, member] : x) all[name] = field_value(member, form).json;
    return {{}, std::move(all)};
  } else if constexpr (std::ranges::range<T>) {
    if constexpr (HasFields<std::ranges::range_value_t<T>>)
      return {{}, documents_of(x)};
    else {
      Json all = Json::array();
      for (auto const& one : x) all.push_back(field_value(one, form).json);
      return {{}, std::move(all)};
    }
  } else
    return number_value(x, form);
}

template <class T>
FieldType type_of() {
  using Kind = FieldType::Kind;
  if constexpr (requires(T x) { x.has_value(); }) {
    FieldType type = type_of<typename T::value_type>();
    type.nullable = true;
    return type;
  } else if constexpr (std::same_as<T, std::nullptr_t>)
    return {Kind::nothing};
  else if constexpr (std::same_as<T, bool>)
    return {Kind::truth};
  else if constexpr (std::integral<T>)
    return {Kind::integer};
  else if constexpr (std::floating_point<T> || std::same_as<T, Number>)
    return {Kind::number};
  else if constexpr (is_text<T>)
    return {Kind::text};
  else if constexpr (std::same_as<T, Exact>)
    return {Kind::fraction};
  else if constexpr (std::same_as<T, Interval> || std::same_as<T, Uncertain>)
    return {Kind::interval};
  else if constexpr (std::same_as<T, Estimated>)
    return {Kind::estimate};
  else if constexpr (HasFields<T>)
    return {Kind::result, false, [] { return Description(describe(static_cast<T const*>(nullptr))); }};
  else if constexpr (is_members<T>)
    return {Kind::members, false, nullptr, {type_of<typename T::value_type::second_type>()}};
  else if constexpr (std::ranges::range<T> && !std::same_as<T, Json>)
    return {Kind::list, false, nullptr, {type_of<std::ranges::range_value_t<T>>()}};
  else
    return {Kind::json};
}

/// What people see of it.
template <class T>
Cell cell_of(T const& x, int decimals = 4) {
  return field_value(x, {.decimals = decimals}).cell;
}

/// A field of a result: the member of JSON, the column of CSV and of what people see.
template <class Row>
struct Field : FieldCard {
  /// A field that only JSON has.
  template <std::invocable<Row const&> Get>
  Field(std::string name, Get get, FieldForm how = {})
      : Field(std::move(name), std::string(), std::move(get), std::move(how)) {
    document_only = true;
  }
  template <std::invocable<Row const&> Get>
  Field(std::string name, std::string heading, Get get, FieldForm how = {})
      : FieldCard{std::move(name), std::move(heading), std::move(how),
                  type_of<std::remove_cvref_t<std::invoke_result_t<Get, Row const&>>>()},
        value([get = std::move(get)](Row const& row, FieldForm const& look) {
          return field_value(std::invoke(get, row), look);
        }) {}
  /// That of what a row is, too.
  template <class Base>
  requires std::derived_from<Row, Base> &&(!std::same_as<Row, Base>)Field(Field<Base> const& of)
      : FieldCard(of), value(of.value) {}

  std::function<FieldValue(Row const&, FieldForm const&)> value;
};

template <class Row>
using Fields = std::vector<Field<Row>>;
template <class Row>
void add(Fields<Row>& fields, std::type_identity_t<Fields<Row>> more) {
  fields.insert(fields.end(), more.begin(), more.end());
}
template <class Row>
FieldCards cards_of(Fields<Row> const& fields) {
  return {fields.begin(), fields.end()};
}

template <class Row>
struct Described : Description {
  Described(Description about, Fields<Row> list) : Description(std::move(about)), fields(std::move(list)) {
    cards = cards_of(fields);
  }
  Fields<Row> fields;
};

/// The value where it means something.
template <class T>
std::optional<T> given(bool there, T value) {
  return there ? std::optional(std::move(value)) : std::nullopt;
}
/// The member of a member; none where that may not be there and is not.
auto inner(auto outer, auto member) {
  return [=](auto const& row) {
    auto&& of = std::invoke(outer, row);
    if constexpr (requires { of.has_value(); })
      return of ? std::optional(std::invoke(member, *of)) : std::nullopt;
    else
      return std::invoke(member, of);
  };
}
/// A member, with another as its interval.
auto estimated(auto value, auto interval) {
  return [=](auto const& row) { return Estimated{std::invoke(value, row), std::invoke(interval, row)}; };
}

/// " [LOW, HIGH]" behind a value; empty where there is no interval.
std::string bounds_text(std::optional<Interval> const& interval, int decimals = 4);

/// What rounding to `decimals` alone leaves of a difference is 0.
Interval tidy(Interval interval, int decimals);

/// Rows as their fields have them.
struct FieldRows {
  FieldCards cards;
  std::vector<std::vector<FieldValue>> rows = {};  ///< [row][card]
  std::vector<bool> details = {};                  ///< [row] left out where a reader wants the answer alone

  Table table() const;
  Json array() const;  ///< with one object a row
  Json object() const { return array().front(); }
  /// The fields of the one row as lines below these columns, "quantity | value".
  Table lines(Table below) const;
};

template <class Row, class Rows>
FieldRows rows_of(Fields<Row> const& fields, Rows&& rows, std::predicate<Row const&> auto detail) {
  FieldRows all{cards_of(fields)};
  for (Row const& row : rows) {
    auto& values = all.rows.emplace_back();
    for (Field<Row> const& field : fields) values.push_back(field.value(row, field.form));
    all.details.push_back(detail(row));
  }
  return all;
}
template <class Row, class Rows>
FieldRows rows_of(Fields<Row> const& fields, Rows&& rows) {
  return rows_of(fields, rows, [](Row const& /*row*/) { return false; });
}
template <class Row>
FieldRows row_of(Fields<Row> const& fields, std::type_identity_t<Row> const& row) {
  return rows_of(fields, std::span(&row, 1));
}

/// Of a type of result.
template <HasFields Row>
Fields<Row> fields_of() {
  return describe(static_cast<Row const*>(nullptr)).fields;
}
template <std::ranges::range Rows>
FieldRows described_rows(Rows const& results) {
  return rows_of(fields_of<std::ranges::range_value_t<Rows>>(), results);
}
template <class T>
Json document_of(T const& result) {
  return row_of(describe(&result).fields, result).object();
}
template <std::ranges::range Rows>
Json documents_of(Rows const& results) {
  if constexpr (requires { describe_like(*std::ranges::begin(results)); }) {
    Json all = Json::array();
    for (auto const& each : results) all.push_back(document_of(each));
    return all;
  } else
    return described_rows(results).array();
}

}  // namespace draftgauge
