#include "mechanism/crowd.h"

#include <string.h>

#include <algorithm>

#include "base/error.h"
#include "base/millionths.h"
#include "base/random.h"
#include "mechanism/coin.h"
#include "search/hamming.h"
#include "search/search.h"
#include "search/sorting.h"

namespace hushbit {
namespace {

// The random bits of an input are 64 for the coin, 64 for the mass in the crowd and 64 for the mass in all words.
constexpr size_t kWordBytes = 8, kCoinBytes = 3 * kWordBytes;

constexpr uint32_t kMeasuredLists = 1024, kMeasuredSearches = 64;

// Finds the member to which the unit `v` of the mass of a crowd belongs. It reads every member and keeps one by a mask.
struct ChoosingWalk {
  uint64_t v;
  uint64_t mass = 0;
  uint64_t chosen = 0;

  void take(uint32_t member, uint32_t weight) {
    const uint64_t is_beyond = mask_below(v, mass);
    chosen = (chosen & is_beyond) | (member & ~is_beyond);
    mass += weight;
  }
};

// Lists every member that has a share.
struct SharingWalk {
  const Grade& grade;
  Buffer<CrowdMember>* members;
  uint64_t mass = 0;
  uint32_t graded = 0;
  bool ok = true;

  void take(uint32_t member, uint32_t weight) {
    mass += weight;
    const uint32_t next = grade.of(mass);
    if (next > graded) ok &= members->append({.index = member, .share = next - graded});
    graded = next;
  }
};

hushbit_status damaged(hushbit_error* error) {
  return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0, "the bundle's crowds are damaged; export or download it again");
}

}  // namespace

hushbit_status Crowd::init(const Bundle& bundle, uint32_t size, double epsilon, hushbit_error* error) {
  bundle_ = &bundle;
  size_ = size != HUSHBIT_CROWD_SIZE_DEFAULT ? size : bundle.info().default_crowd_size;
  if (size_ == HUSHBIT_CROWD_SIZE_DEFAULT) size_ = HUSHBIT_CROWD_SIZE_MANY;
  if (size_ > HUSHBIT_CROWD_SIZE_MANY) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "unknown size of crowds %u; it must be one, few or many", size_);
  }
  hushbit_status status = choose_grade(epsilon, error);
  if (status != HUSHBIT_OK) return status;
  inverse_ = GradeInverse(grade_);
  mass_ = grade_.mass();
  requested_epsilon_ = epsilon;
  threshold_ = crowd_threshold(at_most_as_stated(epsilon), mass_, weights_.total());
  clamped_ = epsilon > kMaxCrowdEpsilon || (threshold_ == UINT64_MAX && this->epsilon() < epsilon);
  if (size_ != HUSHBIT_CROWD_SIZE_ONE) {
    status = bundle.crowds().empty() ? check_near(error) : bundle.crowds().check(weights_, grade_.end_mass(), error);
  }
  return status == HUSHBIT_OK ? measure(error) : status;
}

hushbit_status Crowd::choose_grade(double epsilon, hushbit_error* error) {
  if (size_ == HUSHBIT_CROWD_SIZE_ONE) {
    weights_ = Weights::equal(bundle_->outputs().count());
    grade_ = Grade::full(1);
    return HUSHBIT_OK;
  }
  weights_ = bundle_->weights();
  const Grades& grades = bundle_->grades();
  const uint64_t total = weights_.total();
  if (grades.rows() == 0) {
    // These are .0005 and .005 of the weight of all words.
    const uint64_t mass = size_ == HUSHBIT_CROWD_SIZE_FEW ? (total + 1000) / 2000 : (total + 100) / 200;
    grade_ = Grade::full(static_cast<uint32_t>(std::max<uint64_t>(mass, 1)));
    return HUSHBIT_OK;
  }
  row_ = grades.find(size_, epsilon);
  if (row_ == grades.rows()) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0, "the bundle has no crowds of %s words; choose another size",
                size_ == HUSHBIT_CROWD_SIZE_FEW ? "few" : "many");
  }
  return grades.grade(row_, weights_.total(), &grade_) ? HUSHBIT_OK : damaged(error);
}

