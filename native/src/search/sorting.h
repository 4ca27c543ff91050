// Sorts numbers without a C++ runtime: libc++ has std::sort by std::less in its library, any other order in its header.
#ifndef HUSHBIT_SORTING_H_
#define HUSHBIT_SORTING_H_

#include <algorithm>

namespace hushbit {

template <typename Number>
void sort_ascending(Number* begin, Number* end) {
  std::sort(begin, end, [](Number a, Number b) { return a < b; });
}

}  // namespace hushbit

#endif  // HUSHBIT_SORTING_H_
