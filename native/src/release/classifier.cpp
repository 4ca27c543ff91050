#include "release/classifier.h"

#include <math.h>
#include <string.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/json_reader.h"
#include "base/utf8.h"
#include "bundle/embedding.h"

namespace hushbit {
namespace {

constexpr char kFormat[] = "hushbit-classifier";
constexpr int64_t kVersion = 1;
constexpr int64_t kMostFractionBits = 62;
constexpr size_t kMostNameBytes = 200;
// Vectors are scaled so that their largest number has so many bits. Scores are then below 2^62.
constexpr uint32_t kVectorBits = 24;

hushbit_status invalid(hushbit_error* error, uint64_t position, const char* what) {
  return fail(error, HUSHBIT_INVALID_ARGUMENT, position,
              "the weights of the classifier cannot be used: %s, at byte %llu", what,
              static_cast<unsigned long long>(position));
}

bool equals(const Buffer<char>& text, const char* wanted) {
  return text.size() == strlen(wanted) && memcmp(text.data(), wanted, text.size()) == 0;
}

// [number, ...], each below 2^31 in magnitude.
bool read_integers(JsonReader* reader, Buffer<int32_t>* numbers) {
  if (!reader->take('[')) return false;
  do {
    int64_t value = 0;
    if (!reader->integer(&value) || value > INT32_MAX || value < -INT32_MAX) return false;
    if (!numbers->append(static_cast<int32_t>(value))) return false;
  } while (reader->take(','));
  return reader->take(']');
}

// The largest integer whose square is at most `square` < 2^60.
uint64_t integer_root(uint64_t square) {
  auto root = static_cast<uint64_t>(sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

// A number of magnitude up to 2^63 times a power of two, cut off toward zero.
int64_t scaled(int64_t number, int shift) {
  const uint64_t magnitude = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  const auto result = static_cast<int64_t>(shift >= 0 ? magnitude << shift : magnitude >> -shift);
  return number < 0 ? -result : result;
}

}  // namespace

// What is read before it is checked.
struct Classifier::Document {
  // The fields, in the order of the format.
  enum Field { kFormatField, kVersionField, kHash, kDimensions, kFractionBits, kClasses, kWeights, kBiases, kFields };

  bool seen[kFields] = {};
  Buffer<char> format, hash;
  int64_t version = 0, dimensions = 0, fraction_bits = 0;
  uint64_t rows = 0;

  static Field field(const Buffer<char>& name) {
    static constexpr const char* kNames[kFields] = {"format",        "version", "hash",    "dimensions",
                                                    "fraction_bits", "classes", "weights", "biases"};
    int found = 0;
    while (found < kFields && !equals(name, kNames[found])) ++found;
    return static_cast<Field>(found);
  }

  // Rows of equal length, [[...], ...].
  bool read_rows(JsonReader* reader, Buffer<int32_t>* weights) {
    if (!reader->take('[')) return false;
    size_t row_size = 0;
    do {
      const size_t before = weights->size();
      if (!read_integers(reader, weights)) return false;
      if (rows++ == 0) row_size = weights->size();
      if (weights->size() - before != row_size) return false;
    } while (reader->take(','));
    return reader->take(']');
  }

  static bool read_names(JsonReader* reader, Buffer<char>* names, Buffer<uint32_t>* ends) {
    if (!reader->take('[')) return false;
    do {
      const size_t before = names->size();
      if (ends->size() == kMostClasses || !reader->string(names)) return false;
      const size_t length = names->size() - before;
      if (length < 1 || length > kMostNameBytes) return false;
      if (!ends->append(static_cast<uint32_t>(names->size()))) return false;
    } while (reader->take(','));
    return reader->take(']');
  }

  bool read_value(JsonReader* reader, Field which, Classifier* classifier) {
    switch (which) {
      case kFormatField:
        return reader->string(&format);
      case kVersionField:
        return reader->integer(&version);
      case kHash:
        return reader->string(&hash);
      case kDimensions:
        return reader->integer(&dimensions);
      case kFractionBits:
        return reader->integer(&fraction_bits);
      case kClasses:
        return read_names(reader, &classifier->names_, &classifier->name_ends_);
      case kWeights:
        return read_rows(reader, &classifier->weights_);
      case kBiases:
        return read_integers(reader, &classifier->biases_);
      case kFields:
        break;
    }
    return false;
  }

  // One object with each field once.
  bool read(JsonReader* reader, Classifier* classifier) {
    if (!reader->take('{')) return false;
    do {
      Buffer<char> name;
      if (!reader->string(&name) || !reader->take(':')) return false;
      const Field which = field(name);
      if (which == kFields || seen[which] || !read_value(reader, which, classifier)) return false;
      seen[which] = true;
    } while (reader->take(','));
    return reader->take('}') && reader->at_end();
  }
};

hushbit_status Classifier::open(std::span<const uint8_t> json, const hushbit_embedder_info& embedder,
                                hushbit_error* error) {
  const size_t bad = first_invalid_utf8(json.data(), json.size());
  if (bad < json.size()) return invalid(error, bad, "not UTF-8");
  JsonReader reader(json);
  Document document;
  const bool whole = document.read(&reader, this);
  // What is of another kind or version need not have the form of this one.
  if (document.seen[Document::kFormatField] && !equals(document.format, kFormat)) {
    return invalid(error, 0, "the format is not hushbit-classifier");
  }
  if (document.seen[Document::kVersionField] && document.version != kVersion) {
    return fail(
        error, HUSHBIT_INVALID_ARGUMENT, 0,
        "the weights of the classifier are of version %lld, this library reads version %lld: update it, or save "
        "them again",
        static_cast<long long>(document.version), static_cast<long long>(kVersion));
  }
  if (!whole) return invalid(error, reader.position(), "not the JSON that was expected");
  for (const bool seen : document.seen) {
    if (!seen) return invalid(error, json.size(), "a field is missing");
  }
  return check(document, embedder, error);
}

hushbit_status Classifier::check(const Document& document, const hushbit_embedder_info& embedder,
                                 hushbit_error* error) {
  char hash[65] = {};
  static constexpr char kDigits[] = "0123456789abcdef";
  for (int i = 0; i < 32; ++i) {
    hash[2 * i] = kDigits[embedder.hash[i] >> 4];
    hash[2 * i + 1] = kDigits[embedder.hash[i] & 15];
  }
  if (!equals(document.hash, hash)) {
    return fail(
        error, HUSHBIT_INVALID_ARGUMENT, 0,
        "the weights of the classifier were learned with another bundle or projection than this one, %.12s: open "
        "that one, or learn again",
        hash);
  }
  if (document.dimensions != embedder.dimensions) {
    return fail(error, HUSHBIT_INVALID_ARGUMENT, 0,
                "the weights of the classifier are for %lld dimensions, the embedder has %u",
                static_cast<long long>(document.dimensions), embedder.dimensions);
  }
  if (document.fraction_bits < 0 || document.fraction_bits > kMostFractionBits) {
    return invalid(error, 0, "fraction_bits is not 0 to 62");
  }
  const size_t count = name_ends_.size();
  if (count < 2) return invalid(error, 0, "there are fewer than 2 classes");
  if (biases_.size() != count || document.rows != count || weights_.size() != count * embedder.dimensions) {
    return invalid(error, 0, "there is not a row of weights and a bias for each class");
  }
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      const auto a = name(i), b = name(j);
      if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return invalid(error, 0, "two classes have one name");
    }
  }
  dimensions_ = embedder.dimensions;
  fraction_bits_ = static_cast<int>(document.fraction_bits);
  return HUSHBIT_OK;
}

std::span<const char> Classifier::name(uint32_t index) const {
  const uint32_t begin = index == 0 ? 0 : name_ends_[index - 1];
  return {names_.data() + begin, name_ends_[index] - begin};
}

uint32_t Classifier::classify(const int64_t* vector, double* log_odds) const {
  uint64_t largest = 0;
  for (uint32_t i = 0; i < dimensions_; ++i) {
    const auto number = static_cast<uint64_t>(vector[i]);
    largest = std::max(largest, vector[i] < 0 ? 0 - number : number);
  }
  const int shift = largest == 0 ? 0 : static_cast<int>(kVectorBits) - static_cast<int>(std::bit_width(largest));
  int64_t numbers[Embedding::kMaxDimensions];
  uint64_t square = 0;
  for (uint32_t i = 0; i < dimensions_; ++i) {
    numbers[i] = scaled(vector[i], shift);
    square += static_cast<uint64_t>(numbers[i] * numbers[i]);
  }
  const auto length = static_cast<int64_t>(std::max<uint64_t>(integer_root(square), 1));
  uint32_t best = 0;
  int64_t best_score = INT64_MIN;
  for (uint32_t c = 0; c < classes(); ++c) {
    int64_t score = length * biases_[c];
    const int32_t* row = weights_.data() + size_t{c} * dimensions_;
    for (uint32_t i = 0; i < dimensions_; ++i) score += row[i] * numbers[i];
    if (score > best_score) {
      best = c;
      best_score = score;
    }
    if (log_odds != nullptr) {
      log_odds[c] = ldexp(static_cast<double>(score) / static_cast<double>(length), -fraction_bits_);
    }
  }
  return best;
}

}  // namespace hushbit
