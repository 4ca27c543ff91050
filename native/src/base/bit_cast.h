// std::bit_cast, also where the standard library has not got it yet, as that of Debian 12's Emscripten.
#ifndef HUSHBIT_BIT_CAST_H_
#define HUSHBIT_BIT_CAST_H_

#include <string.h>

#include <bit>
#include <type_traits>

namespace hushbit {

#if defined(__cpp_lib_bit_cast)

using std::bit_cast;

#else

template <typename To, typename From>
To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

#endif

}  // namespace hushbit

#endif  // HUSHBIT_BIT_CAST_H_
