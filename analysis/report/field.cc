#include "analysis/report/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace draftgauge {
namespace {

double tidy(double x, int decimals) {
  double const unit = std::pow(10., decimals);
  return std::abs(x) < 1 / unit ? std::round(x * unit) / unit + 0. : x;
}

Column column(FieldCard const& card) {
  Align const usual = card.type.kind == FieldType::Kind::text ? Align::left : Align::right;
  std::string key = card.key;
  std::ranges::replace(key, '.', '_');
  FieldForm const& form = card.form;
  return {std::move(key), card.header, form.align.value_or(usual), form.unit, form.detail, form.spare};
}

void add_once(std::vector<Description>& all, Description const& result);

void add_inner(std::vector<Description>& all, FieldType const& type) {
  if (type.of) add_once(all, type.of());
  for (FieldType const& items : type.items) add_inner(all, items);
}

void add_once(std::vector<Description>& all, Description const& result) {
  if (std::ranges::count(all, result.name, &Description::name) > 0) return;
  for (FieldCard const& card : result.cards)
    if (!card.form.table_only) add_inner(all, card.type);
  all.push_back(result);
}

}  // namespace

std::vector<Description> with_inner(std::vector<Description> const& results) {
  std::vector<Description> all;
  for (Description const& result : results) add_once(all, result);
  return all;
}

FieldValue number_value(double number, FieldForm const& form) {
  return {Number{form.difference ? tidy(number, form.decimals) : number, form.decimals, form.kind}, number};
}
FieldValue number_value(Number const& number, FieldForm const& /*form*/) { return {number, number.value}; }
FieldValue number_value(Exact const& fraction, FieldForm const& /*form*/) { return {fraction, fraction.text}; }
FieldValue number_value(Interval const& interval, FieldForm const& form) {
  int const decimals = form.of_interval.value_or(form.decimals);
  // All texts agree on it: there is no spread to make an interval of.
  if (!std::isfinite(interval.low)) {
    double const value = form.difference ? tidy(interval.value, decimals) : interval.value;
    return {Number{value, decimals, form.kind}, to_json(interval)};
  }
  bool const share = form.kind == NumberKind::share;
  return {Estimate{form.difference ? tidy(interval, share ? decimals + 2 : decimals) : interval, decimals, share}, to_json(interval)};
}
FieldValue number_value(Estimated const& estimated, FieldForm const& form) {
  return estimated.interval ? number_value(*estimated.interval, form) : number_value(estimated.value, form);
}

FieldValue number_value(Uncertain const& of, FieldForm const& form) {
  Json json = interval_document(of.interval, of.value, of.confidence);
  if (!of.interval) return {Number{of.value, form.decimals}, std::move(json)};
  return {Estimate{tidy(*of.interval, form.decimals), form.decimals}, std::move(json)};
}

std::string bounds_text(std::optional<Interval> const& interval, int decimals) {
  if (!interval) return {};
  return fmt::format(" [{:.{}f}, {:.{}f}]", interval->low, decimals, interval->high, decimals);
}

Interval tidy(Interval interval, int decimals) {
  return mapped(interval, [&](double end) { return tidy(end, decimals); });
}

Table FieldRows::table() const {
  std::vector<std::size_t> shown;
  std::vector<Column> columns;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    auto const empty = [i](auto const& row) { return row[i].json.is_null(); };
    auto const holds = [i](auto const& row) { return row[i].json == true; };
    FieldForm const& form = cards[i].form;
    if (cards[i].document_only || (form.optional && std::ranges::all_of(rows, empty)) ||
        (form.if_any && std::ranges::none_of(rows, holds)))
      continue;
    shown.push_back(i);
    columns.push_back(column(cards[i]));
  }
  Table table(std::move(columns));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<Cell> cells;
    for (std::size_t const i : shown) cells.push_back(rows[r][i].cell);
    table.add(std::move(cells), details[r]);
  }
  return table;
}

Json FieldRows::array() const {
  Json all = Json::array();
  for (std::vector<FieldValue> const& row : rows) {
    Json& one = all.emplace_back(Json::object());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (cards[i].form.table_only || (cards[i].form.optional && row[i].json.is_null())) continue;
      std::string const& key = cards[i].key;
      std::size_t const dot = key.find('.');
      (dot == key.npos ? one[key] : one[key.substr(0, dot)][key.substr(dot + 1)]) = row[i].json;
    }
  }
  return all;
}

Table FieldRows::lines(Table below) const {
  for (std::size_t i = 0; i < cards.size(); ++i)
    if (!cards[i].document_only) below.add({cards[i].header, rows.front()[i].cell}, cards[i].form.detail);
  return below;
}

}  // namespace draftgauge
