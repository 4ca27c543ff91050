// The words nearest to a code, collected in whatever order a search meets them.
#ifndef HUSHBIT_TIES_H_
#define HUSHBIT_TIES_H_

#include <stdint.h>

#include <algorithm>

namespace hushbit {

// The words at the minimum distance from a code, in id order. All are counted, the first ones kept.
struct Ties {
  static constexpr uint32_t kKept = 32;
  uint32_t distance;
  uint32_t count;
  uint32_t ids[kKept];
};

// No word yet: every distance is smaller.
inline void clear_ties(Ties* ties) {
  ties->distance = UINT32_MAX;
  ties->count = 0;
}

// Takes in a word; each at most once. The lowest ids are kept, sorted, so that the order of offers does not show.
inline void offer_tie(Ties* ties, uint32_t id, uint32_t distance) {
  if (distance > ties->distance) return;
  if (distance < ties->distance) {
    ties->distance = distance;
    ties->count = 0;
  }
  uint32_t* const end = ties->ids + std::min(ties->count, Ties::kKept);
  ++ties->count;
  uint32_t* const place = std::upper_bound(ties->ids, end, id);
  uint32_t* const last = ties->ids + Ties::kKept;
  if (place == last) return;
  std::copy_backward(place, std::min(end, last - 1), std::min(end + 1, last));
  *place = id;
}

// Takes in the nearest ones of some words, whose least distance is `least`: the i-th is the word `id_of(i)`.
template <typename IdOf>
void offer_nearest(Ties* ties, const uint16_t* distances, uint32_t count, uint32_t least, IdOf id_of) {
  if (least > ties->distance) return;
  for (uint32_t i = 0; i < count; ++i) {
    if (distances[i] == least) offer_tie(ties, id_of(i), least);
  }
}

}  // namespace hushbit

#endif  // HUSHBIT_TIES_H_