// Checks that each word is found once, whatever the codes are, and finds how many words the lightest crowd has.
hushbit_status Crowd::check_near(hushbit_error* error) {
  const Codes& codes = bundle_->codes();
  if (codes.clustered) {
    const hushbit_status status = codes.tiled.order.verify(error);
    if (status != HUSHBIT_OK) return status;
  }
  if (weights_.are_equal()) {
    most_near_ = grade_.end_mass();
    return HUSHBIT_OK;
  }
  Buffer<uint32_t> lightest;
  if (!lightest.resize(weights_.count())) return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
  for (uint32_t i = 0; i < weights_.count(); ++i) lightest[i] = weights_[i];
  sort_ascending(lightest.data(), lightest.data() + lightest.size());
  uint64_t mass = 0;
  while (most_near_ < weights_.count() && mass < grade_.end_mass()) mass += lightest[most_near_++];
  return mass < grade_.end_mass() ? damaged(error) : HUSHBIT_OK;
}

hushbit_status Crowd::measure(hushbit_error* error) {
  const bool by_search = size_ != HUSHBIT_CROWD_SIZE_ONE && bundle_->crowds().empty();
  if (size_ == HUSHBIT_CROWD_SIZE_ONE || (by_search && weights_.are_equal())) {
    mean_size_ = mass_;  // every share is 1
    return HUSHBIT_OK;
  }
  NearScratch scratch;
  Buffer<CrowdMember> crowd;
  if (!reserve(&scratch)) return fail(error, HUSHBIT_OUT_OF_MEMORY, 0, "out of memory");
  const uint32_t words = weights_.count(), measured = std::min(words, by_search ? kMeasuredSearches : kMeasuredLists);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < measured; ++i) {
    crowd.clear();
    const auto index = static_cast<uint32_t>(uint64_t{i} * words / measured);
    const hushbit_status status = members(index, &scratch, &crowd);
    if (status == HUSHBIT_OUT_OF_MEMORY) return fail(error, status, 0, "out of memory");
    if (status != HUSHBIT_OK) return damaged(error);
    sum += crowd.size();
  }
  mean_size_ = static_cast<double>(sum) / measured;
  return HUSHBIT_OK;
}

double Crowd::epsilon() const {
  return std::min(requested_epsilon_, epsilon_of_crowd(threshold_, mass_, weights_.total()));
}

uint64_t Crowd::millionths() const {
  const double promised = epsilon();
  return promised == requested_epsilon_ ? stated_millionths(promised) : millionths_above(promised);
}

double Crowd::unchanged(double takes_crowd) const {
  const double all = weights_.total();
  double sum = 0;
  for (uint32_t i = 0; i < weights_.count(); ++i) {
    const uint32_t weight = weights_[i];
    sum += weight * (takes_crowd * grade_.of(weight) / mass_ + (1 - takes_crowd) * weight / all);
  }
  return sum / all;
}

bool Crowd::leaves_most_unchanged() const {
  const double of_noise = unchanged(0);
  return unchanged(static_cast<double>(threshold_) * 0x1p-64) - of_noise > (1 - of_noise) / 2;
}

bool Crowd::reserve(NearScratch* scratch) const {
  return scratch->ids.resize(most_near_) && scratch->distances.resize(most_near_);
}

// Reads the members of a crowd in order up to its whole mass, whatever is drawn. Returns false if the bundle is
// damaged.
template <typename Walk>
bool Crowd::walk(uint32_t index, NearScratch* scratch, Walk* walk) const {
  if (size_ == HUSHBIT_CROWD_SIZE_ONE) {
    walk->take(index, 1);
    return true;
  }
  return bundle_->crowds().empty() ? walk_near(index, scratch, walk) : walk_list(index, walk);
}

