#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/base/printable.h"

namespace draftgauge {

/// Something that the person at the keyboard can mend. The problem reads "what was found (why it matters)"; the hint,
/// if any, says what to do; inputs stand in `backquotes`, which the program shows as --options. Either may quote what
/// a file or a user wrote: whatever that is, both are printable. what() is the two in one line.
struct Error : std::runtime_error {
  explicit Error(std::string_view problem, std::string_view hint = {})
      : runtime_error(printable(problem) + (hint.empty() ? "" : " ") + printable(hint)),
        problem_size_(printable(problem).size()) {}
  /// The same behind where it is: a file, an option, a key.
  Error(std::string_view where, Error const& cause)
      : Error(std::string(where) + ": " + std::string(cause.problem()), cause.hint()) {}

  std::string_view problem() const { return std::string_view(what()).substr(0, problem_size_); }
  /// Empty where there is none.
  std::string_view hint() const {
    std::string_view const rest = std::string_view(what()).substr(problem_size_);
    return rest.empty() ? rest : rest.substr(1);
  }

 private:
  std::size_t problem_size_;
};

/// The request makes no sense as written: an unknown name, a value outside its domain. The program exits with 2.
struct UsageError : Error {
  using Error::Error;
  explicit UsageError(Error const& cause) : Error(cause) {}
};

/// A file or a law is bad, or a tool is missing. The program exits with 3.
struct InputError : Error {
  using Error::Error;
};

}  // namespace draftgauge
