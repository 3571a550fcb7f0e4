#pragma once
#include <cstdlib>
#include <string>

namespace draftgauge::testing {

/// A variable of this process's environment, for so long.
class Variable {
 public:
  Variable(char const* name, std::string const& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(Variable const&) = delete;
  Variable& operator=(Variable const&) = delete;
  std::string now() const { return std::getenv(name_); }

 private:
  char const* name_;
};

}  // namespace draftgauge::testing
