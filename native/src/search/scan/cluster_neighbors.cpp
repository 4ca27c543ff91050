// The k nearest words.
#include "search/scan/tour.h"

namespace hushbit {
namespace {

// The nearest words so far, as a heap in the caller's arrays: the farthest of them, and of those the one with the
// highest id, comes first.
class NeighborSink {
 public:
  NeighborSink(const TiledCodes& codes, size_t k, uint32_t* ids, uint32_t* distances)
      : codes_(codes), k_(k), ids_(ids), distances_(distances) {}

  int32_t farthest() const { return static_cast<int32_t>(size_ < k_ ? codes_.tiles.bits() : distances_[0]); }

  void offer(uint32_t position, uint32_t distance) {
    const uint32_t id = codes_.order.id(position);
    if (size_ < k_) {
      rise(size_++, id, distance);
    } else if (before(distance, id, distances_[0], ids_[0])) {
      sink(0, id, distance);
    }
  }

  // Ends the heap: the nearest comes first.
  void sort() {
    while (size_ > 1) {
      const uint32_t id = ids_[--size_], distance = distances_[size_];
      put(size_, ids_[0], distances_[0]);
      sink(0, id, distance);
    }
  }

 private:
  static bool before(uint32_t distance, uint32_t id, uint32_t other_distance, uint32_t other_id) {
    return distance != other_distance ? distance < other_distance : id < other_id;
  }

  void put(size_t place, uint32_t id, uint32_t distance) {
    ids_[place] = id;
    distances_[place] = distance;
  }

  // Puts a word in `place` or above.
  void rise(size_t place, uint32_t id, uint32_t distance) {
    while (place > 0) {
      const size_t parent = (place - 1) / 2;
      if (!before(distances_[parent], ids_[parent], distance, id)) break;
      put(place, ids_[parent], distances_[parent]);
      place = parent;
    }
    put(place, id, distance);
  }

  // Puts a word in `place` or below.
  void sink(size_t place, uint32_t id, uint32_t distance) {
    for (;;) {
      size_t child = 2 * place + 1;
      if (child >= size_) break;
      if (child + 1 < size_ && before(distances_[child], ids_[child], distances_[child + 1], ids_[child + 1])) ++child;
      if (!before(distance, id, distances_[child], ids_[child])) break;
      put(place, ids_[child], distances_[child]);
      place = child;
    }
    put(place, id, distance);
  }

  const TiledCodes& codes_;
  size_t k_, size_ = 0;
  uint32_t* ids_;
  uint32_t* distances_;
};

}  // namespace

void find_neighbors(const TiledCodes& codes, const uint8_t* query, size_t k, uint32_t* ids, uint32_t* distances) {
  NeighborSink sink(codes, k, ids, distances);
  Tour<NeighborSink>(codes, query, sink).visit(codes.tiles.tile_count());
  sink.sort();
}

}  // namespace hushbit
