// Bundles with output words, stand-ins, crowds and public words, for tests: docs/bundle-format.md, written the
// straightforward way.
#ifndef HUSHBIT_TESTS_CROWDS_BUILDER_H_
#define HUSHBIT_TESTS_CROWDS_BUILDER_H_

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "bundle_builder.h"
#include "mih_builder.h"
#include "search/hamming.h"

namespace hushbit::testing {

enum CrowdSection : uint32_t {
  kOutputsType = 7,
  kStandInsType,
  kWeightsType,
  kCrowdsType,
  kGradesType,
  kPublicType,
};

struct GradeRow {
  uint32_t size;  // 2 few, 3 many
  double up_to;
  std::vector<std::pair<uint32_t, uint32_t>> segments;  // end mass, slope in 1/65536
};

struct CrowdsSpec {
  std::vector<uint32_t> outputs;    // ids, ascending
  std::vector<uint32_t> stand_ins;  // an index for each word
  std::vector<uint32_t> weights;    // of each output word
  bool self_first = true;
  std::vector<uint32_t> centers;             // the list of each output word
  std::vector<std::vector<uint32_t>> lists;  // of indices
  std::vector<GradeRow> grades;
  std::vector<uint32_t> public_words;
};

inline uint32_t number_width(size_t count) {
  return std::max(1u, static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>(count - 1))));
}

inline Bytes packed(const std::vector<uint32_t>& numbers, size_t below) {
  LowBitsFirst bits;
  for (const uint32_t number : numbers) bits.write(number, number_width(below));
  return bits.aligned();
}

inline Bytes outputs_section(const CrowdsSpec& crowds, size_t words) {
  Bytes section(8);
  put(section, 0, static_cast<uint32_t>(crowds.outputs.size()));
  append(section, packed(crowds.outputs, words));
  section.resize(section.size() + 8);
  return section;
}

inline Bytes stand_ins_section(const CrowdsSpec& crowds) {
  Bytes section = packed(crowds.stand_ins, crowds.outputs.size());
  section.resize(section.size() + 8);
  return section;
}

inline Bytes weights_section(const CrowdsSpec& crowds) {
  Bytes section;
  uint32_t sum = 0;
  for (const uint32_t weight : crowds.weights) put(section, section.size(), sum += weight);
  return section;
}

inline Bytes crowds_section(const CrowdsSpec& crowds) {
  Bytes section;
  std::vector<uint32_t> members;
  put(section, 16, uint32_t{0});
  for (const auto& list : crowds.lists) {
    members.insert(members.end(), list.begin(), list.end());
    put(section, section.size(), static_cast<uint32_t>(members.size()));
  }
  put(section, 0, static_cast<uint32_t>(crowds.lists.size()));
  put(section, 4, uint32_t{crowds.self_first});
  put(section, 8, static_cast<uint32_t>(members.size()));
  section.resize(align_up(section.size(), 8));
  append(section, packed(crowds.centers, crowds.lists.size()));
  append(section, packed(members, crowds.centers.size()));
  section.resize(section.size() + 8);
  return section;
}

inline Bytes grades_section(const CrowdsSpec& crowds) {
  Bytes section;
  put(section, 0, static_cast<uint32_t>(crowds.grades.size()));
  put(section, 4, uint32_t{0});
  for (const GradeRow& row : crowds.grades) {
    const size_t at = section.size();
    section.resize(at + 64);
    put(section, at, row.size);
    put(section, at + 4, static_cast<uint32_t>(row.segments.size()));
    put(section, at + 8, row.up_to);
    for (size_t i = 0; i < row.segments.size(); ++i) {
      put(section, at + 16 + 8 * i, row.segments[i].first);
      put(section, at + 20 + 8 * i, row.segments[i].second);
    }
  }
  return section;
}

inline Bytes public_section(const CrowdsSpec& crowds) {
  Bytes section(8);
  put(section, 0, static_cast<uint32_t>(crowds.public_words.size()));
  for (const uint32_t id : crowds.public_words) put(section, section.size(), id);
  return section;
}

