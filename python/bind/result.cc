#include "python/bind/result.h"

namespace draftgauge::python {
namespace {

using Kind = FieldType::Kind;

/// A class of the package: its own, which may do more than what is described, else the described one.
nb::object of_package(std::string const& name) {
  nb::object const package = nb::module_::import_("draftgauge");
  return nb::hasattr(package, name.c_str()) ? package.attr(name.c_str())
                                            : nb::module_::import_("draftgauge._described").attr(name.c_str());
}

nb::object interval_of(Json const& json, double confidence) {
  nb::object const interval = of_package("Interval");
  if (json.is_number()) return interval(json.get<double>(), nb::none(), nb::none(), confidence);
  auto const part = [&](char const* name) {
    Json const& number = json.at(name);
    return number.is_null() ? nb::none() : nb::object(nb::float_(number.get<double>()));
  };
  return interval(part("value"), part("low"), part("high"), part("confidence"));
}

nb::object value_of(FieldType const& type, Json const& json, double confidence) {
  if (json.is_null()) return nb::none();
  switch (type.kind) {
    case Kind::nothing: return nb::none();
    case Kind::truth: return nb::bool_(json.get<bool>());
    case Kind::integer: return nb::int_(json.get<std::int64_t>());
    case Kind::number: return nb::float_(json.get<double>());
    case Kind::text: return nb::str(json.get_ref<std::string const&>().c_str());
    case Kind::fraction:
      return nb::module_::import_("fractions").attr("Fraction")(json.get_ref<std::string const&>().c_str());
    case Kind::interval:
    case Kind::estimate: return interval_of(json, confidence);
    case Kind::result: return object_of(type.of(), json, confidence);
    case Kind::json: return nb::module_::import_("json").attr("loads")(json.dump().c_str());
    case Kind::members: {
      nb::dict all;
      for (auto const& [name, member] : json.items())
        all[name.c_str()] = value_of(type.items.front(), member, confidence);
      return all;
    }
    case Kind::list: break;
  }
  nb::list all;
  for (Json const& one : json) all.append(value_of(type.items.front(), one, confidence));
  return type.items.front().kind == Kind::result ? of_package("Rows")(all) : nb::object(all);
}

}  // namespace

nb::dict members_of(Description const& result, Json const& json, double confidence) {
  nb::dict members;
  for (FieldCard const& card : result.cards) {
    if (card.form.table_only) continue;
    auto const found = json.find(card.key);
    members[card.key.c_str()] = found == json.end() ? nb::none() : value_of(card.type, *found, confidence);
  }
  return members;
}

nb::object object_of(Description const& result, Json const& json, double confidence) {
  return of_package(result.name)(**members_of(result, json, confidence));
}

}  // namespace draftgauge::python
