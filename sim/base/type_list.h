#pragma once
#include <cstddef>

namespace draftgauge {

/// A list of types that programs loop over: the rules, the drafters.
template <class... Types>
struct TypeList {
  static constexpr std::size_t size = sizeof...(Types);
};

/// Calls f.template operator()<T>() for every T of the list, in order.
template <class... Types, class F>
constexpr void for_each_type(TypeList<Types...>, F&& f) {
  (f.template operator()<Types>(), ...);
}

/// Two lists as one.
template <class A, class B>
struct Joined;
template <class... A, class... B>
struct Joined<TypeList<A...>, TypeList<B...>> {
  using Type = TypeList<A..., B...>;
};

}  // namespace draftgauge