// Puts the sections of `crowds` behind those of a spec whose words are sorted. Those whose part is empty are left out.
inline BundleSpec with_crowds(BundleSpec spec, const CrowdsSpec& crowds) {
  spec.minor = 1;
  spec.outputs = crowds.outputs;
  const auto add = [&](uint32_t type, const auto& part, const Bytes& section) {
    if (!part.empty()) spec.more_sections.push_back({type, 1, section});
  };
  add(kOutputsType, crowds.outputs, outputs_section(crowds, spec.words.size()));
  add(kStandInsType, crowds.stand_ins, stand_ins_section(crowds));
  add(kWeightsType, crowds.weights, weights_section(crowds));
  add(kCrowdsType, crowds.lists, crowds_section(crowds));
  add(kGradesType, crowds.grades, grades_section(crowds));
  add(kPublicType, crowds.public_words, public_section(crowds));
  return spec;
}

// Crowds for the sorted words of a spec, by their codes: two of three words are output words, half of which are
// centers, and the others' first is public.
inline CrowdsSpec example_crowds(const BundleSpec& spec) {
  CrowdsSpec crowds;
  const auto distance = [&](uint32_t a, uint32_t b) {
    return hamming_distance(spec.codes[a].data(), spec.codes[b].data(), spec.bits / 8);
  };
  const auto words = static_cast<uint32_t>(spec.words.size());
  for (uint32_t id = 0; id < words; ++id) {
    if (id % 3 != 2) crowds.outputs.push_back(id);
  }
  if (words > 2) crowds.public_words = {2};
  const auto outputs = static_cast<uint32_t>(crowds.outputs.size());
  std::vector<uint32_t> indices(outputs);
  std::iota(indices.begin(), indices.end(), 0);
  const auto nearest_first = [&](uint32_t id) {
    std::vector<uint32_t> sorted = indices;
    std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
      return distance(id, crowds.outputs[a]) < distance(id, crowds.outputs[b]);
    });
    return sorted;
  };
  uint32_t total = 0;
  for (uint32_t i = 0; i < outputs; ++i) {
    crowds.weights.push_back(1 + 60 / (i + 2) + i % 3);
    total += crowds.weights[i];
  }
  const uint32_t end_mass = std::max(1u, total / 2);
  for (uint32_t i = 0; i < outputs; i += 2) {
    std::vector<uint32_t> list;
    uint32_t mass = 0;
    std::vector<uint32_t> sorted = nearest_first(crowds.outputs[i]);
    std::erase(sorted, i);
    sorted.insert(sorted.begin(), i);
    for (const uint32_t index : sorted) {
      if (mass >= end_mass) break;
      list.push_back(index);
      mass += crowds.weights[index];
    }
    crowds.lists.push_back(list);
  }
  for (uint32_t i = 0; i < outputs; ++i) crowds.centers.push_back(i / 2);
  for (uint32_t id = 0; id < words; ++id) {
    crowds.stand_ins.push_back(id % 3 == 2 ? nearest_first(id)[0] : id / 3 * 2 + id % 3);
  }
  const uint32_t few = std::max(1u, total / 8);
  crowds.grades = {{2, HUGE_VAL, {{few, 65536}}}, {3, 6.0, {{end_mass, 65536}}}};
  crowds.grades.push_back({3, HUGE_VAL, {{end_mass, 20000}}});
  if (few < end_mass) crowds.grades.back().segments = {{few, 65536}, {end_mass, 20000}};
  return crowds;
}

// The bundle of `spec` with all of this, crowds by default.
inline BundleSpec with_example_crowds(BundleSpec spec) {
  sort_words(spec);
  spec = with_crowds(spec, example_crowds(spec));
  spec.mechanism = 3;
  spec.crowd = 3;
  spec.epsilon = 5.5;
  return spec;
}

// The section `embedding` of so many bits and output words: numbers of both signs, the largest among them.
inline Bytes embedding_section(uint32_t bits, uint32_t outputs, uint32_t dimensions = 8, uint32_t directions = 50) {
  Bytes section(64);
  put(section, 0, dimensions);
  put(section, 4, directions);
  put(section, 8, uint64_t{7});
  for (uint32_t i = 0; i < dimensions * bits; ++i) {
    put(section, section.size(), static_cast<int16_t>(i % 97 == 0 ? -32768 : static_cast<int>(i * 31 % 1000) - 500));
  }
  for (uint32_t i = 0; i < outputs; ++i) section.push_back(static_cast<uint8_t>(255 - i % 256));
  return section;
}

}  // namespace hushbit::testing

#endif  // HUSHBIT_TESTS_CROWDS_BUILDER_H_
