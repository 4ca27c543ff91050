#include "text/letters.h"

#include <string.h>

#include "base/utf8.h"
#include "text/text_window.h"

namespace hushbit {

bool Letters::take(std::span<const uint8_t> typed) {
  count_ = 0;
  TextWindow window(typed, kMaxWindowBytes);
  while (window.fill() && !window.at_end()) {
    if (window.units().empty()) return false;  // a space, or a unit without a normal form
    for (const Unit& unit : window.units()) {
      if (unit.char_class != CharClass::kWord || unit.digit != 0) return false;
    }
    if (!add(window.form())) return false;
    window.drop(window.units().size());
  }
  return window.at_end() && count_ >= kFewest;
}

bool Letters::add(std::span<const uint8_t> form) {
  while (!form.empty()) {
    uint32_t code_point;
    const size_t size = decode_utf8(form.data(), form.size(), &code_point);
    if (size == 0 || count_ == kMost) return false;
    memcpy(bytes_ + ends_[count_], form.data(), size);
    ends_[count_ + 1] = static_cast<uint8_t>(ends_[count_] + size);
    ++count_;
    form = form.subspan(size);
  }
  return true;
}

}  // namespace hushbit
