#include <regex>

#include "python/bind/bind.h"
#include "sim/base/error.h"

namespace draftgauge::python {
namespace {

/// A message of the library in Python's words: `rounds-per-trial` is the argument rounds_per_trial.
std::string in_python(std::string const& message) {
  static std::regex const input("`([a-z][a-z0-9-]*)`");
  std::string text;
  std::size_t end = 0;
  for (std::sregex_iterator found(message.begin(), message.end(), input), last; found != last; ++found) {
    std::string name = (*found)[1];
    for (char& c : name)
      if (c == '-') c = '_';
    text += message.substr(end, static_cast<std::size_t>(found->position()) - end) + name;
    end = static_cast<std::size_t>(found->position() + found->length());
  }
  return text + message.substr(end);
}

/// Raises a class of the package, draftgauge._errors.
void raise(char const* name, Error const& error) {
  nb::object const type = nb::module_::import_("draftgauge._errors").attr(name);
  std::string text(error.problem());
  if (!error.hint().empty()) text += "; " + std::string(error.hint());
  PyErr_SetString(type.ptr(), in_python(text).c_str());
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator([](std::exception_ptr const& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (UsageError const& e) {
      raise("UsageError", e);
    } catch (InputError const& e) {
      raise("InputError", e);
    } catch (Error const& e) {
      raise("Error", e);
    }
  });
}

}  // namespace draftgauge::python
