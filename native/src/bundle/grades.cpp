#include "bundle/grades.h"

#include <math.h>

#include "base/bit_cast.h"
#include "base/bytes.h"
#include "base/corrupt.h"

namespace hushbit {
namespace {

constexpr uint64_t kRowsAt = 0, kReservedAt = 4, kHeaderSize = 8;

// A row. Its last 16 bytes are reserved.
constexpr uint64_t kSizeAt = 0, kSegmentsAt = 4, kUpToAt = 8, kSegmentAt = 16, kSegmentSize = 8, kRowSize = 64;

double up_to(const uint8_t* row) { return bit_cast<double>(load_le64(row + kUpToAt)); }

}  // namespace

const uint8_t* Grades::row(uint32_t index) const { return section_.data() + kHeaderSize + kRowSize * index; }

hushbit_status Grades::open(const SectionView& section, uint32_t total, hushbit_error* error) {
  section_ = section;
  if (section.empty()) return HUSHBIT_OK;
  if (section.size() < kHeaderSize) return corrupt(error, section.offset, "grades: cut off");
  rows_ = load_le32(section.data() + kRowsAt);
  if (rows_ < 1 || section.size() != kHeaderSize + kRowSize * uint64_t{rows_}) {
    return corrupt(error, section.offset, "grades: length does not match its rows");
  }
  if (load_le32(section.data() + kReservedAt) != 0) {
    return corrupt(error, section.offset + kReservedAt, "reserved bytes not zero");
  }
  for (uint32_t i = 0; i < rows_; ++i) {
    Grade grade;
    if (!this->grade(i, total, &grade)) {
      return corrupt(error, section.offset + kHeaderSize + kRowSize * i,
                     "grades: segments not ascending, beyond the weights, too steep, or without any mass");
    }
    largest_end_mass_ = std::max(largest_end_mass_, grade.end_mass());
  }
  return check_order(error);
}

// Rows of `few` before rows of `many`, each size with ascending epsilons of which the last is infinite.
hushbit_status Grades::check_order(hushbit_error* error) const {
  for (uint32_t i = 0; i < rows_; ++i) {
    const uint64_t at = section_.offset + kHeaderSize + kRowSize * i;
    const uint32_t size = load_le32(row(i) + kSizeAt);
    if (size != HUSHBIT_CROWD_SIZE_FEW && size != HUSHBIT_CROWD_SIZE_MANY)
      return corrupt(error, at, "grades: unknown size");
    const bool last = i + 1 == rows_ || load_le32(row(i + 1) + kSizeAt) != size;
    if (!(up_to(row(i)) >= 0) || (isinf(up_to(row(i))) != 0) != last) {
      return corrupt(error, at + kUpToAt, "grades: only the last row of a size must be for any epsilon");
    }
    if (i == 0) continue;
    const uint32_t before = load_le32(row(i - 1) + kSizeAt);
    if (before > size || (before == size && !(up_to(row(i - 1)) < up_to(row(i))))) {
      return corrupt(error, at, "grades: rows not in order");
    }
  }
  return HUSHBIT_OK;
}

bool Grades::grade(uint32_t index, uint32_t total, Grade* grade) const {
  const uint8_t* row = this->row(index);
  grade->segments = load_le32(row + kSegmentsAt);
  if (grade->segments < 1 || grade->segments > Grade::kMaxSegments) return false;
  uint32_t begin = 0;
  for (uint32_t i = 0; i < grade->segments; ++i) {
    grade->end[i] = load_le32(row + kSegmentAt + kSegmentSize * i);
    grade->slope[i] = load_le32(row + kSegmentAt + kSegmentSize * i + 4);
    if (grade->end[i] <= begin || grade->slope[i] > Grade::kFullSlope) return false;
    begin = grade->end[i];
  }
  const uint64_t unused = kSegmentAt + kSegmentSize * grade->segments;
  if (first_nonzero(row, unused, kRowSize) != kRowSize) return false;
  return grade->end_mass() <= total && grade->mass() >= 1;
}

uint32_t Grades::find(uint32_t size, double epsilon) const {
  for (uint32_t i = 0; i < rows_; ++i) {
    if (load_le32(row(i) + kSizeAt) == size && epsilon <= up_to(row(i))) return i;
  }
  return rows_;
}

}  // namespace hushbit
