#include "text/emoji.h"

#include <algorithm>

#include "base/utf8.h"

namespace hushbit {
namespace {

#include "text/emoji_table.inc"

constexpr uint32_t kSelector = 0xFE0F, kLightTone = 0x1F3FB, kTones = 5;
constexpr uint32_t kMostOfKey = 8;
// How many emoji with tones there are for each hushbit::EmojiTable::Toning.
constexpr uint32_t kToned[] = {0, kTones, kTones * kTones, kTones * kTones};

bool is_tone(uint32_t code_point) { return code_point - kLightTone < kTones; }

}  // namespace

void EmojiTable::Tones::add(uint32_t tone) {
  if (count == 0) first = tone;
  if (count == 1) second = tone;
  ++count;
}

bool EmojiTable::init(bool skin_tones) {
  if (!entries_.resize(kEntries) || !numbers_.reserve(kCodePoints) || !decode()) return false;
  const size_t plain = kEntries - std::size(kAliases);
  if (!plain_.resize(plain) || !aliases_.resize(plain) || !toned_from_.resize(plain + 1)) return false;
  number(skin_tones);
  return true;
}

// An entry is a byte: its Toning (2 bits), how many numbers its key shares with the one before (3 bits), how many
// others it has (3 bits). These follow: each is the zigzag difference from the last other number in the same place, 7
// bits a byte, the least significant first.
bool EmojiTable::decode() {
  uint32_t last[kMostOfKey] = {}, before[kMostOfKey] = {};
  const uint8_t* at = kTable;
  for (Entry& entry : std::span(entries_.data(), kEntries)) {
    const uint8_t head = *at++;
    const uint32_t shared = head >> 3 & 7;
    entry = {.begin = static_cast<uint16_t>(numbers_.size()),
             .emoji = 0,
             .size = static_cast<uint8_t>(shared + (head & 7)),
             .toning = static_cast<Toning>(head >> 6),
             .is_alias = false};
    for (uint32_t place = shared; place < entry.size; ++place) {
      uint32_t difference = 0;
      for (uint32_t shift = 0;; shift += 7) {
        difference |= (*at & 127u) << shift;
        if ((*at++ & 128) == 0) break;
      }
      last[place] += difference >> 1 ^ (0 - (difference & 1));
      before[place] = last[place];
    }
    if (!numbers_.append(before, entry.size)) return false;
  }
  return true;
}

void EmojiTable::number(bool skin_tones) {
  skin_tones_ = skin_tones;
  for (const auto& [alias, of] : kAliases) entries_[alias].is_alias = true;
  uint32_t plain = 0;
  for (uint32_t i = 0; i < kEntries; ++i) {
    if (entries_[i].is_alias) continue;
    entries_[i].emoji = static_cast<uint16_t>(plain);
    aliases_[plain] = static_cast<uint16_t>(i);
    plain_[plain++] = static_cast<uint16_t>(i);
  }
  for (const auto& [alias, of] : kAliases) {
    entries_[alias].emoji = entries_[of].emoji;
    aliases_[entries_[of].emoji] = alias;
  }
  count_ = plain;
  for (uint32_t i = 0; i < plain; ++i) {
    toned_from_[i] = static_cast<uint16_t>(count_);
    if (skin_tones) count_ += kToned[entries_[plain_[i]].toning];
  }
  toned_from_[plain] = static_cast<uint16_t>(count_);
}

// Narrows the entries [*low, *high), which share the first `place` code points, to those with this one next.
bool EmojiTable::narrow(uint32_t place, uint32_t code_point, uint32_t* low, uint32_t* high) const {
  // The first entry with at least `wanted` there; one that has ended comes first.
  const auto find = [&](uint32_t wanted) {
    uint32_t begin = *low, end = *high;
    while (begin < end) {
      const uint32_t middle = (begin + end) / 2;
      const Entry& entry = entries_[middle];
      if (entry.size <= place || key(entry, place) < wanted) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  };
  const uint32_t begin = find(code_point), end = find(code_point + 1);
  *low = begin;
  *high = end;
  return begin < end;
}

// The longest emoji that begins at `*at`.
bool EmojiTable::match(std::span<const uint8_t> text, size_t* at, uint32_t* emoji) const {
  uint32_t low = 0, high = kEntries, place = 0, best = kEntries;
  Tones tones, best_tones;
  size_t best_end = 0;
  for (size_t end = *at; end < text.size();) {
    uint32_t code_point;
    const size_t bytes = decode_utf8(text.data() + end, text.size() - end, &code_point);
    if (bytes == 0) break;
    if (place > 0 && is_tone(code_point)) {
      tones.add(code_point - kLightTone);
    } else if (place == 0 || code_point != kSelector) {
      if (!narrow(place, code_point, &low, &high)) break;
      ++place;
    }
    end += bytes;
    if (entries_[low].size != place) continue;  // of those that are left, only the first may be whole
    best = low;
    best_tones = tones;
    best_end = end;
  }
  if (best == kEntries) return false;
  *at = best_end;
  *emoji = with_tones(entries_[best], best_tones);
  return true;
}

bool EmojiTable::next(std::span<const uint8_t> text, size_t* at, uint32_t* emoji) const {
  while (*at < text.size()) {
    if (match(text, at, emoji)) return true;
    uint32_t code_point;
    const size_t bytes = decode_utf8(text.data() + *at, text.size() - *at, &code_point);
    *at = bytes == 0 ? text.size() : *at + bytes;
  }
  return false;
}

uint32_t EmojiTable::with_tones(const Entry& entry, const Tones& tones) const {
  const uint32_t from = toned_from_[entry.emoji];
  const bool same = tones.first == tones.second;
  if (!skin_tones_ || tones.count == 0) return entry.emoji;
  switch (entry.toning) {
    case kOne:
      return from + tones.first;
    case kTwo:
      return tones.count == 1 ? entry.emoji : from + kTones * tones.first + tones.second;
    case kPair:
      if (!entry.is_alias || (tones.count > 1 && same)) return from + tones.first;
      if (tones.count == 1) return entry.emoji;
      return from + kTones + (kTones - 1) * tones.first + tones.second - (tones.second > tones.first ? 1 : 0);
    default:
      return entry.emoji;
  }
}

size_t EmojiTable::spell(uint32_t emoji, uint8_t* out) const {
  const uint32_t plain = static_cast<uint32_t>(plain_.size());
  uint32_t without = emoji, number = 0;
  if (emoji >= plain) {
    const uint16_t* const from = toned_from_.data();
    without = static_cast<uint32_t>(std::upper_bound(from, from + plain + 1, emoji) - from) - 1;
    number = emoji - from[without];
  }
  const Toning toning = emoji < plain ? kNone : entries_[plain_[without]].toning;
  const bool pair = toning == kPair && number >= kTones;
  uint32_t first = number, second = 0;
  if (toning == kTwo) {
    first = number / kTones;
    second = number % kTones;
  } else if (pair) {
    first = (number - kTones) / (kTones - 1);
    second = (number - kTones) % (kTones - 1);
    second += second >= first ? 1 : 0;
  }
  const Entry& entry = entries_[pair ? aliases_[without] : plain_[without]];
  size_t size = 0;
  for (uint32_t place = 0; place < entry.size; ++place) {
    size += encode_utf8(key(entry, place), out + size);
    const bool takes_first = toning != kNone && place == 0;
    const bool takes_second = (toning == kTwo || pair) && place + 1 == entry.size;
    if (takes_first || takes_second) {
      size += encode_utf8(kLightTone + (takes_first ? first : second), out + size);
    } else if ((numbers_[entry.begin + place] & 1) != 0) {
      size += encode_utf8(kSelector, out + size);
    }
  }
  return size;
}

}  // namespace hushbit
