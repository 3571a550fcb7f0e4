#include <regex>

#include "python/bind/bind.h"
#include "sim/error.h"

namespace draftgauge::python {
namespace {

/// A message of the library in Python's words: "--rounds-per-trial 0" is the argument rounds_per_trial.
std::string in_python(std::string const& message) {
  static std::regex const flag("--([a-z][a-z-]*)");
  std::string text;
  std::size_t end = 0;
  for (std::sregex_iterator found(message.begin(), message.end(), flag), last; found != last; ++found) {
    std::string name = (*found)[1];
    for (char& c : name)
      if (c == '-') c = '_';
    text += message.substr(end, static_cast<std::size_t>(found->position()) - end) + name;
    end = static_cast<std::size_t>(found->position() + found->length());
  }
  return text + message.substr(end);
}

}  // namespace

void bind_errors(nb::module_& module) {
  // Static, as translators are functions without a state; alive as long as the module's own references.
  static nb::handle error, usage, input;
  auto const make = [&](char const* name, nb::handle base, char const* doc) {
    nb::object const type =
        nb::steal(PyErr_NewExceptionWithDoc((std::string("draftgauge.") + name).c_str(), doc, base.ptr(), nullptr));
    module.attr(name) = type;
    return nb::handle(type);
  };
  error = make("Error", PyExc_ValueError, "Something that the caller can mend.");
  usage = make("UsageError", error, "An argument outside its domain, or an unknown name.");
  input = make("InputError", error, "A file, an array or a distribution that is not what it should be.");
  nb::register_exception_translator([](std::exception_ptr const& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (UsageError const& e) {
      PyErr_SetString(usage.ptr(), in_python(e.what()).c_str());
    } catch (InputError const& e) {
      PyErr_SetString(input.ptr(), in_python(e.what()).c_str());
    } catch (Error const& e) {
      PyErr_SetString(error.ptr(), in_python(e.what()).c_str());
    }
  });
}

}  // namespace draftgauge::python