template <typename Walk>
bool Crowd::walk_list(uint32_t index, Walk* walk) const {
  const Crowds& crowds = bundle_->crowds();
  const uint32_t words = weights_.count(), end_mass = grade_.end_mass();
  CrowdList list;
  if (!crowds.list(index, &list)) return false;
  const uint32_t first = crowds.self_first() ? index : HUSHBIT_NO_WORD;
  if (first == index) walk->take(index, weights_[index]);
  for (uint32_t place = list.begin; walk->mass < end_mass; ++place) {
    if (place == list.end) return false;
    const uint32_t member = crowds.member(place);
    if (member >= words) return false;
    if (member != first) walk->take(member, weights_[member]);
  }
  return true;
}

template <typename Walk>
bool Crowd::walk_near(uint32_t index, NearScratch* scratch, Walk* walk) const {
  const Codes& codes = bundle_->codes();
  uint8_t code[kMaxCodeBytes];
  if (!codes.copy(index, code) ||
      !find_neighbors(codes, code, most_near_, scratch->ids.data(), scratch->distances.data())) {
    return false;
  }
  walk->take(index, weights_[index]);
  for (uint32_t i = 0; walk->mass < grade_.end_mass(); ++i) {
    if (i == most_near_) return false;
    const uint32_t member = scratch->ids[i];
    if (member != index) walk->take(member, weights_[member]);
  }
  return true;
}

// Finds the output word to which the unit `v` < output_mass() of the weights belongs. The number of steps is always the
// same.
uint32_t Crowd::word_of_mass(uint32_t v) const {
  if (weights_.are_equal()) return v;
  uint64_t low = 0;
  for (uint32_t size = weights_.count(); size > 1;) {
    const uint32_t half = size / 2;
    low += half & ~mask_below(v, weights_.before(static_cast<uint32_t>(low) + half));
    size -= half;
  }
  return static_cast<uint32_t>(low);
}

hushbit_status Crowd::replace_one(uint32_t input, const uint8_t* coins, RandomSource random, NearScratch* scratch,
                                  uint32_t* output) const {
  // An unknown token is never replaced from a crowd. A crowd is read for it all the same, so that it takes as long as
  // other tokens.
  const bool unknown = input == kUnknownInput;
  uint64_t drawn[kCoinBytes / kWordBytes];
  memcpy(drawn, coins, kCoinBytes);
  uint32_t of_crowd, of_all;
  if (!draw_below(mass_, drawn[1], random, &of_crowd) || !draw_below(weights_.total(), drawn[2], random, &of_all)) {
    return HUSHBIT_RANDOMNESS_FAILED;
  }
  ChoosingWalk choosing = {.v = inverse_(of_crowd)};
  if (!walk(unknown ? 0 : input, scratch, &choosing)) return HUSHBIT_CORRUPT_BUNDLE;
  const uint64_t takes_crowd = mask_of_less(drawn[0], unknown ? 0 : threshold_);
  *output = static_cast<uint32_t>((choosing.chosen & takes_crowd) | (word_of_mass(of_all) & ~takes_crowd));
  return HUSHBIT_OK;
}

hushbit_status Crowd::replace(const uint32_t* inputs, uint32_t size, const GroupSources& sources, NearScratch* scratch,
                              uint32_t* outputs) const {
  uint8_t coins[kGroup * kCoinBytes];
  hushbit_status status = sources.fill_each(coins, kCoinBytes) ? HUSHBIT_OK : HUSHBIT_RANDOMNESS_FAILED;
  for (uint32_t i = 0; status == HUSHBIT_OK && i < size; ++i) {
    status = replace_one(inputs[i], coins + i * kCoinBytes, sources.data()[i], scratch, &outputs[i]);
  }
  wipe(coins, sizeof(coins));
  return status;
}

hushbit_status Crowd::members(uint32_t index, NearScratch* scratch, Buffer<CrowdMember>* members) const {
  SharingWalk sharing = {.grade = grade_, .members = members};
  if (!walk(index, scratch, &sharing)) return HUSHBIT_CORRUPT_BUNDLE;
  return sharing.ok ? HUSHBIT_OK : HUSHBIT_OUT_OF_MEMORY;
}

}  // namespace hushbit
